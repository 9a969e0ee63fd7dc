"""What the analyst's choices do to the order of models."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.kernels.choice_grid import ROUNDING, choice_effects, ranks
from caveat.results.comparison.choices import Choice, ChoiceFlip, Choices, ChoiceSet, RankRange
from caveat.stats.comparison.choice_scores import OtherReading, score_grid

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

MODELS = 40
"""Models that take part, the best by default."""
LISTED = 20
_LEVEL = 3  # level models that are named
_EFFECTS = 12_000_000  # pairs x combinations looked at for the effects of choices


def choices(
    matrix: ResponseMatrix,
    *,
    readings: Sequence[OtherReading] = (),
    suspected: Bools | None = None,
    conflicts: Bools | None = None,
    pairs: Sequence[tuple[str, str]] = (),
    most: int = MODELS,
) -> Choices:
    """Rank models under every combination of choices, and find the smallest set that flips.

    What can be chosen: the mean (over items, over tasks, median of tasks, win rate over tasks,
    which orders as Borda does), missing items (own, common, wrong), answers without a reading (as
    scored, left out), the reading, the metric (score, all right, corrected for chance), weights
    (alike, by difficulty), and items (all; without saturated ones, suspected keys, gold conflicts,
    or one of the tasks). The default is the first of each.

    Parameters
    ----------
    matrix : ResponseMatrix
    readings : sequence of OtherReading
        Other metrics, filters or parsers of the same answers.
    suspected, conflicts : bool array, shape (items,), optional
        Items with a probably wrong key, and with several.
    pairs : sequence of pairs of str
        Models to look at beside the first place.
    most : int
        Models that take part, the best by default; those in `pairs` always do.

    Returns
    -------
    Choices

    Raises
    ------
    TooFewError
        With fewer than two models that have a score, or nothing to choose.
    InputError
        When a pair names a model that has no score, or one twice.

    References
    ----------
    Steegen, Tuerlinckx, Gelman and Vanpaemel (2016), https://doi.org/10.1177/1745691616658637.
    """
    own, scored = _means(matrix.score), np.isfinite(matrix.score).any(axis=0)
    if scored.sum() < 2:
        raise TooFewError("models with a score", got=int(scored.sum()), need=2)
    taken = _taken(matrix, own, pairs, most)
    grid = score_grid(matrix, taken, readings=readings, suspected=suspected, conflicts=conflicts)
    there = {name: levels for name, levels in grid.levels.items() if len(levels) > 1}
    if not there:
        raise TooFewError("choices that arise", got=0, need=1)
    values = grid.values.reshape(*(len(levels) for levels in there.values()), taken.size)
    desk = _Desk.of(tuple(matrix.models[k] for k in taken), there, values)
    judged = max(int((2 * _EFFECTS / desk.valid.size) ** 0.5), 2)
    effects = choice_effects(values[..., :judged], desk.valid)
    return Choices(
        benchmark=matrix.benchmark,
        choices=tuple(
            Choice(
                name=name,
                levels=levels,
                alone=float(effects.alone[k]),
                involved=float(effects.involved[k]),
                firsts=tuple(desk.first(single) for single in desk.along(k)),
            )
            for k, (name, levels) in enumerate(there.items())
        ),
        models=desk.ranges(),
        combinations=int(desk.valid.sum()),
        invalid=int((~desk.valid).sum()),
        first_place=desk.first_place(),
        pairs=tuple(desk.pair(a, b) for a, b in pairs),
        singles=tuple(desk.changes(single)[0] for single in desk.singles()),
        varying=effects.varying,
        judged_pairs=min(judged, taken.size) * (min(judged, taken.size) - 1) // 2,
        models_left_out=len(matrix.models) - int(taken.size),
        absent=grid.absent,
    )


def _means(score: Floats) -> Floats:
    known = np.isfinite(score)
    n = known.sum(axis=0)
    return np.asarray(np.where(known, score, 0.0).sum(axis=0) / np.where(n > 0, n, 1))


def _taken(
    matrix: ResponseMatrix, own: Floats, pairs: Sequence[tuple[str, str]], most: int
) -> Ints:
    """Models that take part, best first; level ones by name."""
    scored = np.flatnonzero(np.isfinite(matrix.score).any(axis=0))
    order = sorted(scored, key=lambda k: (-round(float(own[k]), 12), matrix.models[k]))
    names = [matrix.models[k] for k in order]
    for a, b in pairs:
        for name in (a, b):
            if name not in names:
                raise InputError(f"pairs must name models that have a score, got {name!r}")
        if a == b:
            raise InputError(f"pairs must name two models, got {a!r} twice")
    asked = {name for pair in pairs for name in pair}
    kept = [k for place, k in enumerate(order) if place < most or matrix.models[k] in asked]
    return np.array(kept, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Desk:
    """Scores and ranks by combination; a combination is named by the level of each choice."""

    models: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]
    values: Floats
    valid: Bools
    rank: Ints
    distance: Ints

    @classmethod
    def of(
        cls, models: tuple[str, ...], levels: dict[str, tuple[str, ...]], values: Floats
    ) -> "_Desk":
        valid = np.isfinite(values).all(axis=-1)
        shape = valid.shape
        rank = ranks(values.reshape(-1, values.shape[-1])).reshape(values.shape)
        distance = (np.indices(shape) > 0).sum(axis=0)
        return cls(models, levels, values, np.asarray(valid), rank, distance)

    def along(self, k: int) -> list[tuple[int, ...]]:
        """Every level of one choice, the others at their defaults."""
        zero = [0] * self.valid.ndim
        return [(*zero[:k], level, *zero[k + 1 :]) for level in range(self.valid.shape[k])]

    def singles(self) -> list[tuple[int, ...]]:
        """Every single change that can be computed."""
        found = (single for k in range(self.valid.ndim) for single in self.along(k)[1:])
        return [single for single in found if self.valid[single]]

    def changes(self, combination: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
        """Name what differs from the default."""
        named = zip(self.levels.items(), combination, strict=True)
        return tuple((name, levels[level]) for (name, levels), level in named if level)

    def first(self, combination: tuple[int, ...]) -> str:
        """Who stands first; level models together; empty where it cannot be computed."""
        if not self.valid[combination]:
            return ""
        found = [self.models[k] for k in np.flatnonzero(self.rank[combination] == 1)]
        more = len(found) - _LEVEL
        return " = ".join(found[:_LEVEL]) + (f" = {more} more" if more > 0 else "")

    def ranges(self) -> tuple[RankRange, ...]:
        """Ranks of each model over all combinations."""
        rank = self.rank[self.valid]
        zero = (0,) * self.valid.ndim
        single = [self.rank[one] for one in self.singles()]
        return tuple(
            RankRange(
                model=model,
                rank=int(self.rank[zero][k]),
                low=int(rank[:, k].min()),
                high=int(rank[:, k].max()),
                median=float(np.median(rank[:, k])),
                first=float((rank[:, k] == 1).mean()),
                single=tuple(int(one[k]) for one in single),
            )
            for k, model in enumerate(self.models)
        )

    def first_place(self) -> ChoiceFlip:
        """When the first model by default has one above it."""
        turned = (self.rank[..., 0] > 1) & self.valid
        return self._flip(turned, self.models[0], "")

    def pair(self, a: str, b: str) -> ChoiceFlip:
        """When the lower of two models by default stands above the other."""
        i, j = sorted((self.models.index(a), self.models.index(b)))
        turned = (self.values[..., j] - self.values[..., i] > ROUNDING) & self.valid
        return self._flip(turned, self.models[i], self.models[j])

    def _flip(self, turned: Bools, above: str, below: str) -> ChoiceFlip:
        share = float(turned.sum() / self.valid.sum())
        if not turned.any():
            return ChoiceFlip(
                above=above, below=below, distance=None, sets=(), n_sets=0, share=share
            )
        least = int(self.distance[turned].min())
        places = np.argwhere(turned & (self.distance == least))
        combinations = [tuple(int(level) for level in place) for place in places[:LISTED]]
        return ChoiceFlip(
            above=above,
            below=below,
            distance=least,
            sets=tuple(
                ChoiceSet(changes=self.changes(one), first=below or self.first(one))
                for one in combinations
            ),
            n_sets=len(places),
            share=share,
        )
