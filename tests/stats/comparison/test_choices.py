"""Every combination against plain arithmetic, and small cases by hand."""

import json
import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import rankdata

from caveat.data.matrix import MISSING, NO_ANSWER, UNPARSED, ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.kernels.choice_grid import choice_effects, ranks, win_shares
from caveat.stats.comparison.choice_scores import OtherReading, score_grid
from caveat.stats.comparison.choices import choices


def matrix(score, *, task=None, unparsed=None, n_options=None):
    """Items x models; nan is missing, `unparsed` a mask of answers that could not be read."""
    score = np.asarray(score, dtype=float)
    n, m = score.shape
    status = np.where(np.isfinite(score), 0, MISSING).astype(np.int32)
    answer = np.where(np.isfinite(score), 0, MISSING).astype(np.int32)
    if unparsed is not None:
        status[unparsed], answer[unparsed] = UNPARSED, NO_ANSWER
    return ResponseMatrix(
        benchmark="quiz",
        models=tuple("abcdefgh"[:m]),
        items=tuple(f"q{k}" for k in range(n)),
        labels=("A",),
        tasks=() if task is None else tuple(f"t{k}" for k in range(max(task) + 1)),
        answer=answer,
        score=score,
        status=status,
        task=None if task is None else np.array(task, dtype=np.int32),
        cluster=None,
        n_options=np.full(n, np.nan) if n_options is None else np.array(n_options, dtype=float),
        has_answers=True,
        repeated=0,
    )


def test_means_of_tasks_turn_the_order_by_hand():
    # task 0 has four items, task 1 one: over items a has 3 of 5 and b 2 of 5, over tasks a has
    # (3/4 + 0)/2 and b (1/4 + 1)/2
    score = np.array([[1, 1], [1, 0], [1, 0], [0, 0], [0, 1]])
    found = choices(matrix(score, task=[0, 0, 0, 0, 1]))
    first = found.first_place
    assert (first.above, first.distance) == ("a", 1)
    sets = {one.changes: one.first for one in first.sets}
    assert sets[(("mean", "over tasks"),)] == "b"
    assert (("items", "without t0"),) in sets
    assert [m.model for m in found.models] == ["a", "b"]
    assert (found.models[0].low, found.models[0].high) == (1, 2)
    mean = next(one for one in found.choices if one.name == "mean")
    # the median of two tasks is their mean; each wins one task
    assert mean.firsts == ("a", "b", "b", "a = b")


def test_missing_and_unparsed_by_hand():
    # b lacks the item that a misses: 2/3 on its own, 2/4 where missing is wrong
    nan = math.nan
    score = np.array([[1, 1], [1, 1], [0, nan], [0, 0]])
    found = choices(matrix(score))
    assert found.first_place.above == "b"
    missing = next(one for one in found.choices if one.name == "missing")
    assert missing.levels == ("own items", "common items", "missing is wrong")
    assert missing.firsts == ("b", "b = a", "b = a")
    unread = np.zeros((4, 2), dtype=bool)
    unread[3, 0] = True
    found = choices(
        matrix(np.array([[1, 1], [1, 1], [0, 1], [0, 0]]), unparsed=unread), pairs=[("a", "b")]
    )
    assert found.first_place.distance is None
    assert found.pairs[0].distance is None
    assert "missing" in found.absent


def counted(seen, cut, missing, unread):
    if missing == "missing is wrong":
        seen = np.where(np.isnan(seen), 0.0, seen)
    if unread == "left out":
        seen = np.where(cut, math.nan, seen)
    if missing == "common items":
        seen = np.where(np.isfinite(seen).all(axis=1)[:, None], seen, math.nan)
    return seen


def together(seen, weight, tasks, mean):
    known = np.isfinite(seen)
    sums = [(np.where(known, seen, 0) * weight[:, None])[rows].sum(axis=0) for rows in tasks]
    totals = [(known * weight[:, None])[rows].sum(axis=0) for rows in tasks]
    with np.errstate(invalid="ignore", divide="ignore"):
        each = np.array(sums) / np.array(totals)
        if mean == "over items":
            return np.sum(sums, axis=0) / np.sum(totals, axis=0)
    if not np.isfinite(each).all():
        return None
    won = [(rankdata(row.round(9)) - 1) / (row.size - 1) for row in each]
    return {
        "over tasks": each.mean(axis=0),
        "median of tasks": np.median(each, axis=0),
        "win rate over tasks": np.mean(won, axis=0),
    }[mean]


