"""RNK219: a model judge held against people."""

import runpy
from pathlib import Path

from caveat.results.annotator_test import AgainstPerson, AnnotatorTest
from caveat.results.stress.annotators import Annotators

STYLE = runpy.run_path(str(Path(__file__).parent / "planted_style.py"))


def person(name, *, won, difference=0.15):
    return AgainstPerson(
        person=name,
        n=60,
        judge_share=0.7,
        person_share=0.7 + difference,
        difference=difference,
        p=0.001 if won else 0.9,
        p_adjusted=0.004 if won else 1.0,
        won=won,
        p_score=0.002 if won else 0.9,
        p_score_adjusted=0.008 if won else 1.0,
    )


def outcome(*, wins=0, people=4, difference=0.15, half=0.05, judge="gpt-x", **changes):
    against = tuple(person(f"p{k}", won=k < wins, difference=difference) for k in range(people))
    rate = wins / people if people else float("nan")
    fields = {
        "judge": judge,
        "winning_rate": rate,
        "advantage": 0.7 if people else float("nan"),
        "passes": rate >= 0.5 if people else None,
        "difference": difference if people else float("nan"),
        "low": difference - half if people else float("nan"),
        "high": difference + half if people else float("nan"),
        "winning_rate_score": rate,
        "passes_score": rate >= 0.5 if people else None,
        "n_people": people + 2,
        "n_few": 2,
        "n_items": 200,
        "n_single": 20,
        "n_unanswered": 3,
        "against": against,
        "epsilon": 0.1,
        "q": 0.05,
        "min_items": 30,
        "level": 0.95,
        "fit": "same",
        "reasons": {} if people else {"winning_rate": "no person labelled 30 items"},
    }
    return AnnotatorTest(**(fields | changes))


def annotators(*tests, **changes):
    fields = {
        "tests": tests,
        "people_agree": 0.62,
        "n_comparisons": 220,
        "matched_on": ("item", "models", "order"),
        "n_left_out": 0,
    }
    return Annotators(**(fields | changes))


def planted(make):
    """Pairs by code."""
    under = STYLE["under"]
    return {
        "RNK219": make.Planted(
            under(make, annotators(outcome(wins=1))),
            under(make, annotators(outcome(wins=2), outcome(people=0))),
        ),
    }
