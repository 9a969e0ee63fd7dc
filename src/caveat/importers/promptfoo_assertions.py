"""What the assertions of promptfoo say about the content of an answer, leaving its speed out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from caveat.importers.case_fields import mapping, number, score_of

_Pick = Literal["content", "everything"]
NOT_CONTENT = frozenset({"latency", "cost", "perplexity", "perplexity-score"})
_GOLD = frozenset(
    {"equals", "contains", "icontains", "starts-with", "similar", "factuality", "levenshtein"}
    | {"bleu", "rouge-n"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is left of a result without assertions about latency, cost and perplexity.

    Attributes
    ----------
    passed : float or None
        1 where the content passed, 0 where it failed, None where nothing was asserted of it.
    metrics : dict of str to float
        Mean score of each further metric: those named in the assertions and, where several were
        made of the content, their types.
    target : str or None
        The text that an assertion compares with.
    rebuilt : bool
        Whether an assertion had to be left out, so that promptfoo's own verdict is another.
    unclear : bool
        Whether the file does not say how promptfoo made its verdict out of the assertions (a
        scoring function, a threshold that old versions do not write), so that none can be rebuilt.
    """

    passed: float | None
    metrics: dict[str, float]
    target: str | None
    rebuilt: bool
    unclear: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One assertion, or a set of them that counts as one."""

    result: Mapping[str, Any]
    assertion: Mapping[str, Any]
    inside: "tuple[_Part, ...]" = ()

    @property
    def kind(self) -> str:
        return str(self.assertion.get("type") or "assertion")

    @property
    def is_content(self) -> bool:
        if self.inside:
            return any(part.is_content for part in self.inside)
        return self.kind.removeprefix("not-") not in NOT_CONTENT

    @property
    def weight(self) -> float:
        weight = number(self.assertion.get("weight"))
        return 1.0 if weight is None else weight

    @property
    def all_content(self) -> bool:
        return self.is_content and all(part.is_content for part in self.inside)


def verdict(grading: Mapping[str, Any], test: Mapping[str, Any]) -> Verdict:
    """Judge a case by the assertions about its content.

    Without a threshold every one has to pass; with one the weighted mean of their scores has to
    reach it, as in promptfoo. Where nothing has to be left out, promptfoo's own verdict counts.

    Parameters
    ----------
    grading
        `gradingResult` of the case.
    test
        Its `testCase`.
    """
    parts = _parts(grading, test)
    content = [part for part in parts if part.is_content]
    rebuilt = not all(part.all_content for part in parts)
    threshold = number(test.get("threshold"))
    as_stated = bool(grading.get("pass")) == _passed(parts, threshold, pick="everything")
    unclear = bool(content) and rebuilt and not as_stated
    if not content or unclear:
        passed = None
    elif rebuilt:
        passed = float(_passed(content, threshold, pick="content"))
    else:
        passed = score_of(grading.get("pass"))
    single = [leaf for part in content for leaf in _leaves(part)]
    return Verdict(
        passed=passed,
        metrics=_metrics(single),
        target=_target(single),
        rebuilt=rebuilt,
        unclear=unclear,
    )


def _parts(grading: Mapping[str, Any], test: Mapping[str, Any]) -> list[_Part]:
    """Return the assertions; the members of a set, which stand behind it again, only within it."""
    asserted = test.get("assert")
    sets = iter(
        [a for a in asserted if mapping(a).get("type") == "assert-set"]
        if isinstance(asserted, list)
        else []
    )
    listed = grading.get("componentResults")
    results = [r for r in listed if isinstance(r, Mapping)] if isinstance(listed, list) else []
    parts: list[_Part] = []
    skip = 0
    for result in results:
        if skip:
            skip -= 1
            continue
        inside = _inside(result)
        assertion = mapping(result.get("assertion"))
        if inside and not assertion:
            assertion = mapping(next(sets, None))
            skip = len(inside)
        parts.append(_Part(result=result, assertion=assertion, inside=inside))
    return parts


def _inside(result: Mapping[str, Any]) -> tuple[_Part, ...]:
    nested = result.get("componentResults")
    if not isinstance(nested, list) or mapping(result.get("assertion")):
        return ()
    return tuple(
        _Part(result=r, assertion=mapping(r.get("assertion")))
        for r in nested
        if isinstance(r, Mapping)
    )


def _passed(parts: list[_Part], threshold: float | None, *, pick: _Pick) -> bool:
    if threshold is None:
        return all(_judged(part, pick)[0] for part in parts)
    return _mean(parts, pick) >= threshold


def _judged(part: _Part, pick: _Pick) -> tuple[bool, float]:
    """Return whether one part passed, and its score."""
    content = [p for p in part.inside if p.is_content]
    if pick == "content" and len(content) < len(part.inside):
        stated = mapping(mapping(part.result.get("metadata")).get("assertionSet"))
        threshold = number(stated.get("threshold", part.assertion.get("threshold")))
        return _passed(content, threshold, pick=pick), _mean(content, pick)
    return bool(part.result.get("pass")), score_of(part.result.get("score")) or 0.0


def _mean(parts: list[_Part], pick: _Pick) -> float:
    total = sum(part.weight for part in parts)
    if not total:
        return 0.0
    return sum(part.weight * _judged(part, pick)[1] for part in parts) / total


def _leaves(part: _Part) -> list[_Part]:
    return [p for p in part.inside if p.is_content] if part.inside else [part]


def _metrics(leaves: list[_Part]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for leaf in leaves:
        score = score_of(leaf.result.get("score"))
        named = leaf.assertion.get("metric")
        name = str(named) if named else leaf.kind if len(leaves) > 1 else None
        if name is not None and score is not None:
            found.setdefault(name, []).append(score)
    return {name: sum(scores) / len(scores) for name, scores in found.items()}


def _target(leaves: list[_Part]) -> str | None:
    for leaf in leaves:
        value = leaf.assertion.get("value")
        if leaf.kind in _GOLD and isinstance(value, (str, int, float)):
            return str(value)
    return None
