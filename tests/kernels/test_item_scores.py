import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.kernels.distinct import numbered
from caveat.kernels.item_scores import effective_items, item_rest, split_shares

NAN = float("nan")


def test_item_rest_by_hand():
    # Means of the other two items: 1, 1/2, 0 for the first; it scores 1, 1, 0. Deviations 1/3, 1/3,
    # -2/3 and 1/2, 0, -1/2: sum of products 1/2, roots of sums of squares sqrt(2/3), sqrt(1/2).
    score = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 0]], dtype=float)
    assert item_rest(score)[0] == pytest.approx(0.5 / np.sqrt(1 / 3))


def test_item_rest_is_undefined_where_nothing_varies():
    score = np.array([[1, 1, 1], [1, 0, 0], [0, 1, 1]], dtype=float)
    assert np.isnan(item_rest(score)[0])
    assert np.isnan(item_rest(np.array([[1.0], [0.0]]))).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31))
def test_item_rest_is_the_correlation_worked_out_item_by_item(seed):
    rng = np.random.default_rng(seed)
    score = np.round(rng.random((9, 6)), 1)
    score[rng.random(score.shape) < 0.2] = np.nan
    found = item_rest(score)
    for j in range(9):
        there = np.isfinite(score[j]) & (np.isfinite(score).sum(axis=0) > 1)
        rest = np.array(
            [np.nanmean(np.delete(score[:, m], j)) if there[m] else np.nan for m in range(6)]
        )
        own, others = score[j][there], rest[there]
        if there.sum() < 2 or np.ptp(own) < 1e-9 or np.ptp(others) < 1e-5:
            continue
        assert found[j] == pytest.approx(np.corrcoef(own, others)[0, 1], abs=1e-6)


def test_splits_by_hand():
    # Means 3/4, 3/4, 2/4, 0: only the first two are within 5 points.
    score = np.array([[1, 0, 1, 0], [1, 1, 0, 0], [0, 1, 1, 0], [1, 1, 0, 0]], dtype=float)
    splits, pairs = split_shares(score, 0.05)
    assert pairs == 1
    assert splits.tolist() == [1, 0, 1, 0]


def test_splits_without_a_pair_or_with_other_scores_are_undefined():
    score = np.array([[1, 0], [1, 0]], dtype=float)
    assert split_shares(score, 0.05)[1] == 0
    assert np.isnan(split_shares(score, 0.05)[0]).all()
    assert np.isnan(split_shares(np.array([[0.5, 0.5], [0.2, 0.3]]), 0.1)[0]).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31))
def test_splits_are_counted_pair_by_pair(seed):
    rng = np.random.default_rng(seed)
    score = (rng.random((12, 7)) < 0.5).astype(float)
    score[rng.random(score.shape) < 0.15] = np.nan
    found, _ = split_shares(score, 0.1)
    mean = np.nanmean(score, axis=0)
    for j in range(12):
        pairs = [
            abs(score[j, a] - score[j, b])
            for a in range(7)
            for b in range(a)
            if abs(mean[a] - mean[b]) <= 0.1 + 1e-9 and np.isfinite(score[j, [a, b]]).all()
        ]
        assert found[j] == pytest.approx(np.mean(pairs) if pairs else NAN, nan_ok=True)


def test_effective_items_by_hand():
    # Two items of variance 1/4, one of 3/16, one of 0: (11/16)^2 / (2/16 + 9/256) = 121/41.
    score = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 0], [1, 1, 1, 1]], dtype=float)
    assert effective_items(score) == pytest.approx(121 / 41)


def test_effective_items_are_the_items_where_all_are_alike():
    assert effective_items(np.tile([1.0, 0.0, 1.0], (40, 1))) == pytest.approx(40)
    assert np.isnan(effective_items(np.ones((5, 3))))


def test_numbered_is_unique():
    values = np.array([5, 2, 5, 9, 2])
    for size in (10, 10**8):
        found, place = numbered(values, size)
        assert found.tolist() == [2, 5, 9]
        assert place.tolist() == [1, 0, 1, 2, 0]
