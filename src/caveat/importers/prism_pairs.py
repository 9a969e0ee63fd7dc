"""Votes out of PRISM's scores: pairs of replies to one prompt at one turn.

Source: Kirk et al. (2024), "The PRISM Alignment Project", https://arxiv.org/abs/2404.16019; the
rules are those of `extract_battles` in their `src/data_analysis/ranking.py` at a9ec821.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import inf, isnan
from typing import Any

from caveat.data.builder import show
from caveat.data.numbers import MISSING_SPELLINGS
from caveat.data.winners import LEAVE_OUT
from caveat.errors import CellError
from caveat.importers._base import Dropped, ReadOptions

TIE = 5
LOWEST, HIGHEST = 1, 100
ONE_MODEL = (
    "both replies are of one model (turns after the first compare drafts of the model chosen)"
)
REPEATED = "an earlier reply of the same model to the same prompt (its last score counts)"
ALONE = "the only reply to its prompt with a model and a score"
NO_PLACE = "no conversation or no turn"
NO_HISTORY = "no conversation or no history of one"
SCORE = f"must be a number from {LOWEST} to {HIGHEST}"
NOTICE = (
    "prism: every pair of replies to one prompt counts as one row read, and so does every reply "
    f"that is in no pair; scores at most {TIE} apart are a tie; the pairs of one turn share a "
    "battle and are not independent; which reply was shown first is not known"
)
COLUMNS = (
    "model_a", "model_b", "outcome", "voter", "task", "battle", "item", "turn", "at", "score_a",
    "score_b", "included_in_balanced_subset",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One scored reply; `row` is where it stands in its file."""

    model: str | None
    score: object
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    model: str
    score: float
    row: int


@dataclass(slots=True, kw_only=True)
class Exchange:
    """The replies to one prompt at one turn, and what they share."""

    shared: dict[str, Any]
    replies: list[Reply] = field(default_factory=list)


def votes_of(
    exchanges: Iterable[Exchange], *, file: str, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield number and vote of each pair of replies that different models gave.

    Parameters
    ----------
    exchanges
        All replies to each prompt.
    file
        Name of the file in messages.
    options
        Whether a score that breaks the rule stops reading.
    dropped
        Told of replies and pairs that are no vote.
    """
    number = 0
    for exchange in exchanges:
        scored = list(_scored(exchange.replies, file, options, dropped))
        for first, second in combinations(_once(scored, file, dropped), 2):
            number += 1
            yield (
                number,
                {
                    **exchange.shared,
                    "model_a": first.model,
                    "model_b": second.model,
                    "outcome": _outcome(first.score, second.score),
                    "score_a": first.score,
                    "score_b": second.score,
                },
            )


def _scored(
    replies: list[Reply], file: str, options: ReadOptions, dropped: Dropped
) -> Iterator[_Scored]:
    for reply in replies:
        place = f"{file}, row {reply.row}"
        score = _number(reply.score)
        if not reply.model:
            dropped("no model name", 1, place)
        elif score is None:
            dropped("no score", 1, place)
        elif LOWEST <= score <= HIGHEST:
            yield _Scored(model=reply.model, score=score, row=reply.row)
        elif options.bad_rows == "drop":
            dropped(f"score: {SCORE}", 1, place)
        else:
            raise CellError(
                file=file,
                row=reply.row,
                column="score",
                rule=SCORE,
                value=show(reply.score),
                remedy=LEAVE_OUT,
            )


def _number(score: object) -> float | None:
    """Return a score as a number, None for none; what is no number becomes infinity."""
    if isinstance(score, str):
        text = score.strip().lower()
        if text in MISSING_SPELLINGS:
            return None
        try:
            score = float(text)
        except ValueError:
            return inf
    if score is None or isinstance(score, bool) or not isinstance(score, (int, float)):
        return None if score is None else inf
    return None if isnan(score) else float(score)


def _once(replies: list[_Scored], file: str, dropped: Dropped) -> list[_Scored]:
    """Return the last reply of each model in the place of its first, and count the others."""
    last: dict[str, _Scored] = {}
    for reply in replies:
        last[reply.model] = reply
    place = f"{file}, row {replies[0].row}" if replies else ""
    if len(replies) == 1:
        dropped(ALONE, 1, place)
    elif len(last) == 1:
        dropped(ONE_MODEL, len(replies) * (len(replies) - 1) // 2, place)
    elif len(last) < len(replies):
        dropped(REPEATED, len(replies) - len(last), place)
    return list(last.values()) if len(last) > 1 else []


def _outcome(first: float, second: float) -> str:
    if abs(first - second) <= TIE:
        return "tie"
    return "a" if first > second else "b"
