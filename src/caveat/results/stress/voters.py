"""Who voted, and what the board is under other readings of the same votes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.ranking import Lead, RatedModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Turnout:
    """How the votes fall to voters.

    Attributes
    ----------
    n_votes, n_voters : int
        All votes, and voters that are told apart.
    n_anonymous : int
        Votes that name no voter.
    anonymous_share : float
    mean, median : float
        Votes per voter; nan without voters, as all that follow.
    quantiles : tuple of (float, float)
        Share of voters, and the votes that this share of them cast at most.
    gini : float
        Of votes over voters: 0 for equal numbers, near 1 where one casts all.
    top_1, top_10 : float
        Share of the named votes cast by the busiest 1% and 10% of voters; nan where these are
        fewer voters than the disclosure threshold.
    effective_voters : float
        Number of voters with equal numbers of votes that would be worth as much.
    """

    n_votes: int
    n_voters: int
    n_anonymous: int
    anonymous_share: float
    mean: float
    median: float
    quantiles: tuple[tuple[float, float], ...]
    gini: float
    top_1: float
    top_10: float
    effective_voters: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Voters of one level of an attribute.

    Attributes
    ----------
    level : str
        As declared; `other (n levels)` for those merged, `not declared`.
    kind : str
        `level`, `other` or `undeclared`.
    n_voters, n_votes : int
    share, votes_share : float
        Of all voters, and of the votes they cast.
    mean, median, gini : float
        Of votes per voter.
    """

    level: str
    kind: str
    n_voters: int
    n_votes: int
    share: float
    votes_share: float
    mean: float
    median: float
    gini: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """Voters by one declared attribute, no group below the threshold.

    Attributes
    ----------
    attribute : str
    levels : tuple of Level
        Most voters first, what is merged and what is undeclared last; empty where `reason` says
        why nothing is shown.
    n_levels : int
        Levels that voters declare.
    undeclared : float
        Share of voters who declare nothing; nan where that is too few to be shown.
    undeclared_votes : float
        Share of all votes that come with no declaration: those without a voter, and those of voters
        who declare nothing, unless these are too few to be shown.
    reason : str
    """

    attribute: str
    levels: tuple[Level, ...]
    n_levels: int
    undeclared: float
    undeclared_votes: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One level of an attribute among voters and in a population.

    Attributes
    ----------
    attribute, level : str
    voters, votes : float
        Share of the voters who declare the attribute, and of their votes.
    population : float
        Share of the population.
    weighted : float
        Share of the voters once weighted: the population's, or what the cap on weights leaves of
        it; nan where there are no weights.
    """

    attribute: str
    level: str
    voters: float
    votes: float
    population: float
    weighted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """A population that voters are weighted to.

    Attributes
    ----------
    name : str
    attributes : tuple of str
        Those of its margins that voters declare.
    how : str
        `post-stratified` (to the cells of one joint margin) or `raked` (to several margins).
    targets : tuple of Target
        Level by level, attribute by attribute.
    n_voters : int
        Voters with a weight.
    n_left_out : int
        Voters without one: they do not declare every attribute, or belong to a level that the
        population does not have.
    unnamed : float
        Share of the weighted voters with a level that a margin does not name; they keep their
        share of that margin.
    trim : float or None
        Largest weight allowed, in multiples of the mean.
    capped : float
        Share of voters with that weight.
    largest : float
        Largest weight.
    design_effect, effective_voters : float
        1 + cv^2 of the weights, and `n_voters` by it (Kish).
    gap : float
        Largest difference between a weighted share and what was asked for.
    rounds : int
    converged : bool
    notes : tuple of str
        What was merged, added up or left out.
    reason : str
        Why there are no weights; empty where there are.
    """

    name: str
    attributes: tuple[str, ...]
    how: str
    targets: tuple[Target, ...] = ()
    n_voters: int = 0
    n_left_out: int = 0
    unnamed: float = 0.0
    trim: float | None = None
    capped: float = float("nan")
    largest: float = float("nan")
    design_effect: float = float("nan")
    effective_voters: float = float("nan")
    gap: float = float("nan")
    rounds: int = 0
    converged: bool = False
    notes: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """The rating that another reading moves most surely.

    Attributes
    ----------
    model : str
    points, se, z : float
        Its rating against the mean of the models rated under both readings, in points: by how much
        it moves, the error of that, and their ratio. Both readings use the same voters, so the
        error is that of the difference.
    p : float
        Probability that chance alone moves any rating by as large a z.
    """

    model: str
    points: float
    se: float
    z: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The board under one reading of the votes.

    Attributes
    ----------
    name : str
    title : str
    kind : str
        `cast` (every vote counts once), `voice` (every voter counts once) or `population`.
    unit : str
        `vote`: a voter's votes each carry its weight. `voice`: they share it out.
    population : str or None
    reference : str or None
        The reading of the same votes with every vote counted once, which it is compared with.
    n_votes, n_voters : int
        Those that count in it, rated or not.
    n_left_out : int
        Votes that do not.
    effective_voters : float
        Number of equally weighted voters that would be worth as much, by the total weight of the
        votes of each.
    models : tuple of RatedModel
        Best first; empty where `reason` says why there is no board.
    lead : Lead or None
    first : tuple of str
        Tier 1: the leader and all that are not separable from it.
    gone, joined : tuple of str
        Models of tier 1 of the reference that are not in it, and the other way round.
    tau : float
        Kendall's tau with the order of the reference, over models rated in both.
    shift : Shift or None
    method : str
        Rating system.
    critical : float
        What every |z| of a difference is compared with.
    converged : bool
    reason : str
    """

    name: str
    title: str
    kind: str
    unit: str
    population: str | None
    reference: str | None
    n_votes: int
    n_voters: int
    n_left_out: int
    effective_voters: float
    models: tuple[RatedModel, ...] = ()
    lead: Lead | None = None
    first: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    tau: float = float("nan")
    shift: Shift | None = None
    method: str = ""
    critical: float = float("nan")
    converged: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupBoard:
    """The board by the votes of one group.

    Attributes
    ----------
    level : str
    n_voters, n_votes : int
    models : tuple of RatedModel
        Best first; empty where `reason` says why.
    lead : Lead or None
    first : tuple of str
        Tier 1.
    tau : float
        Kendall's tau with the order of all voters together.
    reason : str
    """

    level: str
    n_voters: int
    n_votes: int
    models: tuple[RatedModel, ...] = ()
    lead: Lead | None = None
    first: tuple[str, ...] = ()
    tau: float = float("nan")
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """The model on which two groups differ most surely.

    Attributes
    ----------
    model : str
    above, below : str
        The groups that rate it higher and lower.
    points, se, z : float
        Difference of its two ratings, each against the mean of the models rated by both groups.
    """

    model: str
    above: str
    below: str
    points: float
    se: float
    z: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTest:
    """Whether groups of voters rank alike.

    Attributes
    ----------
    attribute : str
    groups : tuple of GroupBoard
        Levels at or above the disclosure threshold, most voters first.
    n_votes : int
        Decisive votes of these groups between models that they tie into one board.
    statistic : float
        Score statistic against ratings of their own for each group.
    expected : float
        What it would be on average if the groups ranked alike.
    degrees : int
        What that would be if every vote were cast by a voter of its own.
    p, p_adjusted : float
        Adjusted over attributes by Holm's method; nan where `reason` says why.
    replicates : int
    apart : Apart or None
    reason : str
    """

    attribute: str
    groups: tuple[GroupBoard, ...]
    n_votes: int = 0
    statistic: float = float("nan")
    expected: float = float("nan")
    degrees: int = 0
    p: float = float("nan")
    p_adjusted: float = float("nan")
    replicates: int = 0
    apart: Apart | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoterReadings:
    """Who voted, and whether other voters would have made another board.

    Attributes
    ----------
    turnout : Turnout
    declared : tuple of Disclosure
        One for each attribute; empty where voters declare nothing.
    skipped : tuple of (str, str)
        Columns of the voters table that are no attribute, and why.
    n_unknown : int or None
        Voters with a vote and without a row in the voters table; None for fewer than the threshold.
    n_silent : int or None
        Voters in the table without a vote; None for fewer than the threshold.
    has_table : bool
        Whether there is a voters table.
    readings : tuple of Reading
        The votes as cast first.
    populations : tuple of Population
    groups : tuple of GroupTest
    threshold : int
        Fewest voters that a figure tells of.
    level : float
    seed : int or None
    settings : mapping
    """

    turnout: Turnout
    declared: tuple[Disclosure, ...]
    skipped: tuple[tuple[str, str], ...]
    n_unknown: int | None
    n_silent: int | None
    has_table: bool
    readings: tuple[Reading, ...]
    populations: tuple[Population, ...]
    groups: tuple[GroupTest, ...]
    threshold: int
    level: float
    seed: int | None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def reading(self, name: str) -> Reading | None:
        """Return the reading called `name`."""
        return next((reading for reading in self.readings if reading.name == name), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `caveat stress --json`."""
        return {"voters": to_plain(self)}
