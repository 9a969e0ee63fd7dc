"""Noise floors, verdicts of interchangeability, and what is read from rows for them."""

import numpy as np
import pytest

from caveat.data.matrix import response_matrix
from caveat.data.parser_columns import parser_columns
from caveat.data.replicates import replicates
from caveat.errors import InputError, TooFewError
from caveat.kernels.pair_excess import pair_excess
from caveat.kernels.pair_moments import excess_of_pairs, pair_differences
from caveat.kernels.series_means import series_means
from caveat.kernels.task_profile import task_profile
from caveat.stats.comparison.floors import floors_of, host_floors, same_groups
from caveat.stats.comparison.interchange import Limits, interchange
from caveat.stats.comparison.noise_floor import noise_floor


def rows(answers, *, gold="A", **more):
    """One row per item and name from {model or (model, value of the column): letters}."""
    column = more.pop("column", None)
    made = []
    for name, letters in answers.items():
        model, value = name if isinstance(name, tuple) else (name, None)
        for k, letter in enumerate(letters):
            row = {"item": f"i{k:04d}", "model": model, "target": gold}
            row |= {key: text[k % len(text)] for key, text in more.items()}
            if value is not None:
                row[column] = value
            made.append({**row, "prediction": None if letter == "." else letter})
    return made


def told(responses, answers, **more):
    found = responses(rows(answers, **more))
    return found, response_matrix(found, "bench")


# ---- where noise comes from -------------------------------------------------------------


@pytest.mark.parametrize("source", ["repeat", "run", "prompt", "filter"])
def test_each_column_that_tells_runs_apart_makes_a_floor(responses, source):
    evidence, matrix = told(
        responses,
        {("x", "1"): "AABB", ("x", "2"): "ABBC", ("y", "1"): "AAAA", ("y", "2"): "AAAA"},
        column=source,
    )
    found = replicates(evidence.table, "bench", source)
    floors = floors_of(found, matrix, policy="drop", source=source)
    # x differs from itself on items 2 and 4, y on none
    np.testing.assert_array_equal(floors.within[:, 0], [0, 1, 0, 1])
    np.testing.assert_array_equal(floors.within[:, 1], [0, 0, 0, 0])
    noise = noise_floor(matrix, [floors])
    assert noise.sources[0].disagree == 0.25  # mean of 1/2 and 0
    assert [one.model for one in noise.sources[0].models] == ["x", "y"]
    (pair,) = noise.pairs
    assert pair.floor == 0.25
    assert pair.own == "both"


def test_two_names_of_the_same_weights_are_one_model_twice(responses):
    evidence, matrix = told(responses, {"x": "AABB", "x@host": "ABBB", "y": "AAAA", "z": "CCCC"})
    del evidence
    weights = {"x": {"weights": "w"}, "x@host": {"weights": "w"}, "y": {"weights": "v"}}
    for given in ({"same": [("x", "x@host")], "models": {}}, {"models": weights}):
        floors = host_floors(matrix, policy="drop", **given)
        np.testing.assert_array_equal(floors.known, [True, True, False, False])
        noise = noise_floor(matrix, [floors])
        (row,) = noise.sources[0].models
        assert (row.names, row.disagree) == (("x", "x@host"), 0.25)
        own = {(pair.a, pair.b): pair.own for pair in noise.pairs}
        assert own["x", "x@host"] == "itself"
        assert own["x", "y"] == "one"
        assert own["y", "z"] == "none"
    assert host_floors(matrix, models={}, policy="drop") is None
    with pytest.raises(InputError, match="same must name two models, got 'x' twice"):
        host_floors(matrix, same=[("x", "x")], models={}, policy="drop")


