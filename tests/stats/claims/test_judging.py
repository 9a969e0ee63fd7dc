"""Verdicts on claims: hand cases, collapses, invariances, oracles, error rates."""

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from caveat.data.item_values import item_values
from caveat.data.matrix import matrix_of
from caveat.errors import InputError
from caveat.results.claims import Claim
from caveat.stats.claims.ground import Ground
from caveat.stats.claims.judging import judge_claim
from caveat.stats.claims.top import one_sided, rank_bounds


def ground(scores, *, answers=None, costs=None, tasks=None, clusters=None):
    """Responses of models x, y, z, ... from an items x models array."""
    scores = np.asarray(scores, dtype=float)
    n, m = scores.shape
    rows = {
        "item": [str(i) for i in range(n)] * m,
        "model": [name for name in "xyzuvw"[:m] for _ in range(n)],
        "score": scores.T.ravel(),
        "status": ["scored"] * (n * m),
    }
    if answers is not None:
        rows["prediction"] = np.asarray(answers).T.ravel()
    if costs is not None:
        rows["cost_usd"] = np.asarray(costs, dtype=float).T.ravel()
    if tasks is not None:
        rows["task"] = list(tasks) * m
    if clusters is not None:
        rows["cluster"] = [str(c) for c in clusters] * m
    table = pa.table({k: pa.array(v) for k, v in rows.items()})
    matrix = matrix_of(table, "b")
    return Ground(matrix=matrix, values=lambda column: item_values(table, matrix, column))


def claim(kind, *, a="x", b="y", **changes):
    return Claim(says=kind, kind=kind, a=a, b=b if kind not in ("top", "scores") else "", **changes)


def right(n_both, n_x, n_y, n_none):
    """Right and wrong of two models by how many items each alone gets right."""
    rows = [(1, 1)] * n_both + [(1, 0)] * n_x + [(0, 1)] * n_y + [(0, 0)] * n_none
    return np.array(rows, dtype=float)


# ---- beats -------------------------------------------------------------------------


def test_a_lead_by_hand():
    # 60 items only x gets right, 40 only y, of 400: difference 20 / 400 = 0.05; variance of a
    # difference 100 / 400 - 0.05^2 = 0.2475, se = sqrt(0.2475 / 399) = 0.024906; the one-sided
    # bound at 95% with 399 degrees of freedom takes t = 1.6487: 0.05 - 0.04106 = 0.00894.
    found = judge_claim(claim("beats"), ground(right(150, 60, 40, 150)), level=0.95)
    figure = found.figures[0]
    assert figure.estimate == pytest.approx(0.05)
    assert figure.low == pytest.approx(0.05 - 1.6487 * math.sqrt(0.2475 / 399), abs=1e-5)
    assert found.verdict == "supported"
    assert found.n == 400


def test_the_bound_is_that_of_a_paired_t_test():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(60, 2))
    found = judge_claim(claim("beats"), ground(scores), level=0.9).figures[0]
    interval = stats.ttest_rel(scores[:, 0], scores[:, 1]).confidence_interval(0.8)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


def test_a_lead_has_to_exceed_what_is_claimed():
    scores = right(150, 60, 40, 150)
    assert judge_claim(claim("beats", limit=0.005), ground(scores), level=0.95).verdict == (
        "supported"
    )
    assert judge_claim(claim("beats", limit=0.02), ground(scores), level=0.95).verdict == (
        "undecided"
    )
    assert judge_claim(claim("beats", limit=0.2), ground(scores), level=0.95).verdict == (
        "contradicted"
    )


def test_who_trails_is_contradicted():
    found = judge_claim(claim("beats", a="y", b="x"), ground(right(150, 60, 40, 150)), level=0.95)
    assert found.verdict == "contradicted"
    assert "trails" in found.why


