import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from caveat.kernels.voter_scores import Scores, calibrated, cross


def plain(values):
    total = csr_array(np.asarray(values, dtype=float))
    g, p = total.shape
    return Scores(total, csr_array((g, 0)), np.zeros((0, p)), np.zeros(g))


def residual(found):
    return np.asarray(found.total.toarray() - found.levels @ found.explained)


def test_one_margin_takes_out_the_mean_of_each_level_by_hand():
    # Level 0: weights 1 and 3, scores per weight 2 and 4, mean (1*2 + 3*4) / 4 = 3.5.
    # Weighted scores 2 and 12 less 3.5 and 10.5: -1.5 and 1.5. Level 1: one voter, nothing left.
    found = calibrated(
        plain([[2.0], [12.0], [5.0]]),
        weight=np.array([1.0, 3.0, 2.0]),
        free=np.ones(3, dtype=bool),
        margins=[np.array([0, 0, 1])],
    )
    assert residual(found)[:, 0] == pytest.approx([-1.5, 1.5, 0.0], abs=1e-12)
    # Leverage: shares of weight 1/4, 3/4 and 1. Products (2.25 / (3/4)) + (2.25 / (1/4)) = 12.
    assert found.leverage == pytest.approx([0.25, 0.75, 1.0])
    assert cross(found, found) == pytest.approx(np.array([[12.0]]))


def test_a_voter_at_the_cap_does_not_move_the_mean_by_hand():
    # As above, the second voter capped: mean 2 by the first alone, so 0 and 12 - 6 = 6, and 0; the
    # rest is centred: -2, 4, -2.
    found = calibrated(
        plain([[2.0], [12.0], [5.0]]),
        weight=np.array([1.0, 3.0, 2.0]),
        free=np.array([True, False, True]),
        margins=[np.array([0, 0, 1])],
    )
    assert residual(found)[:, 0] == pytest.approx([-2.0, 4.0, -2.0], abs=1e-12)


worlds = st.integers(0, 2**32 - 1)


@given(worlds)
def test_equals_weighted_least_squares(seed):
    rng = np.random.default_rng(seed)
    g, sizes = 30, (3, 4)
    margins = [np.r_[np.arange(k), rng.integers(0, k, g - k)] for k in sizes]
    weight = rng.uniform(0.2, 3, g)
    values = rng.standard_normal((g, 2))
    values -= values.mean(axis=0)
    found = calibrated(plain(values), weight=weight, free=np.ones(g, bool), margins=margins)
    x = np.hstack([np.eye(k)[m] for k, m in zip(sizes, margins, strict=True)])
    root = np.sqrt(weight)[:, None]
    beta = np.linalg.lstsq(root * x, values / root, rcond=None)[0]
    want = values - weight[:, None] * (x @ beta)
    assert residual(found) == pytest.approx(want, abs=1e-9)
    # the levels explain nothing of what is left
    assert x.T @ residual(found) == pytest.approx(np.zeros((7, 2)), abs=1e-9)


@given(worlds)
def test_products_equal_those_of_dense_scores(seed):
    rng = np.random.default_rng(seed)
    g = 12
    level = np.r_[np.arange(3), rng.integers(0, 3, g - 3)]
    one, other = plain(rng.standard_normal((g, 3))), plain(rng.standard_normal((g, 2)))
    fitted = calibrated(
        one, weight=rng.uniform(0.5, 2, g), free=rng.random(g) < 0.8, margins=[level]
    )
    grown = residual(fitted) / np.sqrt(1 - np.minimum(fitted.leverage, 0.9))[:, None]
    assert cross(fitted, other) == pytest.approx(grown.T @ residual(other), abs=1e-9)
    assert cross(fitted, fitted) == pytest.approx(grown.T @ grown, abs=1e-9)


def test_equal_weights_in_one_level_give_the_usual_variance():
    # n equal voters of one level: residuals about their mean, each divided by 1 - 1/n, so that the
    # sum of squares is n / (n - 1) times theirs: with 2, 4 and 9, 3/2 * 26
    found = calibrated(
        plain([[2.0], [4.0], [9.0]]),
        weight=np.ones(3),
        free=np.ones(3, dtype=bool),
        margins=[np.zeros(3, dtype=int)],
    )
    assert cross(found, found)[0, 0] == pytest.approx(1.5 * 26)
