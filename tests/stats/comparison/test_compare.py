import json
import math

import numpy as np
import pytest
from scipy import stats

from caveat.data.matrix import response_matrix
from caveat.errors import InputError, TooFewError
from caveat.stats.comparison.compare import compare


def of(evidence, a="x", b="y", **settings):
    return compare(response_matrix(evidence, "bench"), a, b, **settings)


def test_by_hand(grid):
    # 60 items, gold A: x right on the first 40, y on items 10 to 29
    x = "A" * 40 + "B" * 20
    y = "B" * 10 + "A" * 20 + "C" * 10 + "B" * 20
    found = of(grid("A" * 60, x=x, y=y, z="D" * 60))
    assert (found.both_right, found.neither_right) == (20, 20)
    assert (found.test.only_a, found.test.only_b) == (20, 0)
    assert found.test.p == pytest.approx(2 / 2**20)
    assert found.log10_p == pytest.approx(math.log10(2 / 2**20))
    assert found.p_mid == pytest.approx(1 / 2**20)  # half of each side's only point
    assert math.isinf(found.odds_ratio)
    assert found.verdict == "a is better"
    assert found.method == "exact McNemar"
    # answers differ on items 0-9 (A, B) and 30-39 (A, C); the last 20 are wrong alike
    assert found.answers.disagree == pytest.approx(20 / 60)
    assert (found.answers.both_wrong, found.answers.same_wrong) == (20 / 60, 20 / 60)
    assert found.n_differing == 20
    first = found.items[0]
    assert (first.item, first.answer_a, first.answer_b) == ("0", "A", "B")
    assert (first.score_a, first.score_b, first.task) == (1, 0, None)
    assert found.tasks == ()
    assert found.variation is None


def test_turned_round_it_says_the_opposite(grid):
    evidence = grid("A" * 60, x="A" * 40 + "B" * 20, y="B" * 10 + "A" * 30 + "C" * 20)
    one, other = of(evidence), of(evidence, "y", "x")
    assert other.verdict == "b is better" if one.verdict == "a is better" else one.verdict
    assert other.test.difference == -one.test.difference
    assert other.test.p == one.test.p
    assert other.answers == one.answers
    assert [i.item for i in other.items] == [i.item for i in one.items]


def test_a_third_model_and_the_order_of_rows_move_nothing(responses):
    rng = np.random.default_rng(2)
    rows = [
        {"item": i, "model": m, "task": f"t{i % 3}", "score": float(rng.random() < 0.6)}
        for i in range(90)
        for m in "xyz"
    ]
    with_z = of(responses(rows))
    without = of(responses([row for row in rows if row["model"] != "z"][::-1]))
    assert without.test == with_z.test
    assert without.variation.p == pytest.approx(with_z.variation.p)
    assert {t.task: t.p for t in without.tasks} == pytest.approx(
        {t.task: t.p for t in with_z.tasks}
    )


def tasked(responses, ahead):
    """x ahead of y by so many of 50 items of each task."""
    rows = []
    for task, points in ahead.items():
        for i in range(50):
            x, y = i < 25 + max(points, 0), i < 25 + max(-points, 0)
            for model, right in (("x", x), ("y", y)):
                score = {"score": float(right)}
                rows.append({"item": f"{task}{i}", "model": model, "task": task, **score})
    return responses(rows)


def test_tasks_that_go_opposite_ways(responses):
    found = of(tasked(responses, {"maths": 15, "law": -15, "art": 2}))
    assert [t.task for t in found.tasks] == ["maths", "art", "law"]
    assert [t.difference for t in found.tasks] == pytest.approx([0.3, 0.04, -0.3])
    # each of 15 items for one: p = 2 / 2^15, times 3 and 2; two for one: p = 1/2
    assert found.tasks[0].p_holm == pytest.approx(3 * 2 / 2**15)
    assert found.tasks[1].p == pytest.approx(0.5)
    assert (found.variation.a_ahead, found.variation.b_ahead) == (1, 1)
    assert found.variation.p < 0.001
    assert found.verdict == "undecided"


def test_tasks_that_go_one_way_do_not_vary(responses):
    found = of(tasked(responses, {"maths": 15, "law": 15, "art": 15}))
    assert found.variation.p == pytest.approx(1.0)
    assert found.variation.n_tasks == 3


def test_a_task_without_difference_is_left_out_of_the_variation(responses):
    found = of(tasked(responses, {"maths": 15, "law": 0, "art": 10}))
    assert (found.variation.n_tasks, found.variation.left_out) == (2, 1)


