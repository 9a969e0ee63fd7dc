import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from caveat.kernels.kendall import kendall_tau


def test_by_hand():
    # of three pairs one is turned: (2 - 1) / 3
    assert kendall_tau(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])) == pytest.approx(1 / 3)


def test_an_order_agrees_with_itself_and_not_with_its_reverse():
    x = np.array([3.0, 1, 2, 5])
    assert kendall_tau(x, 10 * x) == 1.0
    assert kendall_tau(x, -x) == -1.0


def test_undefined():
    assert math.isnan(kendall_tau(np.zeros(1), np.zeros(1)))
    assert math.isnan(kendall_tau(np.zeros(3), np.arange(3.0)))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_it_is_scipys(pairs):
    x, y = np.array(pairs, dtype=float).T
    # SciPy warns of nothing here; where either side is constant both are nan
    want = kendalltau(x, y).statistic
    assert kendall_tau(x, y) == pytest.approx(want, abs=1e-12, nan_ok=True)
