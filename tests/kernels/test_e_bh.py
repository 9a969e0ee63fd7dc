import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from caveat.kernels.e_bh import e_bh


def test_by_hand():
    # Four e-values at 5%: bars 80, 40, 26.7, 20 for the 1st to 4th largest. 50 misses the first bar
    # and reaches the second, as the second largest must: 45 does.
    found = e_bh(np.log([1.0, 50.0, 45.0, 3.0]), 0.05)
    assert found.rejected.tolist() == [False, True, True, False]
    assert np.exp(found.log_threshold) == pytest.approx(40.0)


def test_nothing_reaches_its_bar():
    found = e_bh(np.log([79.0, 39.0, 26.0, 19.0]), 0.05)
    assert not found.rejected.any()
    assert np.exp(found.log_threshold) == pytest.approx(80.0)


def test_no_hypothesis():
    assert e_bh(np.zeros(0), 0.05).rejected.shape == (0,)


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=40), st.sampled_from([0.01, 0.05, 0.2]))
def test_it_is_benjamini_hochberg_on_one_over_e(logs, fdr):
    """Oracle: statsmodels, as Wang and Ramdas (2022) show."""
    log_e = np.array(logs)
    rejected = multipletests(np.exp(-log_e), alpha=fdr, method="fdr_bh")[0]
    assert e_bh(log_e, fdr).rejected.tolist() == rejected.tolist()


@given(st.lists(st.floats(-5, 30), min_size=2, max_size=30), st.randoms())
def test_order_does_not_matter(logs, random):
    order = list(range(len(logs)))
    random.shuffle(order)
    log_e = np.array(logs)
    assert e_bh(log_e[order], 0.05).rejected.tolist() == e_bh(log_e, 0.05).rejected[order].tolist()
