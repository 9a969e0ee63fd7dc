"""How unequally models were shown."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from caveat.results._plain import to_plain

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSampling:
    """One model.

    Attributes
    ----------
    model : str
    provider : str or None
        As the `models` table declares it; None where it does not.
    n_votes : int
        Votes it took part in.
    share : float
        Of all votes.
    relative : float
        Its votes by what it would have had if every model on the board were shown equally often:
        with times, on the days from its first to its last vote; without, over all votes. nan with
        times for fewer than 7 such days.
    first, last : str or None
        Days of its first and last vote, ISO 8601.
    days : int or None
        From first to last, both included.
    """

    model: str
    provider: str | None
    n_votes: int
    share: float
    relative: float
    first: str | None = None
    last: str | None = None
    days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSampling:
    """All models of one provider.

    Attributes
    ----------
    provider : str
    n_models : int
    n_votes : int
        Places in votes: a vote between two of its models counts twice.
    share : float
        Of all places, two a vote.
    relative : float
        Its places by what its models would have had if all were shown equally often; models on the
        board for fewer than 7 days are left out of both.
    monthly : tuple of int
        Places by month, in the order of `Sampling.months`; empty without times.
    """

    provider: str
    n_models: int
    n_votes: int
    share: float
    relative: float
    monthly: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sampling:
    """How often models were shown.

    Attributes
    ----------
    models : tuple of ModelSampling
        Most votes first.
    providers : tuple of ProviderSampling
        Most votes first; those that the `models` table names.
    n_unknown : int
        Models whose provider is not declared.
    gini : float
        Of votes per model: 0 for equal, 1 - 1/m where one has them all.
    gini_relative : float
        Of `relative`: what is left when time on the board is allowed for; equal to `gini` without
        times, nan where fewer than two models have it.
    top_models : int
    top_share : float
        Share of all places that the tenth of the models with most votes holds, rounded up to
        `top_models`.
    median : float
        Votes of the median model.
    dated : bool
    n_undated : int
        Votes without a time; they count everywhere but in `relative` and over time.
    months : tuple of str
        `2024-08`; years where the votes span more than 60 months. Empty without times.
    monthly : float array, shape (models, months)
        Votes each model took part in, in the order of `models`.
    """

    models: tuple[ModelSampling, ...]
    providers: tuple[ProviderSampling, ...]
    n_unknown: int
    gini: float
    gini_relative: float
    top_models: int
    top_share: float
    median: float
    dated: bool
    n_undated: int
    months: tuple[str, ...]
    monthly: "npt.NDArray[np.float64]" = field(repr=False)

    def of(self, model: str) -> ModelSampling | None:
        """Return one model."""
        return next((one for one in self.models if one.model == model), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `caveat stress --json`."""
        return {
            "sampling": {
                "gini": to_plain(self.gini),
                "gini_relative": to_plain(self.gini_relative),
                "top_models": self.top_models,
                "top_share": to_plain(self.top_share),
                "median": to_plain(self.median),
                "dated": self.dated,
                "n_undated": self.n_undated,
                "models": to_plain(self.models),
                "providers": to_plain(self.providers),
                "n_unknown": self.n_unknown,
                "months": list(self.months),
                "monthly": [
                    {"model": one.model, "votes": [round(n) for n in row]}
                    for one, row in zip(self.models, self.monthly.tolist(), strict=True)
                ]
                if self.months
                else [],
            }
        }