def test_equal_models_with_many_items_are_equivalent(grid):
    n = 2000
    answers = "A" * 1000 + "B" * 1000
    found = of(grid("A" * n, x=answers, y=answers), margin=0.02)
    assert found.verdict == "equivalent"
    assert found.within_margin
    assert found.test.p_equivalent == pytest.approx(0.98**n)
    assert found.n_differing == 0


def test_items_that_would_show_equivalence(grid):
    n = 400
    x = "A" * 200 + "B" * 200
    y = "A" * 180 + "B" * 20 + "A" * 20 + "B" * 180
    found = of(grid("A" * n, x=x, y=y), margin=0.02)
    # 40 of 400 differ, no difference: variance 0.1 * 400 / 399
    z = stats.norm.ppf(0.95) + stats.norm.ppf(0.9)
    assert found.needed_equivalent == math.ceil(0.1 * 400 / 399 * z**2 / 0.02**2)
    assert found.verdict == "undecided"


def test_the_own_reading_stands_beside_the_common_one(responses):
    rows = [
        {"item": i, "model": m, "score": float(i < right)}
        for m, right, asked in (("x", 70, 100), ("y", 68, 70))
        for i in range(asked)
    ]
    found = of(responses(rows))
    assert found.own_b.score > found.own_a.score
    assert found.test.difference > 0
    assert (found.own_a.n, found.own_b.n, found.test.n) == (100, 70, 70)


def test_both_wrong_in_different_ways_is_listed_last(grid):
    found = of(grid("AAAA", x="ABCA", y="AACB"))
    assert [i.item for i in found.items] == ["1", "3"]
    other = of(grid("AAAA", x="ABCA", y="ACCB"))
    assert [i.item for i in other.items] == ["3", "1"]
    assert (other.n_differing, other.n_same_score) == (2, 1)


def test_unparsed_has_no_answer_and_missing_is_not_compared(grid):
    found = of(grid("AAAA", x="AA. ", y="AAAA"))
    assert found.test.n == 3
    assert found.n_differing == 1
    assert found.items[0].answer_a is None
    assert found.answers.n == 2


def test_no_more_items_than_asked_for(grid):
    evidence = grid("A" * 30, x="A" * 30, y="B" * 30)
    assert len(of(evidence, listed=4).items) == 4
    assert of(evidence, listed=0).items == ()
    assert of(evidence, listed=0).n_differing == 30


def test_answers_without_scores(responses):
    rows = [
        {"item": i, "model": m, "prediction": "AB"[i % k], "score": None}
        for m, k in (("x", 1), ("y", 2))
        for i in range(10)
    ]
    found = of(responses(rows))
    assert found.test.n == 0
    assert found.test.reason == "no item has a score for both"
    assert found.verdict == "undecided"
    assert found.answers.disagree == 0.5
    assert math.isnan(found.answers.both_wrong)


def test_one_item_supports_nothing(grid):
    found = of(grid("A", x="A", y="B"))
    assert found.verdict == "undecided"
    assert not found.within_margin
    assert math.isnan(found.test.p)


def test_bad_input(grid, responses):
    evidence = grid("AA", x="AA", y="AB")
    with pytest.raises(InputError, match=r"b must be one of the models of bench \(x, y\), got 'w'"):
        of(evidence, "x", "w")
    with pytest.raises(InputError, match="two models"):
        of(evidence, "x", "x")
    with pytest.raises(InputError, match="listed"):
        of(evidence, listed=-1)
    apart = responses([{"item": m, "model": m, "score": 1.0} for m in "xy"])
    with pytest.raises(TooFewError, match="items of bench that x and y both have"):
        of(apart)


def test_it_is_plain_data_without_nan(responses, grid):
    for found in (
        of(tasked(responses, {"maths": 15, "law": 0})),
        of(grid("A", x="A", y="B")),
    ):
        made = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert made["test"]["a"] == "x"
        assert isinstance(made["items"], list)


@pytest.mark.shared
def test_mmlu_pro(shared):
    from caveat.workflows.read import read

    source = read([shared / "items" / "mmlu_pro.parquet"], kind="responses")["responses"]
    made = response_matrix(source, "mmlu_pro")
    found = compare(made, "Meta-Llama-3_1-70B-Instruct", "DeepSeek-Coder-V2")
    assert found.test.n == 10_351
    assert (found.test.only_a, found.test.only_b) == (1318, 1218)
    assert found.own_b.score > found.own_a.score  # each over its own items
    assert found.variation.p < 1e-4  # ahead on some subjects, behind on others
    assert found.items[0].target is not None