def test_pairs_of_like_score_that_borrow_their_floor_are_counted_apart(responses):
    _, matrix = told(responses, {"x": "AABB", "x2": "ABAB", "y": "BBAA", "y2": "BABA", "z": "BAAB"})
    same = [("x", "x2"), ("y", "y2")]
    noise = noise_floor(matrix, [host_floors(matrix, same=same, models={}, policy="drop")])
    # ten pairs less the two of one model; four of them are between x's and y's, four have z
    assert (noise.matched, noise.borrowed) == (8, 4)
    apart = [p for p in noise.pairs if "z" in (p.a, p.b) and not p.beyond]
    assert noise.borrowed_within == len(apart)


def test_a_floor_of_nearly_0_divides_nothing(responses):
    right = "A" * 300
    answers = {"x": right, "x2": right[:-1] + "B", "y": "B" * 100 + right[100:]}
    _, matrix = told(responses, answers)
    noise = noise_floor(matrix, [host_floors(matrix, same=[("x", "x2")], models={}, policy="drop")])
    pair = next(p for p in noise.pairs if (p.a, p.b) == ("x", "y"))
    assert pair.floor == pytest.approx(1 / 300)  # one item of 300
    assert np.isnan(pair.ratio)


def test_names_of_one_model_go_on_to_each_other():
    groups = same_groups("abcd", same=[("a", "b"), ("d", "b"), ("a", "elsewhere")], models={})
    assert groups.tolist() == [0, 0, 2, 0]


def test_without_a_second_run_there_is_no_floor(responses):
    _, matrix = told(responses, {"x": "AABB", "y": "AAAA"})
    with pytest.raises(TooFewError, match=r"times a model of bench ran: needs at least 2, got 1"):
        noise_floor(matrix, [])


def test_unparsed_answers_follow_the_policy(responses):
    evidence, matrix = told(
        responses, {("x", "1"): "A.A.", ("x", "2"): "AB..", ("y", "1"): "AAAA"}, column="repeat"
    )
    found = replicates(evidence.table, "bench", "repeat")
    by_policy = {
        policy: floors_of(found, matrix, policy=policy, source="repeat").within[:, 0].tolist()
        for policy in ("drop", "as-disagreement", "as-option")
    }
    assert by_policy["drop"][0] == 0
    assert np.isnan(by_policy["drop"][1:]).all()
    assert by_policy["as-disagreement"] == [0, 1, 1, 1]
    assert by_policy["as-option"] == [0, 1, 1, 0]


def test_readings_of_the_same_text_are_told_from_other_columns(responses):
    evidence = responses(
        [
            {
                "item": f"i{k}",
                "model": "x",
                "target": "A",
                "prediction": "AB"[k % 2],
                "prediction_strict": "AB"[k % 2] if k < 8 else None,
                "prediction_displayed": "AB"[k % 2],
                "prediction_other": "CD"[k % 2],
                "prediction_never": None,
            }
            for k in range(10)
        ]
    )
    found = parser_columns(evidence.table, "bench")
    assert found.replicates.variants == ("prediction", "strict")
    # of ten answers five are right; the strict reading loses items 8 (right) and 9
    np.testing.assert_array_equal(found.replicates.matrix.score.mean(axis=0), [0.5, 0.4])
    why = dict(found.left_out)
    assert why["prediction_displayed"] == "letters as displayed, options shuffled"
    assert why["prediction_other"].startswith("it equals the prediction in 0.0% of the answers")
    assert why["prediction_never"] == "it never reads an answer that the prediction reads"


def test_a_reading_is_not_scored_where_the_score_is_not_by_the_target(responses):
    evidence = responses(
        [
            {
                "item": f"i{k}",
                "model": "x",
                "target": "A",
                "prediction": "A",
                "prediction_strict": "A",
                "score": k % 2,
            }
            for k in range(10)
        ]
    )
    assert np.isnan(parser_columns(evidence.table, "bench").replicates.matrix.score[:, 1]).all()


