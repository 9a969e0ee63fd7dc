"""A reading that loses one model's format, by columns and by filters of an evaluation tool."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

import caveat
from caveat.data.matrix import response_matrix
from caveat.data.replicates import replicates
from caveat.results.data_checks import DataChecks
from caveat.stats.data_checks.lost_formats import lost_formats
from caveat.workflows.agree import agree_all


def rows(lost, *, m=5, n=200, also=0):
    """Two filters; the strict one loses `lost` right answers of m2, and `also` of every model."""
    made = {name: [] for name in ("item", "model", "filter", "prediction", "target", "score")}
    for name in ("strict", "flexible"):
        for j in range(m):
            missed = also + lost * (j == 2)
            for k in range(n):
                right = k % 5 != j % 5 and not (name == "strict" and k < 5 * missed and k % 5 == 4)
                read = "A" if right else ""
                cells = (f"q{k}", f"m{j}", name, read, "A", float(right))
                for values, cell in zip(made.values(), cells, strict=True):
                    values.append(cell)
    return made


def found_in(made):
    (bench,) = agree_all(made)
    return bench.part(DataChecks).lost


def test_by_hand():
    # m2 is right on four of five of 200 items, 160; the strict filter loses 12: 74 % and 80 %.
    (found,) = found_in(rows(12))
    assert (found.model, found.reading, found.n) == ("m2", "flexible", 200)
    assert (found.score, found.other_score) == pytest.approx((0.74, 0.8))
    assert (found.gain, found.usual) == pytest.approx((0.06, 0.0))


def test_what_all_models_lose_is_no_format_of_one():
    assert found_in(rows(0, also=20)) == ()


def test_few_items_more_may_be_chance():
    # 7 items of 7 are a chance of 1 in 128, 8 of 8 one in 256; both are more than 3 points.
    assert binomtest(7, 7, alternative="greater").pvalue > 0.005
    assert found_in(rows(7)) == ()
    assert binomtest(8, 8, alternative="greater").pvalue < 0.005
    assert len(found_in(rows(8))) == 1


def test_two_models_have_no_usual_one():
    assert found_in(rows(30, m=2)) == ()


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=5, deadline=None)
def test_the_order_of_rows_does_not_matter(seed):
    made = rows(12)
    order = np.random.default_rng(seed).permutation(len(made["item"]))
    evidence = caveat.read_responses({name: [v[k] for k in order] for name, v in made.items()})
    matrix = response_matrix(evidence, evidence.table["benchmark"][0].as_py(), filter="strict")
    (found,) = lost_formats(replicates(evidence.table, matrix.benchmark, "filter"), matrix)
    assert (found.model, found.gain) == ("m2", pytest.approx(0.06))


@pytest.mark.slow
def test_two_noisy_readings_are_no_lost_format():
    told = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        made = rows(0, n=60)
        made["score"] = [float(rng.random() < 0.5) for _ in made["score"]]
        told += bool(found_in(made))
    # 0.005 for each of five models, and four binomial errors.
    assert told / 60 <= 0.025 + 4 * np.sqrt(0.025 * 0.975 / 60)
