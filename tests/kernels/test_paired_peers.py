"""Paired figures against errorbars and evalstats, and where one of them is wrong."""

import csv
from pathlib import Path

import numpy as np
import pytest

from caveat.kernels.mcnemar import mcnemar
from caveat.kernels.paired_scores import paired_scores
from caveat.kernels.paired_tests import paired_tests

ORACLE = Path(__file__).parents[1] / "oracle"


def read(path):
    with (ORACLE / path).open(newline="") as file:
        return list(csv.DictReader(file))


EXPECTED = {row["case"]: row for row in read("paired_peers/expected.csv")}


def scores(case):
    rows = [row for row in read("cluster_means/scores.csv") if row["case"] == case]
    values = np.array([[float(row["a"]), float(row["b"])] for row in rows])
    return values, np.array([int(row["cluster"]) for row in rows])


@pytest.mark.parametrize("case", EXPECTED)
def test_plain_paired_figures(case):
    want = {name: float(value) for name, value in EXPECTED[case].items() if name != "case"}
    got = paired_scores(scores(case)[0])
    assert got.n[0, 1] == want["n"]
    assert got.difference[0, 1] == pytest.approx(want["difference"])
    assert got.se[0, 1] == pytest.approx(want["se"])
    assert mcnemar(got.only, got.only.T).p[0, 1] == pytest.approx(want["p_mcnemar"])
    halves = scores(case)[0] / 2  # no longer right and wrong: t
    tested = paired_tests(paired_scores(halves), level=0.95, margin=0.01)
    assert 2 * tested.low[0, 1] == pytest.approx(want["low"])
    assert 2 * tested.high[0, 1] == pytest.approx(want["high"])
    assert tested.p[0, 1] == pytest.approx(want["p_t"])
    assert tested.p[0, 1] == pytest.approx(want["p_t_evalstats"])


@pytest.mark.parametrize("case", EXPECTED)
def test_errorbars_corrects_for_clusters_of_one_size_only(case):
    values, cluster = scores(case)
    got = paired_scores(values, cluster=cluster).se[0, 1]
    peer = float(EXPECTED[case]["se_clustered"])
    if case == "even":
        assert got == pytest.approx(peer)
    else:  # on ten uneven clusters its intervals hold 77 to 89 % instead of 95 %
        assert got != pytest.approx(peer, rel=0.002)
