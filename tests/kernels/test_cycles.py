import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.cycles import cyclic, n_cyclic, triples


def tournament(seed, m, met=1.0):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((m, m)) < 0.5, 1)
    lower = np.tril(~upper.T, -1)
    here = np.triu(rng.random((m, m)) < met, 1)
    return (upper | lower) & (here | here.T)


def by_enumeration(ahead):
    rounds = decided = 0
    for i, j, k in itertools.combinations(range(ahead.shape[0]), 3):
        pairs = ((i, j), (j, k), (k, i))
        decided += all(ahead[x, y] or ahead[y, x] for x, y in pairs)
        rounds += all(ahead[x, y] for x, y in pairs) or all(ahead[y, x] for x, y in pairs)
    return decided, rounds


def test_rock_paper_scissors():
    ahead = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)
    assert triples(ahead) == type(triples(ahead))(n=1, n_cyclic=1, zeta=0.0)  # (27 - 3) / 24 = 1
    assert cyclic(ahead).tolist() == [[0, 1, 2]]
    assert cyclic(ahead.T).tolist() == [[0, 2, 1]]


def test_an_order_has_no_cycle():
    ahead = np.triu(np.ones((6, 6), dtype=bool), 1)
    assert triples(ahead) == type(triples(ahead))(n=20, n_cyclic=0, zeta=1.0)  # 6 over 3
    assert cyclic(ahead).shape == (0, 3)


@pytest.mark.parametrize(("m", "most"), [(3, 1), (4, 2), (5, 5), (6, 8), (7, 14)])
def test_the_largest_number_of_cycles(m, most):
    # Kendall and Babington Smith (1940): (m^3 - m) / 24 for odd m, (m^3 - 4 m) / 24 for even m.
    # A circle in which each beats the next (m - 1) / 2, one of the halves on a draw, reaches it.
    ahead = np.zeros((m, m), dtype=bool)
    for i in range(m):
        for step in range(1, (m - 1) // 2 + 1):
            ahead[i, (i + step) % m] = True
        if m % 2 == 0 and i < m // 2:
            ahead[i, (i + m // 2) % m] = True
    found = triples(ahead)
    assert found.n_cyclic == most
    assert found.zeta == 0.0


def test_cycles_follow_from_the_scores_of_a_tournament():
    # d = m (m - 1) (2 m - 1) / 12 - sum of squared wins / 2 (Kendall, "Rank Correlation Methods")
    ahead = tournament(3, 21)
    wins = ahead.sum(axis=1)
    assert n_cyclic(ahead) == 21 * 20 * 41 / 12 - (wins**2).sum() / 2


@given(st.integers(0, 10_000), st.integers(1, 9), st.floats(0.3, 1))
def test_counts_equal_enumeration(seed, m, met):
    ahead = tournament(seed, m, met)
    found = triples(ahead)
    assert (found.n, found.n_cyclic) == by_enumeration(ahead)
    listed = cyclic(ahead)
    assert len(listed) == found.n_cyclic
    for i, j, k in listed.tolist():
        assert all((ahead[i, j], ahead[j, k], ahead[k, i]))
        assert i < min(j, k)


@given(st.integers(0, 10_000), st.integers(3, 12))
def test_names_and_direction_do_not_matter(seed, m):
    ahead = tournament(seed, m, 0.8)
    order = np.random.default_rng(seed).permutation(m)
    assert triples(ahead[np.ix_(order, order)]).n_cyclic == triples(ahead).n_cyclic
    assert triples(ahead.T).n_cyclic == triples(ahead).n_cyclic


def test_consistency_needs_every_pair_decided():
    ahead = tournament(1, 6)
    ahead[0, 1] = ahead[1, 0] = False
    assert math.isnan(triples(ahead).zeta)
    assert math.isnan(triples(np.zeros((2, 2), dtype=bool)).zeta)
    assert math.isnan(triples(np.zeros((1, 1), dtype=bool)).zeta)
