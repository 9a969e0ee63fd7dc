import math

import numpy as np
import pytest
from scipy.stats import binom, fisher_exact

from caveat.data.matrix import response_matrix
from caveat.stats.quality.responses import response_quality


def quality(evidence):
    return response_quality(evidence.table, response_matrix(evidence, "bench"))


def test_missing_items_name_their_tasks(responses):
    rows = [
        {"item": i, "model": m, "task": "law" if i < 4 else "math", "score": 1.0}
        for m in "xy"
        for i in range(10)
        if m == "y" or i not in (1, 2, 7)
    ]
    (gap,) = quality(responses(rows)).missing
    assert (gap.model, gap.missing, gap.items) == ("x", 3, 10)
    assert gap.tasks == (("law", 2, 4), ("math", 1, 6))


def test_unparsed_share(grid):
    (one,) = quality(grid("AAAA", x="A..A", y="AAAA")).unparsed
    assert (one.model, one.unparsed, one.n, one.share) == ("x", 2, 4, 0.5)


def test_gold_that_differs_between_models(responses):
    rows = [
        {"item": i, "model": m, "prediction": "A", "target": "B" if (m, i) == ("y", 1) else "A"}
        for m in "xy"
        for i in range(3)
    ]
    gold = quality(responses(rows)).gold
    assert gold.items == 1
    assert gold.examples[0][0] == "1"
    assert set(gold.examples[0][1]) == {"A", "B"}


def test_degenerate_items(responses):
    rows = [
        {"item": i, "model": m, "prediction": "A", "target": t, "n_options": n}
        for m in "xy"
        for i, (t, n) in enumerate([("A", 1), ("D", 3), ("C", 3), ("text", 3)])
    ]
    found = quality(responses(rows)).degenerate
    assert (found.one_option, found.gold_outside) == (1, 1)
    assert found.examples == ("0", "1")


def test_revised_items_are_judged_row_by_row(responses):
    # item 0 had seven options with gold C, and has two with gold B: both are in order
    rows = [
        {"item": 0, "model": "x", "prediction": "C", "target": "C", "n_options": 7},
        {"item": 0, "model": "y", "prediction": "B", "target": "B", "n_options": 2},
        {"item": 1, "model": "x", "prediction": "A", "target": "A", "n_options": 4},
        {"item": 1, "model": "y", "prediction": "A", "target": "A", "n_options": 1},
    ]
    found = quality(responses(rows)).degenerate
    assert (found.one_option, found.gold_outside, found.examples) == (1, 0, ("1",))


def filled(responses, letters, *, column="prediction_source", seed=0):
    """Model `m` with 200 readable answers and `letters` where its text holds none."""
    rng = np.random.default_rng(seed)
    rows = [
        {"item": i, "model": m, "prediction": p, column: p, "target": "A", "n_options": 4}
        for m in "mn"
        for i, p in enumerate(rng.choice(list("ABCD"), 200))
    ]
    rows += [
        {
            "item": 200 + i,
            "model": "m",
            "prediction": p,
            column: None,
            "target": "A",
            "n_options": 4,
        }
        for i, p in enumerate(letters)
    ]
    return quality(responses(rows))


def test_constant_fill_by_hand(responses):
    (fill,) = filled(responses, "C" * 30).fills
    assert (fill.model, fill.unparseable, fill.filled, fill.n_answer) == ("m", 30, 30, 30)
    assert (fill.answer, fill.constant, fill.correct, fill.chance) == ("C", True, 0, 0.25)
    # 30 of 30 filled and `own` of 200 readable answers are C; times 4 answers and 2 models
    own = round(200 * fill.expected)
    p = fisher_exact([[30, 0], [own, 200 - own]], alternative="greater").pvalue
    assert fill.p == pytest.approx(p * 8, rel=1e-9)
    assert fill.share == 1.0
    assert fill.expected == pytest.approx(0.25, abs=0.1)
    assert fill.p_chance == 1.0


def test_a_spread_out_fill_is_not_constant(responses):
    (fill,) = filled(responses, "ABCD" * 10).fills
    assert not fill.constant
    assert fill.correct == 10
    # 10 of 40 right is what guessing gives
    assert fill.p_chance == pytest.approx(binom.sf(9, 40, 0.25), rel=1e-9)
    assert fill.p_chance > 0.5


def test_answers_better_than_guesses_show_as_such(responses):
    (fill,) = filled(responses, "A" * 12 + "BCD" * 3, seed=1).fills
    assert fill.p_chance < 0.01


def test_one_answer_that_is_mostly_right_is_a_second_reading(responses):
    (fill,) = filled(responses, "A" * 30).fills
    assert fill.p < 0.001
    assert fill.p_chance < 0.001
    assert not fill.constant


@pytest.mark.parametrize(("letters", "constant"), [("C" * 50, True), ("C" * 49, False)])
def test_a_constant_fill_holds_at_least_half_of_the_rows(responses, letters, constant):
    rest = ("ABD" * 34)[: 100 - len(letters)]
    (fill,) = filled(responses, letters + rest).fills
    assert fill.p < 0.001
    assert fill.constant is constant


def test_few_readable_answers_are_no_ground_for_an_alarm(responses):
    # 5 readable answers without a C do not make 12 C among 30 fills an excess
    rows = [
        {"item": i, "model": "m", "prediction": p, "prediction_source": s, "target": "D"}
        for i, (p, s) in enumerate(
            [*[(c, c) for c in "AABBD"], *[(c, None) for c in "C" * 12 + "ABD" * 6]]
        )
    ]
    (fill,) = quality(responses(rows)).fills
    assert fill.p > 0.3
    assert not fill.constant


def test_a_fill_of_a_model_that_loves_that_letter_is_no_excess(responses):
    rows = [
        {"item": i, "model": "m", "prediction": "C", "prediction_source": "C", "target": "A"}
        for i in range(300)
    ]
    rows += [
        {"item": 300 + i, "model": "m", "prediction": "C", "prediction_source": None, "target": "A"}
        for i in range(20)
    ]
    (fill,) = quality(responses(rows)).fills
    assert fill.p == 1.0
    assert not fill.constant


def test_status_is_a_reference_too(responses):
    rows = [
        {"item": i, "model": "m", "prediction": p, "target": "A", "status": s}
        for i, (p, s) in enumerate([*[(c, "scored") for c in "ABCD" * 20], *[("C", "refused")] * 9])
    ]
    (fill,) = quality(responses(rows)).fills
    assert (fill.reference, fill.filled, fill.constant) == ("status", 9, True)


def test_without_a_second_reading_the_check_is_named_as_not_run(grid):
    found = quality(grid("AB", x="AB", y="A."))
    assert found.fills == ()
    assert [check for check, _ in found.skipped] == ["DAT104 filled answers scored as answers"]


def test_unknown_chance_is_nan(responses):
    rows = [
        {"item": i, "model": "m", "prediction": "A", "prediction_source": None, "target": "A"}
        for i in range(3)
    ]
    (fill,) = quality(responses(rows)).fills
    assert math.isnan(fill.chance)
    assert math.isnan(fill.p_chance)
