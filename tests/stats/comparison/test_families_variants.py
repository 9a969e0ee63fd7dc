"""Relatives against unrelated models, and orders by prompt or parser."""

import numpy as np
import pytest
from scipy import stats

from caveat.data.matrix import response_matrix
from caveat.data.parser_columns import parser_columns
from caveat.data.replicates import replicates
from caveat.errors import TooFewError
from caveat.kernels.kin_test import kin_test, score_residual
from caveat.kernels.variant_spread import order_test, turned_pairs, variant_spread
from caveat.stats.agreement.pairs import agreement
from caveat.stats.comparison.family_names import proposed_families
from caveat.stats.comparison.relatives import relatives
from caveat.stats.comparison.sensitivity import sensitivity

RNG = np.random.default_rng


def likeness(m=8, seed=0):
    values = RNG(seed).normal(size=(m, m))
    return (values + values.T) / 2, RNG(seed + 1).random(m)


# ---- relatives -----------------------------------------------------------------------------


def test_residuals_are_those_of_least_squares():
    import statsmodels.api as sm

    like, score = likeness()
    one, other = np.triu_indices(8, k=1)
    middle, gap = (score[one] + score[other]) / 2, np.abs(score[one] - score[other])
    fit = sm.OLS(like[one, other], sm.add_constant(np.column_stack([middle, middle**2, gap]))).fit()
    residual, explained = score_residual(like, score)
    np.testing.assert_allclose(residual[one, other], fit.resid, atol=1e-12)
    assert explained == pytest.approx(fit.rsquared)


def test_p_is_that_of_all_permutations():
    like, score = likeness(6)
    family = np.array([0, 0, 0, 1, 1, -1])
    residual, _ = score_residual(like, score)
    one, other = np.triu_indices(6, k=1)

    def effect(*labels):
        labels = np.asarray(labels).ravel()
        kin = (labels[one] == labels[other]) & (labels[one] >= 0)
        return residual[one, other][kin].mean() - residual[one, other][~kin].mean()

    exact = stats.permutation_test(
        (family,), effect, permutation_type="pairings", n_resamples=np.inf, alternative="greater"
    )
    found = kin_test(like, score, family, shuffles=20_000, rng=RNG(1))
    assert found.effect == pytest.approx(exact.statistic)
    # four binomial standard errors of 20,000 shuffles
    assert abs(found.p - exact.pvalue) < 4 * np.sqrt(exact.pvalue * (1 - exact.pvalue) / 20_000)


def test_effect_by_hand_where_scores_are_equal():
    # equal scores explain nothing: kin pairs 0-1 and 2-3 at 0.8 and 0.6, others at 0.2
    like = np.full((4, 4), 0.2)
    like[0, 1] = like[1, 0] = 0.8
    like[2, 3] = like[3, 2] = 0.6
    found = kin_test(like, np.full(4, 0.5), np.array([0, 0, 1, 1]), shuffles=499, rng=RNG(0))
    assert found.effect == pytest.approx(0.5)
    np.testing.assert_allclose(found.family_effect, [0.6, 0.4])
    assert (found.within, found.between) == pytest.approx((0.7, 0.2))
    assert (found.pairs_within, found.pairs_between) == (2, 4)


def test_names_of_families_and_order_of_models_are_nothing():
    like, score = likeness(9)
    family = np.array([0, 0, 0, 1, 1, 2, 2, -1, -1])
    base = kin_test(like, score, family, shuffles=999, rng=RNG(0))
    order = RNG(3).permutation(9)
    names = np.array([2, 0, 1, -1])
    found = kin_test(
        like[np.ix_(order, order)],
        score[order],
        names[family[order]],
        shuffles=999,
        rng=RNG(0),
    )
    assert found.effect == pytest.approx(base.effect)
    np.testing.assert_allclose(found.family_effect[[2, 0, 1]], base.family_effect)
    assert abs(found.p - base.p) < 4 * np.sqrt(2 * 0.25 / 999)


def test_undefined_pairs_do_not_count():
    like, score = likeness()
    like[0, 1] = like[1, 0] = np.nan
    family = np.array([0, 0, 1, 1, 1, -1, -1, -1])
    found = kin_test(like, score, family, shuffles=499, rng=RNG(0))
    assert found.pairs_within == 3
    assert np.isnan(found.family_effect[0])
    assert np.isnan(found.family_p[0])
    assert np.isfinite(found.p)


def family_rows(seed=0, shared=0.6, m=8, n=400):
    """Two families; of the wrong answers of a model, a share is its family's."""
    rng = RNG(seed)
    common = rng.integers(1, 4, (2, n))
    right = rng.random((m, n)) < np.linspace(0.4, 0.8, m)[:, None]
    rows = []
    for k in range(m):
        own = np.where(rng.random(n) < shared, common[k % 2], rng.integers(1, 4, n))
        for i in range(n):
            letter = "A" if right[k, i] else "ABCD"[own[i]]
            rows.append(
                {"item": f"i{i}", "model": f"m{k}", "prediction": letter, "target": "A"}
                | {"n_options": 4}
            )
    return rows


