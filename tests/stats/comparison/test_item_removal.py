"""By hand, and all subsets of items on every mean."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from caveat.data.matrix import ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.stats.comparison.item_removal import item_removal


def matrix(score, *, task=None, cluster=None):
    """Scores as rows of models: models a, b, ... on items 0, 1, ..."""
    score = np.array(score, dtype=float).T
    n, m = score.shape
    names = () if task is None else tuple(f"t{k}" for k in range(max(task) + 1))
    return ResponseMatrix(
        benchmark="quiz",
        models=tuple("abcdefgh"[:m]),
        items=tuple(f"q{k}" for k in range(n)),
        labels=(),
        tasks=names,
        answer=np.full((n, m), -2, dtype=np.int32),
        score=score,
        status=np.zeros((n, m), dtype=np.int32),
        task=None if task is None else np.array(task, dtype=np.int32),
        cluster=None if cluster is None else np.array(cluster, dtype=np.int32),
        n_options=np.full(n, np.nan),
        has_answers=False,
        repeated=0,
    )


A = [1, 1, 1, 1, 1, 0, 0, 0]
B = [1, 1, 0, 0, 0, 1, 1, 0]
C = [0, 0, 0, 0, 0, 0, 0, 1]


def test_by_hand():
    # a alone solves q2, q3, q4, b alone q5, q6: without one the two are level, without two turned
    found = item_removal(matrix([A, B, C]))
    first = found.first_place()
    assert found.leaders == {"items": "a"}
    assert (first.above, first.below, first.number, first.level) == ("a", "b", 2, 1)
    assert (first.share, first.removed, first.pool) == (0.25, ("q2", "q3"), 3)
    assert first.difference == pytest.approx(1 / 8)
    # against c it takes all five wins of a
    assert [(r.b, r.flip("items").number) for r in found.rivals] == [("b", 2), ("c", 5)]
    # 3 to 2 is far from significant, and stays so without both losses (2/8)
    assert found.rivals[0].verdict.number is None
    assert set(found.reasons) == {"tasks", "clusters"}


def test_what_chance_makes():
    # five differences of 1: equal models lie within 1.96 sqrt(5) = 4.4 of each other, more than
    # there are wins; z = (1/8) / (sd / sqrt 8), sd^2 = (5 - 1/8) / 7, and z^2 / (z^2 + 1.645^2)
    # of 8 items have to go at random
    first = item_removal(matrix([A, B])).first_place()
    assert first.equal is None
    z2 = (1 / 8) ** 2 / ((5 - 1 / 8) / 7 / 8)
    assert first.at_random == math.ceil(8 * z2 / (z2 + 1.6448536**2)) == 1


def test_tasks_and_clusters_go_whole():
    # tasks: {q0 q1} 0, {q2 q3} 2, {q4 q5} 0, {q6 q7} -1: without t1 a is behind
    found = item_removal(
        matrix([A, B], task=[0, 0, 1, 1, 2, 2, 3, 3], cluster=[0, 0, 0, 0, 1, 1, 2, 2])
    )
    tasks, clusters = found.first_place("tasks"), found.first_place("clusters")
    assert (tasks.number, tasks.of, tasks.removed) == (1, 4, ("t1",))
    assert (clusters.number, clusters.of, clusters.removed) == (1, 3, ("cluster of q0",))
    # means over tasks: 0, 1, 0, -1/2, lead 1/8. q2 gone leaves 1; q2 or q3 must stay; q4 gone
    # makes t2 -1 and the mean -1/8
    by_task = found.first_place("items", "tasks")
    assert (by_task.number, by_task.removed, by_task.tasks) == (1, ("q4",), (("t2", 1),))
    assert found.first_place("tasks", "tasks").number == 1


@settings(max_examples=40)
@given(arrays(float, (3, 6), elements=st.sampled_from([0.0, 0.5, 1.0])), st.data())
def test_first_place_against_all_subsets(score, data):
    task = [0, 0, 0, 1, 1, 1]
    found = item_removal(matrix(score, task=task))
    for mean in ("items", "tasks"):
        means = [row.mean() if mean == "items" else row.reshape(2, 3).mean() for row in score]
        leader = int(np.argmax(np.round(means, 9)))
        assert found.leaders[mean] == "abc"[leader]
        expected = None
        for k in range(6):
            for gone in combinations(range(6), k):
                kept = np.setdiff1d(range(6), gone)
                parts = [kept[kept < 3], kept[kept >= 3]] if mean == "tasks" else [kept]
                if any(not part.size for part in parts):
                    continue
                left = np.mean([score[:, part].mean(axis=1) for part in parts], axis=0)
                if (left > left[leader] + 1e-9).any():
                    expected = k
                    break
            if expected is not None:
                break
        assert found.first_place("items", mean).number == expected


def test_missing_items_count_on_neither_side():
    # b lacks q3 and q4 and is level on what both have: first on its own items by 1/2 to 5/8?
    # a 5/8, b 4/6: b leads on its own items, and one of its own wins turns it on common items
    nan = math.nan
    found = item_removal(matrix([A, [1, 1, 0, nan, nan, 1, 1, 0]]))
    first = found.first_place()
    assert (first.above, first.below, first.n_items, first.number) == ("b", "a", 6, 2)
    # a model without a common item is named, not compared
    alone = item_removal(matrix([[1, 1, nan], [1, 0, nan], [nan, nan, 0]]))
    assert alone.unlike == ("c",)


def test_pairs_by_name_and_the_model_above_first():
    found = item_removal(matrix([A, B, C]), pairs=[("c", "b"), ("a", "b")])
    assert [(p.a, p.b, p.flip("items").number) for p in found.pairs] == [
        ("b", "c", 4),
        ("a", "b", 2),
    ]
    nan = math.nan
    apart = item_removal(
        matrix([[1, 1, nan], [1, 0, nan], [nan, 0, 0], [1, nan, nan]]), pairs=[("c", "d")]
    )
    assert apart.pairs[0].reason == "no item has a score of both"
    for pair in (("a", "z"), ("a", "a")):
        with pytest.raises(InputError):
            item_removal(matrix([A, B]), pairs=[pair])


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_alike_has_no_removal(value):
    found = item_removal(matrix([[value] * 4, [value] * 4]))
    first = found.first_place()
    assert (first.above, first.number, first.level) == ("a", None, 0)
    assert found.rivals[0].verdict.p == 1.0 or found.rivals[0].verdict.reason


def test_one_item_one_model_no_score():
    one = item_removal(matrix([[1], [0]])).first_place()
    assert (one.number, one.level) == (None, None)
    nan = math.nan
    for score in ([[1, 0]], [[1, 0], [nan, nan]], [[1, nan], [nan, 0]]):
        with pytest.raises(TooFewError):
            item_removal(matrix(score))


def test_scores_of_any_size():
    # 7 - 3 and 2 - 5: lead 1; without q0 it is -3
    found = item_removal(matrix([[7, 2, -4], [3, 5, -4]]))
    first = found.first_place()
    assert (first.number, first.removed, first.difference) == (1, ("q0",), pytest.approx(1 / 3))
    assert found.rivals[0].verdict.test == "t"


def test_it_is_plain_data():
    import json

    text = json.dumps(item_removal(matrix([A, B, C], task=[0, 0, 0, 0, 1, 1, 1, 1])).to_dict())
    assert '"number": 2' in text
