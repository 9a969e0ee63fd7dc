"""Does one model do better on public, or on older items than the others do?

A model that has seen a part of the items gains on that part what the others do not. Parts differ
in difficulty for all models, so what is compared is a model's lead over the mean of the others on
the part, less its lead on the rest: a difference of differences over items. Leads shrink where
items are easy for all, or hard for all; so a model must also lie above the line through the
scores of all models on both sides.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from caveat.data.column_arrays import codes
from caveat.data.matrix import ResponseMatrix
from caveat.data.times import read_times
from caveat.kernels.multiplicity import holm
from caveat.results.data_checks import Break, Canary
from caveat.stats.data_checks.line import above_the_line

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
PARTS = ("split", "part", "subset", "public", "is_public", "held_out", "is_held_out", "visibility")
_WORDS = r"held.?out|private|hidden|unseen|secret"
_HELD = re.compile(rf"{_WORDS}|^new$", re.IGNORECASE)
_NOT_PUBLIC = re.compile(rf"{_WORDS}|^false$|^0$|^no$", re.IGNORECASE)
_HELD_TRUE = re.compile(rf"{_WORDS}|^true$|^1$|^yes$", re.IGNORECASE)
DATES = ("item_date", "item_created", "question_date", "created_on", "item_published")
LEAST_ITEMS = 30
LEAST_OTHERS = 2
_CANARY = re.compile(r"canary\s+guid|canary string|26b5c67b-86ad-4dae", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class _Parted:
    public: Mask
    known: Mask
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class _Gains:
    gain: Floats
    se: Floats
    n: Floats
    rest: Floats


def held_out_break(
    rows: "pa.Table", matrix: ResponseMatrix, *, level: float
) -> tuple[Break, ...] | None:
    """Compare the public part of the items with the held-out one, model by model.

    Parameters
    ----------
    rows : pyarrow.Table
        Rows of one benchmark; a column `split`, `part`, `subset`, `public`, `held_out` or
        `visibility` with two values of which one means held out.
    matrix : ResponseMatrix
    level : float

    Returns
    -------
    tuple of Break or None
        Models that gain or lose on the public part beyond the others; None without such a column.
    """
    for column in PARTS:
        if column in rows.column_names:
            parted = _parted(rows, matrix, column)
            if parted is not None:
                inside = np.repeat(parted.public[:, None], len(matrix.models), axis=1)
                use = np.repeat(parted.known[:, None], len(matrix.models), axis=1)
                return _breaks(matrix, inside, column, parted.name, level=level, use=use)
    return None


def release_break(
    rows: "pa.Table",
    matrix: ResponseMatrix,
    models: Mapping[str, Mapping[str, Any]],
    *,
    level: float,
) -> tuple[Break, ...] | None:
    """Compare items from before each model's release with items from after it.

    Parameters
    ----------
    rows : pyarrow.Table
        With a column `item_date`, `item_created`, `question_date`, `created_on` or
        `item_published`.
    matrix : ResponseMatrix
    models : mapping of str to mapping
        With `released` of each model.
    level : float

    Returns
    -------
    tuple of Break or None
        None without dates of items or of releases.
    """
    import pyarrow as pa

    column = next((name for name in DATES if name in rows.column_names), None)
    released = [str(models.get(name, {}).get("released") or "") for name in matrix.models]
    if column is None or not any(released):
        return None
    texts = pa.array([text or None for text in released], pa.string())
    day = read_times(pa.chunked_array([texts])).seconds
    date = read_times(rows[column].cast(pa.string()), name=column).seconds
    item, names = codes(rows, "item")
    first = np.full(len(names), np.nan)
    known = np.isfinite(date)
    first[item[known][::-1]] = date[known][::-1]
    place = {name: k for k, name in enumerate(names)}
    when = first[[place[name] for name in matrix.items]]
    with np.errstate(invalid="ignore"):
        inside = when[:, None] < day[None, :]
    usable = np.isfinite(when)[:, None] & np.isfinite(day)[None, :]
    return _breaks(matrix, inside, "released", "items before its release", level=level, use=usable)


def canaries(rows: "pa.Table") -> tuple[Canary, ...]:
    """Count answers that hold the canary string of a benchmark: the model has read its files."""
    if "prediction" not in rows.column_names:
        return ()
    prediction, answers = codes(rows, "prediction")
    holds = np.array([*(bool(_CANARY.search(text)) for text in answers), False])
    which = np.flatnonzero(holds[prediction])
    if not which.size:
        return ()
    model, names = codes(rows, "model")
    item, items = codes(rows, "item")
    count = np.bincount(model[which], minlength=len(names))
    return tuple(
        Canary(
            model=names[j],
            answers=int(count[j]),
            example=items[item[which[model[which] == j][0]]],
        )
        for j in np.argsort(-count, kind="stable").tolist()
        if count[j]
    )


def _parted(rows: "pa.Table", matrix: ResponseMatrix, column: str) -> _Parted | None:
    """Return which items are public, which of them are known to be or not, and their name."""
    part, names = codes(rows, column)
    if len(names) != 2:
        return None
    held = _HELD_TRUE if "held" in column else _NOT_PUBLIC if "public" in column else _HELD
    private = [k for k, name in enumerate(names) if held.search(name.strip())]
    if len(private) != 1:
        return None
    item, items = codes(rows, "item")
    own = np.full(len(items), -1)
    told = np.flatnonzero(part >= 0)[::-1]
    own[item[told]] = part[told]
    place = {name: k for k, name in enumerate(items)}
    codes_of_items = own[[place[name] for name in matrix.items]]
    public = 1 - private[0]
    return _Parted(codes_of_items == public, codes_of_items >= 0, f"{column} = {names[public]}")


def _breaks(
    matrix: ResponseMatrix,
    inside: Mask,
    column: str,
    part: str,
    *,
    level: float,
    use: Mask | None = None,
) -> tuple[Break, ...]:
    if np.nanmin(matrix.score, initial=0.0) < 0 or np.nanmax(matrix.score, initial=0.0) > 1:
        return ()  # no line can be drawn through scores on another scale
    found = _gains(matrix.score, inside, use)
    with np.errstate(invalid="ignore", divide="ignore"):
        z = found.gain / found.se
    p = 2.0 * ndtr(-np.abs(z))
    tested = np.isfinite(p)
    adjusted = np.full(p.size, np.nan)
    adjusted[tested] = holm(p[tested])
    half = float(ndtri((1.0 + level) / 2.0)) * found.se
    excess = np.full(p.size, np.nan)
    for j in np.flatnonzero(tested & (np.nan_to_num(adjusted, nan=2.0) < 1.0 - level)).tolist():
        known = matrix.score if use is None else np.where(use[:, [j]], matrix.score, np.nan)
        excess[j] = above_the_line(known, inside[:, j], j, least=LEAST_ITEMS)
    return tuple(
        Break(
            model=matrix.models[j],
            column=column,
            part=part,
            n=int(found.n[j]),
            n_rest=int(found.rest[j]),
            gain=float(found.gain[j]),
            low=float(found.gain[j] - half[j]),
            high=float(found.gain[j] + half[j]),
            p=float(p[j]),
            p_adjusted=float(adjusted[j]),
            excess=float(excess[j]),
        )
        for j in np.argsort(np.where(tested, adjusted, 2.0), kind="stable").tolist()
        if tested[j] and adjusted[j] < 1.0 - level
    )


def _gains(score: Floats, inside: Mask, use: Mask | None) -> _Gains:
    """Lead over the mean of the others on the part less that on the rest, with its error."""
    known = np.isfinite(score)
    filled = np.where(known, score, 0.0)
    others = known.sum(axis=1)[:, None] - known
    with np.errstate(invalid="ignore"):
        mean = (filled.sum(axis=1)[:, None] - filled) / np.where(others > 0, others, np.nan)
    lead = np.where(known & (others >= LEAST_OTHERS), score - mean, np.nan)
    if use is not None:
        lead = np.where(use, lead, np.nan)
    here, there = (_mean_of(lead, side) for side in (inside, ~inside))
    enough = (here[2] >= LEAST_ITEMS) & (there[2] >= LEAST_ITEMS)
    gain = np.where(enough, here[0] - there[0], np.nan)
    return _Gains(gain, np.sqrt(here[1] + there[1]), here[2], there[2])


def _mean_of(lead: Floats, side: Mask) -> tuple[Floats, Floats, Floats]:
    """Mean, its variance, and number of the values on one side."""
    there = np.isfinite(lead) & side
    n = there.sum(axis=0).astype(np.float64)
    some = np.where(n > 1, n, np.nan)
    with np.errstate(invalid="ignore"):
        mean = np.where(there, lead, 0.0).sum(axis=0) / some
        variance = np.where(there, (lead - mean) ** 2, 0.0).sum(axis=0) / (some - 1.0) / some
    return mean, variance, n
