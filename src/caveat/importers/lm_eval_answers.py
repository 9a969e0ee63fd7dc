"""Reads the answer of one sample of lm-evaluation-harness: a text, or the likeliest choice."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from caveat.importers.answer_texts import answer_text

INVALID = "[invalid]"
_OF_CHOICES = ("acc", "acc_norm", "acc_bytes", "acc_mutual_info")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one metric of one sample scored.

    Attributes
    ----------
    prediction, target : str or None
    status : str or None
        None where score and prediction tell it.
    n_options : int or None
    unclear : bool
        Whether the likeliest choice contradicts the score, so that no prediction is given.
    """

    prediction: str | None
    target: str | None
    status: str | None = None
    n_options: int | None = None
    unclear: bool = False


def answer_of(
    sample: Mapping[str, Any], metric: str, score: float | None, delimiter: str
) -> Answer:
    """Return the answer that a metric scored.

    Where the model generated, it is what the filter made of the text; `[invalid]` is no answer.
    Where choices were compared by their likelihood, it is the index of the likeliest one as the
    metric sees it: `acc_norm` divides by the characters of the choice, `acc_bytes` by its bytes,
    `acc_mutual_info` subtracts the likelihood without the question.
    """
    replies = sample.get("filtered_resps")
    replies = replies if isinstance(replies, list) else [replies]
    likelihoods = _likelihoods(replies)
    if likelihoods is None:
        prediction = _text(replies)
        unread = prediction is None and not (score or 0) > 0
        return Answer(
            prediction=prediction,
            target=_text([sample.get("target")]),
            status="unparsed" if unread else None,
        )
    return _choice(sample, metric, score, likelihoods, delimiter)


def _text(replies: list[Any]) -> str | None:
    value: Any = replies
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    text = answer_text(value)
    return None if text == INVALID else text


def _likelihoods(replies: list[Any]) -> list[float] | None:
    """Return log likelihoods; replies that are pairs of a number and true or false have them."""
    values = []
    for reply in replies:
        if not isinstance(reply, list) or len(reply) != 2 or str(reply[1]) not in ("True", "False"):
            return None
        try:
            values.append(float(reply[0]))
        except (TypeError, ValueError):
            return None
    return values or None


def _choice(
    sample: Mapping[str, Any],
    metric: str,
    score: float | None,
    likelihoods: list[float],
    delimiter: str,
) -> Answer:
    mutual = metric == "acc_mutual_info" or "acc_mutual_info" in sample
    n = len(likelihoods) // 2 if mutual else len(likelihoods)
    target = _text([sample.get("target")])
    if n < 2 or metric not in _OF_CHOICES:
        return Answer(
            prediction=None, target=target, status="scored", n_options=n if n > 1 else None
        )
    choices = _choices(sample.get("arguments"), n, delimiter)
    if choices is not None and len(set(choices)) == 1:  # the questions differ, not their ends
        target, choices = None, None
    best = _best(likelihoods, metric, n, choices)
    if best is None:
        return Answer(prediction=None, target=target, status="scored", n_options=n, unclear=True)
    index = _index(target, choices, n)
    if index is not None and score is not None and (best == index) != (score > 0):
        return Answer(prediction=None, target=target, status="scored", n_options=n, unclear=True)
    return Answer(prediction=str(best), target=target if index is None else str(index), n_options=n)


def _choices(arguments: object, n: int, delimiter: str) -> list[str] | None:
    """Return the choices: the second argument of each request, without the delimiter."""
    if isinstance(arguments, dict):
        arguments = [
            [values.get(f"arg_{i}") for i in range(2)] if isinstance(values, dict) else values
            for values in arguments.values()
        ]
    if not isinstance(arguments, list) or len(arguments) < n:
        return None
    texts = [a[1] if isinstance(a, list) and len(a) > 1 else None for a in arguments[:n]]
    if not all(isinstance(text, str) for text in texts):
        return None
    return [str(text).removeprefix(delimiter) for text in texts]


def _best(likelihoods: list[float], metric: str, n: int, choices: list[str] | None) -> int | None:
    """Return the place of the first largest value, as the tool takes it."""
    values = likelihoods[:n]
    if metric in ("acc_norm", "acc_bytes"):
        if choices is None or not all(choices):
            return None
        sizes = [len(c.encode()) for c in choices] if metric == "acc_bytes" else map(len, choices)
        values = [value / size for value, size in zip(values, sizes, strict=True)]
    elif metric == "acc_mutual_info":
        values = [one - other for one, other in zip(values, likelihoods[n:], strict=True)]
    if any(math.isnan(value) for value in values):
        return None
    return values.index(max(values))


def _index(target: str | None, choices: list[str] | None, n: int) -> int | None:
    """Return the index of the right choice: the target is an index, or the text of a choice."""
    if target is None:
        return None
    if choices is not None and target in choices and not (target.isdigit() and int(target) < n):
        return choices.index(target)
    return int(target) if target.isascii() and target.isdigit() and int(target) < n else None
