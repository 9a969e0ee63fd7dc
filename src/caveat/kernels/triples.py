"""All sets of three models: how often their majority is right, and one of them at least.

Sums over items of products of three indicators are products of matrices, pairs by items times
items by models, so that no loop runs over sets.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer]
Mask = npt.NDArray[np.bool_]
_CELLS = 4_000_000
"""Pairs times items worked on at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Triples:
    """Sums over items, apart for each part of them.

    Attributes
    ----------
    members : int array, shape (t, 3)
    majority : float array, shape (parts, t)
        Credit of the vote of each three: 1 where two are right; where one is right, 1/3 against
        two different wrong answers, 1/2 against one, 1 against none, 0 against the same one twice.
    covered : float array, shape (parts, t)
        Items that one of them is right on at least.
    single : float array, shape (parts, m)
        Items each model is right on.
    items : int array, shape (parts,)
    """

    members: npt.NDArray[np.intp]
    majority: Floats
    covered: Floats
    single: Floats
    items: npt.NDArray[np.int64]


def triples(answer: Ints, right: Mask, part: Ints, n_parts: int) -> Triples:
    """Sum up all sets of three models.

    Parameters
    ----------
    answer : int array, shape (n, m)
        Codes from 0; below 0 where there is no answer. Right answers count as the same one.
    right : bool array, shape (n, m)
    part : int array, shape (n,)
        Part of each item.
    n_parts : int
    """
    m = right.shape[1]
    first, second = np.triu_indices(m, 1)
    place = np.zeros((m, m), dtype=np.intp)
    place[first, second] = place[second, first] = np.arange(first.size)
    members = np.array(
        [(i, j, k) for i in range(m) for j in range(i + 1, m) for k in range(j + 1, m)],
        dtype=np.intp,
    ).reshape(-1, 3)
    i, j, k = members.T
    majority, covered, single = [], [], []
    for code in range(n_parts):
        own = part == code
        pairs = _pair_sums(answer[own], right[own], first, second)
        alone = right[own].sum(axis=0).astype(np.float64)
        all_three = pairs.both_right_and[place[i, j], k]
        two = pairs.both_right[place[i, j]] + pairs.both_right[place[i, k]]
        two = two + pairs.both_right[place[j, k]]
        one = pairs.against[place[j, k], i] + pairs.against[place[i, k], j]
        one = one + pairs.against[place[i, j], k]
        majority.append(two - 2.0 * all_three + one)
        covered.append(alone[i] + alone[j] + alone[k] - two + all_three)
        single.append(alone)
    return Triples(
        members,
        np.array(majority).reshape(n_parts, -1),
        np.array(covered).reshape(n_parts, -1),
        np.array(single).reshape(n_parts, m),
        np.bincount(part, minlength=n_parts),
    )


def majority_credit(answer: Ints, right: Mask, members: npt.NDArray[np.intp]) -> Floats:
    """Credit of the vote of three models on each item, as in `Triples`."""
    own = right[:, members].astype(np.float64)
    number = own.sum(axis=1)
    credit = np.where(number >= 2, 1.0, 0.0)
    for alone, others in ((0, (1, 2)), (1, (0, 2)), (2, (0, 1))):
        a, b = members[others[0]], members[others[1]]
        value = _against(answer[:, a], answer[:, b], right[:, a], right[:, b])
        credit += np.where((number == 1) & (own[:, alone] == 1), value, 0.0)
    return credit


def greedy_cover(right: Mask, steps: int) -> list[int]:
    """Models in the order in which each adds most items that none before was right on."""
    open_items = np.ones(right.shape[0], dtype=bool)
    chosen: list[int] = []
    for _ in range(min(steps, right.shape[1])):
        gain = open_items.astype(np.float32) @ right.astype(np.float32)
        gain[chosen] = -1.0
        best = int(np.argmax(gain))
        chosen.append(best)
        open_items &= ~right[:, best]
    return chosen


@dataclass(frozen=True, slots=True, eq=False)
class _PairSums:
    both_right: Floats
    both_right_and: Floats
    against: Floats


def _against(a: Ints, b: Ints, right_a: Mask, right_b: Mask) -> Floats:
    """Value a third model that alone is right has against two that are wrong."""
    voting = (a >= 0).astype(np.int8) + (b >= 0)
    value = np.where(voting == 2, np.where(a == b, 0.0, 1 / 3), np.where(voting == 1, 0.5, 1.0))
    return np.where(right_a | right_b, 0.0, value)


def _pair_sums(
    answer: Ints, right: Mask, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]
) -> _PairSums:
    by_model = np.ascontiguousarray(right.T)
    codes = np.ascontiguousarray(answer.T)
    floats = right.astype(np.float32)
    step = max(1, _CELLS // max(right.shape[0], 1))
    both, both_and, against = [], [], []
    for start in range(0, first.size, step):
        a, b = first[start : start + step], second[start : start + step]
        together = (by_model[a] & by_model[b]).astype(np.float32)
        both.append(together.sum(axis=1, dtype=np.float64))
        both_and.append(together @ floats)
        value = _against(codes[a], codes[b], by_model[a], by_model[b]).astype(np.float32)
        against.append(value @ floats)
    return _PairSums(
        np.concatenate(both),
        np.concatenate(both_and).astype(np.float64),
        np.concatenate(against).astype(np.float64),
    )