@pytest.mark.parametrize("seed", range(6))
def test_every_combination_is_plain_arithmetic(seed):
    rng = np.random.default_rng(seed)
    n, m = 24, 4
    score = rng.integers(0, 2, (n, m)).astype(float)
    score[rng.random((n, m)) < 0.1] = math.nan
    unparsed = (score == 0) & (rng.random((n, m)) < 0.3)
    task = np.repeat([0, 1, 2], 8)
    options = rng.integers(2, 5, n)
    other = np.where(np.isfinite(score), rng.integers(0, 2, (n, m)), math.nan)
    blank = (other == 0) & (rng.random((n, m)) < 0.2)
    suspected = rng.random(n) < 0.2
    data = matrix(score, task=task, unparsed=unparsed, n_options=options)
    grid = score_grid(
        data,
        np.arange(m),
        readings=[OtherReading(name="lenient", score=other, unparsed=blank)],
        suspected=suspected,
    )
    hard = 1 - np.nanmean(score, axis=1)
    spread = np.nanmax(score, axis=1) > np.nanmin(score, axis=1)
    for at in product(*(range(size) for size in grid.values.shape[:-1])):
        mean, missing, unread, reading, metric, weight, items = (
            levels[k] for levels, k in zip(grid.levels.values(), at, strict=True)
        )
        seen, cut = (score, unparsed) if reading == "as read" else (other, blank)
        seen = counted(seen, cut & np.isfinite(other), missing, unread)
        if metric == "chance-corrected":
            seen = (seen - 1 / options[:, None]) / (1 - 1 / options[:, None])
        w = hard if weight == "by difficulty" else np.ones(n)
        w = w * {"without saturated": spread, "without suspected keys": ~suspected}.get(items, 1)
        tasks = [t for t in range(3) if items != f"without t{t}"]
        expected = together(seen, w, [task == t for t in tasks], mean)
        if expected is None:  # ranks among the models that have a score are another test's
            continue
        assert grid.values[at] == pytest.approx(expected, nan_ok=True), at


def test_ranks_share_the_better_place_and_win_shares_halve_ties():
    values = np.array([[0.5, 0.7, 0.5, 0.1]])
    assert ranks(values).tolist() == [[2, 1, 2, 4]]
    assert win_shares(values) == pytest.approx(np.array([[0.5, 1.0, 0.5, 0.0]]))
    assert win_shares(np.array([[0.5, math.nan, 0.1]]))[0, [0, 2]].tolist() == [1.0, 0.0]


def test_effects_by_hand():
    # the first choice alone decides the order of the two models
    values = np.zeros((2, 3, 2))
    values[0, :, 0], values[1, :, 1] = 1.0, 1.0
    got = choice_effects(values, np.ones((2, 3), dtype=bool))
    assert got.alone.tolist() == [1.0, 0.0]
    assert got.involved.tolist() == [1.0, 0.0]
    # two choices decide only together (exclusive or): neither alone, both involved
    values = np.zeros((2, 2, 2))
    values[0, 1, 0] = values[1, 0, 0] = values[0, 0, 1] = values[1, 1, 1] = 1.0
    got = choice_effects(values, np.ones((2, 2), dtype=bool))
    assert got.alone.tolist() == [0.0, 0.0]
    assert got.involved.tolist() == [1.0, 1.0]
    nothing = choice_effects(np.zeros((2, 2, 1)), np.ones((2, 2), dtype=bool))
    assert nothing.varying == 0
    assert np.isnan(nothing.alone).all()


def test_neither_items_nor_models_have_an_order():
    rng = np.random.default_rng(2)
    score, task = rng.integers(0, 2, (30, 4)).astype(float), np.repeat([0, 1, 2], 10)
    one = choices(matrix(score, task=task))
    shuffled = rng.permutation(30)
    other = choices(matrix(score[shuffled], task=task[shuffled]))
    assert one.to_dict() == other.to_dict()


def test_the_best_take_part_and_named_pairs_always():
    rng = np.random.default_rng(3)
    score = (rng.random((60, 8)) < np.linspace(0.9, 0.2, 8)).astype(float)
    found = choices(matrix(score, task=np.repeat([0, 1, 2], 20)), most=3, pairs=[("h", "a")])
    assert {m.model for m in found.models} == {"a", "b", "c", "h"}
    assert found.models_left_out == 4
    assert (found.pairs[0].above, found.pairs[0].below) == ("a", "h")


def test_combinations_without_an_item_are_counted_not_guessed():
    # no item is common to both, and a gets all of its own right, so that none of them weighs
    nan = math.nan
    found = choices(matrix([[1, nan], [nan, 0], [1, nan]]))
    assert (found.combinations, found.invalid) == (3, 3)
    assert next(c for c in found.choices if c.name == "missing").firsts[1] == ""


def test_partial_credit_offers_all_or_nothing():
    # a is half right everywhere, b right on one item of three
    found = choices(matrix([[0.5, 1], [0.5, 0], [0.5, 0]]))
    metric = next(one for one in found.choices if one.name == "metric")
    assert (metric.levels, metric.firsts) == (("score", "all right"), ("a", "b"))


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_nothing_to_choose_or_to_tell_apart(value):
    with pytest.raises(TooFewError, match="choices"):
        choices(matrix(np.full((4, 2), value)))
    with pytest.raises(TooFewError, match="models"):
        choices(matrix([[1.0], [0.0]]))
    for pair in (("a", "z"), ("a", "a")):
        with pytest.raises(InputError):
            choices(matrix([[1, 0], [1, 1]]), pairs=[pair])


def test_it_is_plain_data():
    rng = np.random.default_rng(4)
    found = choices(matrix(rng.integers(0, 2, (12, 3)), task=[0] * 6 + [1] * 6))
    json.dumps(found.to_dict(), allow_nan=False)
