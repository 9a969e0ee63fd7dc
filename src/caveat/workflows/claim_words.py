"""Reads a claim out of a sentence or a table, once the names of models and tasks are known."""

import difflib
import re
from collections.abc import Collection, Mapping
from typing import Any

from caveat.errors import InputError
from caveat.results.claims import KINDS, Claim, Kind

_NUMBER = r"(?P<number>\d+(?:\.\d+)?)"
_UNIT = r"(?P<unit>\s?%|\s?points?|\s?percent)?"
_FORMS: tuple[tuple[Kind, str], ...] = (
    ("beats", r"{a} beats {b}(?: by (?:at least )?" + _NUMBER + _UNIT + r")?{on}"),
    (
        "interchangeable",
        r"{a} and {b} are interchangeable(?: within " + _NUMBER + _UNIT + r")?{on}",
    ),
    ("top", r"{a} is in the top " + _NUMBER + r"{on}"),
    ("top", r"{a} is (?:the )?(?P<best>best|first){on}"),
    (
        "costs",
        r"{a} costs (?:at most )?(?:(?P<half>half)|(?P<third>a third)|(?P<quarter>a quarter)|"
        + _NUMBER
        + r" times) as much as {b}(?P<score> at the same score)?{on}",
    ),
    ("scores", r"{a} scores at least " + _NUMBER + _UNIT + r"{on}"),
    ("disagree", r"{a} and {b} disagree on at most " + _NUMBER + _UNIT + r"{on}"),
)
FORMS = (
    "A beats B [by 2 points]",
    "A and B are interchangeable [within 1 point]",
    "A is in the top 3",
    "A is best",
    "A costs half as much as B [at the same score]",
    "A scores at least 70%",
    "A and B disagree on at most 10%",
)
"""What a sentence may say; ` on TASK` may follow."""
MARGIN = 0.01
_FRACTIONS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25}
_KEYS = {"says", "kind", "a", "b", "benchmark", "task", "limit", "margin", "disagree"}


def claim_of(
    entry: Mapping[str, Any],
    *,
    models: Collection[str],
    tasks: Collection[str],
    benchmark: str = "",
    margin: float = MARGIN,
) -> Claim:
    """Read one claim.

    Parameters
    ----------
    entry : mapping
        `says`, a sentence of one of the `FORMS`; or `kind`, `a`, `b` and what else the kind takes.
        Both may stand together: the keys then win.
    models, tasks : collection of str
        Names that may stand in it.
    benchmark : str
        Where it is to hold.
    margin : float
        Of scores that count as the same.

    Raises
    ------
    InputError
        When it says something else; the message lists what it may say.

    Examples
    --------
    >>> claim = claim_of({"says": "x beats y on math"}, models=["x", "y"], tasks=["math"])
    >>> claim.kind, claim.a, claim.b, claim.task
    ('beats', 'x', 'y', 'math')
    """
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise InputError(f"a claim takes {', '.join(sorted(_KEYS))}, got {unknown[0]!r}")
    says = str(entry.get("says", "")).strip()
    read: dict[str, Any] = {}
    if says and "kind" not in entry:
        read = _sentence(says, models, tasks)
    read |= {key: value for key, value in entry.items() if key != "says"}
    read.setdefault("benchmark", benchmark)
    return _claim(read, says, margin)


def _sentence(says: str, models: Collection[str], tasks: Collection[str]) -> dict[str, Any]:
    plain = says.rstrip(". ")
    for kind, form in _FORMS:
        for found in re.finditer(_pattern(form, models, tasks), plain, re.IGNORECASE):
            if found.end() == len(plain) and found.start() == 0:
                read = {"kind": kind, **_limits(kind, found)}
                named = {"a": models, "b": models, "task": tasks}
                return read | {k: _spelt(read[k], v) for k, v in named.items() if k in read}
    raise InputError(_unread(plain, models, tasks))


def _pattern(form: str, models: Collection[str], tasks: Collection[str]) -> str:
    names, parts = _any_of(models), _any_of(tasks)
    on = rf"(?: on (?P<task>{parts}))?"
    made = form.replace("{a}", f"(?P<a>{names})").replace("{b}", f"(?P<b>{names})")
    return made.replace("{on}", on).replace(" ", r"\s+")


