"""TrueSkill for votes between two models, with ties.

Notation: Herbrich, Minka and Graepel (2006), "TrueSkill: A Bayesian Skill Rating System",
https://proceedings.neurips.cc/paper/2006/hash/f44ee263952e65b3610b8ba51229d1f9-Abstract.html:
a skill is normal with mean mu and variance sigma**2, a performance adds beta**2, a skill gains
tau**2 of variance before each vote, and performances closer than the draw margin are a tie. The
update of two players is exact up to matching moments, with the functions V and W of the paper.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from caveat.kernels._jit import compiled

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Copies = npt.NDArray[np.uint8]

MU = 25.0
SIGMA = MU / 3.0
BETA = SIGMA / 2.0
TAU = SIGMA / 100.0
"""The paper's scale: a newcomer is 25 +- 8.3."""
_DEEP = -30.0
"""Below this many deviations the tail of the normal distribution is taken from its expansion."""
_ROOT_2PI = math.sqrt(2.0 * math.pi)


@dataclass(frozen=True, slots=True, eq=False)
class TrueSkill:
    """Skills after the last vote.

    Attributes
    ----------
    mu, sigma : float array, shape (m,)
        Mean and deviation of each skill.
    """

    mu: Floats
    sigma: Floats


def draw_margin(probability: float, *, beta: float = BETA) -> float:
    """Margin at which two equals tie with this probability, in [0, 1)."""
    return float(ndtri((probability + 1.0) / 2.0)) * math.sqrt(2.0) * beta


def trueskill(
    a: Codes,
    b: Codes,
    outcome: Codes,
    *,
    n_models: int,
    margin: float,
    copies: Copies | None = None,
    tau: float = TAU,
) -> TrueSkill:
    """Rate models by their votes in the order given.

    Parameters
    ----------
    a, b, outcome : int array, shape (n,)
        Codes of the models (0 to `n_models` - 1) and of the outcome (0 a, 1 b, 2 or 3 tie).
    n_models : int
    margin : float
        Draw margin; above 0 where there are ties.
    copies : uint8 array, shape (n,), optional
        How often each vote is played; once where absent.
    tau : float
        Deviation that a skill gains before each vote.
    """
    skill = np.empty((2, n_models))
    skill[0], skill[1] = MU, SIGMA**2
    copies = np.ones(a.size, dtype=np.uint8) if copies is None else copies
    play(skill, a, b, outcome, copies, BETA, tau, margin)
    return TrueSkill(skill[0], np.sqrt(skill[1]))


@compiled
def density(x: float) -> float:
    """Density of the standard normal distribution."""
    return math.exp(-x * x / 2.0) / _ROOT_2PI


@compiled
def below(x: float) -> float:
    """Distribution function of the standard normal distribution."""
    return math.erfc(-x / math.sqrt(2.0)) / 2.0


@compiled
def win_shift(x: float) -> float:
    """V of the paper for a win, at (t - margin): by how much the mean moves."""
    if x < _DEEP:
        return -x - 1.0 / x + 2.0 / x**3
    return density(x) / below(x)


@compiled
def tie_shift(t: float, margin: float) -> tuple[float, float]:
    """V and W of the paper for a tie."""
    distance = abs(t)
    inner, outer = margin - distance, margin + distance
    if inner < _DEEP:
        shift, shrink = inner, 1.0
    else:
        chance = below(inner) - below(-outer)
        near, far = density(inner), density(outer)
        shift = (far - near) / chance
        shrink = shift**2 + (inner * near + outer * far) / chance
    return (shift if t >= 0.0 else -shift), shrink


@compiled
def play(
    skill: Floats,
    a: Codes,
    b: Codes,
    outcome: Codes,
    copies: Copies,
    beta: float,
    tau: float,
    margin: float,
) -> None:
    """Update means and variances, the rows of `skill`, vote by vote."""
    mu, variance = skill[0], skill[1]
    for vote in range(a.size):
        first, second = a[vote], b[vote]
        if outcome[vote] == 1:  # the winner first; a tie has none
            first, second = second, first
        for _ in range(copies[vote]):
            one, other = variance[first] + tau**2, variance[second] + tau**2
            total = 2.0 * beta**2 + one + other
            root = math.sqrt(total)
            t = (mu[first] - mu[second]) / root
            if outcome[vote] < 2:
                x = t - margin / root
                shift = win_shift(x)
                shrink = shift * (shift + x)
            else:
                shift, shrink = tie_shift(t, margin / root)
            mu[first] += one / root * shift
            mu[second] -= other / root * shift
            variance[first] = one * (1.0 - one / total * shrink)
            variance[second] = other * (1.0 - other / total * shrink)
