import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import caveat
from caveat.data.matrix import response_matrix
from caveat.errors import InputError, TooFewError
from caveat.stats.comparison.crowd import crowd


def asked(evidence, benchmark="bench", **options):
    return crowd(response_matrix(evidence, benchmark), **options)


def simulated(seed=0, *, n=100, shares=(0.8, 0.7, 0.6, 0.5), shared=0.0):
    """Rows of models right on shares of items, which are hard for all on a part of them."""
    rng = np.random.default_rng(seed)
    hard = rng.random(n) < shared
    return [
        {
            "item": f"q{i:03d}",
            "model": f"m{j}",
            "target": "A",
            "prediction": "B" if hard[i] else "A" if rng.random() < p else "BCD"[rng.integers(3)],
            "n_options": 4,
        }
        for i in range(n)
        for j, p in enumerate(shares)
    ]


def test_by_hand(grid):
    # Right, gold A: items 0-3 all; 4 two of three; 5 one against two alike; 6 one against two
    # apart (a tie of three: 1/3); 7 none, all on B. Votes right: 4 + 1 + 0 + 1/3 + 0 of 8.
    found = asked(grid("A" * 8, x="AAAAAAAB", y="AAAAABBB", z="AAAABBCB"))
    assert found.plurality == pytest.approx((5 + 1 / 3) / 8)
    assert found.tied == 1
    assert found.best_single == pytest.approx(7 / 8)
    assert (found.unanimous.items, found.unanimous.wrong) == (5, 1)
    assert found.unanimous.accuracy == pytest.approx(0.8)
    shares = [(row.from_share, row.items, row.accuracy) for row in found.by_majority]
    assert shares == [
        (0.3, 1, pytest.approx(1 / 3)),
        (0.6, 2, pytest.approx(0.5)),
        (1.0, 5, pytest.approx(0.8)),
    ]
    trio = found.trios.best_majority
    assert (trio.majority, trio.covered) == (pytest.approx(found.plurality), pytest.approx(7 / 8))
    assert found.trios.tried == 1
    # More than half right on 5 of 8.
    assert found.errors.majority == pytest.approx(5 / 8)


def test_copies_of_one_model_are_that_model(grid):
    letters = "AABAABABBA" * 3
    found = asked(grid("A" * 30, x=letters, y=letters, z=letters))
    assert found.plurality == found.best_single == pytest.approx(0.6)
    assert found.errors.effective == pytest.approx(1)
    assert found.unanimous.items == 30
    assert found.trios.held_out.gain == 0
    assert all(row.gain == 0 for row in found.by_size)


def test_a_vote_helps_models_that_err_apart(responses):
    found = asked(responses(simulated(n=600, shares=(0.65,) * 5)))
    best = found.by_size[-1]
    assert best.k == 5
    assert best.gain_low > 0
    assert found.errors.effective > 4
    assert found.errors.majority == pytest.approx(found.errors.majority_if_independent, abs=0.06)


def test_a_vote_does_not_help_where_all_err_together(responses):
    found = asked(responses(simulated(n=600, shares=(0.98,) * 5, shared=0.3)))
    assert found.errors.effective < 1.2
    assert found.unanimous.wrong / found.unanimous.items > 0.25
    assert found.unanimous.if_independent > 0.99
    assert found.errors.majority_if_independent - found.errors.majority > 0.1


def test_three_are_judged_on_other_items_than_they_are_chosen_on(responses):
    found = asked(responses(simulated(n=120, shares=(0.5,) * 9)))
    held = found.trios.held_out
    assert held.folds == 5
    assert held.in_sample_gain > held.gain
    assert found.trios.tried == 84


def test_models_that_lack_most_items_are_left_out(grid):
    gold = "A" * 20
    found = asked(grid(gold, x="A" * 20, y="AB" * 10, z="A" * 15 + "B" * 5, w="AAB" + " " * 17))
    assert found.left_out == ("w",)
    assert found.n_items == 20
    other = asked(grid(gold, x="A" * 20, y="AB" * 10, z="A" * 15 + " " * 5))
    assert (other.left_out, other.n_items) == ((), 15)
    assert "15 of 20 items" in other.notes[0]


def test_items_of_one_cluster_stay_in_one_fold(responses):
    rows = [{**row, "cluster": row["item"][:3]} for row in simulated(n=100)]
    found = asked(responses(rows))
    wide = asked(responses(simulated(n=100)))
    assert found.plurality == wide.plurality
    assert found.high - found.low != wide.high - wide.low


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 1000))
def test_order_of_rows_and_names_of_answers_play_no_part(responses, seed):
    rows = simulated(seed=2, n=60)
    names = dict(zip("ABCD", np.random.default_rng(seed).permutation(list("WXYZ")), strict=True))
    other = [{**row, "target": names["A"], "prediction": names[row["prediction"]]} for row in rows]
    np.random.default_rng(seed).shuffle(other)
    assert asked(responses(rows)).to_dict() == asked(responses(other)).to_dict()


