import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.concentration import (
    design_effect,
    effective_number,
    gini,
    top_number,
    top_share,
)

amounts = st.lists(st.integers(0, 1000), min_size=1, max_size=40).filter(any)


def test_gini_by_hand():
    # 1, 2, 3: the nine differences |x - y| add up to 8, mean 8/9; half of it by the mean 2: 2/9
    assert gini(np.array([3.0, 1.0, 2.0])) == pytest.approx(2 / 9, abs=1e-15)


def test_gini_of_equal_amounts_and_of_one_that_holds_all():
    assert gini(np.full(7, 3.0)) == pytest.approx(0, abs=1e-15)
    assert gini(np.array([0.0, 0.0, 0.0, 5.0])) == pytest.approx(1 - 1 / 4, abs=1e-15)


def test_nothing_to_share_is_undefined():
    for empty in (np.zeros(3), np.zeros(0)):
        assert math.isnan(gini(empty))
        assert math.isnan(top_share(empty, 0.1))
        assert math.isnan(design_effect(empty))


@given(amounts)
def test_gini_equals_the_mean_difference(values):
    x = np.array(values, dtype=float)
    assert gini(x) == pytest.approx(
        np.abs(x[:, None] - x[None, :]).mean() / (2 * x.mean()), abs=1e-12
    )


@given(amounts, st.integers(1, 50), st.randoms())
def test_order_and_unit_do_not_matter(values, unit, random):
    shuffled = list(values)
    random.shuffle(shuffled)
    x, y = np.array(values, dtype=float), unit * np.array(shuffled, dtype=float)
    for figure in (gini, design_effect, lambda z: top_share(z, 0.1)):
        assert figure(y) == pytest.approx(figure(x), abs=1e-12)


def test_top_share_by_hand():
    # ten voters with 1 to 10 votes, 55 together: the top tenth is the one with 10, the top 11% two
    x = np.arange(1.0, 11)
    assert top_share(x, 0.1) == pytest.approx(10 / 55)
    assert top_share(x, 0.11) == pytest.approx(19 / 55)


def test_top_number_is_rounded_up_and_not_by_rounding_errors():
    assert [top_number(n, 0.1) for n in (1, 10, 11, 30)] == [1, 1, 2, 3]
    assert top_number(50, 0.01) == 1


def test_design_effect_by_hand():
    # weights 1, 1, 4: mean 2, variance (1 + 1 + 4) / 3 = 2, cv^2 = 1/2; 3 / 1.5 = 2 = 36 / 18
    x = np.array([1.0, 1.0, 4.0])
    assert design_effect(x) == pytest.approx(1.5, abs=1e-15)
    assert effective_number(x) == pytest.approx(2.0, abs=1e-15)


def test_equal_weights_lose_nothing():
    assert design_effect(np.full(9, 0.3)) == pytest.approx(1)
    assert effective_number(np.full(9, 0.3)) == pytest.approx(9)
