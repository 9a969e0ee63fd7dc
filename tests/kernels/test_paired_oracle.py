"""Equal to R: glm, survival, psychotools, MASS and ordinal; see tests/oracle/paired."""

import csv
import math

import numpy as np
import pytest

from caveat.kernels import paired
from caveat.kernels.clustered import cluster_cells, clustered_meat
from caveat.kernels.counts import VoteCounter

NAMES = "ABCDEF"
# Relative to the largest estimate: polr and clm stop at gradients of about 1e-7
DIGITS = {"MASS": 1e-6, "ordinal": 1e-7}


@pytest.fixture(scope="module")
def votes(oracle):
    with (oracle / "paired" / "votes.csv").open() as file:
        rows = list(csv.DictReader(file))
    column = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return {
        "a": np.array([NAMES.index(x) for x in column["model_a"]]),
        "b": np.array([NAMES.index(x) for x in column["model_b"]]),
        "outcome": np.array([["a", "b", "tie"].index(x) for x in column["outcome"]]),
        "voter": np.unique(column["voter"], return_inverse=True)[1],
        "weight": column["weight"].astype(float),
    }


@pytest.fixture(scope="module")
def expected(oracle):
    with (oracle / "paired" / "expected.csv").open() as file:
        return list(csv.DictReader(file))


def estimates(votes, ties, *, position, errors):
    """Estimates relative to A and their covariance."""
    weight = votes["weight"] if errors == "weight" else None
    counter = VoteCounter(6)
    counter.add(votes["a"], votes["b"], votes["outcome"], weight=weight)
    cells = counter.cells()
    units = paired.units_of(cells, position=position)
    got = paired.fit(units, ties=ties)
    assert got.converged
    if errors == "voter":
        key = (cells.a * 6 + cells.b) * 4 + cells.outcome
        own = (votes["a"] * 6 + votes["b"]) * 4 + votes["outcome"]
        clusters = cluster_cells(cells, votes["voter"], place=np.searchsorted(key, own))
        slopes = paired.slopes(cells.a, cells.b, cells.outcome, fitted=got)
        meat = clustered_meat(slopes, clusters, n_models=6, has_tie=got.has_tie)
        bread = paired.bread(units, got)
        covariance = bread @ meat @ bread
    else:
        covariance = paired.sandwich(cells, got)
    turn = np.eye(got.parameters.size)
    turn[:6, 0] -= 1.0
    return (turn @ got.parameters)[1:], (turn @ covariance @ turn.T)[1:, 1:]


@pytest.mark.parametrize("errors", ["plain", "voter", "weight"])
@pytest.mark.parametrize("position", [False, True])
@pytest.mark.parametrize("ties", ["half-win", "davidson", "rao-kupper"])
def test_estimates_and_errors(votes, expected, ties, position, errors):
    found, covariance = estimates(votes, ties, position=position, errors=errors)
    names = [*NAMES[1:], *(["tie"] if ties != "half-win" else []), *(["position"] * position)]
    wanted = [
        row
        for row in expected
        if (row["method"], row["position"], row["errors"]) == (ties, str(position).upper(), errors)
    ]
    assert {row["software"] for row in wanted} >= {
        "half-win": {"glm"},
        "davidson": {"survival"},
        "rao-kupper": {"MASS", "ordinal"},
    }[ties]
    for row in wanted:
        k = names.index(row["parameter"])
        digits = DIGITS.get(row["software"], 1e-10)
        assert found[k] == pytest.approx(float(row["estimate"]), abs=digits), row
        if row["se"].strip() != "NA":
            # scores of polr are differences of the likelihood
            close = 2e-5 if row["software"] == "MASS" else 1e-8
            assert math.sqrt(covariance[k, k]) == pytest.approx(float(row["se"]), rel=close), row


def test_davidson_equals_two_more_programs(expected):
    kinds = {(row["software"], row["position"]) for row in expected if row["method"] == "davidson"}
    assert kinds >= {("loglinear", "FALSE"), ("loglinear", "TRUE"), ("psychotools", "FALSE")}