def test_relatives_that_share_errors_are_found_and_strangers_not(responses):
    declared = {f"m{k}": {"family": "xy"[k % 2]} for k in range(8)}
    kin = agreement(response_matrix(responses(family_rows()), "bench"))
    found = relatives(kin, models=declared)
    assert found.column == "family"
    assert found.test.measure == "capa"
    assert found.test.effect > 0.05
    assert found.test.p < 0.05
    assert found.test.disagree_less > 0.02
    assert {row.family for row in found.test.families} == {"x", "y"}
    strangers = agreement(response_matrix(responses(family_rows(shared=0.0)), "bench"))
    assert relatives(strangers, models=declared).test.p > 0.05
    # without the number of options: right and wrong alone
    bare = [{k: v for k, v in row.items() if k != "n_options"} for row in family_rows()]
    plain = relatives(agreement(response_matrix(responses(bare), "bench")), models=declared)
    assert plain.test.measure == "error consistency"


def test_names_only_propose(responses):
    maker = {f"m{k}": f"{'llama' if k < 4 else 'yi'}-{k}" for k in range(8)}
    rows = [{**row, "model": maker[row["model"]]} for row in family_rows(n=40)]
    found = relatives(agreement(response_matrix(responses(rows), "bench")), models={})
    assert found.test is None
    assert found.column == ""
    assert found.proposal == {name: name.split("-")[0] for name in maker.values()}
    alone = agreement(response_matrix(responses(family_rows(n=40)), "bench"))
    assert relatives(alone, models={}) is None


def test_proposals_leave_sizes_and_kinds_aside():
    names = ["org/Qwen2-7B-Instruct", "Mistral-7B-Instruct", "Mistral-7B-v0.2", "qwen-max", "x-pro"]
    asked = ("few_shot", "zero_shot", "few_shot_cot")
    gpqa = [f"{m}|{how}" for m in ("gpt-4-0613", "gpt-3.5-turbo-16k", "llama-2") for how in asked]
    families = proposed_families(gpqa)
    assert {name: family for name, family in families.items() if "gpt" in name} == {
        name: "gpt" for name in gpqa[:6]
    }
    assert set(families.values()) == {"gpt", "llama"}
    assert proposed_families(["org/a-chat:free", "org/b-chat:free", "c"]) == {}
    assert proposed_families(["gpt-4", "gpt-3.5", "gpt-4o"]) == {}  # common to all
    assert proposed_families([*names, "y-pro"]) == {
        "org/Qwen2-7B-Instruct": "qwen",
        "Mistral-7B-Instruct": "mistral",
        "Mistral-7B-v0.2": "mistral",
        "qwen-max": "qwen",
    }


def test_too_few_models_or_one_family_of_all(responses):
    few = agreement(response_matrix(responses(family_rows(m=4, n=40)), "bench"))
    declared = {f"m{k}": {"provider": "xy"[k % 2]} for k in range(8)}
    with pytest.raises(TooFewError, match="models of bench with a score: needs at least 6, got 4"):
        relatives(few, models=declared)
    all_one = {f"m{k}": {"family": "x"} for k in range(8)}
    with pytest.raises(TooFewError, match="pairs of relatives, and of unrelated models"):
        relatives(agreement(response_matrix(responses(family_rows(n=40)), "bench")), models=all_one)


# ---- variants ----------------------------------------------------------------------------------


def test_components_by_hand():
    # two models, two variants, four items; scores 3/4 and 1/2, and 1/4 and 1/2
    values = np.zeros((4, 2, 2))
    values[:3, 0, 0] = values[:2, 0, 1] = values[:1, 1, 0] = values[:2, 1, 1] = 1
    spread = variant_spread(values, cluster=None)
    np.testing.assert_allclose(spread.score, [[0.75, 0.5], [0.25, 0.5]])
    # sampling: variances 3/16, 1/4, 3/16, 1/4 by (4 - 1): mean 7/32 / 3
    assert spread.sampling == pytest.approx(7 / 96)
    # each model's difference of 1/4 over variants: variance 1/32, less the paired error:
    # differences 0 0 1 0: variance 3/16 / 3 = 1/16, of which half counts: 1/32 - 1/32 = 0
    assert spread.common + spread.own == pytest.approx(0)
    # the mean of both models is 1/2 under both variants: variance 0, less the error of the mean:
    # differences 0 -1/2 1/2 0: sum of squares 1/2, by 4 * 3, half: 1/48
    assert spread.common == pytest.approx(-1 / 48)


def test_equal_variants_are_no_variance_and_one_order():
    values = np.repeat((RNG(0).random((50, 5, 1)) < 0.5).astype(float), 3, axis=2)
    spread = variant_spread(values, cluster=None)
    assert spread.common == pytest.approx(0, abs=1e-15)
    assert spread.own == pytest.approx(0, abs=1e-15)
    test = order_test(spread, draws=200, rng=RNG(0))
    assert test.concordance == pytest.approx(1)
    assert test.p > 0.05
    assert test.firsts == 1
    assert test.changes == 0