def test_one_item_and_all_unparsed(responses):
    evidence, matrix = told(
        responses, {("x", "1"): "A", ("x", "2"): "B", ("y", "1"): "A"}, column="repeat"
    )
    floors = floors_of(
        replicates(evidence.table, "bench", "repeat"), matrix, policy="drop", source="repeat"
    )
    (pair,) = noise_floor(matrix, [floors]).pairs
    assert (pair.n, pair.floor) == (1, 1.0)
    # one item, at -1: the share at -1 is above 0.025 with 97.5%
    assert (pair.low, pair.high) == pytest.approx((-1.0, 1 - 2 * 0.025))
    assert not pair.beyond
    evidence, matrix = told(
        responses, {("x", "1"): "..", ("x", "2"): "..", ("y", "1"): "AA"}, column="repeat"
    )
    found = replicates(evidence.table, "bench", "repeat")
    assert floors_of(found, matrix, policy="drop", source="repeat") is None


@pytest.mark.parametrize("unreadable", ["as-disagreement", "as-option", "drop"])
@pytest.mark.parametrize("n_labels", [3, 60])
def test_the_quick_way_says_what_the_slow_one_does(unreadable, n_labels):
    rng = np.random.default_rng(11)
    n, m = 90, 5
    answers = rng.integers(0, n_labels, (n, m)).astype(np.int32)
    answers[:, 1] = answers[:, 0]  # never differ
    answers[:5, 3] = answers[:5, 2]
    absent = {"drop": -1, "as-disagreement": -2, "as-option": n_labels}[unreadable]
    answers[rng.random((n, m)) < 0.1] = absent
    within = rng.choice([0.0, 0.5, 1.0, np.nan], (n, m), p=[0.6, 0.2, 0.1, 0.1])
    within[:, :2] = 0.0
    within[:, 4] = rng.choice([0.0, 1 / 3], n)
    one, other = np.triu_indices(m, k=1)
    slow = pair_excess(answers, within, first=one, second=other, cluster=None)
    quick = excess_of_pairs(answers, within, first=one, second=other, cluster=None)
    np.testing.assert_allclose(quick.disagree, slow.disagree, atol=1e-12)
    np.testing.assert_allclose(quick.floor, slow.floor, atol=1e-12)
    for level in (0.9, 0.99):
        np.testing.assert_allclose(quick.excess.bounds(level), slow.excess.bounds(level), atol=1e-9)
    # items that are clusters of their own
    alone = excess_of_pairs(answers, within, first=one, second=other, cluster=np.arange(n))
    np.testing.assert_allclose(alone.excess.se, quick.excess.se, atol=1e-9)


@pytest.mark.parametrize("values", [[0.0, 1.0], [0.0, 0.5, 1.0], None])
def test_quick_differences_are_those_of_the_series(values):
    rng = np.random.default_rng(12)
    n, m = 120, 4
    score = rng.random((n, m)) if values is None else rng.choice(values, (n, m))
    score[:, 1] = score[:, 0]
    score[3, 1] = 1.0 - score[3, 1]
    score[rng.random((n, m)) < 0.1] = np.nan
    task = rng.integers(-1, 4, n)
    one, other = np.triu_indices(m, k=1)
    quick = pair_differences(score, first=one, second=other, task=task, n_tasks=4)
    differences = score[:, one] - score[:, other]
    slow = series_means(differences, cluster=None)
    if values is None:  # too many values to count which are equal: no exact bounds
        np.testing.assert_allclose(quick.means.se, slow.se, atol=1e-12)
    else:
        np.testing.assert_allclose(quick.means.bounds(0.9), slow.bounds(0.9), atol=1e-9)
    profile = task_profile(differences, task, n_tasks=4)
    for name in ("f", "p", "spread", "mean", "n"):
        np.testing.assert_allclose(
            getattr(quick.profile, name), getattr(profile, name), atol=1e-9, err_msg=name
        )


