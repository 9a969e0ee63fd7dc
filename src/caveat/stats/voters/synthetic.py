"""Votes of invented people whose preferences are known.

No vote set with demographics is public in a form that may be shipped, so tests, examples and the
documentation of re-weighting use this one. Nothing in it describes real people or real models.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from caveat import _validate
from caveat._rng import as_generator
from caveat.data.evidence import Evidence
from caveat.data.margins import Margins
from caveat.data.schema import OUTCOMES
from caveat.errors import InputError
from caveat.kernels.counts import N_OUTCOMES, VoteCells
from caveat.kernels.ties import chances
from caveat.results.provenance import Account, Provenance, Source
from caveat.stats.ranking.counting import CountedVotes

Floats = npt.NDArray[np.float64]

LEVELS = {
    "age": ("18-29", "30-44", "45-64", "65+"),
    "sex": ("man", "woman"),
    "region": ("north", "south", "west"),
}
"""Attributes of the invented population; they are independent of each other in it."""
SHARES = {"age": (0.20, 0.25, 0.33, 0.22), "sex": (0.48, 0.52), "region": (0.30, 0.35, 0.35)}
TURNOUT = {"age": (3.0, 1.6, 0.7, 0.35), "sex": (1.6, 0.6), "region": (1.0, 1.0, 1.0)}
"""How much more often than others people of a level vote at all."""
ZEAL = {"age": (2.0, 1.2, 0.8, 0.6), "sex": (1.2, 0.9), "region": (1.0, 1.0, 1.0)}
"""How many more votes than others a voter of a level casts."""
TIE = -0.9
"""Tie parameter of Davidson's model: equals tie in 17% of votes."""
TASTE = 0.3
"""Share of the variance of a vote that is the voter's own taste."""
SPREAD = 0.8
"""Standard deviation of the log of votes per voter within a group."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SyntheticArena:
    """Votes, voters, and what is true of the population behind them.

    Attributes
    ----------
    votes, voters : Evidence
    margins : tuple of Margins
        Shares of the population by age, by sex and by region.
    joint : Margins
        Its shares by age and sex.
    population : CountedVotes
        The votes that the whole population would cast, one voice each, all pairs equally often: a
        board fitted to them is the truth that a board of the population estimates.
    strength : float array, shape (24, m)
        Ratings, in logits, by people of each of the `groups`.
    groups : tuple of tuple of str
        Age, sex and region.
    """

    votes: Evidence
    voters: Evidence
    margins: tuple[Margins, ...]
    joint: Margins
    population: CountedVotes
    strength: Floats
    groups: tuple[tuple[str, ...], ...]


def synthetic_arena(
    n_voters: int = 1000,
    *,
    n_models: int = 8,
    votes_per_voter: float = 15.0,
    by_age: float = 0.6,
    missing: float = 0.0,
    anonymous: float = 0.0,
    seed: "int | np.random.Generator" = 0,
) -> SyntheticArena:
    """Let invented people vote on invented models.

    People differ by age, sex and region. Old and young people prefer different models; sex and
    region change nothing. The young and men vote more often and cast more votes, so that the board
    of the votes is not the board of the population. Each voter also has a taste of its own, which
    its votes share.

    Parameters
    ----------
    n_voters : int
        Voters, at least 1.
    n_models : int
        Models, at least 2: `m01` is best on average.
    votes_per_voter : float
        Votes of a voter of middling zeal, at least 1.
    by_age : float
        Difference between the youngest and the oldest in the rating of a model, in logits; half
        of the models gain by age and half lose. 0 for groups that rank alike.
    missing : float
        Share of voters who declare nothing, for each attribute; in [0, 1).
    anonymous : float
        Share of votes that name no voter; in [0, 1).
    seed : int or Generator

    Returns
    -------
    SyntheticArena

    Raises
    ------
    InputError
        If an argument is out of range.

    Examples
    --------
    >>> arena = synthetic_arena(50, seed=1)
    >>> len(arena.voters), arena.margins[0].shares.tolist()
    (50, [0.2, 0.25, 0.33, 0.22])
    """
    _validate.at_least("n_voters", n_voters, 1)
    _validate.at_least("n_models", n_models, 2)
    for name, share in (("missing", missing), ("anonymous", anonymous)):
        if not 0.0 <= share < 1.0:
            raise InputError(f"{name} must be a share from 0 to below 1, got {share!r}")
    if not 1.0 <= votes_per_voter < np.inf:
        raise InputError(f"votes_per_voter must be at least 1, got {votes_per_voter!r}")
    rng = as_generator(seed)
    groups = tuple(product(*LEVELS.values()))
    strength = _strength(n_models, by_age)
    people = rng.choice(len(groups), n_voters, p=_normed(_crossed(SHARES) * _crossed(TURNOUT)))
    zeal = _crossed(ZEAL)[people] * rng.lognormal(0.0, SPREAD, n_voters)
    cast = 1 + rng.poisson((votes_per_voter - 1.0) * zeal)
    who = np.repeat(np.arange(n_voters), cast)
    a = rng.integers(0, n_models, who.size)
    b = (a + rng.integers(1, n_models, who.size)) % n_models
    taste = rng.standard_normal((n_voters, n_models))
    own = (taste[who, a] - taste[who, b]) / np.sqrt(2.0)
    mood = np.sqrt(TASTE) * own + np.sqrt(1.0 - TASTE) * rng.standard_normal(who.size)
    p = chances("davidson", eta=strength[people[who], a] - strength[people[who], b], tie=TIE)
    liking = ndtr(mood)  # uniform over people: the shares of outcomes are exactly the model's
    outcome = np.where(liking > 1.0 - p.win, 0, np.where(liking < p.loss, 1, 2))
    named = rng.random(who.size) >= anonymous
    return SyntheticArena(
        votes=_votes(np.where(named, who, -1), a, b, outcome, n_voters, n_models),
        voters=_voters(people, groups, missing, rng),
        margins=tuple(_margin(name) for name in LEVELS),
        joint=_joint(),
        population=_population(strength, n_models),
        strength=strength,
        groups=groups,
    )


def _strength(m: int, by_age: float) -> Floats:
    """Ratings of each group: a common slope, and a tilt by age that alternates between models."""
    base = np.linspace(0.6, -0.6, m)
    sign = np.where(np.arange(m) % 2 == 0, -0.5, 0.5)
    age = np.linspace(-0.5, 0.5, len(LEVELS["age"]))
    by_group = np.repeat(age, len(LEVELS["sex"]) * len(LEVELS["region"]))
    return np.asarray(base + 2.0 * by_age * np.outer(by_group, sign), dtype=np.float64)


def _crossed(values: dict[str, tuple[float, ...]]) -> Floats:
    """Product of one figure of each attribute, group by group."""
    made = np.ones(1)
    for name in LEVELS:
        made = np.outer(made, np.array(values[name])).ravel()
    return made


def _normed(values: Floats) -> Floats:
    return np.asarray(values / values.sum(), dtype=np.float64)


def _margin(name: str) -> Margins:
    levels = tuple((level,) for level in LEVELS[name])
    return Margins(name=name, attributes=(name,), levels=levels, shares=np.array(SHARES[name]))


def _joint() -> Margins:
    shares = np.outer(SHARES["age"], SHARES["sex"]).ravel()
    levels = tuple(product(LEVELS["age"], LEVELS["sex"]))
    return Margins(name="age,sex", attributes=("age", "sex"), levels=levels, shares=shares)


def _names(prefix: str, n: int) -> list[str]:
    width = max(2, len(str(n)))
    return [f"{prefix}{k:0{width}d}" for k in range(1, n + 1)]


def _population(strength: Floats, m: int) -> CountedVotes:
    a, b = np.nonzero(~np.eye(m, dtype=bool))
    p = chances("davidson", eta=strength[:, a] - strength[:, b], tie=TIE)
    mean = _crossed(SHARES) @ np.stack([p.win, p.loss, p.tie]).swapaxes(0, 1).reshape(
        strength.shape[0], -1
    )
    share = mean.reshape(3, a.size).T
    count = 1e6 * share.ravel()
    outcome = np.tile(np.arange(3), a.size)
    cells = VoteCells(m, np.repeat(a, 3), np.repeat(b, 3), outcome, count, count, count)
    return CountedVotes(tuple(_names("m", m)), cells, weighted=False, order_known=True)


def _votes(
    who: npt.NDArray[np.int64],
    a: npt.NDArray[np.int64],
    b: npt.NDArray[np.int64],
    outcome: npt.NDArray[np.int64],
    n_voters: int,
    n_models: int,
) -> Evidence:
    models, voters = _names("m", n_models), _names("v", n_voters)
    columns = {
        "model_a": (a, models),
        "model_b": (b, models),
        "outcome": (outcome, list(OUTCOMES[:N_OUTCOMES])),
        "voter": (who, voters),
    }
    return _evidence("votes", columns)


def _voters(
    people: npt.NDArray[np.int64],
    groups: tuple[tuple[str, ...], ...],
    missing: float,
    rng: np.random.Generator,
) -> Evidence:
    columns = {"voter": (np.arange(people.size), _names("v", people.size))}
    for place, (name, levels) in enumerate(LEVELS.items()):
        level = np.array([levels.index(group[place]) for group in groups])[people]
        told = rng.random(people.size) >= missing
        columns[name] = (np.where(told, level, -1), list(levels))
    return _evidence("voters", columns)


def _evidence(kind: str, columns: dict[str, tuple[npt.NDArray[np.int64], list[str]]]) -> Evidence:
    import pyarrow as pa

    table = pa.table(
        {
            name: pa.DictionaryArray.from_arrays(
                pa.array(code.astype(np.int32), mask=code < 0), pa.array(words, pa.string())
            )
            for name, (code, words) in columns.items()
        }
    )
    source = Source(name="<synthetic>", importer="synthetic", kind=kind)
    account = Account(rows_read=table.num_rows, kept=table.num_rows)
    provenance = Provenance(sources=(source,), account=account)
    return Evidence(
        kind="votes" if kind == "votes" else "voters", table=table, provenance=provenance
    )
