"""Everything a user can set for one run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from caveat.stats.agreement.policy import Policy

if TYPE_CHECKING:
    from caveat.stats.ranking.rate import Errors
    from caveat.stats.ranking.system import SystemSettings

Likelihood = Literal["auto", "bradley-terry", "davidson", "rao-kupper"]
Method = Literal[
    Likelihood,
    "elo",
    "elo-shuffled",
    "glicko2",
    "trueskill",
    "win-rate",
    "pagerank",
    "eigenvector",
    "baseline",
]

Progress = Callable[[str, int, int | None], None]
"""Called with the stage, what is done, and what there is to do (None when unknown)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Settings of a run.

    Attributes
    ----------
    level : float
        Coverage of every interval, in (0, 1).
    seed : int
        For everything drawn at random.
    policy : str
        What an unparsed answer counts as when answers are compared: `drop`,
        `as-disagreement` or `as-option`.
    metric, filter : str or None
        Which score of an answer counts, where a source holds several of each; None takes the
        one with most rows.
    same : tuple of pairs of str
        Models that are one model run twice, as on two hosts.
    margin : float
        Difference of scores up to which two models count as equal, in (0, 1).
    bootstrap : int
        0 for sandwich intervals of ratings, or the number of replicates (at least 100).
    method : str
        Rating system; `auto` models ties (Davidson) where there are enough, else Bradley-Terry.
    anchor : str or None
        Model whose rating is fixed at 1000 points; None takes the one with the most votes.
    position : bool
        Whether to fit an advantage of the answer shown first.
    k : float
        Elo: points that a sure win of the other side would cost.
    shuffles : int
        Elo over shuffles: random orders averaged.
    period : str
        Glicko-2: `day`, `week` or `month`, or a number of votes.
    baseline : str or None
        Win rate against a baseline: the model all are compared with.
    control : str or None
        Paired columns that are held equal: `all` that can be used, or their names with commas
        between (`chars,lists` for `chars_a`, `chars_b`, ...).
    contrast : str
        How two answers differ: `relative`, (a - b) / (a + b), or `difference`, a - b.
    by : str or None
        Column (`task`, `language`, ...) to each of whose values there is a board as well.
    cluster : str or None
        Column of the votes (`voter`, `item`, `battle`, ...) whose votes count together in errors.
    boundaries : int
        Boundaries of the best k models, from k = 1 on, that drop-a-few tries to change.
    pairs : tuple of pairs of str
        Models whose order drop-a-few tries to turn round.
    margins : tuple of str
        Files with the margins of populations that voters are weighted to.
    disclosure : int
        Fewest voters that a figure about voters tells of; 1 hides nothing.
    trim : float
        Largest weight of a voter in multiples of the mean, above 1; 0 for no limit.
    variants : mapping of str to int
        Variants tested in private before one was shown, by model or by provider.
    mapping : mapping of str to str
        Column of the schema to column of the source.
    aliases : mapping of str to str
        Name of a model to the name it stands for; see `caveat.data.aliases`.
    bad_rows : str
        `error` stops at the first row that breaks a rule, `drop` counts and drops it.
    model_name : str or None
        Model of sources that do not name one.
    select, ignore : tuple of str
        Codes of caveats, or their beginnings.
    thresholds : mapping of str to mapping of str to float
        By code, by name.
    title : str
        Of the report.
    progress : callable or None
    """

    level: float = 0.95
    seed: int = 0
    policy: Policy = "drop"
    metric: str | None = None
    filter: str | None = None
    same: tuple[tuple[str, str], ...] = ()
    margin: float = 0.01
    bootstrap: int = 0
    method: Method = "auto"
    anchor: str | None = None
    position: bool = False
    cluster: str | None = None
    control: str | None = None
    contrast: Literal["relative", "difference"] = "relative"
    by: str | None = None
    k: float = 32.0
    shuffles: int = 30
    period: str = "month"
    baseline: str | None = None
    boundaries: int = 10
    pairs: tuple[tuple[str, str], ...] = ()
    margins: tuple[str, ...] = ()
    disclosure: int = 10
    trim: float = 5.0
    variants: Mapping[str, int] = field(default_factory=dict)
    mapping: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    bad_rows: Literal["error", "drop"] = "error"
    model_name: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    thresholds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    title: str = ""
    progress: Progress | None = None

    def tell(self, stage: str, done: int = 0, total: int | None = None) -> None:
        """Report progress to whoever listens."""
        if self.progress is not None:
            self.progress(stage, done, total)

    @property
    def controlled(self) -> tuple[str, ...]:
        """Names of the paired columns to hold equal; empty for all that can be used."""
        names = (self.control or "").split(",")
        named = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
        return () if named == ("all",) else named

    @property
    def errors(self) -> "Errors":
        """How the uncertainty of ratings is found."""
        from caveat.stats.ranking.rate import Errors

        return Errors(
            level=self.level, bootstrap=self.bootstrap, cluster=self.cluster, seed=self.seed
        )

    @property
    def systems(self) -> "SystemSettings":
        """Settings of rating systems other than the likelihood models."""
        from caveat.stats.ranking.system import SystemSettings

        return SystemSettings(
            k=self.k, shuffles=self.shuffles, period=self.period, baseline=self.baseline
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the settings that shape figures, as a report shows them."""
        hidden = {"progress", "title"}
        shown = (one.name for one in fields(self) if one.name not in hidden)
        return {name: getattr(self, name) for name in shown}


DEFAULTS = Options()