def test_covariance_of_scores_is_numpys():
    values = RNG(1).random((30, 3, 2))
    spread = variant_spread(values, cluster=None)
    np.testing.assert_allclose(
        spread.covariance.reshape(6, 6), np.cov(values.reshape(30, 6).T) / 30
    )
    alone = variant_spread(values, cluster=np.arange(30))
    np.testing.assert_allclose(alone.covariance, spread.covariance)


def test_variance_components_are_those_of_a_two_way_layout():
    """Without sampling error the sums of squares of an analysis of variance say the same."""
    score = np.array([[0.5, 0.7, 0.6], [0.4, 0.3, 0.2], [0.8, 0.9, 0.4]])
    values = np.broadcast_to(score, (20, 3, 3))
    spread = variant_spread(values, cluster=None)
    common = score.mean(axis=0).var(ddof=1)
    assert spread.common == pytest.approx(common)
    assert spread.own == pytest.approx(score.var(axis=1, ddof=1).mean() - common)
    tau = [
        stats.kendalltau(score[:, a], score[:, b]).statistic for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    assert order_test(spread, draws=9, rng=RNG(0)).concordance == pytest.approx(np.mean(tau))
    turned, sure = turned_pairs(spread, critical=3.0)
    np.testing.assert_array_equal(turned, [0, 0, 1])  # 0.5 < 0.8, 0.6 > 0.4
    np.testing.assert_array_equal(sure, turned)


def variant_rows(right, n=300, column="prompt", seed=0):
    """Models right with some chance under each variant; the easy items are the same."""
    u = RNG(seed).random(n)
    return [
        {"item": f"i{k}", "model": m, column: v, "target": "A"}
        | {"prediction": "A" if u[k] < p else "B"}
        for (m, v), p in right.items()
        for k in range(n)
    ]


@pytest.mark.parametrize("column", ["prompt", "run", "repeat", "filter"])
def test_an_order_that_a_variant_turns_is_found(responses, column):
    right = {("x", "p"): 0.8, ("y", "p"): 0.6, ("x", "q"): 0.5, ("y", "q"): 0.7}
    table = responses(variant_rows(right, column=column)).table
    (found,) = sensitivity([replicates(table, "bench", column)]).sources
    assert [row.first for row in found.variants] == ["x", "y"]
    assert [row.turned for row in found.variants] == [0, 1]
    assert [row.turned_surely for row in found.variants] == [0, 1]
    assert found.tau == -1
    assert found.p < 0.01
    assert found.firsts == 2
    assert {row.model: row.ranks for row in found.models} == {"x": (1, 2), "y": (2, 1)}
    # variances of the true means 0.7 and 0.6 are 0.005, of each model 0.045 and 0.005: own 0.02
    assert 0.7 < found.share_own < 0.8


def test_runs_that_differ_by_chance_only_are_not(responses):
    rng = RNG(2)
    rows = [
        {"item": f"i{k}", "model": m, "repeat": r, "target": "A"}
        | {"prediction": "AB"[int(rng.random() > p)]}
        for m, p in {"x": 0.61, "y": 0.6, "z": 0.59}.items()
        for r in "12"
        for k in range(200)
    ]
    (found,) = sensitivity([replicates(responses(rows).table, "bench", "repeat")]).sources
    assert found.p > 0.05
    assert found.tau_expected < 0.7
    assert found.first_changes_expected > 0.1


def test_models_and_variants_that_most_lack_are_left_out(responses):
    right = {(m, v): p for m, p in {"x": 0.8, "y": 0.6, "z": 0.4}.items() for v in "pq"}
    right |= {("x", "own"): 0.9}
    rows = variant_rows(right)
    rows += variant_rows({("short", "p"): 0.5, ("short", "q"): 0.5}, n=40)
    rows += variant_rows({("once", "p"): 0.5})
    (found,) = sensitivity([replicates(responses(rows).table, "bench", "prompt")]).sources
    assert [row.model for row in found.models] == ["x", "y", "z"]
    assert found.left_out == {
        "own": "few models have it",
        "short": "has fewer than half of the items",
        "once": "lacks a variant",
    }


def test_one_model_has_no_order(responses):
    table = responses(variant_rows({("x", "p"): 0.8, ("x", "q"): 0.6})).table
    with pytest.raises(TooFewError, match="models scored under the same two variants"):
        sensitivity([replicates(table, "bench", "prompt")])


def test_a_parser_that_loses_one_format_is_found(responses):
    rows = []
    for model, share in (("x", 0.9), ("y", 0.7)):
        for k in range(200):
            letter = "A" if k % 10 < 10 * share else "B"
            strict = None if model == "x" and k % 2 else letter
            rows.append(
                {"item": f"i{k}", "model": model, "target": "A", "prediction": letter}
                | {"prediction_strict": strict}
            )
    read = parser_columns(responses(rows).table, "bench").replicates
    (found,) = sensitivity([read]).sources
    assert found.source == "filter"
    assert [row.first for row in found.variants] == ["x", "y"]
    assert found.p < 0.01