@pytest.mark.parametrize("kind", ["beats", "interchangeable", "disagree", "scores", "top", "costs"])
def test_one_item_supports_nothing(kind):
    limit = {"top": 1, "costs": 0.5}.get(kind, 0.3)
    data = ground([[1.0, 0.0]], answers=[["A", "B"]], costs=[[0.1, 0.9]])
    found = judge_claim(claim(kind, limit=limit), data, level=0.95)
    assert found.verdict == "undecided"
    assert "at least 2" in found.why


def test_models_without_a_common_item_are_undecided():
    scores = [[1.0, np.nan], [np.nan, 0.0], [1.0, np.nan]]
    found = judge_claim(claim("beats"), ground(scores), level=0.95)
    assert (found.verdict, found.n) == ("undecided", 0)


def test_a_skipped_hard_subject_does_not_help():
    # x skips the ten hard items: on its own items it scores 1, but on common ones both are alike.
    scores = np.array([[1.0, 1.0]] * 50 + [[np.nan, 0.0]] * 10)
    found = judge_claim(claim("beats"), ground(scores), level=0.95)
    assert found.figures[0].estimate == 0.0
    assert found.verdict == "undecided"
    assert found.n == 50


def test_the_items_that_would_decide_a_claim_do():
    few = right(90, 12, 8, 90)
    found = judge_claim(claim("beats"), ground(few), level=0.95)
    assert found.verdict == "undecided"
    times = math.ceil(found.items_needed / 200)
    assert judge_claim(
        claim("beats"), ground(np.tile(few, (times + 1, 1))), level=0.95
    ).verdict == ("supported")


def test_items_of_a_passage_count_together():
    scores = right(150, 60, 40, 150)
    alone = judge_claim(claim("beats"), ground(scores), level=0.95)
    five = judge_claim(claim("beats"), ground(scores, clusters=np.arange(400) // 20), level=0.95)
    assert five.figures[0].low < alone.figures[0].low


# ---- top ---------------------------------------------------------------------------


def test_first_is_who_beats_every_rival_by_itself():
    rng = np.random.default_rng(2)
    base = rng.random(1000)
    scores = np.stack([base < 0.8, base < 0.6, base < 0.4], axis=1).astype(float)
    assert judge_claim(claim("top", limit=1), ground(scores), level=0.95).verdict == "supported"
    assert judge_claim(claim("top", a="y", limit=1), ground(scores), level=0.95).verdict == (
        "contradicted"
    )
    assert judge_claim(claim("top", a="y", limit=2), ground(scores), level=0.95).verdict == (
        "supported"
    )
    assert judge_claim(claim("top", a="z", limit=3), ground(scores), level=0.95).verdict == (
        "supported"
    )


def test_rank_bounds_by_hand():
    # Five models. One-sided p that the model is no better than each of four rivals: two rivals are
    # beaten at p = 0.001 and 0.01. Worst rank: in the top 4 needs 4 x 0.001 (at least one of four
    # rivals beaten) = 0.004; top 3 needs 3 x 0.01 = 0.03; top 2 needs 2 x 0.4: not.
    above = np.array([0.001, 0.01, 0.4, 0.99])
    # Nobody is known to be better: (m - k) x smallest = 4 x 0.02 = 0.08 > 0.05.
    below = np.array([0.99, 0.99, 0.6, 0.02])
    assert rank_bounds(above, below, error=0.05) == (1, 3)
    assert rank_bounds(above, np.array([0.99, 0.99, 0.6, 0.01]), error=0.05) == (2, 3)


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=8))
def test_rank_bounds_hold_together(p):
    above = np.array(p)
    best, worst = rank_bounds(above, 1.0 - above, error=0.05)
    assert 1 <= best <= worst <= above.size + 1


def test_one_sided_p_values_are_those_of_an_exact_test():
    scores = right(100, 30, 12, 60)
    data = ground(scores)
    found = judge_claim(claim("top", limit=1), data, level=0.95)
    p = stats.binomtest(30, 42, alternative="greater").pvalue
    assert (p <= 0.05) == (found.verdict == "supported")
    above, _ = one_sided(np.array([0.09]), np.array([stats.binomtest(30, 42).pvalue]))
    assert above[0] == pytest.approx(p)


