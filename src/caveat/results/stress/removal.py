"""Models that stopped appearing, and the board without them."""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneModel:
    """A model that the votes stopped showing, or that is declared retired.

    Attributes
    ----------
    model : str
    provider : str or None
    status : str or None
        As the `models` table declares it; None where it does not.
    retired : bool
        Whether that status says the model was taken off.
    last : str or None
        Day of its last vote, ISO 8601; None without times.
    days_silent : int or None
        Days from there to the last vote of all.
    expected : float
        Votes it would have had since at its earlier share; nan without times.
    n_votes : int
    rank : int or None
        On the board with it; None where it is not rated.
    """

    model: str
    provider: str | None
    status: str | None
    retired: bool
    last: str | None
    days_silent: int | None
    expected: float
    n_votes: int
    rank: int | None

    @property
    def silent(self) -> bool:
        """Whether it is gone without a word."""
        return not self.retired


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Place of a model among those that stay, before and after."""

    model: str
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refit:
    """The board refitted to the votes between models that are still there.

    Attributes
    ----------
    n_models, n_votes : int
        Models rated on both boards, and votes left between them.
    n_lost : int
        Models still there that the votes left no longer tie to the board.
    tau : float
        Kendall's tau between the two orders.
    swapped : int
        Pairs in another order.
    swapped_separable : int
        Those among them that one board or the other calls certain, by the board's critical value.
    leader_before, leader_after : str
        First of those that stay.
    moves : tuple of Move
        Models in another place, largest move first, at most 20.
    """

    n_models: int
    n_votes: int
    n_lost: int
    tau: float
    swapped: int
    swapped_separable: int
    leader_before: str
    leader_after: str
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What became of models over time.

    Attributes
    ----------
    start, end : str or None
        First and last day with a vote; None without times.
    n_models : int
        Models with a vote.
    n_undated : int
        Votes without a time.
    declared : bool
        Whether the `models` table says of any model whether it is still there.
    gone : tuple of GoneModel
        Models gone, most votes first.
    refit : Refit or None
        None where nothing is gone or nothing is left to rate.
    min_days, min_share, min_expected, min_votes : float
        What counts as gone: silent for more than so many days and for more than that share of the
        whole time, with at least that many votes missed, and so many cast before.
    """

    start: str | None
    end: str | None
    n_models: int
    n_undated: int
    declared: bool
    gone: tuple[GoneModel, ...]
    refit: Refit | None
    min_days: float
    min_share: float
    min_expected: float
    min_votes: float

    @property
    def silent(self) -> tuple[GoneModel, ...]:
        """Models gone of which no table says so."""
        return tuple(model for model in self.gone if model.silent)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `caveat stress --json`."""
        return {
            "removal": {
                "start": self.start,
                "end": self.end,
                "n_models": self.n_models,
                "n_undated": self.n_undated,
                "declared": self.declared,
                "n_silent": len(self.silent),
                "gone": [{**to_plain(one), "silent": one.silent} for one in self.gone],
                "refit": to_plain(self.refit),
                "min_days": self.min_days,
                "min_share": self.min_share,
                "min_expected": self.min_expected,
                "min_votes": self.min_votes,
            }
        }
