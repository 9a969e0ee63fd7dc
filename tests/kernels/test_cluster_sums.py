import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.cluster_sums import cluster_rows, cluster_variance
from caveat.kernels.means import column_means

ORACLE = Path(__file__).parents[1] / "oracle" / "cluster_means"
UNEVEN = [2, 3, 4, 5, 6, 8, 10, 20, 50, 100]


def read(name):
    with (ORACLE / name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_by_hand():
    # sizes 2, 1, 1 of 4: h = 1/2, 1/4, 1/4; squares 1/4, 1/16, 1/16
    # variance = ((1/4)/(1/2) + 2 (1/16)/(3/4)) / 16 = (1/2 + 1/6) / 16 = 1/24
    # q = 1/2, 1/12, 1/12: df = 1 / (3/8 + (2/3)^2 - (1/4 + 2/144)) = 1 / (5/9) = 1.8
    got = cluster_variance(np.array([0.25, 0.0625, 0.0625]), np.array([2.0, 1.0, 1.0]))
    assert got.variance == pytest.approx(1 / 24)
    assert got.df == pytest.approx(1.8)
    assert got.n_clusters == 3


@given(st.integers(2, 40), st.integers(1, 9))
def test_even_clusters_collapse_to_the_textbook(groups, size):
    squares = np.arange(1.0, groups + 1)
    got = cluster_variance(squares, np.full(groups, float(size)))
    expected = groups / (groups - 1) * squares.sum() / (groups * size) ** 2
    assert got.variance == pytest.approx(expected)
    assert got.df == pytest.approx(groups - 1)


@given(st.lists(st.integers(1, 50), min_size=2, max_size=12), st.randoms())
def test_degrees_of_freedom_lie_between_one_and_clusters_less_one(sizes, random):
    got = cluster_variance(np.ones(len(sizes)), np.array(sizes, dtype=float))
    assert 1.0 <= got.df <= len(sizes) - 1 + 1e-9
    mixed = random.sample(sizes, len(sizes))
    again = cluster_variance(np.ones(len(sizes)), np.array(mixed, dtype=float))
    assert again.df == pytest.approx(got.df)


def test_one_cluster_says_nothing_and_an_empty_one_does_not_count():
    got = cluster_variance(np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[3.0, 3.0], [0.0, 3.0]]))
    assert got.n_clusters.tolist() == [1, 2]
    assert math.isnan(got.variance[0])
    assert math.isnan(got.df[0])
    assert math.isfinite(got.variance[1])


def test_clusters_of_one_mean_leave_the_error_of_rows():
    scores, cluster = np.tile([1.0, 0.0, 1.0, 1.0], 12)[:, None] + 2, np.arange(48) // 4
    got = column_means(scores, cluster=cluster, level=0.95)
    plain = column_means(scores, cluster=None, level=0.95)
    assert got.se[0] == pytest.approx(plain.se[0])
    assert got.df[0] == pytest.approx(11)


def test_rows_are_summed_by_cluster_in_any_order():
    rows = cluster_rows(np.array([7, 2, 7, 2, 9]))
    assert rows.sums(np.array([1.0, 2.0, 3.0, 4.0, 5.0])).tolist() == [6.0, 4.0, 5.0]
    assert cluster_rows(np.array([], dtype=int)).sums(np.zeros((0, 2))).shape == (0, 2)


@pytest.mark.parametrize("case", ["uneven", "one_large", "even", "two", "passages"])
@pytest.mark.parametrize("measure", ["a", "b", "a-b"])
def test_clubsandwich(case, measure):
    rows = [row for row in read("scores.csv") if row["case"] == case]
    cluster = np.array([int(row["cluster"]) for row in rows])
    a, b = (np.array([float(row[name]) for row in rows]) for name in "ab")
    # halves are no shares of 0 and 1, so that the t interval stands uncut
    y = {"a": a, "b": b, "a-b": a - b}[measure] + 2.0
    got = column_means(y[:, None], cluster=cluster, level=0.95)
    (want,) = [r for r in read("expected.csv") if (r["case"], r["measure"]) == (case, measure)]
    assert got.mean[0] - 2.0 == pytest.approx(float(want["mean"]), abs=1e-12)
    assert got.se[0] == pytest.approx(float(want["se"]), rel=1e-9)
    assert got.df[0] == pytest.approx(float(want["df"]), rel=1e-9)
    limits = float(want["low"]), float(want["high"])
    assert (got.low[0] - 2.0, got.high[0] - 2.0) == pytest.approx(limits, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [UNEVEN, [5] * 9 + [60], [5] * 20])
@pytest.mark.parametrize("shared", [0.0, 0.3, 1.0])
def test_coverage_with_ten_uneven_clusters(sizes, shared):
    # CR1 with G - 1 degrees of freedom covers 74 to 90 % on the first two
    rng, reps = np.random.default_rng(20240608), 10_000
    size = np.array(sizes, dtype=float)[:, None]
    total = size * shared * rng.normal(size=(len(sizes), reps))
    total += np.sqrt(size) * rng.normal(size=(len(sizes), reps))
    mean = total.sum(axis=0) / size.sum()
    found = cluster_variance((total - size * mean) ** 2, np.broadcast_to(size, total.shape))
    from scipy.special import stdtrit

    hits = (np.abs(mean) <= stdtrit(found.df, 0.975) * np.sqrt(found.variance)).mean()
    # degrees of freedom are an approximation: it may hold more (98 %) and a little less
    assert hits > 0.94 - 4 * math.sqrt(0.95 * 0.05 / reps)
