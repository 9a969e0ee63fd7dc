"""What each model's own noise is, item by item, from every way in which models ran twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import ResponseMatrix
from caveat.data.replicates import Replicates
from caveat.errors import InputError
from caveat.kernels.replicate_noise import within_disagreement
from caveat.results.comparison.noise import NoiseKind
from caveat.stats.agreement.policy import Policy
from caveat.stats.comparison.codes import answer_codes

Floats = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]
ORDER: tuple[NoiseKind, ...] = get_args(NoiseKind)
"""Sources, the one that comes nearest to one model run twice first."""
SECOND_RUNS: tuple[NoiseKind, ...] = ("repeat", "run", "host", "prompt")
"""Sources in which the model itself ran twice; two readings of one text are no second run."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Floors:
    """Disagreement of models with themselves, from one source.

    Attributes
    ----------
    source : str
    variants : tuple of str
    own : float array, shape (items, k)
        For the items of the matrix and models whose noise is known: share of pairs of a model's
        answers that differ; nan where it answered fewer than twice.
    column : int array, shape (m,)
        Column of each model of the matrix in `own`, that of two names of one model being the
        same; -1 where its noise is not known.
    group : int array, shape (m,)
        Equal for names of one model; for sources other than hosts, every model its own.
    replicates : int array, shape (m,)
        Most times a model answered an item.
    """

    source: NoiseKind
    variants: tuple[str, ...]
    own: Floats
    column: Index
    group: Index
    replicates: Index

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Models whose own noise is known."""
        return np.asarray(self.column >= 0)

    @property
    def within(self) -> Floats:
        """`own` for all models of the matrix, nan where it is not known; shape (items, m)."""
        return np.where(self.known, self.own[:, self.column], np.nan)

    def narrowed(self, items: npt.NDArray[np.bool_], models: Sequence[int]) -> "Floors":
        """Return the noise of some models on some items."""
        own = self.own[items]
        kept = ~np.isnan(own).all(axis=0)
        column = self.column[list(models)]
        place = np.where(kept, np.cumsum(kept) - 1, -1)
        return replace(
            self,
            own=own[:, kept],
            column=np.where(column >= 0, place[column], -1),
            group=self.group[list(models)],
            replicates=self.replicates[list(models)],
        )

    def filled(self, models: Index, how: str = "mean") -> Floats:
        """Noise of some models, borrowed from the known where their own is not.

        Parameters
        ----------
        models : int array, shape (c,)
        how : str
            `mean`: item by item the mean over known models; `least` and `most`: the noise of the
            model that has least or most of all.

        Returns
        -------
        float array, shape (items, c)
        """
        if how == "mean":
            there = ~np.isnan(self.own)
            n = there.sum(axis=1)
            borrowed = np.where(there, self.own, 0.0).sum(axis=1) / np.where(n > 0, n, np.nan)
        else:
            mean = np.nanmean(self.own, axis=0)
            borrowed = self.own[:, int(mean.argmin() if how == "least" else mean.argmax())]
        column = self.column[models]
        return np.where(column >= 0, self.own[:, column], borrowed[:, None])


def floors_of(
    replicates: Replicates, matrix: ResponseMatrix, *, policy: Policy, source: NoiseKind
) -> Floors | None:
    """Noise of models that answered several times; None where none did.

    Parameters
    ----------
    replicates : Replicates
    matrix : ResponseMatrix
        Whose items and models the result follows.
    policy : str
        Unreadable readings of one text are alike whatever the policy: `filter` takes `as-option`.
    source : str
    """
    how: Policy = "as-option" if source == "filter" else policy
    codes = answer_codes(replicates.matrix, how)
    m = len(replicates.models)
    within = within_disagreement(codes, replicates.owner, n_owners=m)
    rows = {item: k for k, item in enumerate(replicates.matrix.items)}
    place = np.array([rows.get(item, -1) for item in matrix.items], dtype=np.int64)
    columns = {model: k for k, model in enumerate(replicates.models)}
    column = np.array([columns.get(model, -1) for model in matrix.models], dtype=np.int64)
    own = np.append(within, np.full((1, m), np.nan), axis=0)[place]
    kept = np.flatnonzero(~np.isnan(own).all(axis=0))
    if not kept.size:
        return None
    renumber = np.full(m + 1, -1, dtype=np.int64)
    renumber[kept] = np.arange(kept.size)
    times = np.append(np.bincount(replicates.owner, minlength=m), 0)
    return Floors(
        source=source,
        variants=replicates.variants,
        own=own[:, kept],
        column=renumber[column],
        group=np.arange(len(matrix.models)),
        replicates=times[column],
    )


def host_floors(
    matrix: ResponseMatrix,
    *,
    same: Sequence[tuple[str, str]] = (),
    models: Mapping[str, Mapping[str, Any]],
    policy: Policy,
) -> Floors | None:
    """Noise of models that stand in the matrix under several names; None where none does.

    Parameters
    ----------
    matrix : ResponseMatrix
    same : sequence of pairs of str
        Names of one model.
    models : mapping of str to mapping
        What is declared of each; those of equal `weights` are one model.
    policy : str

    Raises
    ------
    InputError
        For a pair of a name with itself.
    """
    group = same_groups(matrix.models, same=same, models=models)
    size = np.bincount(group, minlength=group.size)
    several = np.flatnonzero(size > 1)
    column = np.full(group.size, -1, dtype=np.int64)
    column[several] = np.arange(several.size)
    column = column[group]
    named = np.flatnonzero(column >= 0)
    own = within_disagreement(
        answer_codes(matrix, policy)[:, named], column[named], n_owners=several.size
    )
    empty = np.asarray(np.isnan(own).all(axis=0))
    if empty.all():
        return None
    column[named] = np.where(empty[column[named]], -1, (np.cumsum(~empty) - 1)[column[named]])
    return Floors(
        source="host",
        variants=(),
        own=own[:, ~empty],
        column=column,
        group=group,
        replicates=size[group],
    )


def same_groups(
    names: Sequence[str],
    *,
    same: Sequence[tuple[str, str]],
    models: Mapping[str, Mapping[str, Any]],
) -> npt.NDArray[np.int64]:
    """Return each model's group: the number of the first model that is the same."""
    place = {name: k for k, name in enumerate(names)}
    links = []
    for a, b in same:
        if a == b:
            raise InputError(f"same must name two models, got {a!r} twice")
        if a in place and b in place:
            links.append((place[a], place[b]))
    first: dict[str, int] = {}
    for name, k in place.items():
        weights = models.get(name, {}).get("weights")
        if weights:
            links.append((first.setdefault(str(weights), k), k))
    group = np.arange(len(names))
    for one, other in links:
        low, high = sorted((int(group[one]), int(group[other])))
        group[group == high] = low
    return group.astype(np.int64)
