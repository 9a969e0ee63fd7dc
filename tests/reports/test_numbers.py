import math

import pytest

from caveat.reports import numbers
from caveat.reports.moment import moment

MINUS = "\u2212"
DASH = "\u2013"


def test_thousands_are_separated_and_the_minus_is_a_minus():
    assert numbers.whole(1670250) == "1,670,250"
    assert numbers.whole(-1234.4) == f"{MINUS}1,234"


def test_what_rounds_to_zero_has_no_sign():
    assert numbers.whole(-0.2) == "0"
    assert numbers.percent(-0.00001) == "0.0%"


def test_shares_have_one_decimal():
    assert numbers.percent(0.28649) == "28.6%"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.000276605, "0.028%"),
        (0.0000299, "0.0030%"),
        (0.0099, "0.99%"),
        (0.01, "1.0%"),
        (0.106, "10.6%"),
        (0.0, "0.0%"),
    ],
)
def test_small_shares_keep_two_digits(value, written):
    assert numbers.fine_percent(value) == written


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_undefined_is_a_dash_everywhere(value):
    assert numbers.whole(value) == DASH
    assert numbers.percent(value) == DASH
    assert numbers.plain(value) == DASH
    assert numbers.between(0.0, value, numbers.percent) == DASH


def test_a_range_of_one_rank_is_one_number():
    assert numbers.ranks(3, 3) == "3"
    assert numbers.ranks(1, 3) == f"1{DASH}3"


@pytest.mark.parametrize(
    ("n", "written"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_951, "1.0 MB")],
)
def test_sizes_are_decimal(n, written):
    assert numbers.size(n) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, DASH),
        (True, "yes"),
        (12032, "12,032"),
        (0.412, "0.412"),
        (1e-30, f"1e{MINUS}30"),
        (-2.5, f"{MINUS}2.5"),
        ("G", "G"),
        (0.0, "0"),
    ],
)
def test_any_scalar_can_be_written(value, written):
    assert numbers.plain(value) == written


def test_moments_are_in_utc_and_nonsense_is_left_alone():
    assert moment("2026-01-31T12:00:00Z") == "31 January 2026, 12:00 UTC"
    assert moment("2026-01-31T13:00:00+01:00") == "31 January 2026, 12:00 UTC"
    assert moment("yesterday") == "yesterday"