def _any_of(names: Collection[str]) -> str:
    """Match one of some names, in quotes or not, the longest first."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(re.escape(name).replace(r"\ ", " ") for name in ordered) or r"(?!)"


def _spelt(found: str, names: Collection[str]) -> str:
    """Return a name as the responses spell it."""
    if found in names:
        return found
    plain = " ".join(found.split()).casefold()
    return next(name for name in names if " ".join(name.split()).casefold() == plain)


def _limits(kind: Kind, found: re.Match[str]) -> dict[str, Any]:
    groups = found.groupdict()
    read: dict[str, Any] = {k: v for k in ("a", "b", "task") if (v := groups.get(k))}
    number = groups.get("number")
    if number is not None:
        share = kind not in ("top", "costs")
        whole = share and (groups.get("unit") or float(number) > 1)
        read["limit"] = float(number) / 100 if whole else float(number)
    if groups.get("best"):
        read["limit"] = 1
    for word, ratio in _FRACTIONS.items():
        if groups.get(word):
            read["limit"] = ratio
    if groups.get("score"):
        read["margin"] = MARGIN
    return read


def _claim(read: Mapping[str, Any], says: str, margin: float) -> Claim:
    kind = read.get("kind")
    if kind not in KINDS:
        raise InputError(f"kind of a claim must be one of {', '.join(KINDS)}, got {kind!r}")
    for key in ("a", "b", "benchmark", "task"):
        if not isinstance(read.get(key, ""), str):
            raise InputError(f"{key} of a claim must be a text, got {read[key]!r}")
    pair = kind in ("beats", "interchangeable", "costs", "disagree")
    if not read.get("a") or (pair and not read.get("b")):
        raise InputError(f"a claim of kind {kind!r} needs {'a and b' if pair else 'a'}, got {read}")
    if pair and read["a"] == read["b"]:
        raise InputError(f"a claim must be about two models, got {read['a']!r} twice")
    default = {"beats": 0.0, "interchangeable": margin}.get(kind)
    limit = _number(read, "limit", default)
    same = "margin" in read
    return Claim(
        says=says or _in_words(kind, read, limit),
        kind=kind,
        a=read["a"],
        b=read.get("b", "") if pair else "",
        benchmark=read.get("benchmark", ""),
        task=read.get("task", ""),
        limit=_checked(kind, limit),
        margin=_number(read, "margin", None) if same and kind == "costs" else float("nan"),
        disagree=_number(read, "disagree", float("nan")),
    )


def _number(read: Mapping[str, Any], key: str, default: float | None) -> float:
    value = read.get(key, default)
    if value is None or isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(
            f"{key} of a claim of kind {read['kind']!r} must be a number, got {value!r}"
        )
    return float(value)


def _checked(kind: str, limit: float) -> float:
    if kind == "top" and (limit < 1 or limit != round(limit)):
        raise InputError(f"top k must be a whole number from 1, got {limit!r}")
    if kind == "costs" and not 0 < limit < float("inf"):
        raise InputError(f"ratio of costs must be above 0, got {limit!r}")
    if kind in ("interchangeable", "disagree") and not 0 < limit < 1:
        raise InputError(f"limit must be strictly between 0 and 1, got {limit!r}")
    if kind in ("beats", "scores") and not -1e9 < limit < 1e9:
        raise InputError(f"limit must be a number, got {limit!r}")
    return limit


def _in_words(kind: str, read: Mapping[str, Any], limit: float) -> str:
    a, b = read["a"], read.get("b", "")
    on = f" on {read['task']}" if read.get("task") else ""
    said = {
        "beats": f"{a} beats {b}" + (f" by {100 * limit:g} points" if limit else ""),
        "interchangeable": f"{a} and {b} are interchangeable within {100 * limit:g} points",
        "top": f"{a} is in the top {limit:g}",
        "costs": f"{a} costs at most {limit:g} times as much as {b}"
        + (" at the same score" if "margin" in read else ""),
        "scores": f"{a} scores at least {100 * limit:g}%",
        "disagree": f"{a} and {b} disagree on at most {100 * limit:g}%",
    }
    return said[kind] + on


def _unread(says: str, models: Collection[str], tasks: Collection[str]) -> str:
    named = [model for model in models if model in says]
    text = f"claim not understood: {says!r}; it may say {'; '.join(FORMS)}; with ` on TASK` behind"
    if len(named) < 2:
        words = [word.strip(".,\"'") for word in says.split()]
        near = [m for w in words for m in difflib.get_close_matches(w, list(models), n=1)]
        hints = ", ".join(dict.fromkeys(near)) or ", ".join(sorted(models)[:10])
        text += f". Models named in it: {', '.join(named) or 'none'}; did you mean {hints}?"
    if " on " in says and tasks:
        text += f" Tasks: {', '.join(sorted(tasks)[:20])}"
    return text