def test_everything_as_plain_data(responses):
    found = asked(responses(simulated()))
    plain = found.to_dict()["crowd"]
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert found.to_arrow().num_rows == 4


class TestBadInput:
    def test_all_right_and_all_wrong(self, grid):
        for letters, share in (("A" * 30, 1), ("B" * 30, 0)):
            found = asked(grid("A" * 30, x=letters, y=letters, z=letters))
            assert found.plurality == share
            assert found.errors is None
            assert "sometimes right" in found.reasons["errors"]
            json.dumps(found.to_dict(), allow_nan=False)

    def test_one_item_has_no_items_held_out(self, grid):
        found = asked(grid("A", x="A", y="B", z="B"))
        assert found.plurality == 0
        assert math.isnan(found.by_size[0].accuracy)
        assert math.isnan(found.trios.held_out.gain)
        json.dumps(found.to_dict(), allow_nan=False)

    def test_one_model_and_no_common_items(self, grid):
        with pytest.raises(TooFewError):
            asked(grid("AAA", x="AAB"))
        with pytest.raises(TooFewError):
            asked(grid("AAAA", x="AB  ", y="  AB"))

    def test_two_models_have_no_threes(self, grid):
        found = asked(grid("A" * 20, x="AB" * 10, y="AAB" * 6 + "AA"))
        assert found.trios is None
        assert found.reasons["trios"] == "needs at least 3 models, got 2"

    def test_no_readable_answer_is_wrong(self, grid):
        found = asked(grid("AA", x="..", y=".."))
        assert found.plurality == 0
        assert found.by_majority == ()
        assert found.unanimous.items == 0

    def test_scores_without_predictions(self, responses):
        rows = [{"item": str(i), "model": m, "score": 1.0} for i in range(3) for m in "xy"]
        with pytest.raises(InputError, match="predictions"):
            asked(responses(rows))

    def test_answers_that_are_not_told_cannot_be_counted(self, responses):
        rows = [
            {**row, "score": float(row["prediction"] == "A"), "prediction": None}
            for row in simulated(n=40)
        ]
        with pytest.raises(InputError, match="scored as right"):
            asked(responses(rows))

    @pytest.mark.parametrize("scores", [(0.0, 0.25, 1.0), (0.0, 5.0, -3.0, 100.0)])
    def test_scores_that_are_neither_right_nor_wrong_make_no_crowd(self, responses, scores):
        rows = [{**row, "score": scores[k % len(scores)]} for k, row in enumerate(simulated(n=40))]
        with pytest.raises(InputError, match=rf"bench must be 0 or 1 .*, got {scores[1]:g}"):
            asked(responses(rows))

    def test_errors_that_avoid_each_other_are_worth_no_number_of_models(self, grid):
        # one right where the other is wrong: correlation -1, design effect 0
        found = asked(grid("AAAA", x="AABB", y="BBAA"))
        assert found.errors.avoid
        assert not asked(grid("AAAA", x="AABB", y="AABB")).errors.avoid

    def test_free_text(self, responses):
        rows = [
            {
                **row,
                "target": f"{row['item']} A",
                "prediction": f"{row['item']} {row['prediction']}",
            }
            for row in simulated()
        ]
        for row in rows:
            del row["n_options"]
        found, letters = asked(responses(rows)), asked(responses(simulated()))
        assert found.plurality == letters.plurality
        assert found.trios == letters.trios
        assert found.reasons["if_independent"] == "the number of options is unknown"


@pytest.mark.slow
def test_the_interval_of_a_held_out_gain_covers(responses):
    """Nine equal models: whoever is chosen, a vote of three gains as much as three strangers do."""
    covered = 0
    # Right with 0.6, wrong on one of three: all or two right, or one right against two apart (1/3
    # of it, 2/3 of the time).
    truth = 0.6**3 + 3 * 0.36 * 0.4 + 3 * 0.6 * 0.16 * (2 / 3) / 3 - 0.6
    for seed in range(120):
        rows = simulated(seed, n=150, shares=(0.6,) * 9)
        held = asked(responses(rows)).trios.held_out
        covered += held.low < truth < held.high
    assert abs(covered / 120 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 120)


@pytest.mark.shared
def test_mmlu_pro(shared):
    found = asked(caveat.read_responses(shared / "items" / "mmlu_pro.parquet"), "mmlu_pro")
    assert found.n_items == 10_326
    assert found.plurality == pytest.approx(0.6121, abs=1e-4)
    assert found.best_single == pytest.approx(0.7179, abs=1e-4)
    assert found.unanimous.items == 249
    assert found.unanimous.accuracy == pytest.approx(0.951, abs=1e-3)
    assert found.errors.effective == pytest.approx(2.59, abs=0.01)
    assert found.errors.majority_if_independent == pytest.approx(0.190, abs=1e-3)
    assert found.errors.majority == pytest.approx(0.387, abs=1e-3)
    assert found.errors.majority_if_correlated == pytest.approx(0.400, abs=1e-3)
    assert found.trios.best_cover.covered == pytest.approx(0.8366, abs=1e-4)