# ---- costs -------------------------------------------------------------------------


def test_half_the_cost_at_the_same_score():
    rng = np.random.default_rng(3)
    tokens = rng.lognormal(0, 0.5, 300)
    scores = np.repeat(rng.random(300) < 0.7, 2).reshape(300, 2).astype(float)
    data = ground(scores, costs=np.stack([tokens * 0.4, tokens], axis=1))
    cheap = claim("costs", limit=0.5, margin=0.05)
    assert judge_claim(cheap, data, level=0.95).verdict == "supported"
    assert judge_claim(cheap, data, level=0.95).figures[0].estimate == pytest.approx(0.4)
    dear = claim("costs", limit=0.3, margin=0.05)
    assert judge_claim(dear, data, level=0.95).verdict == "contradicted"


def test_half_the_cost_at_a_lower_score_is_contradicted():
    rng = np.random.default_rng(4)
    base = rng.random(2000)
    scores = np.stack([base < 0.5, base < 0.8], axis=1).astype(float)
    data = ground(scores, costs=np.full((2000, 2), [0.1, 1.0]))
    assert judge_claim(claim("costs", limit=0.5), data, level=0.95).verdict == "supported"
    assert judge_claim(claim("costs", limit=0.5, margin=0.01), data, level=0.95).verdict == (
        "contradicted"
    )


def test_an_unknown_cost_is_not_zero():
    scores = right(100, 30, 30, 100)
    unknown = np.stack([np.full(260, np.nan), np.ones(260)], axis=1)
    found = judge_claim(claim("costs", limit=0.5), ground(scores, costs=unknown), level=0.95)
    assert found.verdict == "undecided"
    assert "unknown is not 0" in found.why


# ---- shares ------------------------------------------------------------------------


def test_disagreement_is_counted_on_items_both_answered():
    answers = [["A", "A"]] * 180 + [["A", "B"]] * 20 + [["A", None]] * 50
    data = ground(np.zeros((250, 2)), answers=answers)
    found = judge_claim(claim("disagree", limit=0.2), data, level=0.95)
    assert (found.verdict, found.n) == ("supported", 200)
    assert found.figures[0].estimate == pytest.approx(0.1)
    assert judge_claim(claim("disagree", limit=0.05), data, level=0.95).verdict == "contradicted"


def test_no_disagreement_has_the_exact_bound():
    data = ground(np.ones((100, 2)), answers=[["A", "A"]] * 100)
    figure = judge_claim(claim("disagree", limit=0.5), data, level=0.95).figures[0]
    exact = stats.binomtest(0, 100, alternative="less").proportion_ci(0.95, method="exact")
    assert figure.high == pytest.approx(exact.high)


def test_a_score_at_least():
    data = ground(right(150, 60, 40, 150))  # x scores 210 of 400
    assert judge_claim(claim("scores", limit=0.45), data, level=0.95).verdict == "supported"
    assert judge_claim(claim("scores", limit=0.52), data, level=0.95).verdict == "undecided"
    assert judge_claim(claim("scores", limit=0.6), data, level=0.95).verdict == "contradicted"


# ---- interchangeable ---------------------------------------------------------------


def test_copies_are_interchangeable_where_a_largest_disagreement_is_stated():
    rng = np.random.default_rng(5)
    one = (rng.random((3000, 1)) < 0.6).astype(float)
    data = ground(np.hstack([one, one]), answers=np.where(np.hstack([one, one]) > 0, "A", "B"))
    stated = claim("interchangeable", limit=0.01, disagree=0.05)
    assert judge_claim(stated, data, level=0.95).verdict == "supported"
    unstated = judge_claim(claim("interchangeable", limit=0.01), data, level=0.95)
    assert unstated.verdict == "undecided"
    assert "no noise floor" in unstated.why


