"""Everything about the voters of a board."""

from collections.abc import Mapping, Sequence

import numpy as np

from caveat.data.evidence import Evidence
from caveat.data.margins import Margins
from caveat.errors import InputError
from caveat.results.stress.voters import Population, VoterReadings
from caveat.stats.voters.disclosure import disclosure, turnout
from caveat.stats.voters.electorate import Electorate, electorate
from caveat.stats.voters.groups import groups
from caveat.stats.voters.manner import PLAIN, Manner
from caveat.stats.voters.reweight import readings
from caveat.stats.voters.weighting import VoterWeights, weigh


def voter_readings(
    votes: Evidence,
    voters: Evidence | None = None,
    populations: Mapping[str, Sequence[Margins]] | None = None,
    *,
    manner: Manner = PLAIN,
) -> VoterReadings:
    """Say who voted, and whether other voters would have made another board.

    Parameters
    ----------
    votes : Evidence
    voters : Evidence or None
        What voters declare, each voter once.
    populations : mapping of str to sequence of Margins
        Populations to weight the voters to, by name.
    manner : Manner

    Returns
    -------
    VoterReadings

    Raises
    ------
    TooFewError
        If there is no vote between two models.
    InputError
        If a voter is in the voters table twice.

    Examples
    --------
    >>> from caveat.stats.voters.synthetic import synthetic_arena
    >>> arena = synthetic_arena(300, seed=1)
    >>> found = voter_readings(arena.votes, arena.voters, {"the country": arena.margins})
    >>> found.populations[0].how, [reading.name for reading in found.readings][:2]
    ('raked', ['as cast', 'one voice each'])
    """
    asked = dict(populations or {})
    wanted = {name for margins in asked.values() for one in margins for name in one.attributes}
    who = electorate(votes, voters, wanted=wanted)
    weights = {name: _weights(who, name, margins, manner) for name, margins in asked.items()}
    seed = manner.seed
    return VoterReadings(
        turnout=turnout(who, threshold=manner.threshold),
        declared=disclosure(who, threshold=manner.threshold),
        skipped=who.skipped,
        n_unknown=_told(who.n_unknown, manner.threshold),
        n_silent=_told(who.n_silent, manner.threshold),
        has_table=voters is not None,
        readings=readings(who, weights, manner=manner),
        populations=tuple(found.population for found in weights.values()),
        groups=groups(who, manner=manner),
        threshold=manner.threshold,
        level=manner.level,
        seed=None if isinstance(seed, np.random.Generator) else seed,
        settings={
            "trim": manner.trim,
            "method": manner.method,
            "anchor": manner.anchor,
            "replicates": manner.replicates,
        },
    )


def _weights(
    who: Electorate, name: str, margins: Sequence[Margins], manner: Manner
) -> VoterWeights:
    """Weights, or why this population has none: the rest does not depend on it."""
    try:
        return weigh(who, margins, name=name, trim=manner.trim, threshold=manner.threshold)
    except InputError as error:
        population = Population(
            name=name, attributes=(), how="", trim=manner.trim, reason=str(error)
        )
        nobody = np.zeros(who.n_voters, dtype=bool)
        return VoterWeights(population, nobody, np.zeros(who.n_voters), nobody, ())


def _told(number: int, threshold: int) -> int | None:
    return number if number == 0 or number >= threshold else None
