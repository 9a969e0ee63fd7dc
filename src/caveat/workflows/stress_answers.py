"""Stress tests about how answers were shown, how they look, and who judged them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.stress.annotators import Annotators
    from caveat.results.stress.judging import Judging
    from caveat.results.stress.position import FirstShown
    from caveat.results.stress.style import Style
    from caveat.workflows.stress_parts import Bench


def style(bench: "Bench") -> "Style":
    """Hold length, lists and other paired columns equal."""
    from caveat.stats.robustness.style import style as run

    return run(bench.fitted, anchor=bench.board.anchor, errors=bench.options.errors)


def position(bench: "Bench") -> "FirstShown":
    """Estimate the advantage of the answer shown first, and pair verdicts in both orders."""
    from caveat.stats.robustness.position import first_shown as run

    return run(bench.fitted, anchor=bench.board.anchor, errors=bench.options.errors)


def judging(bench: "Bench") -> "Judging | None":
    """Put judges side by side."""
    from caveat.stats.robustness.judging import judging as run

    return run(bench.fitted, bench.board, declared=bench.models, errors=bench.options.errors)


def annotators(bench: "Bench") -> "Annotators | None":
    """Hold model judges against the people who judged the same answers."""
    from caveat.stats.judges.alternative_annotator import Margin
    from caveat.stats.judges.vote_annotators import vote_annotators

    return vote_annotators(bench.votes, margin=Margin(level=bench.options.level))
