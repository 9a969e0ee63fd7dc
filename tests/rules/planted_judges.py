"""AGR325 to AGR327: judges that turn, that do not pass for people, that toss a coin."""

import runpy
from dataclasses import replace
from pathlib import Path

from caveat.results.comparison.judges import (
    JudgesOfPairs,
    OrderTurned,
    PairJudge,
    Preference,
    TwoJudges,
)

OUTCOME = runpy.run_path(str(Path(__file__).parent / "planted_annotators.py"))["outcome"]


def turned(consistent=0.92, half=0.04, **changes):
    fields = {
        "n": 100,
        "consistent": consistent,
        "low": consistent - half,
        "high": consistent + half,
        "first_both": 6,
        "second_both": 2,
        "first_share": 0.75,
        "p": 0.29,
        "n_right_both": 70,
        "n_gold": 100,
    }
    return OrderTurned(**(fields | changes))


def judge(name="m", *, kappa=0.6, half=0.15, **changes):
    fields = {
        "judge": name,
        "n": 100,
        "n_unread": 0,
        "accuracy": 0.5 + kappa / 2,
        "low": 0.4 + kappa / 2,
        "high": 0.6 + kappa / 2,
        "kappa": kappa,
        "kappa_low": kappa - half,
        "kappa_high": kappa + half,
        "order": turned(),
        "own": None,
        "longer": None,
    }
    return PairJudge(**(fields | changes))


def prefers(kind="own", difference=0.2, by=("m", "m-2")):
    return Preference(
        kind=kind,
        by=by,
        n=60,
        share=0.5 + difference,
        reference_share=0.5,
        difference=difference,
        low=difference - 0.1,
        high=difference + 0.1,
    )


def judges(*rows, tests=(), **changes):
    pairs = tuple(
        TwoJudges(a=a.judge, b=b.judge, n=100, agree=0.8, kappa=0.6)
        for k, a in enumerate(rows)
        for b in rows[k + 1 :]
    )
    fields = {
        "benchmark": "quiz",
        "judges": rows,
        "pairs": pairs,
        "n_pairs_left_out": 0,
        "sides": ("1", "2") if rows else (),
        "annotators": tests,
        "people": ("p0", "p1", "p2", "p3") if tests else (),
        "level": 0.95,
        "reasons": {},
    }
    return JudgesOfPairs(**(fields | changes))


def with_part(make, part):
    return make.findings(benchmark=replace(make.bench(), parts=(part,)))


def planted(make):
    """Pairs by code."""
    return {
        "AGR325": make.Planted(
            with_part(make, judges(judge(order=turned(0.8)))),
            with_part(make, judges(judge(order=turned(0.87)))),  # up to 91%
        ),
        "AGR326": make.Planted(
            with_part(make, judges(tests=(OUTCOME(wins=1),))),
            with_part(make, judges(tests=(OUTCOME(wins=2), OUTCOME(people=0)))),
        ),
        "AGR327": make.Planted(
            with_part(make, judges(judge(kappa=0.1))), with_part(make, judges(judge(kappa=0.2)))
        ),
    }
