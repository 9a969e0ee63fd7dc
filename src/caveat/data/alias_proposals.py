"""Names that may be one model: proposals with reasons, never merged by themselves."""

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

_LATEST = re.compile(r"[-:@](latest|free|default)$")
_DATE = re.compile(
    r"[-@:](20\d{2}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|2[0-9](?:0[1-9]|1[0-2]))$"
)
_QUANTISED = re.compile(
    r"[-_.:@]((?:w\d+a\d+|awq|gptq|gguf|ggml|exl2|bnb|mlx|fp8|fp16|bf16|nf4|int[48]|[48]-?bits?|q\d(?:_[a-z0-9]+)*)"
    r"(?:[-_.](?:w\d+a\d+|awq|gptq|gguf|dynamic|int[48]|[48]-?bits?))*)$"
)
_SIGNS = re.compile(r"[ _.]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One name that may stand for another.

    Attributes
    ----------
    alias, model : str
    reasons : tuple of str
        In what the two differ.
    alias_rows, model_rows : int
    """

    alias: str
    model: str
    reasons: tuple[str, ...]
    alias_rows: int
    model_rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A name taken apart."""

    whole: str
    base: str
    prefix: str
    date: str
    latest: str
    quantised: str


def propose(rows: Mapping[str, int]) -> tuple[Proposal, ...]:
    """Propose which names of models may be one.

    Two names are proposed when they are the same but for upper and lower case, `_`, `.` or a
    blank where the other has `-`, what stands before the last slash (`openai/`,
    `openai-api/mock/`; `org__name` is `org/name`), a date at the end, `-latest`. Names that
    differ in their quantisation (`-awq`, `-int4`, ...) are never proposed: they are other
    weights. Of each group the name with most rows is the model.

    Parameters
    ----------
    rows
        Names of models with the number of their rows.

    Examples
    --------
    >>> [(p.alias, p.model, p.reasons) for p in propose({"gpt-4o": 9, "openai/GPT-4o": 5})]
    [('openai/GPT-4o', 'gpt-4o', ('upper and lower case', "prefix 'openai/'"))]
    >>> propose({"llama-3-8b": 1, "llama-3-8b-awq": 1})
    ()
    """
    groups: dict[tuple[str, str], list[_Name]] = {}
    for name in rows:
        taken = _apart(name)
        groups.setdefault((taken.base, taken.quantised), []).append(taken)
    made = []
    for names in groups.values():
        ranked = sorted(names, key=lambda n: (-rows[n.whole], len(n.whole), n.whole))
        made += [
            Proposal(
                alias=name.whole,
                model=ranked[0].whole,
                reasons=_reasons(name, ranked[0]),
                alias_rows=rows[name.whole],
                model_rows=rows[ranked[0].whole],
            )
            for name in ranked[1:]
        ]
    return tuple(sorted(made, key=lambda p: (len(p.reasons), p.model, p.alias)))


def as_toml(proposals: tuple[Proposal, ...]) -> str:
    """Return proposals as a table of aliases in which nothing counts until a `#` is taken away."""
    lines = [
        "# Names that may be one model, those with fewest differences first.",
        "# Nothing is merged as this file stands: take the single # away from the lines you agree",
        "# with, and pass the file with --aliases.",
        "[aliases]",
    ]
    for one in proposals:
        lines.append(
            f"## {'; '.join(one.reasons)} ({one.alias_rows:,} and {one.model_rows:,} rows)"
        )
        lines.append(f"# {_quoted(one.alias)} = {_quoted(one.model)}")
    return "\n".join(lines) + "\n"


def as_csv(proposals: tuple[Proposal, ...]) -> str:
    """Return proposals as a table of aliases in which nothing counts until accept says yes."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("alias", "model", "accept", "reason", "alias_rows", "model_rows"))
    for one in proposals:
        reason = "; ".join(one.reasons)
        writer.writerow((one.alias, one.model, "", reason, one.alias_rows, one.model_rows))
    return file.getvalue()


def _apart(name: str) -> _Name:
    text = _SIGNS.sub("-", name.strip().lower().replace("__", "/")).strip("-")
    path, slash, rest = text.rpartition("/")
    prefix = name.strip().replace("__", "/").rpartition("/")[0] + slash
    quantised = date = latest = ""
    while True:
        for kind, pattern in (("quantised", _QUANTISED), ("latest", _LATEST), ("date", _DATE)):
            found = pattern.search(rest)
            if found is None or not rest[: found.start()]:
                continue
            rest = rest[: found.start()]
            if kind == "quantised":
                quantised = found[1] + quantised
            elif kind == "latest":
                latest = found[1]
            else:
                date = found[1]
            break
        else:
            break
    return _Name(
        whole=name, base=rest or path, prefix=prefix, date=date, latest=latest, quantised=quantised
    )


def _reasons(alias: _Name, model: _Name) -> tuple[str, ...]:
    reasons = []
    ends = [n.whole.replace("__", "/").rpartition("/")[2] for n in (alias, model)]
    if ends[0].lower() == ends[1].lower() and ends[0] != ends[1]:
        reasons.append("upper and lower case")
    elif _signs(ends[0]) != _signs(ends[1]):
        reasons.append("_, . or blank for -")
    prefixes = [n.prefix for n in (alias, model) if n.prefix]
    if alias.prefix.lower() != model.prefix.lower():
        what = " and ".join(repr(p) for p in prefixes)
        both = "; another organisation may mean other weights" if len(prefixes) > 1 else ""
        reasons.append(f"prefix {what}{both}")
    if alias.date != model.date:
        dates = " and ".join(repr(n.date) for n in (alias, model) if n.date)
        reasons.append(f"date {dates}: may be another snapshot")
    if alias.latest != model.latest:
        reasons.append(f"ending {(alias.latest or model.latest)!r}: may be another snapshot")
    return tuple(reasons) or ("blanks or signs",)


def _signs(text: str) -> str:
    return "".join(c for c in text if c in "_. ")


def _quoted(name: str) -> str:
    """Return a name as a basic string of TOML."""
    text = json.dumps(name, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in text)
