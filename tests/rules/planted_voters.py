"""VOT401, VOT403, VOT405, VOT406: who voted, and what other voters would have said."""

from dataclasses import replace

from caveat.results.ranking import Lead
from caveat.results.stress.stress import Stress
from caveat.results.stress.voters import (
    Apart,
    Disclosure,
    GroupBoard,
    GroupTest,
    Level,
    Population,
    Reading,
    Shift,
    Target,
    Turnout,
    VoterReadings,
)


def lead(leader="A", runner_up="B", *, z=5.6, separable=True):
    return Lead(
        leader=leader,
        runner_up=runner_up,
        difference=14.0,
        se=14.0 / z,
        z=z,
        win_probability=0.52,
        separable=separable,
    )


def level(name, n_voters=60, *, kind="level"):
    return Level(
        level=name,
        kind=kind,
        n_voters=n_voters,
        n_votes=12 * n_voters,
        share=n_voters / 200,
        votes_share=n_voters / 200,
        mean=12.0,
        median=10.0,
        gini=0.3,
    )


def declared(attribute="age", *, undeclared_votes=0.5):
    return Disclosure(
        attribute=attribute,
        levels=(level("young", 80), level("old"), level("not declared", kind="undeclared")),
        n_levels=2,
        undeclared=0.3,
        undeclared_votes=undeclared_votes,
    )


def cast(**changes):
    base = Reading(
        name="as cast",
        title="Every vote counts once",
        kind="cast",
        unit="vote",
        population=None,
        reference=None,
        n_votes=2400,
        n_voters=200,
        n_left_out=0,
        effective_voters=90.0,
        models=("some",),
        lead=lead(),
        first=("A",),
        method="bradley-terry",
        critical=3.1,
        converged=True,
    )
    return replace(base, **changes)


def voice(*, p=0.6, **changes):
    """Every voter counts once, and nothing changes."""
    base = cast(
        name="one voice each",
        title="Every voter counts once",
        kind="voice",
        unit="voice",
        reference="as cast",
        effective_voters=200.0,
        tau=1.0,
        shift=Shift(model="C", points=-12.0, se=6.0, z=-2.0, p=p),
    )
    return replace(base, **changes)


def population(**changes):
    base = Population(
        name="country",
        attributes=("age",),
        how="post-stratified",
        targets=(
            Target(
                attribute="age",
                level="young",
                voters=0.6,
                votes=0.7,
                population=0.4,
                weighted=0.4,
            ),
            Target(
                attribute="age", level="old", voters=0.4, votes=0.3, population=0.6, weighted=0.6
            ),
        ),
        n_voters=140,
        n_left_out=60,
        trim=5.0,
        capped=0.0,
        largest=1.5,
        design_effect=1.2,
        effective_voters=116.7,
        gap=0.0,
        rounds=1,
        converged=True,
    )
    return replace(base, **changes)


def group(name, leader="A", *, first=("A",)):
    return GroupBoard(
        level=name,
        n_voters=70,
        n_votes=900,
        models=("some",),
        lead=lead(leader, "C"),
        first=first,
        tau=0.8,
    )


def compared(attribute="age", *, p=0.4, groups=None):
    return GroupTest(
        attribute=attribute,
        groups=groups or (group("young"), group("old")),
        n_votes=1500,
        statistic=30.0,
        expected=20.0,
        degrees=3,
        p=p / 2,
        p_adjusted=p,
        replicates=1999,
        apart=Apart(model="B", above="old", below="young", points=80.0, se=20.0, z=4.0),
    )


def voters(**changes):
    """200 voters of whom half the votes come with an age, and who agree."""
    base = VoterReadings(
        turnout=Turnout(
            n_votes=2400,
            n_voters=200,
            n_anonymous=0,
            anonymous_share=0.0,
            mean=12.0,
            median=10.0,
            quantiles=((0.5, 10.0),),
            gini=0.3,
            top_1=float("nan"),
            top_10=0.3,
            effective_voters=90.0,
        ),
        declared=(declared(),),
        skipped=(),
        n_unknown=0,
        n_silent=0,
        has_table=True,
        readings=(cast(), voice()),
        populations=(population(),),
        groups=(compared(),),
        threshold=10,
        level=0.95,
        seed=0,
    )
    return replace(base, **changes)


def under(make, part):
    """Findings with a board under stress."""
    board = make.board()
    stress = Stress(board=board, parts=(part,), provenance=board.provenance)
    return make.findings(ranking=board, stress=stress)


def planted(make):
    """Pairs by code."""
    silent = under(make, voters())
    return {
        "VOT401": make.Planted(
            under(make, voters(declared=(declared(undeclared_votes=0.51),))), silent
        ),
        "VOT403": make.Planted(
            under(make, voters(readings=(cast(), voice(first=("A", "B"), joined=("B",))))),
            silent,
        ),
        "VOT405": make.Planted(
            under(make, voters(groups=(compared(p=0.05),))),
            under(make, voters(groups=(compared(p=0.051),))),
        ),
        "VOT406": make.Planted(
            under(make, voters(populations=(population(design_effect=2.0),))),
            under(make, voters(populations=(population(design_effect=1.99),))),
        ),
    }
