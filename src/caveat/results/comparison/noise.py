"""How much of the disagreement of models one model has with itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from caveat.results._plain import to_plain

NoiseKind = Literal["repeat", "run", "host", "prompt", "filter", "metric"]
Own = Literal["both", "one", "none", "itself"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelNoise:
    """One model and how often it disagrees with itself.

    Attributes
    ----------
    model : str
        The first of its names, where it has several.
    names : tuple of str
        The names under which it ran; empty where that is one.
    replicates : int
        Most times it answered an item.
    n : int
        Items it answered twice or more.
    disagree, low, high : float
        Share of pairs of its answers to an item that differ, the mean over items.
    """

    model: str
    names: tuple[str, ...] = ()
    replicates: int
    n: int
    disagree: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseSource:
    """One way in which models ran more than once.

    Attributes
    ----------
    source : str
        `repeat`, `run`, `host` (two names of the same weights), `prompt`, `filter` (two readings
        of the same text) or `metric`.
    variants : tuple of str
        Values that tell the times apart; empty for hosts.
    disagree, low, high : float
        Mean over models; each counts alike.
    models : tuple of ModelNoise
        Noisiest first.
    """

    source: NoiseKind
    variants: tuple[str, ...]
    disagree: float
    low: float
    high: float
    models: tuple[ModelNoise, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairNoise:
    """Disagreement of two models against that of each with itself.

    Attributes
    ----------
    a, b : str
    n : int
        Items on which the pair and its floor are both known.
    disagree, floor : float
        On those items.
    excess, low, high : float
        `disagree` less `floor`, with an interval that takes both as estimated on the same items.
    ratio : float
        `disagree` by `floor`; nan where the floor is below 0.5%: nearly 0 divides into anything.
    own : str
        Whose own floor is known: `both`, `one` or `none` (the mean of the known floors stands
        in), or `itself`: the two are one model run twice, and make the floor.
    beyond : bool
        Whether the disagreement is beyond the floor: `low` above 0.
    """

    a: str
    b: str
    n: int
    disagree: float
    floor: float
    excess: float
    low: float
    high: float
    ratio: float
    own: Own
    beyond: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFloor:
    """Disagreement that is not between models, and pairs set against it.

    Attributes
    ----------
    sources : tuple of NoiseSource
        The one that pairs are set against first.
    pairs : tuple of PairNoise
        Pairs of the models considered, least excess first.
    matched, matched_within : int
        Pairs within `points` of score, other than a model with itself; and how many of them
        disagree no more than the floor, as far as these items tell.
    borrowed, borrowed_within : int
        The same of those matched pairs whose floor is in part or whole that of other models.
    points : float
        Difference of scores, 0..1.
    considered, n_models : int
        Models whose pairs are set against the floor, those of best score; and all there are.
    left_out : mapping of str to str
        Columns that look like a second reading and are none, with the reason.
    level : float
    settings : mapping
    """

    sources: tuple[NoiseSource, ...]
    pairs: tuple[PairNoise, ...]
    matched: int
    matched_within: int
    points: float
    considered: int
    n_models: int
    left_out: Mapping[str, str] = field(default_factory=dict)
    borrowed: int = 0
    borrowed_within: int = 0
    level: float
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def second_run(self) -> bool:
        """Whether pairs are set against models that ran twice, not one text read twice."""
        return self.sources[0].source not in ("filter", "metric")

    def to_dict(self) -> dict[str, Any]:
        """Return it as `noise` of the benchmark's entry."""
        return {"noise": to_plain(self)}