def test_noise_of_some_models_on_some_items(responses):
    _, matrix = told(responses, {"x": "AABB", "x@host": "ABBB", "y": "AAAA"})
    floors = host_floors(matrix, same=[("x", "x@host")], models={}, policy="drop")
    some = floors.narrowed(np.array([True, True, False, False]), [2, 0])
    np.testing.assert_array_equal(some.within, [[np.nan, 0], [np.nan, 1]])
    np.testing.assert_array_equal(some.known, [False, True])
    nothing = floors.narrowed(np.zeros(4, dtype=bool), [0, 1])
    assert not nothing.known.any()


# ---- verdicts --------------------------------------------------------------------------------


def letters(right):
    return "".join("A" if one else "B" for one in right)


def test_identical_models_on_enough_items_are_interchangeable(responses):
    once = letters(np.arange(900) % 3 > 0)
    evidence, matrix = told(
        responses,
        {(m, r): once for m in "xy" for r in "12"},
        column="repeat",
        task=["s", "t"],
    )
    floors = floors_of(
        replicates(evidence.table, "bench", "repeat"), matrix, policy="drop", source="repeat"
    )
    limits = Limits(score=0.01, excess=0.05, tasks=0.1)
    found = interchange(matrix, [floors], limits=limits)
    (pair,) = found.pairs
    assert pair.verdict == "interchangeable"
    # no difference on 900 items: at most 1 - 0.05^(1/900) = 0.33% with 95%
    assert pair.equal_within == pytest.approx(1 - 0.05 ** (1 / 900))
    assert pair.criterion("disagreement").high == pytest.approx(1 - 0.05 ** (1 / 900))
    # tau^2 is at most the share of items that differ, on either side
    assert pair.criterion("tasks").high == pytest.approx(np.sqrt(2 * (1 - 0.05 ** (1 / 900))))
    assert found.clusters[0].models == ("x", "y")
    assert found.counts == {"interchangeable": 1, "undecided": 0, "different": 0}
    # the same without a floor: open, whatever the items
    (pair,) = interchange(matrix, limits=limits).pairs
    assert pair.verdict == "undecided"
    assert pair.items is None
    assert pair.criterion("disagreement").reason.startswith("no noise floor is known")
    # unless a largest disagreement is stated
    stated = Limits(score=0.01, tasks=0.1, disagree=0.02)
    assert interchange(matrix, limits=stated).pairs[0].verdict == "interchangeable"


def test_each_criterion_can_fail_alone(responses):
    n = 1_000
    k = np.arange(n)
    base = k % 2 == 0
    answers = {
        "x": letters(base),
        "worse": letters(base & (k % 5 > 0)),
        "elsewhere": letters(~base),
        "bytask": letters(np.where(k % 4 < 2, k % 8 < 4, k % 8 >= 4)),
    }
    _, matrix = told(responses, answers, task=["s", "t", "s", "t"])
    found = interchange(matrix, limits=Limits(score=0.05, disagree=0.4))
    verdict = {frozenset((p.a, p.b)): p for p in found.pairs}
    assert "score" in verdict[frozenset(("x", "worse"))].failed
    other = verdict[frozenset(("x", "elsewhere"))]
    # equal scores, but x is right in task s only and the other in task t only
    assert other.failed == ("disagreement", "tasks")
    assert other.criterion("score").estimate == 0
    assert other.criterion("tasks").reason == ""
    assert found.counts["different"] >= 2


def test_items_that_would_decide_by_hand(responses):
    # 100 items, 6 on which only x is right and 5 on which only y: difference 0.01
    x = np.arange(100) < 56
    y = (np.arange(100) >= 6) & (np.arange(100) < 61)
    _, matrix = told(responses, {"x": letters(x), "y": letters(y)})
    found = interchange(matrix, limits=Limits(score=0.04, disagree=0.5))
    (pair,) = found.pairs
    score = pair.criterion("score")
    assert score.state == "open"
    d = x.astype(float) - y
    se = d.std(ddof=1) / 10
    # (z se / (0.04 - 0.01))^2 times 100 items, z = 1.645
    assert score.items == int(np.ceil(100 * (1.6448536 * se / 0.03) ** 2))
    assert pair.items == score.items
    assert pair.criterion("tasks").state == "untested"


