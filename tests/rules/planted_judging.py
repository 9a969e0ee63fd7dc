"""RNK217: judges side by side."""

import runpy
from pathlib import Path

from caveat.results.control import Coefficient
from caveat.results.ranking import Position
from caveat.results.stress.judging import (
    JudgedModel,
    JudgePair,
    JudgeView,
    Judging,
    OwnPreference,
)

STYLE = runpy.run_path(str(Path(__file__).parent / "planted_style.py"))


def place(points, half=8.0):
    return Position(
        advantage=points, se=half / 2, low=points - half, high=points + half, win_probability=0.5
    )


def length(twice, z=6.0):
    return Coefficient(
        name="chars",
        columns=("chars_a", "chars_b"),
        spread=0.5,
        points=1.5 * twice,
        se=1.5 * twice / z,
        low=1.5 * twice * (1 - 2 / z),
        high=1.5 * twice * (1 + 2 / z),
        z=z,
        per_unit=3 * twice,
        twice=twice,
        win_probability=0.55,
    )


def own(difference=0.28, half=0.12):
    return OwnPreference(
        models=("A", "B"),
        how="name",
        reference="human",
        n=216,
        share=0.6 + difference,
        reference_share=0.6,
        difference=difference,
        low=difference - half,
        high=difference + half,
    )


def view(make, judge, *, people=False, order="ABCD", **changes):
    fields = {
        "judge": judge,
        "people": people,
        "model": None,
        "n_votes": 1200,
        "share": 0.5,
        "tie_share": 0.1,
        "lead": make.lead(),
        "models": tuple(
            JudgedModel(
                model=m, rating=1100.0 - 50 * k, low=1090.0 - 50 * k, high=1110.0 - 50 * k, rank=k,
                tier=k,
            )
            for k, m in enumerate(order, start=1)
        ),
        "position": place(4.0),
        "length_column": "chars",
        "length": length(8.0),
        "own": None,
    }  # fmt: skip
    return JudgeView(**(fields | changes))


def judging(make, *, kappa=0.6, tiers=(1, 1), reason="", **changes):
    """Two judges, harmless as they stand; `changes` are of the second."""
    judges = (view(make, "human", people=True), view(make, "gpt-x", **changes))
    nan = float("nan")
    pair = JudgePair(
        a="human",
        b="gpt-x",
        n=0 if reason else 800,
        agree=nan if reason else 0.7,
        agree_low=nan if reason else 0.66,
        agree_high=nan if reason else 0.74,
        kappa=nan if reason else kappa,
        kappa_low=nan if reason else kappa - 0.05,
        kappa_high=nan if reason else kappa + 0.05,
        n_items=0 if reason else 80,
        tau=1.0,
        n_models=4,
        a_first_tier=tiers[0],
        b_first_tier=tiers[1],
        reason=reason,
    )
    return Judging(
        judges=judges,
        pairs=(pair,),
        matched_on=() if reason else ("item", "models", "order"),
        n_left_out=0,
        level=0.95,
    )


def planted(make):
    """Pairs by code."""
    under = STYLE["under"]
    return {
        "RNK217": make.Planted(
            under(make, judging(make, own=own())),
            under(make, judging(make, own=own(0.04, 0.01), position=place(9.0))),
        ),
    }
