"""How much two models of given scores can disagree at most and at least.

Of n items that both answered, model i got R_i right and model j got R_j. Which items those are, and
what the wrong answers say, is free; so is the number of items answered differently, between

    least:  max(0, |R_i - R_j| - L)
    most:   n - O - max(0, T - S, S - (n - O) - L),     S = R_i + R_j - 2 O.

An item on which exactly one is right is answered differently, one that both got right is not. Both
wrong may differ, except on the T items that leave one wrong answer only; nothing differs on the O
items that leave none. On the L items whose right answers are not one text (or where one text is
right for one model and wrong for another) anything goes. Least: the right items of one model lie
within those of the other, as far as possible on L. Most: S right answers are spread over the
items; each of T takes one or its two wrong answers agree, each of L up to two, all others up to
one, and what is left over makes items that both got right.

With L = T = O = 0 this is |p - q| and min(1, 2 - p - q), as shares; with two options everywhere
|p - q| and 1 - |1 - p - q|.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.coincidence import ABSENT, Codes, Floats

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class ItemKinds:
    """What right and wrong leave open on each item; each of shape (items,), at most one holds.

    Attributes
    ----------
    loose : right answers are not one text.
    tied : two wrong answers are the same.
    settled : no answer can be wrong.
    """

    loose: Mask
    tied: Mask
    settled: Mask


def item_kinds(answers: Codes, correct: Mask, n_options: Floats) -> ItemKinds:
    """Tell the kinds of items apart.

    Parameters
    ----------
    answers : int array, shape (items, m)
        Codes from 0 by item; below 0 absent or equal to no other.
    correct : bool array, shape (items, m)
    n_options : float array, shape (items,)
        Answers that can be told apart; nan or inf where any number can. An item with more wrong
        answers seen than options left for them leaves wrong answers open.
    """
    right = np.where(correct, answers, ABSENT).max(axis=1, initial=ABSENT)
    matches = answers == right[:, None]
    loose = ((answers >= 0) & (matches != correct)).any(axis=1) | (correct & (answers < 0)).any(
        axis=1
    )
    few = np.flatnonzero((n_options <= 2.0) & ~loose)  # nan is not few
    wrong = np.where(correct[few], ABSENT, answers[few])
    highest = wrong.max(axis=1, initial=ABSENT)
    lowest = np.where(wrong < 0, np.iinfo(wrong.dtype).max, wrong).min(
        axis=1, initial=np.iinfo(wrong.dtype).max
    )
    none_seen, one_seen = highest < 0, (highest >= 0) & (highest == lowest)
    tied, settled = np.zeros_like(loose), np.zeros_like(loose)
    tied[few] = one_seen | (none_seen & (n_options[few] > 1.0))
    settled[few] = none_seen & (n_options[few] <= 1.0)
    return ItemKinds(loose=loose, tied=tied, settled=settled)


@dataclass(frozen=True, slots=True, eq=False)
class Feasible:
    """Least and most disagreement of each pair as shares; nan without common items."""

    low: Floats
    high: Floats


def feasible(answers: Codes, kinds: ItemKinds, *, n: Floats, right: Floats) -> Feasible:
    """Range of disagreement of all pairs given their scores.

    Parameters
    ----------
    answers : int array, shape (items, m)
    kinds : ItemKinds
    n : float array, shape (m, m)
        Items both answered.
    right : float array, shape (m, m)
        `right[i, j]`: those that i got right.

    Returns
    -------
    Feasible
        Each of shape (m, m), symmetric.
    """
    loose, tied, settled = (
        _common(answers[rows]) if rows.any() else np.zeros_like(n)
        for rows in (kinds.loose, kinds.tied, kinds.settled)
    )
    open_items = n - settled
    both = right + right.T - 2.0 * settled
    least = np.maximum(0.0, np.abs(right - right.T) - loose)
    forced = np.maximum(0.0, np.maximum(tied - both, both - open_items - loose))
    total = np.where(n > 0, n, np.nan)
    return Feasible(low=least / total, high=(open_items - forced) / total)


def place(value: Floats, low: Floats, high: Floats) -> Floats:
    """Where a value lies in a range, 0 at its low end, 1 at its high end; nan without room."""
    room = high - low
    with np.errstate(invalid="ignore", divide="ignore"):
        at = np.where(room > 1e-12, (value - low) / room, np.nan)
    return np.clip(at, 0.0, 1.0)


def _common(answers: Codes) -> Floats:
    present = np.ascontiguousarray((answers != ABSENT).T.astype(np.float32))
    common: Floats = (present @ present.T).astype(np.float64)
    return common