def test_the_equivalence_test_is_that_of_statsmodels(responses):
    from statsmodels.stats.weightstats import ttost_paired

    rng = np.random.default_rng(5)
    x, y = rng.random(400) < 0.6, rng.random(400) < 0.6
    _, matrix = told(responses, {"x": letters(x), "y": letters(y)})
    (pair,) = interchange(matrix, limits=Limits(score=0.05)).pairs
    edge = pair.equal_within
    for margin, within in ((edge + 1e-6, True), (edge - 1e-6, False)):
        p = ttost_paired(x.astype(float), y.astype(float), -margin, margin)[0]
        assert bool(p <= 0.05) is within
        said = interchange(matrix, limits=Limits(score=margin)).pairs[0]
        assert (said.criterion("score").state == "met") is within


def test_order_of_rows_and_names_change_nothing_but_names(responses):
    rng = np.random.default_rng(6)
    answers = {name: letters(rng.random(300) < 0.7) for name in "pqrst"}
    made = rows(answers, task=["s", "t", "u"])
    first = interchange(response_matrix(responses(made), "bench"), limits=Limits(disagree=0.6))
    order = rng.permutation(len(made))
    second = interchange(
        response_matrix(responses([made[k] for k in order]), "bench"), limits=Limits(disagree=0.6)
    )

    def said(found):
        return {
            frozenset((p.a, p.b)): (p.verdict, round(p.equal_within, 9), p.items)
            for p in found.pairs
        }, {frozenset(c.models) for c in found.clusters}

    assert said(first) == said(second)


def test_scores_alone_and_no_common_items(responses):
    only = [
        {"item": f"i{k}", "model": m, "score": float(k % 3 > 0)} for k in range(60) for m in "xy"
    ]
    (pair,) = interchange(response_matrix(responses(only), "bench")).pairs
    assert pair.criterion("disagreement").state == "untested"
    assert pair.verdict != "interchangeable"
    apart = [{"item": f"{m}{k}", "model": m, "score": 1.0} for k in range(9) for m in "xy"]
    with pytest.raises(TooFewError, match="scored items of bench that two models share"):
        interchange(response_matrix(responses(apart), "bench"))


def test_one_model_under_two_names_makes_the_floor_and_is_not_beyond_it(responses):
    rng = np.random.default_rng(8)
    answers = {name: letters(rng.random(200) < 0.7) for name in ("x", "x@host", "y")}
    _, matrix = told(responses, answers)
    floors = host_floors(matrix, same=[("x", "x@host")], models={}, policy="drop")
    found = interchange(matrix, [floors], limits=Limits(score=0.2))
    pair = next(p for p in found.pairs if p.same_weights)
    assert pair.criterion("disagreement").state == "met"
    assert found.floor == "host"


def test_readings_of_one_text_make_no_floor_for_verdicts(responses):
    evidence = responses(
        [
            {
                "item": f"i{k}",
                "model": m,
                "target": "A",
                "prediction": "AB"[k % 2],
                "prediction_strict": "AB"[k % 2],
            }
            for k in range(20)
            for m in "xy"
        ]
    )
    matrix = response_matrix(evidence, "bench")
    read = parser_columns(evidence.table, "bench").replicates
    floors = floors_of(read, matrix, policy="drop", source="filter")
    assert floors.source == "filter"
    assert interchange(matrix, [floors]).floor == ""
    assert noise_floor(matrix, [floors]).second_run is False


@pytest.mark.parametrize("limits", [Limits(score=0.0), Limits(excess=1.0)])
def test_limits_are_shares(responses, limits):
    _, matrix = told(responses, {"x": "AB", "y": "AB"})
    with pytest.raises(InputError, match=r"limits\.\w+ must be strictly between 0 and 1"):
        interchange(matrix, limits=limits)
