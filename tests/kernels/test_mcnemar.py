import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as peer

from caveat.kernels.mcnemar import LEAST, mcnemar

counts = st.integers(0, 3000)


def one(b, c):
    got = mcnemar(np.array([float(b)]), np.array([float(c)]))
    return got.p[0], got.mid_p[0], got.log10_p[0]


def test_by_hand():
    # 1 against 5: 2 (1 + 6) / 64 = 7/32; mid-p takes half of each side's own point: 7/32 - 6/64
    p, mid, log = one(1, 5)
    assert p == pytest.approx(7 / 32)
    assert mid == pytest.approx(7 / 32 - 6 / 64)
    assert log == pytest.approx(math.log10(7 / 32))


@given(counts, counts)
def test_binomial_test_of_scipy(b, c):
    p, mid, log = one(b, c)
    want = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert p == pytest.approx(max(want, LEAST), rel=1e-9)
    assert one(c, b) == (p, mid, log)
    assert mid <= p <= 1.0


@pytest.mark.parametrize(("b", "c"), [(3, 12), (40, 60), (7, 7), (500, 430)])
def test_statsmodels(b, c):
    assert one(b, c)[0] == pytest.approx(peer([[9, b], [c, 9]], exact=True).pvalue, rel=1e-12)


def test_no_item_tells_them_apart():
    assert one(0, 0) == (1.0, 1.0, 0.0)
    assert one(8, 8)[:2] == (1.0, 1.0)


@pytest.mark.parametrize(("b", "c"), [(12_000, 0), (11_000, 1_000), (9_000, 3_000), (40_000, 9)])
def test_twelve_thousand_items_neither_overflow_nor_underflow(b, c):
    p, _, log = one(b, c)
    exact = stats.binom.logcdf(min(b, c), b + c, 0.5)
    if not np.isfinite(exact):  # SciPy's own logarithm underflows: sum the terms as integers
        total = sum(math.comb(b + c, k) for k in range(min(b, c) + 1))
        exact = math.log(total) - (b + c) * math.log(2)
    assert log == pytest.approx((exact + math.log(2)) / math.log(10), rel=1e-9)
    assert p >= LEAST


def test_unknown_counts_have_no_test():
    assert all(math.isnan(x) for x in one(math.nan, 3))


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 50, 400])
def test_level(n):
    rng, reps = np.random.default_rng(20240610), 20_000
    b = rng.binomial(n, 0.5, reps).astype(float)
    rate = (mcnemar(b, n - b).p < 0.05).mean()
    assert rate < 0.05 + 4 * math.sqrt(0.05 * 0.95 / reps)
