"""RNK214: what length explains."""

from caveat.results.board_change import BoardChange, ChangedModel
from caveat.results.control import Coefficient, Controls
from caveat.results.stress.stress import Stress
from caveat.results.stress.style import Style


def changed(model, rank, rank_after, *, tier=None, tier_after=None):
    rating, after = 1100.0 - 50 * rank, 1100.0 - 50 * rank_after
    return ChangedModel(
        model=model,
        rating=rating,
        low=rating - 10,
        high=rating + 10,
        rating_after=after,
        low_after=after - 10,
        high_after=after + 10,
        rank=rank,
        rank_after=rank_after,
        tier=tier or rank,
        tier_after=tier_after or rank_after,
    )


def change(make, *, after=None, first_tier_after=("A",), order=(1, 2, 3, 4)):
    """Four models; nothing changes unless it is said."""
    rows = zip("ABCD", (1, 2, 3, 4), order, strict=True)
    return BoardChange(
        models=tuple(changed(*row) for row in rows),
        lead=make.lead(),
        lead_after=after or make.lead(),
        critical=3.1,
        critical_after=3.1,
        first_tier=("A",),
        first_tier_after=first_tier_after,
        tau=1.0,
        n_votes=2400,
        n_votes_after=2400,
    )


def style(make, *, z=6.0, **changes):
    worth = Coefficient(
        name="chars",
        columns=("chars_a", "chars_b"),
        spread=0.5,
        points=60.0,
        se=60.0 / z,
        low=60.0 - 120 / z,
        high=60.0 + 120 / z,
        z=z,
        per_unit=120.0,
        twice=40.0,
        win_probability=0.58,
    )
    controls = Controls(
        contrast="relative",
        coefficients=(worth,),
        n_votes=2400,
        n_incomplete=0,
        cluster="item",
        n_clusters=200,
        level=0.95,
    )
    return Style(method="bradley-terry", controls=controls, change=change(make, **changes))


def under(make, *parts):
    """Findings with a board under stress."""
    board = make.board()
    stress = Stress(board=board, parts=parts, provenance=board.provenance)
    return make.findings(ranking=board, stress=stress)


def planted(make):
    """Pairs by code."""
    lost = make.lead(z=1.2, separable=False)
    return {
        "RNK214": make.Planted(
            under(make, style(make, after=lost)),
            under(make, style(make, after=lost, z=1.9)),
        ),
    }
