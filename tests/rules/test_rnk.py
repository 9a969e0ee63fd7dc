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
        limits = {"low": four[3].rating - half, "high": four[3].rating + half}
        four[3] = replace(four[3], n_votes=999, **limits)
        assert silent(make, make.board(four), "RNK204") is not fires
        # with ten times the votes that are enough, one-sided results make it wide
        four[3] = replace(four[3], n_votes=1000)
        assert silent(make, make.board(four), "RNK204")

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

    @pytest.mark.parametrize(("unit", "said"), [("share", "+/-8%"), ("skill", "+/-0.08")])
    def test_a_rating_that_is_no_number_of_points(self, make, unit, said):
        four = list(make.board().models)
        four[3] = replace(four[3], rating=0.4, low=0.32, high=0.48, n_votes=40)
        caveat = only(make, make.board(four, unit=unit), "RNK204")
        assert caveat.claim.endswith(f"D (40 votes, {said})")
        assert caveat.remedy.endswith("at least 100 votes.")
        # only an interval in points can be too wide
        four[3] = replace(four[3], rating=40.0, low=-40.0, high=120.0, n_votes=999)
        assert silent(make, make.board(four, unit=unit), "RNK204")


def test_lost_order_is_an_information_with_the_number_of_votes(make):
    board = make.board(order_known=False, n_votes=1_670_250)
    caveat = only(make, board, "RNK205")
    assert caveat.severity == "info"
    assert "the 1,670,250 votes" in caveat.claim


class TestDependent:
    def test_a_lead_that_falls_is_a_warning_with_both_z(self, make):
        board = make.board(dependence=(make.shared(z=2.6), make.shared("voter", z=3.0)))
        caveat = only(make, board, "RNK206")
        assert caveat.claim == (
            "the lead of A over B (z = 5.6) takes every vote for independent: with the votes of "
            "one item counted together z is 2.6, and 3.2 would be needed (200 items, 12 votes each "
            "on average)"
        )
        assert (caveat.severity, caveat.subject) == ("warning", "first place")
        assert [row["column"] for row in caveat.evidence["dependence"]] == ["item", "voter"]

    def test_a_larger_error_alone_is_a_notice(self, make):
        board = make.board(dependence=(make.shared(ratio=1.3), make.shared("voter", ratio=1.5)))
        caveat = only(make, board, "RNK206")
        assert caveat.claim == (
            "votes of one voter go together: counted so, the error of the lead is 1.5 times as "
            "large (z = 4.0, 3.2 is needed; 200 voters, 12 votes each on average)"
        )
        assert (caveat.severity, caveat.subject) == ("notice", "votes")

    def test_no_lead_to_lose_is_no_warning(self, make):
        lead = make.lead(z=1.2, separable=False)
        board = make.board(lead=lead, dependence=(make.shared(z=0.7, ratio=1.6),))
        assert only(make, board, "RNK206").severity == "notice"

    def test_few_clusters_are_too_few_to_lean_on(self, make):
        board = make.board(dependence=(make.shared(z=2.6, n_clusters=19),))
        assert only(make, board, "RNK206").claim.endswith(
            "(19 items, 126 votes each on average, too few to lean on)"
        )
        board = make.board(dependence=(make.shared(n_clusters=19),))
        caveat = only(make, board, "RNK206")
        assert caveat.claim == (
            "all 2,400 votes fall to 19 items, too few to say how far the ranks would hold for "
            "others"
        )
        assert caveat.severity == "notice"

    def test_one_cluster_without_an_error(self, make):
        nan = float("nan")
        one = replace(make.shared("voter", n_clusters=1), z=nan, error_ratio=nan, separable=False)
        caveat = only(make, make.board(dependence=(one,)), "RNK206")
        assert caveat.claim.startswith("all 2,400 votes fall to 1 voter, too few")
        assert caveat.to_dict()["evidence"]["dependence"][0]["z"] is None


class TestJudges:
    def test_judges_that_are_ranked_are_named_with_their_share(self, make):
        judges = make.judged(0.5, 0.3, 0.2, ranked=0.8, models=("A", "B"))
        caveat = only(make, make.board(judges=judges), "RNK207")
        assert caveat.claim == (
            "2 of 3 judges are ranked on the same board and cast 80% of the votes: j1 and j2; "
            "alone, j1 puts A first (z = 5.6 before B), j2 puts A first (z = 5.6 before B) and j3 "
            "puts A first (z = 5.6 before B)"
        )
        assert caveat.severity == "warning"
        assert caveat.evidence["judges"][0]["model"] == "A"

    def test_the_only_judge(self, make):
        judges = make.judged(1.0, ranked=1.0, models=("A",))
        assert only(make, make.board(judges=judges), "RNK207").claim == (
            "the only judge, j1 with 100% of the votes, is ranked on the same board"
        )

    def test_a_ranked_judge_of_few_votes_is_a_notice(self, make):
        judges = make.judged(0.04, 0.96, ranked=0.04, models=("A",))
        caveat = only(make, make.board(judges=judges), "RNK207")
        assert caveat.severity == "notice"
        assert caveat.claim.startswith("1 of 2 judges is ranked on the same board and casts 4% of")

    def test_judges_who_are_not_ranked_are_pooled(self, make):
        caveat = only(make, make.board(judges=make.judged(0.6, 0.4)), "RNK207")
        assert caveat.severity == "notice"
        assert caveat.claim.startswith(
            "votes of 2 judges are pooled: j1 60% and j2 40%; alone, j1 puts A first"
        )

    def test_many_people_with_few_votes_each_are_silent(self, make):
        assert silent(make, make.board(judges=make.judged(*[0.01] * 100)), "RNK207")


class TestNotConverged:
    def test_it_is_serious(self, make):
        caveat = only(make, make.board(converged=False, iterations=100), "RNK208")
        assert caveat.severity == "serious"
        assert caveat.claim.startswith("the ratings had not converged after 100 steps")

    def test_replicates_that_fell_apart_are_counted(self, make):
        board = make.board(n_bootstrap=1000, n_bootstrap_failed=12)
        caveat = only(make, board, "RNK208")
        assert caveat.severity == "notice"
        assert caveat.claim == (
            "12 of 1,000 bootstrap replicates fell apart into groups and have no ratings"
        )
