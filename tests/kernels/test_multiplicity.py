import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from caveat.kernels.multiplicity import benjamini_hochberg, holm

BOTH = ((holm, "holm"), (benjamini_hochberg, "fdr_bh"))
values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_holm_by_hand():
    # smallest times 3, next times 2, largest times 1, none below the one before: 0.03, 0.08, 0.08
    assert holm(np.array([0.04, 0.01, 0.05])) == pytest.approx([0.08, 0.03, 0.08])


def test_benjamini_hochberg_by_hand():
    # 0.01 * 3 / 1 = 0.03, 0.04 * 3 / 2 = 0.06, 0.05 * 3 / 3 = 0.05; none above the one after
    assert benjamini_hochberg(np.array([0.04, 0.01, 0.05])) == pytest.approx([0.05, 0.03, 0.05])


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_one_test_is_as_it_is_and_none_is_none(adjust):
    assert adjust(np.array([0.3])) == pytest.approx([0.3])
    assert adjust(np.zeros(0)).size == 0
    assert np.isnan(adjust(np.array([np.nan, np.nan]))).all()


@settings(deadline=None, max_examples=30)
@given(values)
def test_equal_to_statsmodels(p):
    for adjust, method in BOTH:
        assert adjust(np.array(p)) == pytest.approx(multipletests(p, method=method)[1], abs=1e-12)


@given(values, st.lists(st.integers(0, 30), max_size=5))
def test_what_is_no_test_does_not_count(p, places):
    mixed = list(p)
    for place in places:
        mixed.insert(min(place, len(mixed)), float("nan"))
    mixed = np.array(mixed)
    for adjust, _ in BOTH:
        got = adjust(mixed)
        assert np.isnan(got[np.isnan(mixed)]).all()
        assert got[~np.isnan(mixed)] == pytest.approx(adjust(np.array(p)))


@given(values, st.randoms())
def test_order_does_not_matter(p, random):
    order = list(range(len(p)))
    random.shuffle(order)
    for adjust, _ in BOTH:
        assert adjust(np.array(p)[order]) == pytest.approx(adjust(np.array(p))[order])


@given(values)
def test_adjusted_is_never_smaller_and_holm_never_below_benjamini_hochberg(p):
    one, other = holm(np.array(p)), benjamini_hochberg(np.array(p))
    assert (one >= other - 1e-15).all()
    assert (other >= np.array(p) - 1e-15).all()
    assert one.max() <= 1
