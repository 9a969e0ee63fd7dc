"""The board under several readings of the same votes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from caveat._rng import as_generator
from caveat.errors import InputError
from caveat.kernels.concentration import effective_number
from caveat.kernels.kendall import kendall_tau
from caveat.results.ranking import Ranking
from caveat.results.stress.voters import Reading
from caveat.stats.ranking.fitted import Method
from caveat.stats.voters.board import Calibration, VoterBoard, board_of, most_votes, ranked
from caveat.stats.voters.electorate import Electorate
from caveat.stats.voters.manner import PLAIN, Manner
from caveat.stats.voters.shift import shift
from caveat.stats.voters.weighting import VoterWeights

Floats = npt.NDArray[np.float64]

CAST, NAMED, VOICE = "as cast", "named voters", "one voice each"
"""Names of the readings that need no population."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Plan:
    """One reading to make; see `Reading`.

    Attributes
    ----------
    weight : float array, shape (g,)
        Of each vote of each voter.
    anonymous : float
        Of each vote without a voter.
    fitted : VoterWeights or None
        What the weights come from, if they were fitted to margins.
    """

    name: str
    title: str
    kind: str
    unit: str
    weight: Floats
    anonymous: float = 0.0
    reference: str | None = None
    population: str | None = None
    fitted: VoterWeights | None = None


def readings(
    voters: Electorate,
    weights: Mapping[str, VoterWeights] | None = None,
    *,
    manner: Manner = PLAIN,
) -> tuple[Reading, ...]:
    """Rate the models from the same votes with other weights of the voters.

    Every vote counts once (as cast); every voter counts once (one voice each), however many votes
    it cast; and for each population, its voters in the shares of the population, with a voice each
    and with all their votes. Errors are those of voters, who are independent of each other, and
    take into account that weights were fitted to margins.

    Parameters
    ----------
    voters : Electorate
    weights : mapping of str to VoterWeights
        By name of the population.
    manner : Manner
        `method`, `anchor`, `level` and `seed`.

    Returns
    -------
    tuple of Reading
        As cast first. A reading of fewer votes than the whole is compared with these votes as cast.

    Examples
    --------
    >>> from caveat.stats.voters.electorate import electorate
    >>> from caveat.stats.voters.synthetic import synthetic_arena
    >>> arena = synthetic_arena(300, seed=1)
    >>> [reading.name for reading in readings(electorate(arena.votes, arena.voters))]
    ['as cast', 'one voice each']
    """
    # The same draws for every reading: what differs between them is not the simulation.
    seed = int(as_generator(manner.seed).integers(2**62))
    made: dict[str, Reading] = {}
    boards: dict[str, tuple[VoterBoard, Ranking]] = {}
    for plan in _plans(voters, weights or {}):
        reading = _counted(voters, plan)
        if plan.fitted is not None and plan.fitted.population.reason:
            made[plan.name] = replace(reading, reason=plan.fitted.population.reason)
            continue
        try:
            board = _board(voters, plan, manner.method)
        except InputError as error:
            made[plan.name] = replace(reading, reason=str(error))
            continue
        ranking = ranked(
            board, anchor=manner.anchor or most_votes(voters), level=manner.level, seed=seed
        )
        boards[plan.name] = board, ranking
        made[plan.name] = _read(reading, board, ranking, boards.get(plan.reference or ""), seed)
    return tuple(made.values())


def _counted(voters: Electorate, plan: _Plan) -> Reading:
    counts = plan.weight > 0
    own = voters.n_anonymous if plan.anonymous else 0
    n_votes = round(float(voters.cast[counts].sum())) + own
    heavy = plan.weight * voters.ballots.weight.sum(axis=1)
    return Reading(
        name=plan.name,
        title=plan.title,
        kind=plan.kind,
        unit=plan.unit,
        population=plan.population,
        reference=plan.reference,
        n_votes=n_votes,
        n_voters=int(counts.sum()),
        n_left_out=round(float(voters.cast.sum())) + voters.n_anonymous - n_votes,
        effective_voters=effective_number(heavy[counts]),
    )


def _board(voters: Electorate, plan: _Plan, method: Method) -> VoterBoard:
    calibration = None
    if plan.fitted is not None:
        kept = plan.fitted.kept
        calibration = Calibration(
            weight=plan.fitted.weight[kept],
            free=plan.fitted.free[kept],
            margins=plan.fitted.margins,
        )
    return board_of(
        voters, plan.weight, anonymous=plan.anonymous, method=method, calibration=calibration
    )


def _read(
    reading: Reading,
    board: VoterBoard,
    ranking: Ranking,
    reference: tuple[VoterBoard, Ranking] | None,
    seed: int,
) -> Reading:
    first = _first(ranking)
    made = replace(
        reading,
        models=ranking.models,
        lead=ranking.lead,
        first=first,
        method=ranking.method,
        critical=ranking.critical,
        converged=ranking.converged,
    )
    if reference is None:
        return made
    before = _first(reference[1])
    same = np.array_equal(board.voters, reference[0].voters) and not reference[0].single.any()
    return replace(
        made,
        gone=tuple(name for name in before if name not in first),
        joined=tuple(name for name in first if name not in before),
        tau=_tau(ranking, reference[1]),
        shift=shift(board, reference[0], rng=as_generator(seed)) if same else None,
    )


def _first(board: Ranking) -> tuple[str, ...]:
    return tuple(model.model for model in board.models if model.tier == 1)


def _tau(board: Ranking, other: Ranking) -> float:
    one, two = (
        {model.model: model.rating for model in b.models if model.tier is not None}
        for b in (board, other)
    )
    both = [name for name in one if name in two]
    return kendall_tau(np.array([one[n] for n in both]), np.array([two[n] for n in both]))


def _plans(voters: Electorate, weights: Mapping[str, VoterWeights]) -> Iterator[_Plan]:
    one = np.ones(voters.n_voters)
    total = voters.ballots.weight.sum(axis=1)
    voice = np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)
    yield _Plan(
        name=CAST,
        title="Every vote counts once",
        kind="cast",
        unit="vote",
        weight=one,
        anonymous=1.0,
    )
    whole = CAST
    if voters.n_voters and voters.n_anonymous:
        whole = NAMED
        yield _Plan(
            name=NAMED,
            title="Every vote that names its voter counts once",
            kind="cast",
            unit="vote",
            weight=one,
            reference=CAST,
        )
    if voters.n_voters:
        yield _Plan(
            name=VOICE,
            title="Every voter counts once",
            kind="voice",
            unit="voice",
            weight=voice,
            reference=whole,
        )
    for name, found in weights.items():
        yield from _of_population(name, found, voice, whole)


def _of_population(name: str, found: VoterWeights, voice: Floats, whole: str) -> Iterator[_Plan]:
    reference = whole
    if not found.kept.all() and not found.population.reason:
        reference = f"{name}: as cast"
        yield _Plan(
            name=reference,
            title=f"Every vote of the voters weighted to {name} counts once",
            kind="cast",
            unit="vote",
            weight=found.kept.astype(np.float64),
            reference=whole,
            population=name,
        )
    yield _Plan(
        name=f"{name}: one voice each",
        title=f"Voters in the shares of {name}, a voice each",
        kind="population",
        unit="voice",
        weight=found.weight * voice,
        reference=reference,
        population=name,
        fitted=found,
    )
    yield _Plan(
        name=f"{name}: every vote",
        title=f"Voters in the shares of {name}, each with all its votes",
        kind="population",
        unit="vote",
        weight=found.weight,
        reference=reference,
        population=name,
        fitted=found,
    )
