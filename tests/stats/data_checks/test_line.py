"""A model above the line through the scores of all on two parts, and parts unlike in difficulty."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, theilslopes

from caveat.data.matrix import matrix_of
from caveat.stats.data_checks.breaks import held_out_break
from caveat.stats.data_checks.line import above_the_line


def made(*shares, n=200):
    """Models right on these shares of the items of the part, and of the rest."""
    part = np.column_stack([np.arange(n) < n * here for here, _ in shares])
    rest = np.column_stack([np.arange(n) < n * there for _, there in shares])
    return np.vstack([part, rest]).astype(float), np.arange(2 * n) < n


def test_by_hand():
    score, inside = made((0.9, 0.5), (0.5, 0.5), (0.6, 0.6))
    # Slope 1. Probits with half a point: 180.5/201 is 1.2705, 100.5/201 is 0, 120.5/201 is 0.2525.
    # The others lie at heights 0 - 0 and 0.2525 - 0.2525; the first is expected at 0.5 and has 0.9.
    assert above_the_line(score, inside, 0, least=30) == pytest.approx(0.4, abs=1e-12)
    # One that is no farther than two errors: 1.2533 * sqrt(0.25 / 200) each side, 0.125 in all.
    score, inside = made((0.55, 0.5), (0.5, 0.5), (0.6, 0.6))  # a distance of 0.125
    assert above_the_line(score, inside, 0, least=30) == 0.0


def test_all_alike_on_both_parts_are_on_the_line():
    score, inside = made(*[(x, x) for x in (0.2, 0.4, 0.5, 0.6, 0.8, 0.9)])
    assert [above_the_line(score, inside, j, least=30) for j in range(6)] == [0.0] * 6


def test_too_few_items_or_models_draw_no_line():
    score, inside = made((0.9, 0.5), (0.5, 0.5))
    assert np.isnan(above_the_line(score, inside, 0, least=30))
    score, inside = made((0.9, 0.5), (0.5, 0.5), (0.4, 0.4), n=20)
    assert np.isnan(above_the_line(score, inside, 0, least=30))


def test_slope_and_height_are_those_of_scipy():
    rng = np.random.default_rng(2)
    shares = [(norm.cdf(0.6 * x + 0.3), norm.cdf(x)) for x in rng.uniform(-1.5, 1.5, 12)]
    shares[4] = (0.95, 0.5)
    score, inside = made(*shares, n=400)
    x = norm.ppf((score[~inside].sum(axis=0) + 0.5) / 401)
    y = norm.ppf((score[inside].sum(axis=0) + 0.5) / 401)
    slope = theilslopes(y, x).slope
    middle = np.median(np.delete(y - slope * x, 4))
    expected = score[inside, 4].mean() - norm.cdf(slope * x[4] + middle)
    assert above_the_line(score, inside, 4, least=30) == pytest.approx(expected, abs=1e-12)


@given(st.permutations(range(9)))
@settings(max_examples=20, deadline=None)
def test_the_order_of_models_does_not_matter(order):
    shares = [(0.1 * k + 0.05, 0.09 * k + 0.1) for k in range(8)] + [(0.95, 0.4)]
    score, inside = made(*shares)
    wanted = above_the_line(score, inside, 8, least=30)
    found = above_the_line(score[:, order], inside, order.index(8), least=30)
    assert found == pytest.approx(wanted, abs=1e-12)
    assert wanted > 0.3


def rasch(m, *, shift, seed, n=800):
    """Models of abilities -1.5 to 2.5; public items are easier by `shift`; nobody has seen any."""
    rng = np.random.default_rng(seed)
    public = np.arange(n) % 2 == 0
    difficulty = rng.normal(size=n) - np.where(public, shift, 0.0)
    able = np.linspace(-1.5, 2.5, m)
    right = rng.random((n, m)) < 1 / (1 + np.exp(difficulty[:, None] - able))
    rows = pa.table(
        {
            "item": [f"q{k}" for k in range(n)] * m,
            "model": [f"m{j:02d}" for j in range(m) for _ in range(n)],
            "score": right.T.ravel().astype(float),
            "status": ["scored"] * (n * m),
            "split": np.where(public, "public", "private").tolist() * m,
        }
    )
    return rows, matrix_of(rows, "b")


def told(rows, matrix):
    found = held_out_break(rows, matrix, level=0.95)
    return {one.model for one in found if min(one.gain, one.excess) >= 0.02}


def test_a_part_that_is_easier_for_all_says_nothing_of_one():
    rows, matrix = rasch(20, shift=1.5, seed=1)
    assert len(held_out_break(rows, matrix, level=0.95)) > 2  # the leads of all have shrunk
    assert told(rows, matrix) == set()


@pytest.mark.slow
@pytest.mark.parametrize("m", [3, 6, 20])
@pytest.mark.parametrize("shift", [-1.5, 0.0, 1.5])
def test_false_alarms_where_parts_differ_in_difficulty(m, shift):
    alarms = sum(bool(told(*rasch(m, shift=shift, seed=seed))) for seed in range(100))
    # 5 % of families, and four binomial errors. Without the line it is 50 to 100 %.
    assert alarms / 100 <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 100)


@pytest.mark.slow
def test_a_model_that_has_seen_the_answers_is_found():
    found = other = 0
    for seed in range(50):
        rows, matrix = rasch(20, shift=0.7, seed=seed)
        rng = np.random.default_rng(seed)
        seen = (np.arange(800) % 2 == 0) & (rng.random(800) < 0.5)
        score = np.array(matrix.score)
        score[seen, 8] = 1.0
        names = told(rows, replace(matrix, score=score))
        found += "m08" in names
        other += bool(names - {"m08"})
    assert found >= 45
    assert other <= 50 * 0.05 + 4 * np.sqrt(50 * 0.05 * 0.95)
