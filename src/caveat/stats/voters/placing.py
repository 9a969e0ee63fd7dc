"""Which level of a population's margins each voter belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.margins import Margins, collapsed
from caveat.errors import InputError
from caveat.kernels.merging import merged_with_others
from caveat.stats.voters.electorate import Electorate

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

UNNAMED, UNDECLARED, ABSENT = -1, -2, -3
"""Voters of a level that the margin does not name, who do not declare an attribute, and of a level
that the population does not have."""


class UnmetError(InputError):
    """Why voters cannot have the margins of a population."""


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """What voters are weighted by in one margin.

    Attributes
    ----------
    code : int array, shape (n,)
        From 0 without gaps.
    target : float array
        Share of each; together 1.
    merged : int
        Levels that were merged for having too few voters.
    """

    code: Codes
    target: Floats
    merged: int


def declared_only(
    voters: Electorate, margins: Sequence[Margins], *, name: str
) -> tuple[list[Margins], list[str]]:
    """Add margins up over attributes that voters do not declare; also return what to tell of it.

    Raises
    ------
    InputError
        If nothing is left.
    """
    if not margins:
        raise InputError(f"margins of {name} must hold at least one margin, got none")
    known = [a.name for a in voters.attributes if a.levels]
    usable: dict[tuple[str, ...], Margins] = {}
    lost: dict[str, None] = {}
    for one in margins:
        kept = tuple(a for a in one.attributes if a in known)
        lost.update(dict.fromkeys(a for a in one.attributes if a not in known))
        if kept:
            usable.setdefault(kept, one if kept == one.attributes else collapsed(one, kept))
    if not usable:
        raise InputError(
            f"margins of {name} must be of attributes that voters declare "
            f"({', '.join(known) or 'they declare none'}), got {', '.join(lost)}"
        )
    notes = [f"{a} is not declared by voters, so the margins are added up over it" for a in lost]
    return list(usable.values()), notes


def placed(voters: Electorate, margins: Margins) -> Codes:
    """Cell of the margin that each voter is in, or why it is in none; shape (g,)."""
    order = {cell: k for k, cell in enumerate(margins.levels)}
    cells: list[tuple[str, ...]] = [()]
    codes = np.zeros(voters.n_voters, dtype=np.int64)
    undeclared = np.zeros(voters.n_voters, dtype=bool)
    for name in margins.attributes:
        attribute = voters.attribute(name)
        if attribute is None:
            raise InputError(f"attribute must be one that voters declare, got {name!r}")
        cells = [(*cell, level) for cell in cells for level in attribute.levels]
        codes = codes * len(attribute.levels) + attribute.code
        undeclared |= attribute.code < 0
    lookup = np.array([order.get(cell, UNNAMED) for cell in cells], dtype=np.int64)
    found = np.where(lookup >= 0, lookup, UNNAMED)
    found = np.where((lookup >= 0) & (margins.shares[lookup] == 0), ABSENT, found)
    return np.where(undeclared, UNDECLARED, found[np.where(undeclared, 0, codes)])


def is_thin(code: Codes, margins: Margins, threshold: int) -> bool:
    """Whether a cell that the population has holds fewer voters than the threshold."""
    held = np.bincount(code[code >= 0], minlength=len(margins.levels))
    return bool((held[margins.shares > 0] < threshold).any())


def strata(code: Codes, margins: Margins, *, threshold: int) -> Strata:
    """Merge levels of too few voters and set the targets.

    Parameters
    ----------
    code : int array, shape (n,)
        As `placed` returns it; those without a cell keep the share they have.
    margins : Margins
    threshold : int

    Raises
    ------
    UnmetError
        If a level of the population has no voter, or all levels have fewer than the threshold.
    """
    size, name = len(margins.levels), " by ".join(margins.attributes)
    shares = margins.shares / margins.shares.sum()
    held = np.bincount(code[code >= 0], minlength=size)
    empty = np.flatnonzero((shares > 0) & (held == 0))
    if empty.size:
        raise UnmetError(
            _nobody(name, [", ".join(margins.levels[k]) for k in empty], shares[empty])
        )
    merged = merged_with_others(held, threshold)
    if merged is None:
        raise UnmetError(f"{name}: fewer than {threshold:,} voters declare a level of the margin")
    number = np.full(size + 1, -1, dtype=np.int64)
    single = np.flatnonzero((held > 0) & ~merged)
    number[single] = np.arange(single.size)
    number[np.flatnonzero(merged)] = single.size
    final, target = number[np.maximum(code, -1)], shares[single]
    if merged.any():
        target = np.append(target, shares[merged].sum())
    apart = float((final < 0).mean())
    if apart:
        final = np.where(final < 0, target.size, final)
        target = np.append(target * (1.0 - apart), apart)
    return Strata(final, target / target.sum(), int(merged.sum()))


def _nobody(name: str, levels: list[str], shares: Floats) -> str:
    listed = ", ".join(
        f"{level} ({100 * share:.1f}%)" for level, share in zip(levels[:5], shares, strict=False)
    )
    more = f" and {len(levels) - 5} more" if len(levels) > 5 else ""
    return (
        f"no voter has the {name} {listed}{more} of the population, and nobody can stand for "
        "them: give levels the names that voters use, or merge them with neighbours in the margins"
    )
