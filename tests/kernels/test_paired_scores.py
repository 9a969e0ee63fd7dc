import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from caveat.kernels import paired_scores as module
from caveat.kernels.cluster_sums import cluster_rows, cluster_variance
from caveat.kernels.paired_scores import paired_scores

ORACLE = Path(__file__).parents[1] / "oracle" / "cluster_means"


def naive(scores, cluster):
    """Pair by pair: mean of differences, CR2 error, degrees of freedom."""
    m = scores.shape[1]
    se, df = np.full((m, m), np.nan), np.full((m, m), np.nan)
    for i in range(m):
        for j in range(m):
            both = np.isfinite(scores[:, i] - scores[:, j])
            d = (scores[:, i] - scores[:, j])[both]
            if d.size < 2:
                continue
            rows = cluster_rows(cluster[both])
            off = (d - d.mean())[:, None]
            found = cluster_variance(rows.sums(off)[:, 0] ** 2, rows.sums(np.ones(d.size)))
            se[i, j], df[i, j] = math.sqrt(found.variance), found.df
    return se, df


def answers(seed, *, n=40, m=5, gaps=0.2, kind="binary"):
    rng = np.random.default_rng(seed)
    made = (rng.random((n, m)) < 0.6).astype(float) if kind == "binary" else rng.normal(size=(n, m))
    made[rng.random((n, m)) < gaps] = np.nan
    return made


def test_by_hand():
    # x 1110, y 1001, z misses the last item: x less y is 1/4; differences 0, 1, 1, -1
    # variance (3 - 4/16) / 3 = 11/12, error sqrt(11/48); on three items x less z is 2/3
    got = paired_scores(np.array([[1, 1, 0], [1, 0, 0], [1, 0, 1], [0, 1, np.nan]]))
    assert got.n[0].tolist() == [4, 4, 3]
    assert got.difference[0, 1] == 0.25
    assert got.plain[0, 1] == pytest.approx(math.sqrt(11 / 48))
    assert got.difference[0, 2] == pytest.approx(2 / 3)
    assert (got.only[0, 1], got.only[1, 0]) == (2, 1)
    assert got.square[0, 1] == 0.75
    assert got.score[0, 2] == 1.0
    assert got.score[2, 0] == pytest.approx(1 / 3)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["binary", "any"]))
def test_paired_t_of_scipy(seed, kind):
    scores = answers(seed, m=3, kind=kind)
    got = paired_scores(scores)
    both = np.isfinite(scores[:, 0] - scores[:, 1])
    x, y = scores[both, 0], scores[both, 1]
    assert got.difference[0, 1] == pytest.approx((x - y).mean(), abs=1e-12)
    assert got.plain[0, 1] == pytest.approx(stats.sem(x - y), abs=1e-9)
    assert got.se[0, 1] == got.plain[0, 1]
    assert got.square[0, 1] == pytest.approx(((x - y) ** 2).mean())


@given(st.integers(0, 2**32 - 1), st.sampled_from(["binary", "any"]), st.sampled_from([0, 16]))
def test_fast_ways_and_pair_by_pair_agree(seed, kind, patterns):
    scores = answers(seed, gaps=0.1, kind=kind)
    scores[:, 1:3] = np.where(np.isfinite(scores[:, [0]]), np.nan_to_num(scores[:, 1:3]), np.nan)
    cluster = np.random.default_rng(seed).integers(0, 7, scores.shape[0])
    se, df = naive(scores, cluster)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PATTERNS", patterns)
        got = paired_scores(scores, cluster=cluster)
    off = ~np.eye(5, dtype=bool)
    # Where the sums of all clusters are as expected, items count as independent.
    flat = se < 1e-9
    assert got.se[off] == pytest.approx(np.where(flat, got.plain, se)[off], nan_ok=True, abs=1e-9)
    assert got.df[off & ~flat] == pytest.approx(df[off & ~flat], nan_ok=True, rel=1e-9)
    assert got.clustered.all()


@given(st.integers(0, 2**32 - 1))
def test_single_clusters_collapse_to_none(seed):
    scores = answers(seed)
    plain, single = paired_scores(scores), paired_scores(scores, cluster=np.arange(40) + 3)
    off = ~np.eye(5, dtype=bool)
    assert single.se[off] == pytest.approx(plain.se[off], abs=1e-9)
    assert single.df[off] == pytest.approx(plain.df[off])


@given(st.integers(0, 2**32 - 1))
def test_turned_pairs_and_mixed_items(seed):
    rng = np.random.default_rng(seed)
    scores, cluster = answers(seed), rng.integers(0, 9, 40)
    mixed = rng.permutation(40)
    got = paired_scores(scores, cluster=cluster)
    again = paired_scores(scores[mixed], cluster=cluster[mixed])
    assert got.difference == pytest.approx(-got.difference.T)
    assert again.se == pytest.approx(got.se, abs=1e-9)
    shifted = paired_scores(scores * 3 + 1e6, cluster=cluster)
    assert shifted.se == pytest.approx(3 * got.se, abs=1e-6)  # 1e6 takes six digits


@pytest.mark.parametrize("case", ["uneven", "one_large", "even", "two", "passages"])
def test_clubsandwich(case):
    with (ORACLE / "scores.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["case"] == case]
    scores = np.array([[float(row["a"]), float(row["b"])] for row in rows])
    got = paired_scores(scores, cluster=np.array([int(row["cluster"]) for row in rows]))
    with (ORACLE / "expected.csv").open(newline="") as file:
        found = {(r["case"], r["measure"]): r for r in csv.DictReader(file)}
    want = found[case, "a-b"]
    assert got.difference[0, 1] == pytest.approx(float(want["mean"]))
    assert got.se[0, 1] == pytest.approx(float(want["se"]), rel=1e-9)
    assert got.df[0, 1] == pytest.approx(float(want["df"]), rel=1e-9)


def test_edges():
    nothing = paired_scores(np.array([[1.0, np.nan], [np.nan, 0.0]]))
    assert nothing.n[0, 1] == 0
    assert math.isnan(nothing.difference[0, 1])
    assert math.isnan(nothing.se[0, 1])
    single = paired_scores(np.array([[1.0, 0.0]]))
    assert single.difference[0, 1] == 1.0
    assert math.isnan(single.se[0, 1])
    equal = paired_scores(np.array([[0.25, 0.125], [0.5, 0.375], [0.7, 0.575]]))
    assert equal.plain[0, 1] == 0  # rounding is no spread
    assert math.isnan(equal.only[0, 1])  # not right and wrong
    one_cluster = paired_scores(np.array([[1.0, 0.0], [1.0, 1.0]]), cluster=np.array([4, 4]))
    assert math.isnan(one_cluster.se[0, 1])
    assert one_cluster.n_clusters[0, 1] == 1


def test_clusters_of_one_mean_difference_leave_the_error_of_items():
    scores = np.tile([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]], (8, 1))
    got = paired_scores(scores, cluster=np.arange(24) // 3)
    assert got.se[0, 1] == got.plain[0, 1] > 0
    assert got.df[0, 1] == pytest.approx(7)


def test_too_many_gaps_for_all_models_are_told():
    scores = answers(5, m=60)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CELLS", 1000)
        got = paired_scores(scores, cluster=np.arange(40) // 2)
    assert got.clustered.sum() == 50
    assert np.isfinite(got.se[0, 49])
    assert math.isnan(got.se[0, 55])
