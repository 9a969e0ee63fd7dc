"""VOT404: voters who vote unlike the others."""

from dataclasses import replace

from caveat.results.board_change import BoardChange, ChangedModel
from caveat.results.stress.rigging import Burst, FlaggedVoter, LoyalVoter, Reach, Rigging
from caveat.results.stress.rigging import WithoutFlagged as Left
from caveat.results.stress.stress import Stress


def voter(name="v7", **changes):
    base = FlaggedVoter(
        voter=name,
        n_votes=60,
        n_compared=50,
        log10_e=12.3,
        pattern="for",
        model="D",
        n_about=40,
        n_following=39,
        share=0.975,
        expected=0.3,
        found_by=("history",),
    )
    return replace(base, **changes)


def left(lead, *, after=None, order=(1, 2, 3, 4)):
    """The board of four without the voter."""
    models = tuple(
        ChangedModel(
            model=name,
            rating=1000.0 - 50 * rank,
            low=990.0 - 50 * rank,
            high=1010.0 - 50 * rank,
            rating_after=1000.0 - 50 * rank_after,
            low_after=990.0 - 50 * rank_after,
            high_after=1010.0 - 50 * rank_after,
            rank=rank,
            rank_after=rank_after,
            tier=rank,
            tier_after=rank_after,
        )
        for name, rank, rank_after in zip("ABCD", (1, 2, 3, 4), order, strict=True)
    )
    change = BoardChange(
        models=models,
        lead=lead,
        lead_after=after or lead,
        critical=3.1,
        critical_after=3.1,
        first_tier=("A",),
        first_tier_after=("A",),
        tau=1.0,
        n_votes=2400,
        n_votes_after=2340,
    )
    return Left(n_votes=2340, change=change)


def rigging(flagged=(), *, without=None, **changes):
    """100 voters, 90 of them tested."""
    base = Rigging(
        n_votes=2400,
        n_unnamed=0,
        n_voters=100,
        n_tested=90,
        n_untestable=10,
        fdr=0.05,
        log10_threshold=3.255,
        flagged=tuple(flagged),
        n_flagged=len(flagged),
        n_flagged_votes=sum(one.n_votes for one in flagged),
        n_cleared=0,
        loyal=(),
        n_loyal=0,
        correlation=0.02,
        bursts=(),
        n_bursts=0,
        order="rows",
        order_reason="",
        without=without,
        reach=(Reach(model="B", place="runner-up", power=0.8, n_votes=35),),
        top_log10_e=(*(one.log10_e for one in flagged), 1.5, 0.2, -0.7),
        min_votes=5,
        within=(),
        window=600.0,
        seed=0,
    )
    return replace(base, **changes)


def burst(name="v7"):
    return Burst(
        voter=name,
        model_a="A",
        model_b="B",
        outcome="tie",
        n_votes=14,
        seconds=float("nan"),
        usual=0.03,
        log10_e=6.5,
    )


def loyal(name="v7"):
    return LoyalVoter(
        voter=name, model="D", n_votes=40, n_backed=39, share=0.975, expected=0.3, p=1e-9
    )


def under(make, part):
    """Findings with a board under stress."""
    board = make.board()
    stress = Stress(board=board, parts=(part,), provenance=board.provenance)
    return make.findings(ranking=board, stress=stress)


def planted(make):
    """Pairs by code."""
    return {
        "VOT404": make.Planted(
            under(make, rigging([voter()], without=left(make.lead()))),
            under(make, rigging()),
        ),
    }
