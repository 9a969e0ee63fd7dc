"""What each model's own noise is, item by item, from every way in which models ran twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    within : float array, shape (items, m)
        For the items and models of the matrix: share of pairs of a model's answers that differ;
        nan where it answered fewer than twice.
    group : int array, shape (m,)
        Equal for names of one model; for sources other than hosts, every model its own.
    replicates : int array, shape (m,)
        Most times a model answered an item.
    """

    source: NoiseKind
    variants: tuple[str, ...]
    within: Floats
    group: npt.NDArray[np.int64]
    replicates: npt.NDArray[np.int64]

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Models whose own noise is known."""
        return np.asarray(~np.isnan(self.within).all(axis=0))

    def filled(self, how: str = "mean") -> Floats:
        """`within`, with the mean, least or most of the known where a model's own is not.

        Parameters
        ----------
        how : str
            `mean`: item by item the mean over known models; `least` and `most`: the noise of the
            model that has least or most of all.
        """
        known = self.known
        own = self.within[:, known]
        _, first = np.unique(self.group[known], return_index=True)
        own = own[:, np.sort(first)]
        if how == "mean":
            there = ~np.isnan(own)
            n = there.sum(axis=1)
            borrowed = np.where(there, own, 0.0).sum(axis=1) / np.where(n > 0, n, np.nan)
        else:
            mean = np.nanmean(own, axis=0)
            borrowed = own[:, int(mean.argmin() if how == "least" else mean.argmax())]
        return np.where(known, self.within, borrowed[:, None])


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
    padded = np.full((within.shape[0] + 1, m + 1), np.nan)
    padded[:-1, :-1] = within
    found = padded[np.ix_(place, column)]
    if np.isnan(found).all():
        return None
    times = np.append(np.bincount(replicates.owner, minlength=m), 0)
    return Floors(
        source=source,
        variants=replicates.variants,
        within=found,
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
    if size.max(initial=0) < 2:
        return None
    within = within_disagreement(answer_codes(matrix, policy), group, n_owners=group.size)
    found = within[:, group]
    if np.isnan(found).all():
        return None
    return Floors(source="host", variants=(), within=found, group=group, replicates=size[group])


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
