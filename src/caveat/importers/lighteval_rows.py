"""Turns one detail of lighteval into rows: one for each metric."""

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from caveat.importers._base import Dropped
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import mapping, score_of
from caveat.importers.row_columns import Row

NAMES = (
    "item", "metric", "prediction", "target", "score", "status", "n_options", "input_tokens",
    "output_tokens",
)  # fmt: skip


def detail_rows(
    record: Mapping[str, Any], number: int, *, prefix: str, file: str, dropped: Dropped
) -> Iterator[Row]:
    """Yield the rows of one detail.

    Details of before 2025 have no ids; their items are numbered from 0 in the order of the file,
    as the ids of later ones are.
    """
    fields = {name: _value(value) for name, value in record.items()}
    new = "metric" in fields
    doc = mapping(fields.get("doc")) if new else fields
    reply = mapping(fields.get("model_response"))
    choices = _list(doc.get("choices"))
    gold = _list(doc.get("gold_index"))
    texts = _list(reply.get("text_post_processed")) or _list(reply.get("text"))
    likelihoods = _list(reply.get("logprobs"))
    if not new:
        texts = _list(fields.get("predictions"))
    item = doc.get("id")
    item = str(number - 1) if item is None or not new else str(item)
    tokens_in = _tokens(reply.get("input_tokens") if new else fields.get("input_tokens"))
    tokens_out = _tokens(reply.get("output_tokens") if new else fields.get("cont_tokens"))
    for metric, value in mapping(fields.get("metric") if new else fields.get("metrics")).items():
        if value is None:  # a column of another task of the same file
            continue
        score = score_of(value)
        if score is None:
            dropped(
                f"metric {metric!r} is no single number for an item", 1, f"{file}, row {number}"
            )
            continue
        prediction, target, n_options = _answer(metric, score, choices, gold, texts, likelihoods)
        status = "scored" if n_options or len(texts) != 1 else None
        yield (
            prefix + item, metric, prediction, target, score, status, n_options, tokens_in,
            tokens_out,
        )  # fmt: skip


def _value(value: object) -> object:
    """Return nested values that the tool wrote as text, because their types were mixed."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return value
    return value


def _list(value: object) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _tokens(value: object) -> int | None:
    """Count tokens: a list of them, or a list of one such list."""
    tokens = _list(value)
    while len(tokens) == 1 and isinstance(tokens[0], list):
        tokens = tokens[0]
    if not tokens or any(isinstance(token, list) for token in tokens):
        return None
    return len(tokens)


def _answer(
    metric: str,
    score: float,
    choices: list[Any],
    gold: list[Any],
    texts: list[Any],
    likelihoods: list[Any],
) -> tuple[str | None, str | None, int | None]:
    """Return prediction, target and number of options.

    Where each choice has a likelihood, the answer is the index of the likeliest; if the score says
    otherwise (it may be normalised in a way that the file does not tell), there is none.
    """
    numbers = [value for value in likelihoods if isinstance(value, (int, float))]
    if len(choices) > 1 and len(numbers) == len(choices):
        best = str(numbers.index(max(numbers)))
        right = [str(index) for index in gold]
        agrees = (best in right) == (score > 0) and "norm" not in metric
        return best if agrees else None, answer_text(_single(right)), len(choices)
    right = [choices[i] for i in gold if isinstance(i, int) and 0 <= i < len(choices)]
    return (
        answer_text(texts[0]) if len(texts) == 1 else None,
        answer_text(_single(right)) if right else None,
        None,
    )


def _single(values: list[Any]) -> object:
    return values[0] if len(values) == 1 else values
