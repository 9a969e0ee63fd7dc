import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from caveat.errors import InputError
from caveat.kernels.raking import Margin, rake

CODES = {
    "age": {"18-29": 0, "30-44": 1, "45-64": 2, "65+": 3},
    "sex": {"man": 0, "woman": 1},
    "region": {"north": 0, "south": 1, "west": 2},
}
TARGETS = {
    "age": [0.20, 0.25, 0.33, 0.22],
    "sex": [0.48, 0.52],
    "region": [0.30, 0.35, 0.35],
}
JOINT = [0.10, 0.12, 0.16, 0.10, 0.10, 0.13, 0.17, 0.12]  # four ages of men, four of women


def margin(level, *target):
    return Margin(np.array(level), np.array(target, dtype=float))


def shares(count, raked, level, size):
    return np.bincount(level, weights=count * raked.weight, minlength=size) / count.sum()


def test_one_margin_by_hand():
    # 30 young and 10 old, half of the population each: 0.5 / 0.75 = 2/3 and 0.5 / 0.25 = 2
    got = rake(np.array([30.0, 10.0]), [margin([0, 1], 0.5, 0.5)])
    assert got.weight == pytest.approx([2 / 3, 2], abs=1e-15)
    assert got.converged
    assert not got.capped.any()


def test_two_margins_by_hand():
    # Cells (young, man) 2, (young, woman) 1, (old, man) 1, (old, woman) 2, all margins one half in
    # sample and population: nothing to do. With 2/3 young the odds ratio stays 4. Write p for the
    # share of young men; men are 1/2: p (p - 1/6 + ... ) solved below.
    # p / (2/3 - p) * (1/3 - 1/2 + p) / (1/2 - p) = 4 with 1/3 - (1/2 - p) = p - 1/6:
    # p (p - 1/6) = 4 (2/3 - p)(1/2 - p), 3 p^2 - 4.5 p + 4/3 = 0, p = (4.5 - sqrt(4.25)) / 6
    count = np.array([2.0, 1.0, 1.0, 2.0])
    sex = margin([0, 1, 0, 1], 0.5, 0.5)
    assert rake(count, [margin([0, 0, 1, 1], 0.5, 0.5), sex]).weight == pytest.approx(np.ones(4))
    got = rake(count, [margin([0, 0, 1, 1], 2 / 3, 1 / 3), sex])
    p = (4.5 - np.sqrt(4.25)) / 6
    want = np.array([p, 2 / 3 - p, 0.5 - p, p - 1 / 6])
    assert got.weight * count / 6 == pytest.approx(want, abs=1e-9)


def test_a_cap_by_hand():
    # Population 60% old, a tenth of the sample: they would weigh 6. At most 4 leaves 40% to them;
    # what is over goes to the others in proportion: 60% instead of 40%, weight 2/3.
    got = rake(np.array([90.0, 10.0]), [margin([0, 1], 0.4, 0.6)], cap=4)
    assert got.weight == pytest.approx([2 / 3, 4], abs=1e-12)
    assert got.target[0] == pytest.approx([0.6, 0.4], abs=1e-12)
    assert got.capped.tolist() == [False, True]
    assert got.converged


def test_a_cap_moves_weight_within_a_level_by_hand():
    # Two margins: half are old (10 of 100 voters), half are women. The cap binds on old men only if
    # their raked weight is above it; then old women take over what old men lose, men who are young
    # what they lose as men. All margins still hold.
    count = np.array([60.0, 30.0, 2.0, 8.0])  # young men, young women, old men, old women
    margins = [margin([0, 0, 1, 1], 0.7, 0.3), margin([0, 1, 0, 1], 0.6, 0.4)]
    free = rake(count, margins)
    assert free.weight[2] > 3.2
    got = rake(count, margins, cap=3.2)
    assert got.converged
    assert got.capped.tolist() == [False, False, True, False]
    # old men 2 * 3.2 = 6.4 of 100, so old women 23.6, young women 16.4, young men 53.6
    assert got.weight * count == pytest.approx([53.6, 16.4, 6.4, 23.6], abs=1e-7)


@pytest.fixture(scope="module")
def sample(oracle):
    with (oracle / "raking" / "voters.csv").open() as file:
        rows = list(csv.DictReader(file))
    with (oracle / "raking" / "weights.csv").open() as file:
        weights = list(csv.DictReader(file))
    code = {k: np.array([CODES[k][row[k]] for row in rows]) for k in CODES}
    expected = {k: np.array([float(row[k]) for row in weights]) for k in weights[0] if k != "voter"}
    return code, expected


@pytest.mark.parametrize(
    ("name", "cap"), [("raked", None), ("cells", None), ("both", None), ("bounded", 3.0)]
)
def test_equal_to_r(sample, name, cap):
    code, expected = sample
    one = [margin(code[k], *TARGETS[k]) for k in ("age", "sex", "region")]
    joint = margin(code["age"] + 4 * code["sex"], *JOINT)
    margins = {"raked": one, "cells": [joint], "both": [joint, one[2]], "bounded": one}[name]
    got = rake(np.ones(400), margins, cap=cap)
    assert got.converged
    assert got.weight == pytest.approx(expected[name], abs=1e-8)


def cross(sizes, rng):
    """Cells of a full cross of attributes, with positive counts."""
    level = np.indices(sizes).reshape(len(sizes), -1)
    return level, rng.integers(1, 60, level.shape[1]).astype(float)


worlds = st.tuples(st.lists(st.integers(2, 4), min_size=1, max_size=3), st.integers(0, 2**32 - 1))


