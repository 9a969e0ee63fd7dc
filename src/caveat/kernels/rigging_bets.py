"""Bets that a share of a voter's votes is rigged; each is an e-value.

Notation: of the N votes on a pair, K are of one kind (say, for one model). A voter cast n of the
N, and k of these are of that kind. (x)_i = x (x - 1) ... (x - i + 1). Where the votes of the pair
are exchangeable between voters, k is hypergeometric given n, N and K, whose factorial moments are
E (k)_i = (n)_i (K)_i / (N)_i. So (k)_i (N)_i / ((n)_i (K)_i) has expectation 1 for each i <= K: it
is the likelihood ratio of "i of the votes were all of this kind, whatever the pair". If each vote
is rigged with probability `share`, i is binomial; its mixture is `log_backing`. No probability is
estimated anywhere: the pair's totals, the voter's votes among them, are given.

E-values: Vovk and Wang (2021), https://doi.org/10.1214/20-AOS2020.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, gammaln, logsumexp

Floats = npt.NDArray[np.float64]

_TINY = 1e-280
"""Probability below which its logarithm is summed from logarithms."""
_LONG = 64
"""Successes above which a cell is summed by itself: the loop over i then runs over few cells."""


def log_backing(kind: Floats, own: Floats, pool_kind: Floats, pool: Floats, share: float) -> Floats:
    """Log of the e-value for "each vote is of this kind with probability `share`, else honest".

    Parameters
    ----------
    kind, own : float array, shape (c,)
        Whole numbers k and n: votes of the kind, and all votes, of the voter on the pair.
    pool_kind, pool : float array, shape (c,)
        K and N, the voter's own included.
    share : float
        Between 0 and 1, both excluded.

    Returns
    -------
    float array, shape (c,)
        Expectation of its exponential: 1. It is 0 where the totals leave the voter no choice:
        nobody else voted, or all votes are of one kind.
    """
    total = _mixed(_Cells(kind, own, pool, pool_kind, -1.0), share)
    # No more votes can be rigged than there are of the kind.
    scarce = np.flatnonzero(pool_kind < own)
    total[scarce] -= _log_at_most(pool_kind[scarce], own[scarce], share)
    total[(pool == own) | (pool_kind == 0.0)] = 0.0
    return total


def _log_at_most(most: Floats, trials: Floats, share: float) -> Floats:
    """Log of the chance that a binomial number is `most` or less."""
    chance = bdtr(most, trials.astype(np.int64), share)
    lost = chance < _TINY
    log = np.log(np.where(lost, 1.0, chance))
    for cell in np.flatnonzero(lost):
        i = np.arange(most[cell] + 1.0)
        terms = _falling(trials[cell], i) - gammaln(i + 1.0) + i * np.log(share)
        log[cell] = logsumexp(terms + (trials[cell] - i) * np.log1p(-share))
    return log


def log_guessing(wins: Floats, losses: Floats, pool_wins: Floats, pool_losses: Floats) -> Floats:
    """Log of the e-value for "every vote is a toss of a fair coin".

    Parameters
    ----------
    wins, losses : float array, shape (c,)
        Whole numbers: votes of the voter for either model of the pair.
    pool_wins, pool_losses : float array, shape (c,)
        The same of all voters, this one included.

    Returns
    -------
    float array, shape (c,)
        Expectation of its exponential: at most 1.
    """
    own = wins + losses
    honest = (
        _falling(pool_wins, wins)
        + _falling(pool_losses, losses)
        - _falling(pool_wins + pool_losses, own)
    )
    free = (pool_wins + pool_losses > own) & (pool_wins > 0) & (pool_losses > 0)
    return np.where(free, -own * np.log(2.0) - honest, 0.0)


def log_repeating(
    repeats: Floats, chances: Floats, other_repeats: Floats, other_chances: Floats, share: float
) -> Floats:
    """Log of the e-value for "the next vote repeats the last with probability `share` at least".

    Chances to repeat come one after another and their number depends on what happened, so nothing
    is hypergeometric. With s the chance of a repeat, the likelihood ratio is
    sum_i C(k, i) share^i (1 - share)^(m - i) s^-i. From K repeats in M chances of others,
    (M + 1)(M + 2)...(M + i) / ((K + 1)(K + 2)...(K + i)) has expectation at most s^-i if K is
    binomial. In sequences it is not quite, since the share of repeats after a state is biased
    downwards (Miller and Sanjurjo 2018, https://doi.org/10.3982/ECTA14943): one repeat more than
    the others showed makes up for it, as simulations show.

    Parameters
    ----------
    repeats, chances : float array, shape (c,)
        Whole numbers k and m of one voter.
    other_repeats, other_chances : float array, shape (c,)
        K and M of the other voters.
    share : float
        Between 0 and 1, both excluded.
    """
    return _mixed(
        _Cells(repeats, chances, other_chances + 2.0, other_repeats + 2.0, 1.0),
        share,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """k of n, and the factors (top + step i) / (bottom + step i) that stand for 1 / s."""

    k: Floats
    n: Floats
    top: Floats
    bottom: Floats
    step: float


def _mixed(cells: _Cells, share: float) -> Floats:
    """Log of sum over i <= k of C(k, i) share^i (1 - share)^(n - i) times the first i factors."""
    odds = np.log(share) - np.log1p(-share)
    term = cells.n * np.log1p(-share)
    total: Floats = term.copy()
    left = np.flatnonzero((cells.k > 0) & (cells.k <= _LONG))
    for i in range(_LONG):
        left = left[cells.k[left] > i]
        if not left.size:
            break
        top, bottom = cells.top[left] + cells.step * i, cells.bottom[left] + cells.step * i
        term[left] += odds + np.log((cells.k[left] - i) * top / (bottom * (i + 1.0)))
        total[left] = np.logaddexp(total[left], term[left])
    for cell in np.flatnonzero(cells.k > _LONG):
        i_all = np.arange(cells.k[cell])
        top = cells.top[cell] + cells.step * i_all
        bottom = cells.bottom[cell] + cells.step * i_all
        growth = odds + np.log((cells.k[cell] - i_all) * top / (bottom * (i_all + 1.0)))
        # SciPy's logsumexp takes longer to check its arguments than to add them up.
        sums = np.concatenate([[0.0], np.cumsum(growth)])
        most = sums.max()
        total[cell] += most + np.log(np.exp(sums - most).sum())
    return total


def _falling(x: Floats | float, i: Floats) -> Floats:
    """Log of x (x - 1) ... (x - i + 1)."""
    return np.asarray(gammaln(x + 1.0) - gammaln(x - i + 1.0), dtype=np.float64)
