import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.errors import InputError
from caveat.kernels.best_of import MOST, expected_maximum, luck, number_for

PUBLISHED = {  # Harter (1961), table 1: expected value of the largest of n standard normals
    **{2: 0.56419, 3: 0.84628, 4: 1.02938, 5: 1.16296, 6: 1.26721, 7: 1.35218, 8: 1.42360},
    **{9: 1.48501, 10: 1.53875, 15: 1.73591, 20: 1.86748, 25: 1.96531, 50: 2.24907, 100: 2.50759},
}
RANGES = {2: 1.128, 3: 1.693, 4: 2.059, 5: 2.326, 10: 3.078, 25: 3.931}
"""Factor d2 of control charts: the expected range, twice the expected maximum."""


def test_small_numbers_by_hand():
    # e(2) = 1 / sqrt(pi), e(3) = 3 / (2 sqrt(pi)); one measurement is not picked at all
    assert expected_maximum(1) == 0.0
    assert expected_maximum(2) == pytest.approx(1 / math.sqrt(math.pi), abs=1e-12)
    assert expected_maximum(3) == pytest.approx(1.5 / math.sqrt(math.pi), abs=1e-12)


@pytest.mark.parametrize("number", PUBLISHED)
def test_the_published_table(number):
    assert expected_maximum(number) == pytest.approx(PUBLISHED[number], abs=5.1e-6)  # five digits


@pytest.mark.parametrize("number", RANGES)
def test_half_the_expected_range_of_control_charts(number):
    assert expected_maximum(number) == pytest.approx(RANGES[number] / 2, abs=2.6e-4)  # three digits


def test_large_numbers_follow_their_limit():
    # Hall (1979): a_n = Phi^-1(1 - 1/n) and about 0.5772 / a_n more, to order 1 / log n
    for number, quantile in ((1e6, 4.753424), (1e9, 5.997807)):
        limit = quantile + 0.5772 / quantile
        assert expected_maximum(number) == pytest.approx(limit, abs=0.02)


@given(st.floats(1, 1e8), st.floats(1.001, 10))
def test_more_measurements_reach_higher(number, factor):
    assert expected_maximum(number * factor) > expected_maximum(number)


@pytest.mark.parametrize("bad", [0, 0.99, -3, 2 * MOST, float("nan"), float("inf")])
def test_numbers_out_of_range_are_refused(bad):
    with pytest.raises(InputError, match="number must be between 1 and"):
        expected_maximum(bad)


@given(st.floats(0.01, 5.0))
def test_the_number_for_a_height_is_the_smallest(height):
    number = number_for(height)
    assert expected_maximum(number) >= height
    assert expected_maximum(number - 1) < height if number > 1 else height <= 0


def test_heights_at_the_edges():
    assert number_for(0.0) == number_for(-1.0) == 1.0
    assert number_for(6.2) == math.inf
    assert math.isnan(number_for(math.nan))


def test_luck_without_a_spread_is_the_whole_maximum():
    assert luck(error=10, spread=0, number=2) == pytest.approx(10 / math.sqrt(math.pi))
    assert luck(error=10, spread=5, number=1) == 0.0
    assert luck(error=0, spread=5, number=10) == 0.0
    assert luck(error=0, spread=0, number=10) == 0.0


@given(st.floats(0.1, 50), st.floats(0, 50), st.integers(1, 100), st.floats(0.01, 100))
def test_luck_scales_with_its_unit(error, spread, number, unit):
    scaled = luck(error=unit * error, spread=unit * spread, number=number)
    assert scaled == pytest.approx(unit * luck(error=error, spread=spread, number=number))


def test_luck_with_a_spread_by_simulation():
    # 200,000 rounds of picking the best of 7 variants measured with error 3, spread 4
    rng = np.random.default_rng(5)
    true = rng.normal(0, 4, (200_000, 7))
    noise = rng.normal(0, 3, true.shape)
    best = (true + noise).argmax(axis=1)
    kept = np.take_along_axis(noise, best[:, None], axis=1)
    want = luck(error=3, spread=4, number=7)
    assert abs(kept.mean() - want) < 4 * kept.std() / math.sqrt(kept.size)  # 4 standard errors
