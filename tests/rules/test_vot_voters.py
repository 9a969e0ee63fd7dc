"""VOT401, VOT403, VOT405, VOT406: what they say, and how grave they are."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from caveat.results.caveat import Severity
from caveat.results.parts import Untested
from caveat.results.report import Findings
from caveat.results.stress.stress import Stress
from caveat.rules.engine import Selection, not_run, run_rules

BUILD = runpy.run_path(str(Path(__file__).with_name("planted_voters.py")))
voters, voice, cast, lead, population, group, compared, declared, under = (
    BUILD[name]
    for name in (
        *("voters", "voice", "cast", "lead", "population", "group", "compared", "declared"),
        "under",
    )
)


@pytest.fixture
def raised(make):
    """The caveats of some voters, by code."""

    def run(part, **settings):
        return {c.code: c for c in run_rules(under(make, part), Selection(**settings))}

    return run


def test_nothing_is_known_of_anonymous_voters(raised):
    bare = voters(declared=(), populations=(), groups=(), readings=(cast(),))
    turnout = replace(bare.turnout, n_voters=0, n_anonymous=2400, anonymous_share=1.0)
    (caveat,) = raised(replace(bare, turnout=turnout)).values()
    assert caveat.claim == ("nothing is known of who cast the 2,400 votes: none names its voter")
    assert caveat.severity is Severity.NOTICE


def test_voters_who_are_only_numbers_are_undisclosed(raised):
    bare = voters(declared=())
    bare = replace(bare, turnout=replace(bare.turnout, n_anonymous=240, anonymous_share=0.1))
    assert raised(bare)["VOT401"].claim == (
        "nothing is known of the 200 voters behind 2,400 votes but how often they voted, and 10% "
        "of the votes name no voter"
    )


def test_the_attribute_that_is_declared_most_often_decides(raised):
    some = (declared(undeclared_votes=0.9), declared("sex", undeclared_votes=0.2))
    assert "VOT401" not in raised(voters(declared=some))
    few = (declared(undeclared_votes=0.9), declared("sex", undeclared_votes=0.6))
    assert raised(voters(declared=few))["VOT401"].claim == (
        "who voted is mostly unknown: 60% of the votes come with no declared sex, and nothing else "
        "is declared more often"
    )
    assert "VOT401" not in raised(voters(declared=few), thresholds={"VOT401": {"share": 0.7}})


def test_a_first_tier_that_grows_by_chance_is_a_notice(raised):
    found = raised(voters(readings=(cast(), voice(first=("A", "B"), joined=("B",)))))["VOT403"]
    assert found.severity is Severity.NOTICE
    assert found.claim == (
        "if every voter counts once (200 voters worth 200), the first tier is another: B joins it; "
        "the rating it moves most surely is that of C, by -12 points (p = 0.6)"
    )


def test_a_change_beyond_chance_is_a_warning(raised):
    moved = voice(p=0.0001, first=("A", "B"), joined=("B",), lead=lead(z=1.0, separable=False))
    found = raised(voters(readings=(cast(), moved)))["VOT403"]
    assert found.severity is Severity.WARNING
    assert found.claim.endswith("(p < 0.001)")


def test_a_sure_leader_that_is_surely_not_first_is_serious(raised):
    turned = voice(p=0.01, lead=lead("B", "A"), first=("B",), gone=("A",), joined=("B",))
    found = raised(voters(readings=(cast(), turned)))["VOT403"]
    assert found.severity is Severity.SERIOUS
    assert (
        "B leads (z = 5.6) instead of A (z = 5.6), and the first tier is another: A leaves it "
        in (found.claim)
    )
    unsure = cast(lead=lead(z=1.0, separable=False))
    assert raised(voters(readings=(unsure, turned)))["VOT403"].severity is Severity.WARNING
    chance = replace(turned, shift=replace(turned.shift, p=0.2))
    assert raised(voters(readings=(cast(), chance)))["VOT403"].severity is Severity.NOTICE


def test_several_readings_make_one_caveat_about_the_worst(raised):
    grown = voice(first=("A", "B"), joined=("B",))
    weighted = voice(
        p=0.01,
        name="country: every vote",
        kind="population",
        unit="vote",
        population="country",
        first=("B",),
        gone=("A",),
        joined=("B",),
        n_voters=140,
        effective_voters=100.0,
    )
    found = raised(voters(readings=(cast(), grown, weighted)))["VOT403"]
    assert found.severity is Severity.SERIOUS
    assert found.claim.startswith(
        "with voters in the shares of country, all their votes (140 voters worth 100), the first"
    )
    assert found.claim.endswith("; so does 1 other reading")
    assert [row["reading"] for row in found.evidence["readings"]] == [
        "one voice each",
        "country: every vote",
    ]


def test_a_reading_without_a_board_changes_nothing(raised):
    none = voice(models=(), lead=None, first=(), shift=None, reason="out of reach")
    assert "VOT403" not in raised(voters(readings=(cast(), none)))


def test_groups_that_share_a_first_are_a_notice_and_others_a_warning(raised):
    alike = raised(voters(groups=(compared(p=0.01),)))["VOT405"]
    assert alike.severity is Severity.NOTICE
    assert alike.claim == (
        "voters who differ in age rank differently (p = 0.01): B stands 80 points higher with old "
        "than with young (z = 4.0)"
    )
    apart = (group("young"), group("old", "B", first=("B", "C")))
    both = (compared(p=0.01, groups=apart), compared("sex", p=0.02))
    found = raised(voters(groups=both))["VOT405"]
    assert found.severity is Severity.WARNING
    assert found.claim.endswith("; young puts A first and old puts B first; also by sex")


def test_small_differences_can_be_let_pass(raised):
    part = voters(groups=(compared(p=0.01),))
    assert "VOT405" not in raised(part, thresholds={"VOT405": {"points": 81}})
    assert "VOT405" not in raised(part, thresholds={"VOT405": {"p": 0.005}})


def test_a_test_that_could_not_run_says_nothing(raised):
    none = replace(compared(), p=float("nan"), p_adjusted=float("nan"), reason="too few")
    assert "VOT405" not in raised(voters(groups=(none,)))


def test_a_population_out_of_reach_is_a_warning(raised):
    why = "no voter has the age oldest (20.0%) of the population"
    found = raised(voters(populations=(population(reason=why, how="raked"),)))["VOT406"]
    assert found.severity is Severity.WARNING
    assert found.claim == f"voters cannot stand for country: {why}"


def test_what_weights_cost_is_a_notice(raised):
    young, old = population().targets
    short = population(
        targets=(replace(young, weighted=0.45), replace(old, weighted=0.55)),
        design_effect=2.5,
        effective_voters=56.0,
    )
    found = raised(voters(populations=(short,)))["VOT406"]
    assert found.severity is Severity.NOTICE
    assert found.claim == (
        "voters stand for country at a price: weights of at most 5 times the mean leave young at "
        "45% where the population has 40% and 140 voters are worth 56 (design effect 2.5)"
    )
    assert [row["level"] for row in found.evidence["missed"]] == ["young", "old"]
    unnamed = population(unnamed=0.06)
    assert raised(voters(populations=(unnamed,)))["VOT406"].claim.endswith(
        "6% of them have a level that its margins do not name"
    )
    few = population(unnamed=float("nan"))  # too few to be told of
    assert "VOT406" not in raised(voters(populations=(few,)))


def test_each_population_has_its_own_caveat(make):
    part = voters(populations=(population(reason="x"), population(name="world", reason="y")))
    found = run_rules(under(make, part), Selection(select=["VOT406"]))
    assert [caveat.subject for caveat in found] == ["country", "world"]


def test_why_voters_could_not_be_asked_is_listed(make):
    board = make.board()
    stress = Stress(board=board, untested=(Untested(part="voters", why="a voter is there twice"),))
    listed = not_run(Findings(ranking=board, stress=stress), Selection(select=["VOT40"]))
    assert ("VOT405 groups of voters rank differently", "a voter is there twice") in [
        (one.check, one.why) for one in listed
    ]
