"""Models that judge pairs of answers: right, steady, and alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from caveat.data.judged_pairs import FIRST, SECOND, TIE, JudgedPairs
from caveat.data.matrix import ResponseMatrix
from caveat.errors import TooFewError
from caveat.kernels.both_orders import both_orders
from caveat.kernels.means import column_means
from caveat.kernels.pair_kappas import Adjusted, pair_kappas
from caveat.results.annotator_test import AnnotatorTest
from caveat.results.comparison.judges import (
    JudgesOfPairs,
    OrderTurned,
    PairJudge,
    Preference,
    TwoJudges,
)
from caveat.stats.judges.alternative_annotator import Margin, alternative_annotator
from caveat.stats.robustness.kinship import kin

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Declared = Mapping[str, Mapping[str, Any]]

MOST = 60
"""Judges set side by side at most: those that agree best with the right answers."""
ENOUGH = 20
"""Pairs below which a preference is not told."""
_NO_ROOM = 1e-12
PEOPLE = frozenset({"human", "person", "people", "annotator", "expert"})


def people_among(models: tuple[str, ...], declared: Declared) -> tuple[str, ...]:
    """Name the models that a table of models declares to be people, in its column `kind`."""
    return tuple(
        name
        for name in models
        if str(declared.get(name, {}).get("kind") or "").strip().casefold() in PEOPLE
    )


def pair_judges(
    matrix: ResponseMatrix,
    pairs: JudgedPairs | None,
    *,
    declared: Declared | None = None,
    margin: Margin | None = None,
    level: float = 0.95,
) -> JudgesOfPairs:
    """Judge models that judge pairs of answers.

    Use it where models said which of two answers is better, and people said it too: accuracy and
    kappa against the right verdicts, what becomes of a verdict when the order is turned, whether a
    judge favours its own kind or longer answers, and kappa among judges. Where a table of models
    says which of them are people, each other model is held against these.

    Parameters
    ----------
    matrix : ResponseMatrix
    pairs : JudgedPairs or None
        None where answers are labels of other kinds: only the test against people is made.
    declared : mapping of str to mapping, optional
        What a table of models says of each: `kind`, `family`, `provider`.
    margin : Margin, optional
        Of the alternative-annotator test.
    level : float
        Of all intervals, in (0, 1).

    Returns
    -------
    JudgesOfPairs

    References
    ----------
    Zheng et al. (2023), https://arxiv.org/abs/2306.05685; Calderon, Reichart and Dror (2025),
    https://arxiv.org/abs/2501.10970.
    """
    said: Declared = declared or {}
    people = people_among(matrix.models, said)
    reasons: dict[str, str] = {}
    tests: tuple[AnnotatorTest, ...] = ()
    if len(people) < 2:
        reasons["annotators"] = "fewer than two models are declared to be people (column kind)"
    else:
        place = {name: k for k, name in enumerate(matrix.models)}
        answer = matrix.answer.astype(np.int64)
        tests = alternative_annotator(
            answer[:, [place[name] for name in people]],
            {n: answer[:, k] for k, n in enumerate(matrix.models) if n not in people},
            people=people,
            margin=margin or Margin(level=level),
        )
    judges: tuple[PairJudge, ...] = ()
    beside: tuple[TwoJudges, ...] = ()
    left_out = 0
    if pairs is not None:
        bench = _Bench.of(matrix, pairs, said, level)
        reasons |= bench.missing()
        judges = tuple(sorted(bench.judges(), key=_best_first))
        beside = bench.side_by_side([row.judge for row in judges[:MOST]])
        m = len(judges)
        left_out = m * (m - 1) // 2 - min(m, MOST) * (min(m, MOST) - 1) // 2
    return JudgesOfPairs(
        benchmark=matrix.benchmark,
        judges=judges,
        pairs=beside,
        n_pairs_left_out=left_out,
        sides=pairs.sides if pairs else (),
        annotators=tests,
        people=people,
        level=level,
        reasons=reasons,
    )


def _best_first(row: PairJudge) -> tuple[float, float, str]:
    kappa = row.kappa if row.kappa == row.kappa else -2.0
    accuracy = row.accuracy if row.accuracy == row.accuracy else -1.0
    return -kappa, -accuracy, row.judge


@dataclass(frozen=True, slots=True, eq=False)
class _Bench:
    matrix: ResponseMatrix
    pairs: JudgedPairs
    declared: Declared
    level: float
    cluster: Ints | None

    @classmethod
    def of(
        cls, matrix: ResponseMatrix, pairs: JudgedPairs, declared: Declared, level: float
    ) -> "_Bench":
        """Take clusters of items along, each item without one its own."""
        cluster = None
        if matrix.cluster is not None and (matrix.cluster >= 0).any():
            known = matrix.cluster.astype(np.int64)
            alone = known.max() + 1 + np.arange(known.size)
            cluster = np.unique(np.where(known >= 0, known, alone), return_inverse=True)[1]
        return cls(matrix, pairs, declared, level, cluster)

    def missing(self) -> dict[str, str]:
        """Say which figures no judge can have."""
        made = {}
        if self.pairs.swapped is None:
            made["order"] = "the source has no verdicts in the other order (prediction_swapped)"
        if self.pairs.authors is None:
            made["own"] = "the source does not name who wrote the answers (author_1, author_2)"
        if self.pairs.lengths is None:
            made["longer"] = "the source does not say how long the answers are (words_1, words_2)"
        if not (self.pairs.gold >= 0).any():
            made["gold"] = "the source has no right verdicts"
        return made

    def judges(self) -> list[PairJudge]:
        """Put everything about each judge together."""
        verdict, gold = self.pairs.verdict, self.pairs.gold[:, None]
        known = (verdict >= 0) & (gold >= 0)
        right = np.where(known, (verdict == gold).astype(np.float64), np.nan)
        accuracy = column_means(right, cluster=self.cluster, level=self.level)
        kappa = self._kappas(np.hstack([gold, verdict]), 0, 1 + np.arange(verdict.shape[1]))
        present = (self.matrix.status >= 0) & (gold >= 0)
        return [
            PairJudge(
                judge=name,
                n=int(accuracy.n[k]),
                n_unread=int((present[:, k] & (verdict[:, k] < 0)).sum()),
                accuracy=float(accuracy.mean[k]),
                low=float(accuracy.low[k]),
                high=float(accuracy.high[k]),
                kappa=float(kappa.value[k]),
                kappa_low=float(kappa.low[k]),
                kappa_high=float(kappa.high[k]),
                **self._leanings(k),
            )
            for k, name in enumerate(self.matrix.models)
        ]

    def _kappas(self, answers: Ints, first: int | Ints, second: Ints) -> Adjusted:
        return pair_kappas(
            answers.astype(np.int32),
            np.zeros(answers.shape, dtype=bool),
            first=np.broadcast_to(np.asarray(first), second.shape),
            second=second,
            n_labels=TIE + 1,
            n_options=np.full(answers.shape[0], 2.0),
            cluster=self.cluster,
            level=self.level,
        ).kappa

    def _leanings(self, k: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        reasons = {}
        for name, find in (("order", self._order), ("own", self._own), ("longer", self._longer)):
            try:
                made[name] = find(k)
            except TooFewError as error:
                made[name], reasons[name] = None, str(error)
        return {**made, "reasons": reasons}

    def _order(self, k: int) -> OrderTurned | None:
        if self.pairs.swapped is None:
            return None
        here, there = self.pairs.verdict[:, k], self.pairs.swapped[:, k]
        both = (here >= 0) & (there >= 0)
        if not both.any():
            raise TooFewError("pairs judged in both orders", got=0, need=1)
        place = np.array([SECOND, FIRST, TIE])  # shown in the other order, the second stands first
        found = both_orders(
            here[both],
            place[there[both]],
            cluster=None
            if self.cluster is None
            else np.unique(self.cluster[both], return_inverse=True)[1],
            level=self.level,
        )
        turned = found.first_both + found.second_both
        gold = both & (self.pairs.gold >= 0)
        right = gold & (here == self.pairs.gold) & (there == self.pairs.gold)
        return OrderTurned(
            n=int(both.sum()),
            consistent=found.consistent,
            low=found.low,
            high=found.high,
            first_both=found.first_both,
            second_both=found.second_both,
            first_share=found.first_both / turned if turned else float("nan"),
            p=found.p,
            n_right_both=int(right.sum()),
            n_gold=int(gold.sum()),
        )

    def _own(self, k: int) -> Preference | None:
        authors = self.pairs.authors
        if authors is None:
            return None
        names = sorted({name for side in authors for name in side if name})
        own = kin(self.matrix.models[k], names, self.declared).models
        first, second = (np.isin(np.array(side), own) for side in authors)
        return self._preference(k, "own", own, first, second)

    def _longer(self, k: int) -> Preference | None:
        lengths = self.pairs.lengths
        if lengths is None:
            return None
        first, second = lengths[:, 0] > lengths[:, 1], lengths[:, 1] > lengths[:, 0]
        return self._preference(k, "longer", self.pairs.length_columns, first, second)

    def _preference(
        self, k: int, kind: str, by: tuple[str, ...], first: Mask, second: Mask
    ) -> Preference:
        """Points for the answer of a kind, less those that the right verdicts give it."""
        verdict, gold = self.pairs.verdict[:, k], self.pairs.gold
        where = (first != second) & (verdict >= 0) & (gold >= 0)
        if where.sum() < ENOUGH:
            what = {"own": "pairs with one answer of its own kind"}.get(
                kind, "pairs of answers of different lengths"
            )
            raise TooFewError(f"{what} and a right verdict", got=int(where.sum()), need=ENOUGH)
        side = np.where(first, FIRST, SECOND)[where]
        mine, right = (_points(given[where], side) for given in (verdict, gold))
        mean = column_means(
            (mine - right)[:, None],
            cluster=None
            if self.cluster is None
            else np.unique(self.cluster[where], return_inverse=True)[1],
            level=self.level,
        )
        return Preference(
            kind=kind,
            by=by,
            n=int(where.sum()),
            share=float(mine.mean()),
            reference_share=float(right.mean()),
            difference=float(mean.mean[0]),
            low=float(mean.low[0]),
            high=float(mean.high[0]),
        )

    def side_by_side(self, names: list[str]) -> tuple[TwoJudges, ...]:
        """Compare all pairs of some judges."""
        place = {name: k for k, name in enumerate(self.matrix.models)}
        columns = self.pairs.verdict[:, [place[name] for name in names]]
        one, other = np.triu_indices(len(names), 1)
        known = (columns >= 0).astype(np.float64)
        n = known.T @ known
        same, chance = np.zeros_like(n), np.zeros_like(n)
        for side in (FIRST, SECOND, TIE):
            said = (columns == side).astype(np.float64)
            same += said.T @ said
            among = said.T @ known  # how often the one says so where the other says anything
            chance += among * among.T
        with np.errstate(invalid="ignore", divide="ignore"):
            agree, chance = same / n, chance / n**2
            kappa = np.where(chance < 1.0 - _NO_ROOM, (agree - chance) / (1.0 - chance), np.nan)
        n, agree, kappa = (square[one, other] for square in (n, agree, kappa))
        return tuple(
            TwoJudges(a=names[i], b=names[j], n=int(k), agree=float(s), kappa=float(v))
            for i, j, k, s, v in zip(one, other, n, agree, kappa, strict=True)
        )


def _points(verdict: Ints, side: Ints) -> Floats:
    """Points for one side; ties as half."""
    return np.where(verdict == TIE, 0.5, (verdict == side).astype(np.float64))
