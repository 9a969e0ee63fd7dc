"""Does the order of models depend on the prompt, the parser, the seed?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.comparison.noise import NoiseKind


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantOrder:
    """The order of models under one variant.

    Attributes
    ----------
    variant : str
    first : str
    tau : float
        Kendall's tau-b with the first variant.
    turned, turned_surely : int
        Pairs of models in the other order than under the first variant; and those whose order is
        beyond sampling error under both.
    """

    variant: str
    first: str
    tau: float
    turned: int
    turned_surely: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpan:
    """One model under all variants.

    Attributes
    ----------
    model : str
    scores : tuple of float
        By variant, over the model's own items that are scored under all variants.
    ranks : tuple of int
        By variant, over the items that all models have.
    n : int
        Items of `scores`.
    """

    model: str
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    n: int

    @property
    def moved(self) -> float:
        """Largest less smallest score."""
        return max(self.scores) - min(self.scores)

    @property
    def places(self) -> int:
        """Worst less best rank."""
        return max(self.ranks) - min(self.ranks)


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantSensitivity:
    """What one kind of variant does to scores and their order.

    Attributes
    ----------
    source : str
        `prompt`, `filter` (reading of the answer), `run`, `repeat` or `metric`.
    variants : tuple of VariantOrder
        The first is what the others are compared with.
    models : tuple of ModelSpan
        In the order of the first variant.
    n_items : int
        Items that all models have under all variants.
    tau, tau_expected : float
        Kendall's tau-b between two variants, mean over pairs of them; and what it would be on
        average if the variants had one order and items were sampled.
    p : float
        Of no interaction: that differences between models are the same under all variants.
    firsts : int
        Models that are first under some variant.
    first_changes_expected : float
        Chance that sampling of items alone gives variants different firsts.
    share_items, share_common, share_own : float
        Shares of the variance of a score: by sampling of items, by variants in all models alike,
        and by variants in each model, which is what changes orders.
    sd_items, sd_common, sd_own : float
        Their square roots as standard deviations of a score.
    left_out : mapping of str to str
        Models and variants left out, with the reason.
    draws, seed : int
    """

    source: NoiseKind
    variants: tuple[VariantOrder, ...]
    models: tuple[ModelSpan, ...]
    n_items: int
    tau: float
    tau_expected: float
    p: float
    firsts: int
    first_changes_expected: float
    share_items: float
    share_common: float
    share_own: float
    sd_items: float
    sd_common: float
    sd_own: float
    left_out: Mapping[str, str] = field(default_factory=dict)
    draws: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """What each kind of variant does to scores and their order."""

    sources: tuple[VariantSensitivity, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as `sensitivity` of the benchmark's entry."""
        return {"sensitivity": to_plain(self.sources)}
