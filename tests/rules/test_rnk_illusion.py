"""What RNK212, RNK213, RNK216, GOV801 and GOV802 say, and how gravely."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from caveat.results.parts import Untested
from caveat.results.stress.connections import Holder
from caveat.results.stress.stress import Stress
from caveat.rules.engine import Selection, not_run, run_rules

BUILD = runpy.run_path(str(Path(__file__).parent / "planted_illusion.py"))


@pytest.fixture
def said(make):
    def run(part, code, **thresholds):
        selection = Selection(select=[code], thresholds={code: thresholds} if thresholds else None)
        (caveat,) = run_rules(BUILD["stressed"](make, part), selection)
        return caveat

    return run


@pytest.fixture
def silent(make):
    def run(part, code):
        return run_rules(BUILD["stressed"](make, part), Selection(select=[code])) == ()

    return run


def why_not(make, code, *, part=None, **untested):
    board = make.board()
    stress = Stress(
        board=board,
        parts=(part,) if part else (),
        untested=tuple(Untested(part=name, why=why) for name, why in untested.items()),
    )
    found = not_run(make.findings(ranking=board, stress=stress), Selection(select=[code]))
    return [one.why for one in found]


# ---- RNK213 ------------------------------------------------------------------------


def test_votes_that_fell_unequally(said):
    caveat = said(BUILD["sampling"](1.9, 0.7, 0.7, 0.7, gini=0.45), "RNK213")
    assert caveat.claim == (
        "votes fell unequally: the model shown most, of 4, holds 30% of all places (Gini 0.45), A "
        "with 2,280 the most"
    )
    assert (caveat.severity, caveat.subject) == ("notice", "board")


def test_a_leader_shown_twice_as_often(said):
    caveat = said(BUILD["sampling"](2.0, 0.7, 0.7, 0.6), "RNK213")
    assert "; in the first tier A had 2.0 times an even share" in caveat.claim
    assert (caveat.severity, caveat.subject) == ("warning", "A")


def test_a_provider_shown_twice_as_often(said):
    found = BUILD["sampling"](1.0, 1.0, 1.0, 1.0, providers=(BUILD["maker"](2.0),))
    caveat = said(found, "RNK213")
    assert caveat.claim.endswith("of the providers P 50%, 2.0 times an even share")
    assert caveat.severity == "notice"
    own = replace(found, models=(BUILD["shown"]("A", provider="P"), *found.models[1:]))
    assert said(own, "RNK213").severity == "warning"


def test_time_on_the_board_is_allowed_for(said, silent):
    found = replace(BUILD["sampling"](1.9, 0.7, 0.7, 0.7, gini=0.6), gini_relative=0.3, dated=True)
    assert silent(found, "RNK213")
    assert said(replace(found, gini_relative=0.5), "RNK213").claim.count("time on the board") == 1


def test_small_boards_are_passed_over(silent):
    found = BUILD["sampling"](2.5, 0.5, 0.5, 0.5, gini=0.6)
    assert silent(replace(found, models=found.models[:3]), "RNK213")


def test_what_sampling_cannot_be_judged_by(make):
    times, provider = why_not(make, "RNK213", part=BUILD["sampling"](1.0, 1.0, 1.0, 1.0))
    assert "no times" in times
    assert "names a provider" in provider
    assert why_not(make, "RNK213", sampling="no reason") == ["no reason"]


# ---- RNK212 ------------------------------------------------------------------------


def test_two_camps(said):
    caveat = said(BUILD["connections"](share=0.05), "RNK212")
    assert caveat.claim == (
        "2 of 4 models have only 5% of their votes (120) with the other 2: C and D"
    )
    assert (caveat.severity, caveat.subject) == ("notice", "board")


def test_a_model_that_holds_others(said):
    caveat = said(BUILD["connections"](holders=(Holder(model="B", holds=("C", "D")),)), "RNK212")
    assert caveat.claim == "B alone ties C and D to the rest"


def test_a_lead_through_one_model(said):
    row = BUILD["comparison"](through_share=0.6, n_votes=10, direct=0.1)
    caveat = said(BUILD["connections"](comparisons=(row,)), "RNK212")
    assert caveat.claim == "60% of what the votes say about A against B comes through one model, C"
    assert (caveat.severity, caveat.subject) == ("warning", "first place")


def test_models_never_shown_together(said, silent):
    row = BUILD["comparison"](above="B", below="C", rank_above=2, rank_below=3, together=0)
    caveat = said(BUILD["connections"](comparisons=(BUILD["comparison"](), row)), "RNK212")
    assert caveat.claim == (
        "1 of 2 pairs among the best 4 was never on the board on the same day (B and C), and is "
        "compared through others only"
    )
    assert caveat.severity == "notice"
    lead = BUILD["comparison"](together=0)
    assert said(BUILD["connections"](comparisons=(lead, row)), "RNK212").severity == "warning"
    unknown = replace(row, together=None)
    assert silent(BUILD["connections"](comparisons=(unknown,)), "RNK212")


def test_three_models_are_passed_over(silent):
    assert silent(BUILD["connections"](share=0.01, n_models=3), "RNK212")


# ---- RNK216 ------------------------------------------------------------------------


def test_departures_beyond_noise(said):
    caveat = said(BUILD["fit"](tau=0.03), "RNK216")
    assert caveat.claim == (
        "win shares of pairs stray from what the ratings say by 3.0 points (1.5 to 6.0), noise "
        "left out, most for D (6.0); counted as noise, that brings the lead of A from z = 5.6 to "
        "4.5 (3.1 would be needed)"
    )
    assert (caveat.severity, caveat.subject) == ("notice", "board")
    assert said(BUILD["fit"](tau=0.05), "RNK216").severity == "warning"
    assert said(BUILD["fit"](tau=0.03), "RNK216", grave=0.03).severity == "warning"


def test_departures_that_may_be_noise(silent):
    assert silent(BUILD["fit"](tau=0.3, p=0.02), "RNK216")


def test_a_lead_lost_to_small_departures(said, silent):
    lost = BUILD["lead_fit"](departing=3.0)
    caveat = said(BUILD["fit"](tau=0.01, lead=lost), "RNK216")
    assert (caveat.severity, caveat.subject) == ("warning", "first place")
    assert "from z = 5.6 to 3.0 (3.1 would be needed)" in caveat.claim
    assert silent(BUILD["fit"](tau=0.01, p=0.2, lead=lost), "RNK216")


def test_a_lead_that_did_not_count_is_not_mentioned(said):
    caveat = said(BUILD["fit"](tau=0.03, lead=BUILD["lead_fit"](z=1.0, departing=0.9)), "RNK216")
    assert "lead" not in caveat.claim


def test_more_circles_than_noise_makes(said, silent):
    rounds = BUILD["circles"](n_triples=400, n_cyclic=90, expected=60.2, low=40, high=80, p=0.002)
    caveat = said(BUILD["fit"](tau=0.0, p=0.5, cycles=rounds), "RNK216")
    assert caveat.claim == (
        "90 of 400 triples of models beat each other in a circle, where the ratings expect 60 "
        "(40 to 80)"
    )
    assert caveat.severity == "notice"
    assert silent(BUILD["fit"](tau=0.0, p=0.5, cycles=replace(rounds, p=0.02)), "RNK216")


def test_a_circle_beyond_chance(said):
    one = BUILD["circles"](n_cyclic=1, n_beyond_doubt=1, listed=(BUILD["CIRCLE"],))
    caveat = said(BUILD["fit"](tau=0.0, p=0.5, cycles=one), "RNK216")
    assert caveat.claim == (
        "1 circle of three is beyond chance in every pair: A beats B, B beats C, and C beats A"
    )
    assert caveat.evidence["cycles"] == [["A", "B", "C"]]


def test_why_fit_was_not_judged(make):
    assert why_not(make, "RNK216", fit="weights") == ["weights"]


# ---- GOV801 ------------------------------------------------------------------------


def test_the_best_of_ten(said):
    picked = BUILD["variant"](number=10, inflation=6.15)
    caveat = said(BUILD["variants"](picked, inflation=6.15), "GOV801")
    assert caveat.claim == (
        "A is the best of 10 variants tested in private: by luck alone that adds 6.2 points to its "
        "rating (0.56 standard errors of 4.0), and it leads B by 14.0"
    )
    assert (caveat.severity, caveat.subject) == ("warning", "A")
    assert said(BUILD["variants"](picked, inflation=3.4), "GOV801").severity == "notice"


def test_votes_since_dilute_luck(said):
    picked = replace(BUILD["variant"]("C", inflation=8.0), carried=2.0)
    caveat = said(BUILD["variants"](picked, BUILD["variant"]("D"), inflation=0.0), "GOV801")
    assert "of which 2.0 are left today)" in caveat.claim
    assert caveat.claim.endswith("; 1 more was picked so")
    assert "leads" not in caveat.claim
    assert caveat.severity == "notice"


def test_without_a_registry_luck_is_set_against_the_lead(make):
    (why,) = why_not(make, "GOV801", part=BUILD["variants"]())
    assert "no registry of variants" in why
    assert why.endswith("to make the lead of A by luck alone, 5 equal variants would do")
    far = replace(BUILD["variants"](), lead=BUILD["lucky"](enough=float("inf")))
    assert "no number would do" in why_not(make, "GOV801", part=far)[0]


def test_a_registry_that_names_nobody_is_told(make):
    odd = replace(BUILD["variants"](BUILD["variant"]()), unmatched=("Q",))
    assert why_not(make, "GOV801", part=odd) == [
        "[variants] names Q, which is no rated model and no provider of one"
    ]


# ---- GOV802 ------------------------------------------------------------------------


def test_models_that_went_without_a_word(said):
    caveat = said(BUILD["removal"](BUILD["gone"]()), "GOV802")
    assert caveat.claim == (
        "1 of 4 models stopped appearing, and no table says why: D (last 2024-03-01); without all "
        "that are gone the order of the other 3 stays"
    )
    assert (caveat.severity, caveat.subject) == ("notice", "D")


def test_an_order_that_changes_without_them(said):
    turned = BUILD["refit"](swapped=2, certain=0)
    caveat = said(BUILD["removal"](BUILD["gone"](), refitted=turned, declared=True), "GOV802")
    assert "though nothing declares them retired" in caveat.claim
    assert caveat.claim.endswith("2 of 3 pairs of the others change places (0 that seemed certain)")
    assert caveat.severity == "notice"
    sure = BUILD["refit"](swapped=2, certain=1)
    assert said(BUILD["removal"](BUILD["gone"](), refitted=sure), "GOV802").severity == "warning"


def test_another_first_place_without_them(said):
    turned = BUILD["refit"](swapped=1, after="B")
    caveat = said(BUILD["removal"](BUILD["gone"](), BUILD["gone"]("C"), refitted=turned), "GOV802")
    assert caveat.claim.endswith("and B leads instead of A")
    assert (caveat.severity, caveat.subject) == ("warning", "board")


def test_too_few_left_to_rate(said):
    found = replace(BUILD["removal"](BUILD["gone"]()), refit=None)
    assert said(found, "GOV802").claim.endswith("D (last 2024-03-01)")


def test_without_times_nothing_is_seen_to_stop(make):
    untimed = replace(BUILD["removal"](BUILD["gone"](retired=True), declared=True), end=None)
    (why,) = why_not(make, "GOV802", part=untimed)
    assert "no times" in why
    assert why_not(make, "GOV802", removal="neither") == ["neither"]
