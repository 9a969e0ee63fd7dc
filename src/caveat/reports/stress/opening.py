"""How the report of a board under stress begins."""

from collections.abc import Iterator, Sequence

from caveat.reports.lead import joint_level, lead_sentence
from caveat.reports.methods import interval_words, system_name
from caveat.reports.numbers import counted, percent, whole
from caveat.reports.overview import gravest
from caveat.results.caveat import Caveat
from caveat.results.ranking import Ranking
from caveat.results.stress.rigging import Rigging
from caveat.results.stress.stress import Stress
from caveat.results.stress.voters import VoterReadings


def opening(stress: Stress, caveats: Sequence[Caveat]) -> tuple[str, ...]:
    """Say what was examined, who is first and how surely, and the gravest finding."""
    return tuple(_sentences(stress, caveats))


def _sentences(stress: Stress, caveats: Sequence[Caveat]) -> Iterator[str]:
    board = stress.board
    yield lead_sentence(board)
    yield from _first_tier(board)
    yield (
        f"This stands on {counted(board.n_votes, 'vote')} between "
        f"{counted(len(board.models), 'model')}{_cast_by(stress)}, rated by "
        f"{system_name(board.method)} with {interval_words(board)}."
    )
    worst = gravest(caveats)
    if worst is None:
        yield "No test raised a caveat against this order."
        return
    of = f"The gravest of {whole(len(caveats))} findings" if len(caveats) > 1 else "The one finding"
    yield f"{of} ({worst.severity.value}, {worst.code}): {worst.claim.removesuffix('.')}."


def _cast_by(stress: Stress) -> str:
    """Say how many voters cast them; nothing where the votes name none."""
    readings, rigging = stress.part(VoterReadings), stress.part(Rigging)
    if readings is not None:
        n = readings.turnout.n_voters
    else:
        n = rigging.n_voters if rigging is not None else 0
    return f", cast by {counted(n, 'voter')}" if n else ", which name no voters"


def _first_tier(board: Ranking) -> Iterator[str]:
    rated = [model for model in board.models if model.tier is not None]
    first = [model for model in rated if model.tier == 1]
    certain = sum(model.rank_low == model.rank_high for model in rated)
    if len(first) > 1:
        yield (
            f"{whole(len(first))} of {counted(len(rated), 'rated model')} cannot be told apart "
            f"from the leader; {whole(certain)} of their ranks "
            f"{'is' if certain == 1 else 'are'} certain at a joint level of {joint_level(board)}."
        )
    elif rated:
        yield (
            f"Nobody else is in the first tier; {whole(certain)} of {whole(len(rated))} ranks "
            f"{'is' if certain == 1 else 'are'} certain at a joint level of {joint_level(board)}"
            + _best(rated[0].best)
            + "."
        )


def _best(chance: float) -> str:
    if chance != chance:
        return ""
    return f", and the leader is the best model with a probability of {percent(chance)}"
