import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels import counts
from caveat.kernels.counts import VoteCounter, win_matrix

votes = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3), st.integers(1, 5)),
    min_size=1,
    max_size=60,
).map(lambda rows: [r for r in rows if r[0] != r[1]] or [(0, 1, 0, 1)])


def counted(rows, *, n_models=5, chunk=7, weight=None):
    counter = VoteCounter(n_models)
    for start in range(0, len(rows), chunk):
        a, b, o, c = np.array(rows[start : start + chunk]).T
        w = None if weight is None else np.asarray(weight[start : start + chunk], dtype=float)
        counter.add(a, b, o, count=c.astype(float), weight=w)
    return counter.cells()


def test_hand_counted():
    # 0 beats 1 twice and ties once; 1, shown first, beats 0 once
    cells = counted([(0, 1, 0, 2), (0, 1, 2, 1), (1, 0, 0, 1)])
    assert cells.n_votes == 4
    assert list(zip(cells.a, cells.b, cells.outcome, cells.count, strict=True)) == [
        (0, 1, 0, 2),
        (0, 1, 2, 1),
        (1, 0, 0, 1),
    ]
    wins = win_matrix(cells, cells.count)
    assert wins[0, 1] == 2.5
    assert wins[1, 0] == 1.5


@given(votes)
def test_fast_equals_naive(rows):
    naive = np.zeros((5, 5))
    for a, b, o, c in rows:
        score = {0: 1.0, 1: 0.0, 2: 0.5, 3: 0.5}[o]
        naive[a, b] += c * score
        naive[b, a] += c * (1 - score)
    cells = counted(rows)
    assert np.array_equal(win_matrix(cells, cells.count), naive)


@given(votes)
def test_sparse_route_gives_the_same_cells(rows):
    dense = counted(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "_DENSE_CELLS", 0)
        sparse = counted(rows)
    for name in ("a", "b", "outcome", "count", "weight", "weight2"):
        assert np.array_equal(getattr(dense, name), getattr(sparse, name))


@given(votes, st.integers(1, 20))
def test_chunks_do_not_matter(rows, chunk):
    one, other = counted(rows, chunk=len(rows)), counted(rows, chunk=chunk)
    assert np.array_equal(one.count, other.count)


def test_weights_and_their_squares():
    # two rows of one cell: 2 votes of weight 3 and 1 vote of weight 5
    cells = counted([(0, 1, 0, 2), (0, 1, 0, 1)], weight=[3.0, 5.0])
    assert cells.count.tolist() == [3.0]
    assert cells.weight.tolist() == [11.0]
    assert cells.weight2.tolist() == [2 * 9.0 + 25.0]
