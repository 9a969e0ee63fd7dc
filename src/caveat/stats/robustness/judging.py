"""Do judges agree, what does each of them favour, and whom would each put first?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.kernels.judge_agreement import judge_agreement
from caveat.kernels.kendall import kendall_tau
from caveat.results.ranking import Judge, Ranking
from caveat.results.stress.judging import (
    JudgedModel,
    JudgePair,
    JudgeView,
    Judging,
    OwnPreference,
)
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.judges import OWN_BOARD
from caveat.stats.ranking.rate import PLAIN, Errors
from caveat.stats.robustness.judge_alone import JudgeAlone, length_column
from caveat.stats.robustness.judge_comparisons import (
    Comparisons,
    comparisons_of,
    judge_codes,
    own_preference,
)
from caveat.stats.robustness.kinship import is_people, kin

T = TypeVar("T")

MOST = 12
"""Judges shown at most."""


def judging(
    board: FittedBoard,
    ranked: Ranking,
    *,
    declared: Mapping[str, Mapping[str, Any]] | None = None,
    errors: Errors = PLAIN,
) -> Judging | None:
    """Put judges side by side.

    Use it where people and models, or several models, judged the same answers.

    Parameters
    ----------
    board : FittedBoard
        With its source.
    ranked : Ranking
        Of the same votes, with its judges.
    declared : mapping of str to mapping, optional
        What a table of models says of each; family and provider tell a judge's own models.
    errors : Errors
        Its level and seed are used.

    Returns
    -------
    Judging or None
        None where fewer than two judges cast at least 5% of the votes each.

    References
    ----------
    Zheng et al. (2023), https://arxiv.org/abs/2306.05685; Panickssery, Bowman and Feng (2024),
    https://arxiv.org/abs/2404.13076.

    Examples
    --------
    >>> import caveat
    >>> rows = {"model_a": ["x"] * 80, "model_b": ["y"] * 80, "item": [k // 2 for k in range(80)],
    ...         "judge": ["human", "y"] * 40, "winner": ["a", "a", "b", "b"] * 15 + ["a", "b"] * 10}
    >>> (pair,) = caveat.stress(rows).part(Judging).pairs
    >>> pair.n, pair.agree
    (40, 0.75)
    """
    source = board.votes.source
    if source is None or ranked.judges is None:
        return None
    chosen = [judge for judge in ranked.judges.listed if judge.share >= OWN_BOARD][:MOST]
    if len(chosen) < 2:
        return None
    names = tuple(judge.judge for judge in chosen)
    comparisons = comparisons_of(board, names)
    plain = replace(errors, cluster=None, bootstrap=0)
    bench = _Bench(source, board, names, comparisons, declared or {}, plain)
    column, codes = length_column(source.table), judge_codes(board, names)
    views = []
    for k, judge in enumerate(chosen):
        table = source.table.filter(pa.array(codes == k))
        alone = JudgeAlone.of(replace(source, table=table, places=None), plain)
        views.append(bench.view(judge, alone, anchor=ranked.anchor, column=column))
    return Judging(
        judges=tuple(views),
        pairs=tuple(
            bench.pair(views, i, j) for i in range(len(views)) for j in range(i + 1, len(views))
        ),
        matched_on=comparisons.on if comparisons else (),
        n_left_out=ranked.judges.n_judges - len(chosen),
        level=errors.level,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Bench:
    source: Evidence
    board: FittedBoard
    judges: tuple[str, ...]
    comparisons: Comparisons | None
    declared: Mapping[str, Mapping[str, Any]]
    errors: Errors

    def view(
        self, judge: Judge, alone: JudgeAlone, *, anchor: str | None, column: str | None
    ) -> JudgeView:
        """Put everything about one judge together."""
        reasons: dict[str, str] = {}
        ranking = _tried("models", lambda: alone.ranking(anchor), reasons)
        position = _tried("position", alone.position, reasons)
        length = _tried("length", lambda: alone.length(column), reasons)
        own = _tried("own", lambda: self._own(judge.judge), reasons)
        return JudgeView(
            judge=judge.judge,
            people=is_people(judge.judge),
            model=judge.model,
            n_votes=judge.n_votes,
            share=judge.share,
            tie_share=alone.tie_share,
            lead=None if ranking is None else ranking.lead,
            models=_rows(ranking),
            position=position,
            length_column=column or "",
            length=length,
            own=own,
            reasons=tuple(reasons.items()),
        )

    def _own(self, judge: str) -> OwnPreference:
        """Hold a judge against people, or against all others where no people judged."""
        if is_people(judge):
            raise InputError("people are no model")
        found = kin(judge, self.board.names, self.declared)
        if not found.models:
            raise InputError("none of its own models is on the board")
        if self.comparisons is None:
            raise InputError("votes name no item")
        people = [j for j, name in enumerate(self.judges) if is_people(name)]
        others = people or [j for j, name in enumerate(self.judges) if name != judge]
        called = "people" if people else "the other judges"
        if len(others) == 1:
            called = self.judges[others[0]]
        own = np.array([name in found.models for name in self.board.names])
        place = self.judges.index(judge)
        return own_preference(
            self.comparisons,
            place,
            others,
            own,
            kinship=found,
            reference=called,
            level=self.errors.level,
        )

    def pair(self, views: list[JudgeView], i: int, j: int) -> JudgePair:
        """Compare two judges."""
        one, other = views[i], views[j]
        boards = [{row.model: row for row in view.models} for view in (one, other)]
        both = [name for name in boards[0] if name in boards[1]]
        ratings = np.array([[board[name].rating for name in both] for board in boards])
        return JudgePair(
            a=one.judge,
            b=other.judge,
            tau=kendall_tau(*ratings) if len(both) > 1 else float("nan"),
            n_models=len(both),
            a_first_tier=_tier(one, boards[1]),
            b_first_tier=_tier(other, boards[0]),
            **self._agreement(i, j),
        )

    def _agreement(self, i: int, j: int) -> dict[str, Any]:
        found = self.comparisons
        where = None if found is None else found.found.made(i) & found.found.made(j)
        if found is None or where is None or not where.any():
            why = "they judged no answers of the same two models to the same item"
            names = ("agree", "agree_low", "agree_high", "kappa", "kappa_low", "kappa_high")
            nothing = dict.fromkeys(names, float("nan"))
            return {
                **nothing,
                "n": 0,
                "n_items": 0,
                "reason": "votes name no item" if found is None else why,
            }
        got = judge_agreement(
            found.found.shares(i, where),
            found.found.shares(j, where),
            cluster=np.unique(found.item[where], return_inverse=True)[1],
            level=self.errors.level,
        )
        return {
            "n": int(where.sum()),
            "agree": got.agree,
            "agree_low": got.low,
            "agree_high": got.high,
            "kappa": got.kappa,
            "kappa_low": got.kappa_low,
            "kappa_high": got.kappa_high,
            "n_items": got.n_clusters,
        }


def _tried(name: str, find: Callable[[], T], reasons: dict[str, str]) -> T | None:
    """Return a figure; where there is none, None, and note why."""
    try:
        return find()
    except InputError as error:
        reasons[name] = str(error)
        return None


def _rows(ranking: Ranking | None) -> tuple[JudgedModel, ...]:
    rated = [] if ranking is None else [m for m in ranking.models if m.tier is not None]
    return tuple(
        JudgedModel(
            model=m.model, rating=m.rating, low=m.low, high=m.high, rank=k, tier=m.tier or 0
        )
        for k, m in enumerate(rated, start=1)
    )


def _tier(view: JudgeView, board: Mapping[str, JudgedModel]) -> int | None:
    """Tier of a judge's first model on the board of another."""
    if not view.models or view.models[0].model not in board:
        return None
    return board[view.models[0].model].tier
