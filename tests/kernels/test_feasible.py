import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from caveat.kernels.coincidence import NO_OPTION, coincidence
from caveat.kernels.feasible import ItemKinds, feasible, item_kinds, place

NONE = np.zeros(10, dtype=bool)


def bounds(n, first, second, *, loose=0, tied=0, settled=0):
    """Range of two models that both answered n items, first and second of them right."""
    rows = np.arange(n)
    kinds = ItemKinds(
        loose=rows < loose,
        tied=(rows >= loose) & (rows < loose + tied),
        settled=(rows >= loose + tied) & (rows < loose + tied + settled),
    )
    counts = np.full((2, 2), float(n))
    right = np.array([[first, first], [second, second]], dtype=float)
    found = feasible(np.zeros((n, 2), dtype=np.int32), kinds, n=counts, right=right)
    return found.low[0, 1] * n, found.high[0, 1] * n


def test_by_hand():
    # 10 items, 7 and 6 right: at least 1 differs; 13 right answers on 10 items leave 3 items that
    # both got right, so at most 7 differ: 2 - 0.7 - 0.6 = 0.7
    assert bounds(10, 7, 6) == pytest.approx((1, 7))
    # 3 and 4 right: nothing needs to agree
    assert bounds(10, 3, 4) == pytest.approx((1, 10))
    # two options: 7 right answers on 10 items leave 3 that both got wrong, hence alike
    assert bounds(10, 3, 4, tied=10) == pytest.approx((1, 7))
    # and 1 - |1 - 0.7 - 0.6| = 0.7
    assert bounds(10, 7, 6, tied=10) == pytest.approx((1, 7))


def test_all_right_and_all_wrong():
    assert bounds(10, 10, 10) == (0, 0)
    assert bounds(10, 0, 0) == (0, 10)
    assert bounds(10, 0, 0, tied=10) == (0, 0)
    assert bounds(10, 10, 0) == (10, 10)
    assert bounds(1, 1, 0) == (1, 1)


def outcomes(kind):
    """All (first right, second right, differ) that an item of a kind allows."""
    if kind == "loose":
        return [(a, b, d) for a in (0, 1) for b in (0, 1) for d in (0, 1)]
    if kind == "settled":
        return [(1, 1, 0)]
    alike = [(1, 1, 0), (0, 0, 0), (1, 0, 1), (0, 1, 1)]
    return alike if kind == "tied" else [*alike, (0, 0, 1)]


@pytest.mark.parametrize(
    "kinds",
    list(itertools.combinations_with_replacement(("loose", "tied", "settled", "free"), 4)),
)
def test_equals_trying_everything(kinds):
    seen = {}
    for choice in itertools.product(*(outcomes(kind) for kind in kinds)):
        first, second, differ = (sum(column) for column in zip(*choice, strict=True))
        low, high = seen.get((first, second), (9, -1))
        seen[first, second] = (min(low, differ), max(high, differ))
    number = {kind: kinds.count(kind) for kind in ("loose", "tied", "settled")}
    for (first, second), expected in seen.items():
        assert bounds(4, first, second, **number) == pytest.approx(expected), (first, second)


def test_kinds_by_hand():
    answers = np.array(
        [
            [0, 1],  # four options
            [0, 1],  # two options, 1 is wrong
            [0, 0],  # two options, nobody wrong
            [0, 0],  # one option, nobody wrong
            [1, 0],  # one option, and an answer outside of it
            [1, 2],  # two options and two wrong answers: one lies outside
            [0, 1],  # both right in different words
            [0, 0],  # the same answer right for one and wrong for the other
            [0, NO_OPTION],  # unreadable yet right
            [0, 1],  # unknown number of options
        ],
        dtype=np.int32,
    )
    correct = np.array(
        [[1, 0], [1, 0], [1, 1], [1, 1], [0, 1], [0, 0], [1, 1], [1, 0], [1, 1], [1, 0]]
    )
    options = np.array([4, 2, 2, 1, 1, 2, 4, 4, 4, np.nan])
    kinds = item_kinds(answers, correct.astype(bool), options)
    assert np.flatnonzero(kinds.tied).tolist() == [1, 2, 4]
    assert np.flatnonzero(kinds.settled).tolist() == [3]
    assert np.flatnonzero(kinds.loose).tolist() == [6, 7, 8]


def test_no_items():
    empty = np.zeros((0, 2), dtype=np.int32)
    kinds = item_kinds(empty, np.zeros((0, 2), dtype=bool), np.zeros(0))
    found = feasible(empty, kinds, n=np.zeros((2, 2)), right=np.zeros((2, 2)))
    assert np.isnan(found.low).all()
    assert np.isnan(found.high).all()


def test_place():
    low, high = np.array([0.1, 0.0, 0.3]), np.array([0.6, 0.0, np.nan])
    at = place(np.array([0.35, 0.0, 0.4]), low, high)
    assert at[0] == pytest.approx(0.5)
    assert np.isnan(at[1:]).all()


@given(data=st.data(), m=st.integers(2, 4), n=st.integers(1, 8), options=st.integers(1, 4))
def test_what_is_seen_is_feasible(data, m, n, options):
    letters = st.integers(NO_OPTION, options)  # one answer outside the options, absent, unreadable
    rows = st.lists(st.lists(letters, min_size=m, max_size=m), min_size=n, max_size=n)
    answers = np.array(data.draw(rows), dtype=np.int32)
    gold = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    correct = answers == gold[:, None]
    counts = coincidence(answers, correct)
    assume((counts.n > 0).any())
    # an unreadable answer differs from all others, itself included: any number of answers
    number = np.full(n, np.inf if (answers == NO_OPTION).any() else float(options))
    found = feasible(answers, item_kinds(answers, correct, number), n=counts.n, right=counts.right)
    differ = np.where(counts.n > 0, 1 - counts.same / np.maximum(counts.n, 1), np.nan)
    off = (counts.n > 0) & ~np.eye(m, dtype=bool)
    assert (found.low[off] <= differ[off] + 1e-12).all()
    assert (differ[off] <= found.high[off] + 1e-12).all()
    np.testing.assert_array_equal(found.low, found.low.T)
    np.testing.assert_array_equal(found.high, found.high.T)
