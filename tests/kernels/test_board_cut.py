import itertools

import numpy as np
import pytest

from caveat.kernels.board_cut import cut_votes
from caveat.kernels.counts import VoteCells
from caveat.kernels.vote_kinds import sort_votes
from caveat.kernels.warm_refit import islands


def kinds_of(rows, m):
    a, b, o, n = np.array(rows).T
    n = n.astype(float)
    return sort_votes(VoteCells(m, a, b, o, n, n, n)).kinds


def test_all_wins_of_one_over_the_other():
    kinds = kinds_of([(0, 1, 0, 3), (0, 1, 1, 1)], 2)
    assert cut_votes(kinds, 0, 1).number == 3
    assert cut_votes(kinds, 1, 0).number == 1


def test_a_tie_reaches_both_ways():
    kinds = kinds_of([(0, 1, 0, 3), (0, 1, 1, 1), (0, 1, 2, 2)], 2)
    assert cut_votes(kinds, 0, 1).number == 5
    assert cut_votes(kinds, 1, 0).number == 3


def test_the_narrowest_place_is_cut_wherever_it_is():
    # 0 reaches 2 through 1 only: nine wins over 1, of which two wins lead on
    rows = [(0, 1, 0, 9), (0, 1, 1, 4), (1, 2, 0, 2), (1, 2, 1, 5)]
    kinds = kinds_of(rows, 3)
    cut = cut_votes(kinds, 0, 2)
    assert cut.number == 2
    assert cut.taken.tolist() == [0, 0, 2, 0]


@pytest.mark.parametrize("seed", range(10))
def test_no_subset_does_with_fewer(seed):
    rng = np.random.default_rng(seed)
    rows = [
        (i, j, o, int(rng.integers(1, 3)))
        for i, j in itertools.combinations(range(4), 2)
        for o in range(2)
        if rng.random() < 0.8
    ]
    kinds = kinds_of(rows, 4)
    cut = cut_votes(kinds, 0, 1)
    least = None
    for taken in itertools.product(*(range(int(n) + 1) for n in kinds.count)):
        left = kinds.with_counts(kinds.count - np.array(taken))
        beats = np.eye(4, dtype=bool)
        beats[left.a[left.wins > 0], left.b[left.wins > 0]] = True
        beats[left.b[left.losses > 0], left.a[left.losses > 0]] = True
        if not np.linalg.matrix_power(beats.astype(int), 4)[0, 1]:
            least = min(sum(taken), 99 if least is None else least)
    assert cut.number == least
    assert cut.taken.sum() == least
    if least:
        label = islands(kinds.with_counts(kinds.count - cut.taken))
        assert label[0] != label[1]


def test_billions_of_votes_are_not_cut():
    kinds = kinds_of([(0, 1, 0, 2**40), (0, 1, 1, 1)], 2)
    assert cut_votes(kinds, 0, 1) is None
    assert cut_votes(kinds, 1, 0).number == 1
