import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.ballots import ballots

rows = st.lists(
    st.tuples(st.integers(-1, 3), st.integers(0, 4), st.integers(1, 3), st.integers(1, 4)),
    min_size=1,
    max_size=40,
)


@given(rows)
def test_fast_equals_naive(votes):
    voter, cell, count, weight = np.array(votes).T
    got = ballots(
        voter,
        cell,
        n_voters=4,
        n_cells=5,
        count=count.astype(float),
        weight=weight.astype(float),
    )
    want = np.zeros((3, 5, 5))  # the last row for votes without a voter
    for v, c, n, w in votes:
        want[:, v, c] += n, n * w, n * w**2
    for k, (table, single) in enumerate(
        (
            (got.count, got.single),
            (got.weight, got.single_weight),
            (got.weight2, got.single_weight2),
        )
    ):
        assert table.toarray() == pytest.approx(want[k, :4])
        assert single == pytest.approx(want[k, 4])
    assert got.cast == pytest.approx(want[0, :4].sum(axis=1))


def test_without_weights_everything_is_a_count():
    got = ballots(np.array([0, 0, -1]), np.array([1, 1, 0]), n_voters=1, n_cells=2)
    assert got.weight.toarray().tolist() == [[0.0, 2.0]]
    assert got.single.tolist() == [1.0, 0.0]
