import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import f_oneway

from caveat.kernels import paired
from caveat.kernels.clustered import cluster_cells
from caveat.kernels.counts import VoteCounter
from caveat.kernels.within_pairs import together, worth


def counted(rows, m=2):
    """Cells, units and clusters from (a, b, outcome, cluster) rows."""
    a, b, outcome, cluster = (np.array(x) for x in zip(*rows, strict=True))
    counter = VoteCounter(m)
    counter.add(a, b, outcome)
    cells = counter.cells()
    key = (cells.a * m + cells.b) * 4 + cells.outcome
    place = np.searchsorted(key, (a * m + b) * 4 + outcome)
    clusters = cluster_cells(cells, cluster, place=place)
    return cells, paired.units_of(cells), clusters


def test_two_items_by_hand():
    # scores 1 1 1 0 on one item, 0 0 0 1 on another: mean squares 2 * 4 / 16 = 0.5 between and
    # 1.5 / 6 = 0.25 within, n0 = 4: rho = 0.25 / (0.5 + 3 * 0.25) = 0.2; the mean has
    # 1 + 0.2 (4 - 1) = 1.6 times its variance
    rows = [(0, 1, o, 0) for o in (0, 0, 0, 1)] + [(0, 1, o, 1) for o in (1, 1, 1, 0)]
    got = together(*counted(rows))
    assert got.rho == pytest.approx(0.2)
    assert got.inflation == pytest.approx([1.6])


def test_votes_that_share_nothing():
    rows = [(0, 1, o, -1) for o in (0, 1, 2, 0)]
    got = together(*counted(rows))
    assert math.isnan(got.rho)
    assert got.inflation == pytest.approx([1])


def test_one_item_for_a_pair_leaves_nothing_to_compare():
    rows = [(0, 1, o, 0) for o in (0, 1, 2, 0)]
    assert math.isnan(together(*counted(rows)).rho)


def test_a_pair_of_one_item_is_inflated_by_the_agreement_of_others():
    # pair 0 - 1 as above; the five votes of 0 - 2 on one item count as 5 / 1.8
    rows = [(0, 1, o, 0) for o in (0, 0, 0, 1)] + [(0, 1, o, 1) for o in (1, 1, 1, 0)]
    rows += [(0, 2, 0, 2)] * 3 + [(0, 2, 1, 2)] * 2
    cells, units, clusters = counted(rows, m=3)
    got = together(cells, units, clusters)
    # 3 * 0.16 + 2 * 0.36 = 1.2 more within on four more degrees of freedom: 2.7 / 10 = 0.27
    rho = (0.5 - 0.27) / (0.5 + 3 * 0.27)
    assert got.rho == pytest.approx(rho)
    assert got.inflation == pytest.approx([1 + 3 * rho, 1 + 4 * rho])
    assert worth(units, got.inflation).n_votes == pytest.approx(
        [8 / (1 + 3 * rho), 5 / (1 + 4 * rho)]
    )


def test_opposite_votes_are_never_worth_more_than_they_are():
    rows = [(0, 1, o, k) for k in range(5) for o in (0, 1)]  # one each on every item
    got = together(*counted(rows))
    assert got.rho == 0.0
    assert got.inflation == pytest.approx([1])


def test_full_agreement_leaves_one_vote_an_item():
    rows = [(0, 1, k % 2, k) for k in range(6) for _ in range(4)]
    cells, units, clusters = counted(rows)
    got = together(cells, units, clusters)
    assert got.rho == pytest.approx(1)
    assert worth(units, got.inflation).n_votes == pytest.approx([6])


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_one_pair_equals_the_analysis_of_variance_of_scipy(seed):
    rng = np.random.default_rng(seed)
    size = 5
    rows = [(0, 1, int(rng.integers(0, 3)), k) for k in range(8) for _ in range(size)]
    score = np.array([{0: 1.0, 1: 0.0, 2: 0.5}[row[2]] for row in rows]).reshape(8, size)
    f = f_oneway(*score).statistic
    want = min(max((f - 1) / (f + size - 1), 0.0), 1.0)
    assert together(*counted(rows)).rho == pytest.approx(want, abs=1e-12)


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_sides_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(80):
        a, b = rng.choice(4, 2, replace=False).tolist()
        rows.append((a, b, int(rng.integers(0, 3)), int(rng.integers(-1, 12))))
    swapped = [(b, a, 1 - o if o < 2 else o, c) for a, b, o, c in rows]
    one, other = together(*counted(rows, m=4)), together(*counted(swapped, m=4))
    assert other.rho == pytest.approx(one.rho, nan_ok=True)
    assert other.inflation == pytest.approx(one.inflation)


def test_the_correlation_of_drawn_votes():
    # items move the log-odds by a standard deviation of 1: at even odds an intraclass correlation
    # of about var(expit(Z)) / 0.25 = 0.174; 300 items of 6 votes, error about 0.02
    rng = np.random.default_rng(4)
    rows = []
    for k in range(300):
        p = 1 / (1 + np.exp(rng.normal()))
        rows += [(0, 1, int(rng.random() > p), k) for _ in range(6)]
    draws = 1 / (1 + np.exp(-rng.normal(size=200_000)))
    assert together(*counted(rows)).rho == pytest.approx(draws.var() / 0.25, abs=0.06)