@given(worlds)
def test_margins_of_the_sample_change_nothing(world):
    sizes, seed = world
    level, count = cross(sizes, np.random.default_rng(seed))
    margins = [margin(one, *np.bincount(one, weights=count) / count.sum()) for one in level]
    got = rake(count, margins)
    assert got.weight == pytest.approx(np.ones(count.size), abs=1e-9)
    assert got.rounds <= 2


@given(worlds, st.floats(1.5, 4))
@settings(max_examples=40, deadline=None)  # a cap just out of reach takes all the rounds
def test_margins_hold_and_no_weight_passes_the_cap(world, cap):
    sizes, seed = world
    rng = np.random.default_rng(seed)
    level, count = cross(sizes, rng)
    margins = [
        margin(one, *rng.dirichlet(np.full(k, 4.0))) for one, k in zip(level, sizes, strict=True)
    ]
    free, bounded = rake(count, margins), rake(count, margins, cap=cap)
    for one in (free, bounded):
        if one.converged:
            for m, target in zip(margins, one.target, strict=True):
                assert shares(count, one, m.level, target.size) == pytest.approx(target, abs=1e-9)
            assert count @ one.weight == pytest.approx(count.sum(), rel=1e-9)
    assert free.converged
    assert bounded.weight.max() <= cap
    if free.weight.max() <= cap:
        assert bounded.weight == pytest.approx(free.weight, abs=1e-7)


@given(worlds, st.integers(2, 1000), st.randoms())
def test_order_of_cells_and_margins_and_scale_do_not_matter(world, scale, random):
    sizes, seed = world
    rng = np.random.default_rng(seed)
    level, count = cross(sizes, rng)
    margins = [
        margin(one, *rng.dirichlet(np.full(k, 4.0))) for one, k in zip(level, sizes, strict=True)
    ]
    got = rake(count, margins)
    order = list(range(count.size))
    random.shuffle(order)
    other = rake(scale * count[order], [margin(m.level[order], *m.target) for m in margins[::-1]])
    assert other.weight == pytest.approx(got.weight[order], rel=1e-6)


@given(worlds)
def test_splitting_a_cell_changes_no_weight(world):
    sizes, seed = world
    rng = np.random.default_rng(seed)
    level, count = cross(sizes, rng)
    margins = [
        margin(one, *rng.dirichlet(np.full(k, 4.0))) for one, k in zip(level, sizes, strict=True)
    ]
    got = rake(count, margins)
    long = np.repeat(np.arange(count.size), count.astype(int))
    other = rake(np.ones(long.size), [margin(m.level[long], *m.target) for m in margins])
    assert other.weight == pytest.approx(got.weight[long], rel=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_converged_where_linear_programming_finds_weights_and_nowhere_else(seed):
    rng = np.random.default_rng(seed)
    level, count = cross((3, 4), rng)
    margins = [
        margin(one, *rng.dirichlet(np.full(k, 4.0))) for one, k in zip(level, (3, 4), strict=True)
    ]
    cap = rng.uniform(1.2, 3)
    got = rake(count, margins, cap=cap)
    equal = [count / count.sum() * (m.level == k) for m in margins for k in range(m.target.size)]
    found = linprog(
        np.zeros(count.size), A_eq=equal, b_eq=np.concatenate(got.target), bounds=(0, cap)
    )
    assert got.converged == (found.status == 0)


def test_margins_that_contradict_each_other_do_not_converge():
    # men are half by one margin and 80% by the joint one
    count = np.array([10.0, 20.0, 30.0, 40.0])
    sex = margin([0, 1, 0, 1], 0.5, 0.5)
    joint = margin([0, 1, 2, 3], 0.4, 0.1, 0.4, 0.1)
    got = rake(count, [sex, joint])
    assert not got.converged
    assert got.gap == pytest.approx(0.3)
    assert got.rounds < 10


def test_a_sample_that_cannot_hold_the_margins_does_not_converge():
    # All women are old and all men young, so the two margins must agree, and do not.
    got = rake(np.array([10.0, 10.0]), [margin([0, 1], 0.6, 0.4), margin([0, 1], 0.3, 0.7)])
    assert not got.converged
    # Weights at most 1.2 reach each margin, but not both: young men and old women are too few.
    margins = [margin([0, 0, 1, 1], 0.58, 0.42), margin([0, 1, 0, 1], 0.58, 0.42)]
    assert not rake(np.array([1.0, 49.0, 49.0, 1.0]), margins, cap=1.2).converged


@pytest.mark.parametrize(
    ("count", "margins", "cap", "message"),
    [
        ([1.0, 1.0], [], None, "at least one margin"),
        ([], [margin([], 1.0)], None, "count must be positive"),
        ([1.0, 0.0], [margin([0, 1], 0.5, 0.5)], None, "count must be positive"),
        ([1.0, 1.0], [margin([0, 1], 0.5, 0.6)], None, "must add up to 1, got 1.1"),
        ([1.0, 1.0], [margin([0, 1], 1.5, -0.5)], None, "must be positive, got -0.5"),
        ([1.0, 1.0], [margin([0, 1], 1.0, 0.0)], None, "must be positive, got 0"),
        ([1.0, 1.0], [margin([0, 1], 0.5, np.nan)], None, "must be positive, got nan"),
        ([1.0, 1.0], [margin([0, 0], 0.5, 0.5)], None, "each with a voter, got 1 with"),
        ([1.0, 1.0], [margin([0, 2], 0.5, 0.5)], None, "must be the 2 of its shares"),
        ([1.0, 1.0], [margin([0, 1], 0.5, 0.5)], 1.0, "cap must be above 1"),
        ([1.0, 1.0], [margin([0, 1], 0.5, 0.5)], np.nan, "cap must be above 1"),
    ],
)
def test_what_cannot_be_weighted_is_refused(count, margins, cap, message):
    with pytest.raises(InputError, match=message):
        rake(np.array(count), margins, cap=cap)
