"""What the AGR and CST rules say, and which pairs they count."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.rules.agr import _match
from caveat.rules.engine import Selection, run_rules
from caveat.rules.registry import RULES

LIMITS = RULES.get("AGR301").thresholds


def raised(make, code, *, pairs=None, **changes):
    found = make.findings(benchmark=make.bench(pairs=pairs), **changes)
    return run_rules(found, Selection(select=[code]))


class TestSameScore:
    def test_the_claim_counts_pairs_and_gives_the_range(self, make):
        pairs = make.agreement((0.80, 0.78, 0.76, 0.30), disagree=0.4)
        share = pairs.disagree.copy()
        share[0, 1] = share[1, 0] = 0.286
        share[1, 2] = share[2, 1] = 0.668
        (caveat,) = raised(make, "AGR301", pairs=replace(pairs, disagree=share))
        assert caveat.claim == (
            "3 of the 3 pairs of models within 5 points of score on quiz disagree on 28.6-66.8% "
            "of their common items"
        )
        assert caveat.severity == "warning"
        assert caveat.evidence["worst"][0] == {
            "a": "B",
            "b": "C",
            "n": 200,
            "disagree": 0.668,
            "low": pytest.approx(0.33),
            "high": pytest.approx(0.47),
            "score_a": 0.78,
            "score_b": 0.76,
        }

    def test_one_pair_is_told_as_one(self, make):
        pairs = make.agreement((0.80, 0.78), disagree=0.4)
        (caveat,) = raised(make, "AGR301", pairs=pairs)
        assert caveat.claim == (
            "a pair within 5 points of score on quiz disagrees on 40% of their common items"
        )

    def test_exactly_five_points_apart_is_within_five_points(self, make):
        # 0.65 - 0.60 is 0.050000000000000044 in floating point.
        assert raised(make, "AGR301", pairs=make.agreement((0.60, 0.65)))
        assert not raised(make, "AGR301", pairs=make.agreement((0.60, 0.6501)))

    def test_few_common_items_are_left_to_agr302(self, make):
        assert not raised(make, "AGR301", pairs=make.agreement((0.8, 0.8), n=29))
        assert raised(make, "AGR302", pairs=make.agreement((0.8, 0.8), n=29))

    def test_undefined_figures_match_nothing(self, make):
        nan = float("nan")
        assert not raised(make, "AGR301", pairs=make.agreement((nan, 0.8, nan)))
        assert not raised(make, "AGR301", pairs=make.agreement((0.8, 0.8), disagree=nan))

    def test_at_most_ten_pairs_are_in_the_evidence(self, make):
        names = tuple(f"m{k}" for k in range(12))
        pairs = make.agreement((0.8,) * 12, models=names)
        (caveat,) = raised(make, "AGR301", pairs=pairs)
        assert caveat.evidence["pairs"] == 66
        assert len(caveat.evidence["worst"]) == 10

    @given(
        scores=st.lists(st.one_of(st.floats(0, 1), st.just(float("nan"))), min_size=2, max_size=12),
        seed=st.integers(0, 2**32 - 1),
    )
    def test_walking_by_score_finds_what_a_look_at_all_pairs_finds(self, make, scores, seed):
        rng = np.random.default_rng(seed)
        m = len(scores)
        names = tuple(f"m{k}" for k in range(m))

        def symmetric(values):
            upper = np.triu(values, 1)
            return upper + upper.T

        pairs = replace(
            make.agreement(scores, models=names),
            n=symmetric(rng.integers(0, 60, (m, m)).astype(float)),
            low=symmetric(rng.uniform(0, 0.2, (m, m))),
        )
        naive = [
            (i, j)
            for i in range(m)
            for j in range(i + 1, m)
            if abs(scores[i] - scores[j]) <= 0.05 + 1e-9 and pairs.n[i, j] >= 30
        ]
        found = _match(pairs, LIMITS)
        assert found.judged == len(naive)
        apart = {(i, j) for i, j in naive if pairs.low[i, j] > 0.10}
        assert {(i, j) for _, i, j in found.apart} == apart

    def test_a_thousand_models_make_no_object_per_pair(self, make):
        names = tuple(f"m{k}" for k in range(1000))
        pairs = make.agreement(tuple(np.linspace(0.2, 0.9, 1000)), models=names)
        (caveat,) = raised(make, "AGR301", pairs=pairs)
        # Neighbours are 0.7 / 999 apart, so 71 of them lie within 0.05 above each model:
        # 1000 * 71 less the 71 * 72 / 2 that would stand above the best.
        assert caveat.evidence["pairs"] == 1000 * 71 - 71 * 72 // 2
        assert len(caveat.evidence["worst"]) == 10


class TestFewCommonItems:
    def test_all_models_are_named_and_the_least_come_first(self, make):
        pairs = make.agreement()
        n = pairs.n.copy()
        n[0, 1] = n[1, 0] = 12
        n[0, 2] = n[2, 0] = 0
        (caveat,) = raised(make, "AGR302", pairs=replace(pairs, n=n))
        assert caveat.claim == (
            "2 of 6 pairs of models share fewer than 30 answered items of quiz (the fewest: 0), "
            "too few to call them alike or different"
        )
        assert caveat.evidence["least"][0] == {"a": "A", "b": "C", "n": 0}
        assert caveat.evidence["models"] == ["A", "B", "C"]

    def test_two_models_are_named_in_the_claim(self, make):
        (caveat,) = raised(make, "AGR302", pairs=make.agreement((0.8, 0.3), n=2))
        assert caveat.claim.startswith("A and B share fewer than 30 answered items of quiz")


class TestPrices:
    def test_no_price_at_all(self, make):
        (caveat,) = raised(make, "CST501", models={})
        assert caveat.claim == ("no price is known for any of the 4 models; unknown is not free")
        assert caveat.severity == "info"

    @pytest.mark.parametrize("price", [None, float("nan")])
    def test_null_is_unknown_and_zero_is_a_price(self, make, price):
        models = {m: {"price_input": 0.0, "price_output": 0} for m in "ABC"}
        models["D"] = {"price_input": price, "price_output": 1.0}
        (caveat,) = raised(make, "CST501", models=models)
        assert caveat.evidence["unknown"] == ["D"]
        assert caveat.claim.startswith("no price is known for 1 of 4 models: D")

    def test_no_models_no_caveat(self, make):
        assert not raised(make, "CST501", models={}, model_names=())


def test_no_item_in_common_is_a_warning(make):
    found = make.findings(benchmark=replace(make.bench(no_overlap=True), agreement=None))
    (caveat,) = [c for c in run_rules(found, Selection()) if c.code == "AGR302"]
    assert caveat.severity == "warning"
    assert "no two of the 4 models of quiz answered the same item" in caveat.claim
