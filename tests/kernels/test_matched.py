import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.matched import match


def test_by_hand():
    # comparison 7 is judged by both, 9 by the first judge only, 3 by both and twice by the second
    comparison = np.array([7, 9, 7, 3, 3, 3])
    judge = np.array([0, 0, 1, 1, 1, 0])
    verdict = np.array([0, 1, 0, 2, 1, 2])
    got = match(comparison, judge, verdict, n_judges=2)
    assert got.votes.tolist() == [[[0, 0, 1], [1, 0, 0]], [[0, 1, 1], [1, 0, 0]]]
    assert comparison[got.first_row].tolist() == [3, 7]
    both = got.made(0) & got.made(1)
    assert both.all()
    assert got.shares(1, both).tolist() == [[0, 0.5, 0.5], [1, 0, 0]]


def test_nothing_in_common():
    got = match(np.array([1, 2]), np.array([0, 1]), np.array([0, 0]), n_judges=2)
    assert got.votes.shape == (2, 0, 3)
    assert not got.made(0).any()


rows = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)),
    min_size=1,
    max_size=30,
)


@given(rows)
def test_fast_equals_naive_and_a_count_is_so_many_rows(votes):
    comparison, judge, verdict, count = np.array(votes).T
    got = match(comparison, judge, verdict, n_judges=3, count=count.astype(float))
    naive = {}
    for c, j, v, n in votes:
        naive.setdefault(c, np.zeros((3, 3)))[j, v] += n
    shared = sorted(c for c, seen in naive.items() if (seen.sum(axis=1) > 0).sum() > 1)
    assert comparison[got.first_row].tolist() == shared
    for k, c in enumerate(shared):
        assert (got.votes[:, k] == naive[c]).all()
    long = match(*(np.repeat(x, count) for x in (comparison, judge, verdict)), n_judges=3)
    assert (long.votes == got.votes).all()
