"""What claims are held against, and how one figure decides one."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ResponseMatrix, taken
from caveat.errors import InputError
from caveat.kernels.means import column_means
from caveat.results.claims import Claim, Figure, JudgedClaim, Verdict
from caveat.stats.agreement.policy import Policy
from caveat.stats.comparison.floors import Floors

Floats = npt.NDArray[np.float64]
MOST_ITEMS = 10_000_000
"""A number of items beyond which none is named."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ground:
    """The responses that claims are held against.

    Attributes
    ----------
    matrix : ResponseMatrix
    floors : sequence of Floors
        Noise of single models, for claims that two are interchangeable.
    values : callable
        Given the name of a column, its numbers by item and model.
    policy : str
        What an unreadable answer counts as.
    """

    matrix: ResponseMatrix
    values: Callable[[str], Floats]
    floors: Sequence[Floors] = ()
    policy: Policy = "drop"

    def place(self, model: str) -> int:
        """Return the column of a model."""
        return self.matrix.models.index(model)

    def items(self, claim: Claim) -> npt.NDArray[np.bool_]:
        """Return the items that the claim is about."""
        if not claim.task:
            return np.ones(len(self.matrix.items), dtype=bool)
        if self.matrix.task is None or claim.task not in self.matrix.tasks:
            raise InputError(
                f"claim {claim.says!r}: task must be one of those of {self.matrix.benchmark}, "
                f"got {claim.task!r}"
            )
        chosen: npt.NDArray[np.bool_] = self.matrix.task == self.matrix.tasks.index(claim.task)
        return chosen

    def part(self, claim: Claim, *models: str) -> ResponseMatrix:
        """Return the matrix of some models on the items of the claim."""
        places = [self.place(model) for model in models] if models else None
        return taken(self.matrix, items=self.items(claim), models=places)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A figure and the side of its limit it is to lie on."""

    figure: Figure
    above: bool

    @property
    def met(self) -> bool:
        """Whether all of it lies on the right side."""
        figure = self.figure
        return figure.low > figure.limit if self.above else figure.high <= figure.limit

    @property
    def failed(self) -> bool:
        """Whether all of it lies on the wrong side."""
        figure = self.figure
        return figure.high < figure.limit if self.above else figure.low > figure.limit

    @property
    def items_needed(self) -> int | None:
        """Items that would decide it if the estimate and its spread stayed."""
        figure = self.figure
        gap = abs(figure.estimate - figure.limit)
        side = figure.low if (figure.estimate > figure.limit) else figure.high
        half = abs(figure.estimate - side)
        if not (gap > 0 and half > 0 and math.isfinite(half)):
            return None
        needed = math.ceil(figure.n * (half / gap) ** 2)
        return needed if figure.n < needed <= MOST_ITEMS else None


def mean_figure(
    name: str, values: Floats, matrix: ResponseMatrix, *, limit: float, level: float
) -> Figure:
    """Estimate the mean of a series over items, with one-sided bounds at `level`.

    A series that is the same on all items, and is no share of right or wrong, is taken as known:
    a price by the call.
    """
    cluster = item_clusters(matrix)
    found = column_means(values[:, None], cluster=cluster, level=2.0 * level - 1.0)
    mean, low, high = (float(x[0]) for x in (found.mean, found.low, found.high))
    n = int(found.n[0])
    known = values[np.isfinite(values)]
    if n > 1 and not found.exact[0] and (known == known[0]).all():
        low = high = mean
    return Figure(name=name, estimate=mean, low=low, high=high, limit=limit, n=n)


def settled(
    claim: Claim,
    bounds: Sequence[Bound],
    *,
    why: str,
    n: int,
    wider: Sequence[Bound] | None = None,
) -> JudgedClaim:
    """Judge a claim that holds where every one of its figures lies on the right side.

    `wider` are the same bounds at a level that allows for there being several ways to fail.
    """
    if any(one.failed for one in wider or bounds):
        verdict: Verdict = "contradicted"
    elif all(one.met for one in bounds):
        verdict = "supported"
    else:
        verdict = "undecided"
    needed = None
    if verdict == "undecided":
        each = [one.items_needed for one in bounds if not one.met]
        known = [items for items in each if items is not None]
        needed = max(known) if known and len(known) == len(each) else None
    return JudgedClaim(
        claim=claim,
        verdict=verdict,
        why=why,
        figures=tuple(one.figure for one in bounds),
        n=n,
        items_needed=needed,
    )


def nothing_said(claim: Claim, n: int, what: str = "items that all its models have") -> JudgedClaim:
    """Judge a claim on one item or none: one item supports nothing."""
    return JudgedClaim(
        claim=claim,
        verdict="undecided",
        why=f"{what}: {n}; at least 2 are needed to say anything",
        n=n,
    )