def test_equal_scores_with_other_answers_are_not_interchangeable():
    rng = np.random.default_rng(6)
    scores = (rng.random((3000, 2)) < 0.6).astype(float)
    data = ground(scores, answers=np.where(scores > 0, "A", "B"))
    found = judge_claim(claim("interchangeable", limit=0.1, disagree=0.05), data, level=0.95)
    assert found.verdict == "contradicted"


# ---- misuse ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"a": "nobody"}, "model must be one of"),
        ({"task": "math"}, "task must be one of"),
    ],
)
def test_what_is_not_there_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        judge_claim(claim("beats", **changes), ground(right(5, 5, 5, 5)), level=0.95)


def test_disagreement_needs_answers():
    with pytest.raises(InputError, match="answers"):
        judge_claim(claim("disagree", limit=0.1), ground(right(5, 5, 5, 5)), level=0.95)


def test_a_claim_about_a_task_sees_only_its_items():
    scores = np.vstack([right(0, 40, 0, 10), right(0, 0, 60, 10)])
    data = ground(scores, tasks=["math"] * 50 + ["law"] * 70)
    assert judge_claim(claim("beats", task="math"), data, level=0.95).verdict == "supported"
    assert judge_claim(claim("beats", task="law"), data, level=0.95).verdict == "contradicted"


# ---- invariance --------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_the_order_of_items_and_models_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    scores = (rng.random((40, 3)) < [0.7, 0.5, 0.4]).astype(float)
    told = judge_claim(claim("beats"), ground(scores), level=0.95)
    shuffled = judge_claim(claim("beats"), ground(scores[rng.permutation(40)]), level=0.95)
    assert told.verdict == shuffled.verdict
    assert told.figures[0].low == pytest.approx(shuffled.figures[0].low)
    turned = judge_claim(claim("beats", a="y", b="x"), ground(scores), level=0.95)
    assert turned.figures[0].high == pytest.approx(-told.figures[0].low)


# ---- error rates -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100, 400])
def test_a_false_lead_is_supported_as_often_as_the_level_says(n):
    # Two models of equal score: "x beats y" is false.
    rng = np.random.default_rng(7)
    times, wrong = 1500, 0
    for _ in range(times):
        item = rng.random(n)
        scores = (rng.random((n, 2)) < 0.3 + 0.5 * item[:, None]).astype(float)
        wrong += judge_claim(claim("beats"), ground(scores), level=0.95).verdict == "supported"
    assert wrong / times <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / times)


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2])
def test_a_model_just_below_the_top_is_rarely_put_there(k):
    # Six models; x is number k + 1, as near to number k as can be: equal to it.
    rng = np.random.default_rng(8)
    strength = np.array([0.6, *[0.6] * k, *[0.45] * (5 - k)])
    times, wrong = 800, 0
    for _ in range(times):
        item = rng.normal(0, 0.15, 200)
        scores = (rng.random((200, 6)) < np.clip(strength + item[:, None], 0, 1)).astype(float)
        found = judge_claim(claim("top", limit=k), ground(scores), level=0.95)
        wrong += found.verdict == "supported"
    assert wrong / times <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / times)


@pytest.mark.slow
def test_a_ratio_of_costs_at_its_limit_is_decided_as_often_as_the_level_says():
    rng = np.random.default_rng(9)
    times, said = 1500, {"supported": 0, "contradicted": 0, "undecided": 0}
    for _ in range(times):
        costs = rng.lognormal(0, 0.6, (80, 2)) * [0.5, 1.0]
        data = ground(np.ones((80, 2)), costs=costs)
        said[judge_claim(claim("costs", limit=0.5), data, level=0.95).verdict] += 1
    # Lognormal costs are skewed: t bounds err on one side more than on the other.
    for verdict, share in itertools.product(("supported", "contradicted"), (0.05,)):
        assert said[verdict] / times <= share + 4 * math.sqrt(share * (1 - share) / times) + 0.01
