"""How many independent models a crowd is worth, and what its majority would then do."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import betabinom

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CrowdSize:
    """Correlation of the errors of m models.

    Attributes
    ----------
    correlation : float array, shape (m, m)
        Phi coefficient of being wrong; nan for a model that is always right or always wrong.
    mean : float
        Over pairs of the `used` models.
    design_effect : float
        1 + (used - 1) * mean.
    effective : float
        used / design_effect; the number of independent models whose mean error varies as much.
    effective_spectral : float
        Square of the sum of the eigenvalues of the correlations over the sum of their squares.
    used : int
        Models that are neither always right nor always wrong.
    """

    correlation: Floats
    mean: float
    design_effect: float
    effective: float
    effective_spectral: float
    used: int


def crowd_size(right: npt.NDArray[np.bool_]) -> CrowdSize:
    """Correlate errors over items.

    Kish (1965), Survey Sampling, for the design effect.

    Parameters
    ----------
    right : bool array, shape (n, m)
    """
    wrong = 1.0 - right
    centred = wrong - wrong.mean(axis=0)
    spread = np.sqrt((centred**2).sum(axis=0))
    varies = spread > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled = centred / np.where(varies, spread, np.nan)
    correlation = scaled.T @ scaled
    used = int(varies.sum())
    own = correlation[np.ix_(varies, varies)]
    if used < 2:
        nan = float("nan")
        return CrowdSize(correlation, nan, nan, nan, nan, used)
    mean = float((own.sum() - np.trace(own)) / (used * (used - 1)))
    effect = 1.0 + (used - 1) * mean
    return CrowdSize(
        correlation=correlation,
        mean=mean,
        design_effect=effect,
        effective=used / effect if effect > 0 else float("inf"),
        effective_spectral=float(used**2 / (own**2).sum()),
        used=used,
    )


def majority_if_independent(share: Floats) -> float:
    """Chance that more than half of independent models are right, half a tie counted as right.

    Condorcet's jury theorem with unequal jurors: the sum of independent 0/1 outcomes, exactly.

    Parameters
    ----------
    share : float array, shape (m,)
        How often each is right.
    """
    chance = np.ones(1)
    for p in share:
        chance = np.convolve(chance, [1.0 - p, p])
    return _more_than_half(chance)


def majority_if_correlated(share: float, correlation: float, m: int) -> float:
    """Chance that more than half of m exchangeable models are right, half a tie counted as right.

    The number that are right is beta-binomial: its mean is m * share, and any two models are
    correlated as given (Williams 1975, https://doi.org/10.2307/2529820).

    Parameters
    ----------
    share : float
    correlation : float
        Below 0, it counts as 0.
    m : int
    """
    if not 0.0 < share < 1.0:
        return share
    if correlation <= 1e-12:
        return majority_if_independent(np.full(m, share))
    if correlation >= 1.0:
        return share
    total = 1.0 / correlation - 1.0
    law = betabinom(m, share * total, (1.0 - share) * total)
    return _more_than_half(np.asarray(law.pmf(np.arange(m + 1)), dtype=np.float64))


def _more_than_half(chance: Floats) -> float:
    m = chance.size - 1
    more = chance[m // 2 + 1 :].sum()
    return float(more + (0.5 * chance[m // 2] if m % 2 == 0 else 0.0))
