"""How well the ratings fit the votes they were made from."""

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from caveat.results._plain import to_plain

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFit:
    """How well one model's votes fit.

    Attributes
    ----------
    model : str
    n_pairs, n_votes : int
    pearson, expected : float
        Sum of squared standardised residuals of its pairs, and its mean over boards drawn from the
        fit.
    tau : float
        Typical departure of its win shares from what the ratings say, beyond noise, as a share.
    p, p_adjusted : float
        Of so large a sum; adjusted over all models by Holm's method.
    """

    model: str
    n_pairs: int
    n_votes: int
    pearson: float
    expected: float
    tau: float
    p: float
    p_adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFit:
    """A pair whose votes the ratings do not explain.

    Attributes
    ----------
    a, b : str
        The two models; the first won more than its rating says.
    n_votes : int
    observed, expected : float
        Win share of the first, ties as half, and what the ratings say.
    z : float
        Residual by its standard error.
    p_adjusted : float
        Bound on the p value that holds for any number of votes (Chernoff), adjusted over all pairs
        by Holm's method.
    """

    a: str
    b: str
    n_votes: int
    observed: float
    expected: float
    z: float
    p_adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AllPairs:
    """Every pair that met, for drawing; arrays of shape (u,).

    Attributes
    ----------
    a, b : int array
        Places of the two models in `names`.
    n_votes, observed, expected, z : float array
        As in `PairFit`, for the first model; z is nan where the pair says nothing about the fit.
    off : bool array
        Whether the ratings do not explain the pair, at the level.
    names : tuple of str
    """

    a: "npt.NDArray[np.integer]"
    b: "npt.NDArray[np.integer]"
    n_votes: "npt.NDArray[np.float64]"
    observed: "npt.NDArray[np.float64]"
    expected: "npt.NDArray[np.float64]"
    z: "npt.NDArray[np.float64]"
    off: "npt.NDArray[np.bool_]"
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadFit:
    """The lead with the departures counted as noise.

    Attributes
    ----------
    leader, runner_up : str
    z : float
        As on the board.
    se, se_departing : float
        Error of the lead in points, on the board and with departures of `tau` added.
    z_departing : float
    critical : float
        What both are compared with.
    """

    leader: str
    runner_up: str
    z: float
    se: float
    se_departing: float
    z_departing: float
    critical: float

    @property
    def lost(self) -> bool:
        """Whether the lead counts on the board but not with the departures."""
        return self.z > self.critical >= self.z_departing


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedVotes:
    """Votes of one pair that share something and agree beyond chance.

    Attributes
    ----------
    column : str
        What they share: `battle`, `item`, `voter`.
    rho : float
        Intraclass correlation within pairs.
    inflation : float
        By how much that inflates the variance of a pair's win share, mean over votes.
    """

    column: str
    rho: float
    inflation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """Three models that beat each other in a circle, each pair beyond doubt.

    Attributes
    ----------
    models : tuple of str
        The first beat the second, the second the third, the third the first.
    shares : tuple of float
        Win shares of these three pairs, ties as half.
    p_adjusted : float
        Largest of the three p values of exact sign tests, adjusted over all pairs by Holm's method.
    """

    models: tuple[str, str, str]
    shares: tuple[float, float, float]
    p_adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycles:
    """Cycles of three among the majorities.

    Attributes
    ----------
    n_triples : int
        Triples of models of which all three pairs met and none came out even.
    n_cyclic : int
    expected, low, high : float
        Mean and central `level` range of the number of cycles if their share were that on boards
        drawn from the fit.
    p : float
        Share of these boards on which at least as large a share goes round.
    zeta : float
        Kendall's coefficient of consistence; nan unless every pair met and none came out even.
    n_beyond_doubt : int
        Cycles of which each pair is decided beyond chance.
    listed : tuple of Cycle
        Those, most certain first, at most 20.
    """

    n_triples: int
    n_cyclic: int
    expected: float
    low: float
    high: float
    p: float
    zeta: float
    n_beyond_doubt: int
    listed: tuple[Cycle, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Goodness of fit of a board.

    Attributes
    ----------
    method : str
    n_models, n_pairs, n_votes : int
    pearson : float
        Sum of squared standardised residuals of win shares.
    df : int
        Pairs less free ratings.
    p_chi2 : float
        By the chi-squared distribution; wrong where many pairs have few votes.
    p : float
        By boards drawn from the fit and fitted again.
    deviance, deviance_df, deviance_p : float
        Of the table of wins, losses and ties, p by drawn boards; nan where ties are counted as half
        wins and not modelled.
    sparse : float
        Share of pairs of which some outcome is expected less than five times.
    tau, low, high : float
        Typical departure of a pair's win share from what the ratings say, beyond noise, as a share,
        and its interval; nan without degrees of freedom.
    level : float
    models : tuple of ModelFit
        Worst first: by p, then by size.
    pairs : tuple of PairFit
        Smallest p first, then largest z, at most 20.
    n_pairs_off : int
        Pairs that the ratings do not explain, at the level.
    lead : LeadFit or None
        None where the lead has no error.
    cycles : Cycles
    shared : SharedVotes or None
        What the votes share that takes most from their number: all figures but the lead's own count
        the votes of a pair as so many independent ones as they are worth. None where nothing does.
    replicates : int
        Boards drawn.
    seed : int or None
    all_pairs : AllPairs
        Not in the JSON.
    """

    method: str
    n_models: int
    n_pairs: int
    n_votes: int
    pearson: float
    df: int
    p_chi2: float
    p: float
    deviance: float
    deviance_df: int
    deviance_p: float
    sparse: float
    tau: float
    low: float
    high: float
    level: float
    models: tuple[ModelFit, ...]
    pairs: tuple[PairFit, ...]
    n_pairs_off: int
    lead: LeadFit | None
    cycles: Cycles
    shared: SharedVotes | None
    replicates: int
    seed: int | None
    all_pairs: AllPairs = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `caveat stress --json`."""
        shown = (one.name for one in fields(self) if one.name not in ("cycles", "all_pairs"))
        made = {name: to_plain(getattr(self, name)) for name in shown}
        return {"fit": made | {"reason": self.reason}, "cycles": to_plain(self.cycles)}

    @property
    def reason(self) -> str:
        """Why figures are undefined; empty where all are defined."""
        if math.isnan(self.deviance):
            return "no deviance: ties are counted as half wins and not modelled"
        return ""
