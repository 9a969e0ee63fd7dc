import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from caveat.kernels.fills import hypergeometric_tail, largest_excess

LEVEL = 0.001


def excess(filled, readable, n_answers=None):
    filled, readable = np.array(filled, dtype=float), np.array(readable, dtype=float)
    return largest_excess(
        filled, readable, n_readable=int(readable.sum()), n_answers=n_answers or filled.size
    )


def test_by_hand():
    # 3 filled rows, all C; 3 readable rows, none C: one draw of 3 out of 6 in C(6, 3) = 20
    got = excess([0, 0, 3], [2, 1, 0])
    assert (got.code, got.expected) == (2, 0.0)
    assert got.p == pytest.approx(3 / 20, rel=1e-12)  # times 3 answers


def test_two_marked_of_three_by_hand():
    # filled A A B, readable A B B B: of 7 rows 3 are A. P[2 or 3 of 3 draws] =
    # (C(3,2) C(4,1) + 1) / C(7,3) = 13/35
    assert hypergeometric_tail(2, draws=3, marked=3, total=7) == pytest.approx(13 / 35)
    assert excess([2, 1], [1, 3]).expected == 0.25


def test_nothing_readable_shows_no_excess():
    got = excess([5, 0], [0, 0])
    assert got.p == 1.0
    assert math.isnan(got.expected)


def test_the_whole_range_is_certain():
    assert hypergeometric_tail(0, draws=4, marked=3, total=9) == pytest.approx(1.0)
    assert hypergeometric_tail(4, draws=4, marked=3, total=9) == 0.0


tables = st.tuples(*[st.integers(0, 400)] * 4).filter(lambda t: t[0] + t[1] and t[2] + t[3])


@given(tables)
def test_equals_fisher_and_hypergeom_of_scipy(table):
    a, b, c, d = table
    ours = hypergeometric_tail(a, draws=a + b, marked=a + c, total=a + b + c + d)
    # differences of log-gammas of up to 1,600 lose about four digits
    assert ours == pytest.approx(
        fisher_exact([[a, b], [c, d]], alternative="greater").pvalue, rel=1e-8, abs=1e-300
    )
    assert ours == pytest.approx(hypergeom.sf(a - 1, a + b + c + d, a + c, a + b), rel=1e-8)


@given(tables)
def test_swapping_the_readable_and_the_marked_role_changes_nothing(table):
    a, b, c, d = table
    one = hypergeometric_tail(a, draws=a + b, marked=a + c, total=a + b + c + d)
    other = hypergeometric_tail(a, draws=a + c, marked=a + b, total=a + b + c + d)
    assert one == pytest.approx(other, rel=1e-9)


def test_a_large_fill_is_reckoned_without_overflow():
    assert 0.0 <= excess([708, 338], [900, 9000], n_answers=10).p < 1e-200


def shares(letters):
    if letters == 4:
        return np.full(4, 0.25)
    return np.array([0.55, *[0.05] * 9])


@pytest.mark.slow
@pytest.mark.parametrize("letters", [4, 10])
@pytest.mark.parametrize(
    ("readable", "filled"), [(5, 100), (20, 100), (50, 200), (200, 500), (1000, 1000)]
)
def test_false_alarms(letters, readable, filled):
    # filled and readable answers come from one distribution: no excess to find
    rng, reps = np.random.default_rng(51), 20_000
    usual, fills = (rng.multinomial(n, shares(letters), size=reps) for n in (readable, filled))
    alarms = sum(excess(f, r).p < LEVEL for f, r in zip(fills, usual, strict=True))
    assert alarms / reps <= LEVEL + 4 * math.sqrt(LEVEL * (1 - LEVEL) / reps)


@pytest.mark.parametrize("letters", [4, 10])
def test_a_fill_of_seventy_percent_of_thirty_rows_is_found(letters):
    # 21 rows of the rarest letter, the other nine as usual; 29 models
    rng, found = np.random.default_rng(52), 0
    for _ in range(200):
        fills = rng.multinomial(9, shares(letters))
        fills[-1] += 21
        found += excess(fills, rng.multinomial(300, shares(letters))).p * 29 < LEVEL
    assert found >= (180 if letters == 4 else 199)
