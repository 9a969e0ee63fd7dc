"""Weights that let voters stand for a population."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.margins import Margins, collapsed
from caveat.errors import InputError
from caveat.kernels.concentration import design_effect, effective_number
from caveat.kernels.raking import Margin, Raked, rake
from caveat.results.stress.voters import Population
from caveat.stats.voters.electorate import Electorate
from caveat.stats.voters.manner import THRESHOLD, TRIM
from caveat.stats.voters.placing import (
    UNDECLARED,
    Strata,
    UnmetError,
    declared_only,
    is_thin,
    placed,
    strata,
)
from caveat.stats.voters.targets import targets

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_NAN = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class VoterWeights:
    """Weights of voters.

    Attributes
    ----------
    population : Population
    kept : bool array, shape (g,)
        Voters that have a weight.
    weight : float array, shape (g,)
        Mean 1 over those kept; 0 for others.
    free : bool array, shape (g,)
        Whether the weight is below the cap.
    margins : tuple of int arrays, shape (voters kept,)
        What the weights were fitted to.
    """

    population: Population
    kept: Mask
    weight: Floats
    free: Mask
    margins: tuple[Codes, ...]


def weigh(
    voters: Electorate,
    margins: Sequence[Margins],
    *,
    name: str = "population",
    trim: float | None = TRIM,
    threshold: int = THRESHOLD,
) -> VoterWeights:
    """Find weights under which voters have the margins of a population.

    One margin, of one attribute or of several jointly, is post-stratified; several are raked. A
    joint margin with a cell of fewer voters than the threshold is raked by its attributes instead.
    Levels of fewer voters than the threshold are merged, as in the disclosure table, so that no
    weight rests on too few. Voters who do not declare an attribute, or of a level that the
    population does not have, are left out, unless they are fewer than the threshold: then they keep
    their share, as do voters of levels that a margin does not name.

    Parameters
    ----------
    voters : Electorate
    margins : sequence of Margins
        At least one. They are added up over attributes that voters do not declare.
    name : str
        Of the population.
    trim : float or None
        Largest weight in multiples of the mean, above 1; None for no limit.
    threshold : int
        At least 1.

    Returns
    -------
    VoterWeights
        Without weights, and with `population.reason`, where voters cannot stand for the
        population: a level without a voter, margins that contradict each other.

    Raises
    ------
    InputError
        If no attribute of the margins is declared by voters, or an option is out of range.

    References
    ----------
    Deming and Stephan (1940), https://doi.org/10.1214/aoms/1177731829; Deville and Sarndal (1992),
    https://doi.org/10.1080/01621459.1992.10475217; Kish (1965), "Survey Sampling".

    Examples
    --------
    >>> from caveat.stats.voters.electorate import electorate
    >>> from caveat.stats.voters.synthetic import synthetic_arena
    >>> arena = synthetic_arena(500, seed=1)
    >>> weights = weigh(electorate(arena.votes, arena.voters), arena.margins)
    >>> weights.population.how, weights.population.converged
    ('raked', True)
    """
    _validate.at_least("threshold", threshold, 1)
    if trim is not None and not trim > 1.0:
        raise InputError(f"trim must be above 1, the mean weight, got {trim!r}")
    usable, notes = declared_only(voters, margins, name=name)
    out = np.logical_or.reduce([placed(voters, one) <= UNDECLARED for one in usable])
    if 0 < out.sum() < threshold:
        notes.append(f"fewer than {threshold:,} voters outside the margins keep their share")
        out = np.zeros_like(out)
    blank = Population(
        name=name,
        attributes=tuple(dict.fromkeys(a for one in usable for a in one.attributes)),
        how="raked",
        n_left_out=int(out.sum()),
        trim=trim,
    )
    try:
        found = _fitted(voters, usable, ~out, trim=trim, threshold=threshold)
    except UnmetError as refusal:
        told = replace(
            blank,
            notes=tuple(notes),
            targets=targets(voters, usable, None, threshold=threshold),
            reason=str(refusal),
        )
        nobody = np.zeros_like(out)
        return VoterWeights(told, nobody, np.zeros(out.size), nobody, ())
    weight = np.zeros(out.size)
    weight[~out] = found.raked.weight[found.cell]
    told = replace(
        _told(blank, found, threshold),
        notes=(*notes, *found.notes),
        targets=targets(voters, usable, weight, threshold=threshold),
    )
    free = np.zeros_like(out)
    free[~out] = ~found.raked.capped[found.cell]
    return VoterWeights(told, ~out, weight, free, tuple(one.code for one in found.strata))


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    strata: tuple[Strata, ...]
    raked: Raked
    cell: Codes
    unnamed: int
    notes: tuple[str, ...]


def _fitted(
    voters: Electorate, usable: Sequence[Margins], kept: Mask, *, trim: float | None, threshold: int
) -> _Fitted:
    if kept.sum() < max(threshold, 2):
        raise UnmetError(
            f"fewer than {max(threshold, 2):,} voters declare what the margins ask for"
        )
    single, notes = _split(voters, usable, kept, threshold)
    codes = [placed(voters, one)[kept] for one in single]
    found = [strata(c, one, threshold=threshold) for c, one in zip(codes, single, strict=True)]
    notes += [
        f"{s.merged} levels of {' by '.join(one.attributes)} are merged: they have fewer than "
        f"{threshold:,} voters, by themselves or together with such a level"
        for s, one in zip(found, single, strict=True)
        if s.merged
    ]
    stacked, cell, count = np.unique(
        np.stack([one.code for one in found], axis=1),
        axis=0,
        return_inverse=True,
        return_counts=True,
    )
    asked = [Margin(stacked[:, k], one.target) for k, one in enumerate(found)]
    raked = rake(count.astype(np.float64), asked, cap=trim)
    if not raked.converged:
        raise UnmetError(_apart(raked, count.astype(np.float64), asked, trim))
    unnamed = int(np.logical_or.reduce([code < 0 for code in codes]).sum())
    return _Fitted(tuple(found), raked, cell.ravel(), unnamed, tuple(notes))


def _split(
    voters: Electorate, usable: Sequence[Margins], kept: Mask, threshold: int
) -> tuple[list[Margins], list[str]]:
    """Take joint margins apart that have cells of too few voters; each margin stands once."""
    made: dict[tuple[str, ...], Margins] = {one.attributes: one for one in usable}
    notes = []
    for one in usable:
        if len(one.attributes) == 1 or not is_thin(placed(voters, one)[kept], one, threshold):
            continue
        del made[one.attributes]
        for attribute in one.attributes:
            made.setdefault((attribute,), collapsed(one, (attribute,)))
        notes.append(
            f"some cells of {' by '.join(one.attributes)} have fewer than {threshold:,} voters, so "
            "voters are raked to the margin of each"
        )
    return list(made.values()), notes


def _apart(raked: Raked, count: Floats, asked: Sequence[Margin], trim: float | None) -> str:
    gap = f"raking stays {100 * raked.gap:.1f} points off"
    if trim is not None and rake(count, asked).converged:
        return (
            f"no weights of at most {trim:g} times the mean hold all margins together ({gap}): "
            "raise the limit, or merge levels"
        )
    return f"the margins contradict each other, or what voters declare ({gap}): check their sources"


def _told(blank: Population, found: _Fitted, threshold: int) -> Population:
    weight = found.raked.weight[found.cell]
    n = weight.size

    def share(number: int) -> float:
        return number / n if number == 0 or number >= threshold else _NAN

    return replace(
        blank,
        how="post-stratified" if len(found.strata) == 1 else "raked",
        n_voters=n,
        unnamed=share(found.unnamed),
        capped=share(int(found.raked.capped[found.cell].sum())),
        largest=float(weight.max()),
        design_effect=design_effect(weight),
        effective_voters=effective_number(weight),
        gap=found.raked.gap,
        rounds=found.raked.rounds,
        converged=True,
    )
