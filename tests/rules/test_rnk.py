"""What the RNK rules say, and how gravely."""

from dataclasses import replace

import numpy as np
import pytest

from caveat.results.ranking import Group
from caveat.rules.engine import Selection, run_rules


def only(make, board, code, **thresholds):
    selection = Selection(select=[code], thresholds={code: thresholds})
    (caveat,) = run_rules(make.findings(ranking=board), selection)
    return caveat


def silent(make, board, code, **thresholds):
    selection = Selection(select=[code], thresholds={code: thresholds})
    return run_rules(make.findings(ranking=board), selection) == ()


class TestNotSeparable:
    def test_the_claim_names_the_tier_the_z_and_what_would_be_needed(self, make):
        board = make.board(tiers=(1, 1, 1, 2), lead=make.lead(z=1.2, separable=False))
        caveat = only(make, board, "RNK201")
        assert caveat.claim == (
            "ranks 1-3 are not separable: A, B and C share the first tier (z = 1.2 between the "
            "first two, 3.1 would be needed); 4 of 4 ranks are certain"
        )
        assert caveat.severity == "warning"
        assert caveat.evidence["critical"] == 3.1

    def test_ranks_that_could_be_another_are_not_certain(self, make):
        board = make.board(tiers=(1, 1, 2, 3), lead=make.lead(z=1.2, separable=False))
        models = tuple(replace(m, rank_low=1, rank_high=2) for m in board.models[:2])
        board = replace(board, models=models + board.models[2:])
        assert only(make, board, "RNK201").claim.endswith("2 of 4 ranks are certain")

    def test_a_model_far_down_may_share_the_tier(self, make):
        caveat = only(make, make.board(tiers=(1, 2, 3, 1)), "RNK201")
        assert caveat.claim.startswith(
            "first place is not separable: A and D share the first tier (z = 5.6 between the "
            "first two, but others are less certain)"
        )

    def test_a_distance_without_an_error_is_not_given_a_z(self, make):
        lead = make.lead(z=float("nan"), separable=False)
        caveat = only(make, make.board(tiers=(1, 1, 1, 1), lead=lead), "RNK201")
        assert "(no error is known for the distance of the first two)" in caveat.claim
        assert caveat.to_dict()["evidence"]["z"] is None

    def test_a_tier_of_an_allowed_size_is_silent(self, make):
        board = make.board(tiers=(1, 1, 2, 3), lead=make.lead(z=1.2, separable=False))
        assert silent(make, board, "RNK201", models=2)

    def test_a_board_without_a_lead_is_silent(self, make):
        assert silent(make, make.board(lead=None), "RNK201")


class TestDisconnected:
    def test_each_group_is_named_with_its_relation(self, make):
        groups = (
            Group(models=("A", "B"), relation="main", n_votes=900),
            Group(models=("X",), relation="unbeaten", n_votes=40),
            Group(models=("Y",), relation="winless", n_votes=30),
            Group(models=("Z", "W"), relation="isolated", n_votes=20),
        )
        models = [make.rated("A"), make.rated("B", rank=2, tier=2), *map(make.unrated, "XYZW")]
        caveat = only(make, make.board(models, groups=groups), "RNK202")
        assert caveat.claim == (
            "the votes tie 2 of 6 models into one board, the others have no rating: X was never "
            "beaten or tied by the rest; Y never beat or tied the rest; Z and W never met the rest"
        )
        assert caveat.severity == "serious"
        assert caveat.evidence["groups"][3] == {
            "models": ["Z", "W"],
            "relation": "isolated",
            "n_votes": 20,
        }

    def test_a_ladder_ties_no_two_models(self, make):
        groups = tuple(
            Group(models=(m,), relation=r, n_votes=10)
            for m, r in (("A", "main"), ("B", "winless"), ("C", "between"))
        )
        board = make.board([make.unrated(m) for m in "ABC"], groups=groups, lead=None)
        caveat = only(make, board, "RNK202")
        assert caveat.claim.startswith("the votes tie no two of 3 models into one board")
        assert "C beat some and lost to others but never both ways" in caveat.claim


class TestThin:
    def test_one_opponent_is_thin_and_the_model_is_named(self, make):
        board = make.board()
        board = replace(board, models=(*board.models[:3], replace(board.models[3], n_opponents=1)))
        caveat = only(make, board, "RNK203")
        assert caveat.claim == (
            "the rating of D rests almost wholly on votes against one opponent, on a board of 4 "
            "models"
        )
        assert caveat.severity == "notice"

    def test_it_is_graver_for_a_model_of_the_first_tier(self, make):
        board = make.board()
        board = replace(board, models=(replace(board.models[0], n_opponents=1), *board.models[1:]))
        assert only(make, board, "RNK203").severity == "warning"

    def test_a_small_board_has_few_opponents_by_nature(self, make):
        two = [make.rated("A", n_opponents=1), make.rated("B", rank=2, tier=2, n_opponents=1)]
        assert silent(make, make.board(two), "RNK203")

    def test_unrated_models_are_left_to_rnk202(self, make):
        models = [*make.board().models, replace(make.unrated("E"), n_opponents=1)]
        assert silent(make, make.board(models, votes=400.0 * (1 - np.eye(5))), "RNK203")


class TestTooFewVotes:
    def test_votes_and_width_are_told(self, make):
        four = list(make.board().models)
        four[3] = replace(four[3], n_votes=40, low=four[3].rating - 80, high=four[3].rating + 80)
        caveat = only(make, make.board(four), "RNK204")
        assert caveat.claim == (
            "1 of 4 rated models has too few votes for a useful rating: D (40 votes, +/-80 points)"
        )
        assert caveat.severity == "notice"

    @pytest.mark.parametrize(("half", "fires"), [(50, False), (50.5, True)])
    def test_a_wide_interval_alone_is_enough(self, make, half, fires):
        four = list(make.board().models)
        four[3] = replace(four[3], low=four[3].rating - half, high=four[3].rating + half)
        assert silent(make, make.board(four), "RNK204") is not fires

    def test_a_model_without_an_interval_counts(self, make):
        nan = float("nan")
        four = list(make.board().models)
        four[3] = replace(four[3], low=nan, high=nan, se=nan)
        assert only(make, make.board(four), "RNK204").claim.endswith("D (1,200 votes, no interval)")

    def test_it_is_graver_at_the_top_or_for_half_of_the_board(self, make):
        four = list(make.board().models)
        top = [replace(four[0], n_votes=9), *four[1:]]
        half = [*four[:2], *(replace(m, n_votes=9) for m in four[2:])]
        assert only(make, make.board(top), "RNK204").severity == "warning"
        assert only(make, make.board(half), "RNK204").severity == "warning"

    def test_the_limits_can_be_changed(self, make):
        assert silent(make, make.weak_board(60), "RNK204", min_votes=50)


def test_lost_order_is_an_information_with_the_number_of_votes(make):
    board = make.board(order_known=False, n_votes=1_670_250)
    caveat = only(make, board, "RNK205")
    assert caveat.severity == "info"
    assert "the 1,670,250 votes" in caveat.claim
