"""Properties of both answers of a vote, as one number a vote."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.paired import PairedColumn, paired_columns
from caveat.errors import InputError
from caveat.results.control import LeftOut

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]
Contrast = Literal["relative", "difference"]
CONTRASTS: tuple[Contrast, ...] = get_args(Contrast)

MOSTLY = 0.5
"""Share of the votes in which a property must be known to be taken without being named."""
ALIKE = 0.95
"""Correlation with an earlier property above which one is left out unless it is named: the worth
of either alone could not be told."""


@dataclass(frozen=True, slots=True, eq=False)
class Covariates:
    """Contrasts of the answers of each vote.

    Attributes
    ----------
    pairs : tuple of PairedColumn
    values : float array, shape (k, n)
        In the unit of the contrast; nan where a value is missing.
    left_out : tuple of LeftOut
    """

    pairs: tuple[PairedColumn, ...]
    values: Floats
    left_out: tuple[LeftOut, ...]

    @property
    def complete(self) -> npt.NDArray[np.bool_]:
        """Votes of which every property is known; shape (n,)."""
        if not any(pair.n_missing for pair in self.pairs):
            return np.ones(self.values.shape[1], dtype=bool)
        return np.asarray(~np.isnan(self.values).any(axis=0))

    def without(self, k: int, why: str) -> "Covariates":
        """Leave one property out."""
        left = LeftOut(name=self.pairs[k].name, why=why)
        pairs = self.pairs[:k] + self.pairs[k + 1 :]
        return Covariates(pairs, np.delete(self.values, k, axis=0), (*self.left_out, left))


def covariates(
    table: "pa.Table", *, columns: tuple[str, ...] = (), contrast: Contrast = "relative"
) -> Covariates:
    """Contrast the properties of both answers.

    Parameters
    ----------
    table : pyarrow.Table
        Votes.
    columns : tuple of str
        Names of pairs of columns; all that can be used where empty.
    contrast : str
        `relative`: (a - b) / (a + b), which is 1/3 for twice as much whatever the length, and 0
        where both are 0. `difference`: a - b.

    Returns
    -------
    Covariates

    Raises
    ------
    InputError
        If a named pair does not exist or cannot be used, or none can.
    """
    _validate.choice("contrast", contrast, CONTRASTS)
    pairs = paired_columns(table, names=columns or None)
    used, left = [], []
    for pair in pairs:
        why = _why_not(pair, contrast, named=bool(columns))
        if why and columns:
            raise InputError(
                f"control must be of columns that can be used, got {pair.name!r}: {why}"
            )
        if why:
            left.append(LeftOut(name=pair.name, why=why))
        else:
            used.append(pair)
    if not used:
        listed = "; ".join(f"{one.name}: {one.why}" for one in left)
        raise InputError(
            "votes must have a pair of numeric columns, one for each answer (chars_a and chars_b), "
            f"to hold style equal, got {listed or 'none'}"
        )
    values = np.empty((len(used), table.num_rows))
    for row, pair in zip(values, used, strict=True):
        _contrast(pair, contrast, out=row)
    found = Covariates(tuple(used), values, tuple(left))
    return found if columns else _distinct(found)


def _distinct(found: Covariates) -> Covariates:
    """Leave out what repeats an earlier property: characters beside words."""
    whole = not any(pair.n_missing for pair in found.pairs)
    known = found.values if whole else np.nan_to_num(found.values)
    inner = known @ known.T
    size = np.sqrt(np.diag(inner))
    alike = np.abs(inner) > ALIKE * np.outer(size, size)
    for k in reversed(range(1, len(found.pairs))):
        if alike[k, :k].any():
            first = found.pairs[int(np.flatnonzero(alike[k, :k])[0])].name
            found = found.without(k, f"it says nearly the same as {first}")
    return found


def _why_not(pair: PairedColumn, contrast: Contrast, *, named: bool) -> str:
    votes = pair.table.num_rows
    empty = pair.n_missing == votes
    negative = contrast == "relative" and pair.least < 0
    rare = not named and pair.n_missing > (1.0 - MOSTLY) * votes
    reasons = (
        (empty, "it has no values"),
        (rare, "it is missing in most votes"),
        (pair.duplicate_of, f"it has the same values as {pair.duplicate_of}"),
        (pair.constant, "both answers differ by the same in all votes"),
        (pair.decides, "it decides every vote: it is the vote in other words"),
        (negative, "it has negative values, which have no ratio"),
    )
    return next((why for holds, why in reasons if holds), "")


def _contrast(pair: PairedColumn, contrast: Contrast, *, out: Floats) -> None:
    for rows, a, b in pair.blocks():
        difference = a - b
        if contrast == "relative":
            difference /= np.maximum(a + b, np.finfo(np.float64).tiny)  # 0 / 0 is no difference
        out[rows] = difference
