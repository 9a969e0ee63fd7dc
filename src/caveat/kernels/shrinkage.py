"""Estimates shrunk towards their mean, as far as their own spread says.

The true values are taken to be normal around a common mean with variance tau^2, and each is
estimated by its posterior mean given its own estimate (empirical Bayes: Efron and Morris 1973,
https://doi.org/10.1080/01621459.1973.10481350). tau^2 is the variance of the estimates less what
their errors make of it, which is unbiased. What all estimates have in common, such as how hard the
items are, is neither spread nor error here. The errors between models are not used further: with
about as many models as items they hold directions of no error that are chance, on which a
likelihood and a joint posterior mean would lean.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Shrunk:
    """Posterior means.

    Attributes
    ----------
    mean : float array, shape (m,)
    tau : float
        Standard deviation of the true values.
    """

    mean: Floats
    tau: float


def shrink(x: Floats, covariance: Floats) -> Shrunk:
    """Shrink estimates towards their mean.

    Parameters
    ----------
    x : float array, shape (m,)
    covariance : float array, shape (m, m)
    """
    m = x.size
    # errors around the mean of all: the diagonal of the centred covariance
    row = covariance.mean(axis=0)
    own = np.maximum(np.diag(covariance) - 2.0 * row + row.mean(), 0.0)
    tau2 = max(float(x.var(ddof=1)) - float(own.sum()) / (m - 1), 0.0)
    # of equal errors e^2 the part (m - 1) / m is around the mean
    error = own * m / (m - 1)
    kept = tau2 / np.where(tau2 + error > 0, tau2 + error, 1.0)
    centre = float(x.mean())
    return Shrunk(centre + kept * (x - centre), float(np.sqrt(tau2)))
