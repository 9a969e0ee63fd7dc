"""How much better a model is on one part of the items than its score on the rest leads to expect.

Scores in shares are not on one scale: what separates models by 20 points on hard items separates
them by 5 on easy ones. Across models, probits of the scores on two parts lie near a line (Recht et
al. 2019, https://arxiv.org/abs/1902.10811; Miller et al. 2021, https://arxiv.org/abs/2107.04649),
and a model that has seen one part lies above it.
"""

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
SLOPE_MODELS = 8
"""Models from which on the slope of the line is estimated; with fewer it is 1."""
MOST_FOR_SLOPE = 200
"""Models whose pairs give the slope, spread over the range of scores."""
SPREAD_MODELS = 5
"""Models from which on the usual distance from the line is known."""
SCALES = 3.0
"""Usual distances from the line within which a model is like the others."""
ERRORS = 2.0
"""Standard errors of its distance within which a model may be on the line."""
_MAD = 1.4826


def above_the_line(score: Floats, inside: Mask, j: int, *, least: int) -> float:
    """Score of one model on a part of the items, less what its score on the rest predicts.

    Parameters
    ----------
    score : float array, shape (items, models)
        0 to 1; nan where unknown.
    inside : bool array, shape (items,)
        Items of the part. Items to be left out have no score.
    j : int
        The model.
    least : int
        Items a model needs on each side to count.

    Returns
    -------
    float
        In shares of 1; 0 where the distance from the line is usual among the models, or within two
        binomial errors (those of a model alone, though part of it is common to all: cautious); nan
        where no line can be drawn.
    """
    here, x_here, error_here = _probits(score[inside], least=least)
    _, x_there, error_there = _probits(score[~inside], least=least)
    known = np.isfinite(x_here) & np.isfinite(x_there)
    if not known[j] or known.sum() < 3:
        return float("nan")
    slope = _slope(x_there[known], x_here[known]) if known.sum() >= SLOPE_MODELS else 1.0
    height = x_here - slope * x_there
    others = known.copy()
    others[j] = False
    middle = float(np.median(height[others]))
    usual = float(np.median(np.abs(height[others] - middle)))
    error = np.hypot(error_here, slope * error_there)
    # That of a mean stands for the error of the median: with few models they are nearly the same.
    unsure = np.hypot(error[j], np.sqrt((error[others] ** 2).sum()) / others.sum())
    spread = SCALES * _MAD * usual if others.sum() >= SPREAD_MODELS else 0.0
    if abs(height[j] - middle) <= max(spread, ERRORS * unsure):
        return 0.0
    return float(here[j] - ndtr(slope * x_there[j] + middle))


def _probits(score: Floats, *, least: int) -> tuple[Floats, Floats, Floats]:
    """Mean of each model; its probit, half a point added to right and wrong; and its error."""
    known = np.isfinite(score)
    n = known.sum(axis=0).astype(np.float64)
    total = np.where(known, score, 0.0).sum(axis=0)
    n = np.where(n >= least, n, np.nan)
    share = (total + 0.5) / (n + 1.0)
    probit = np.asarray(ndtri(share), dtype=np.float64)
    density = np.exp(-0.5 * probit**2) / np.sqrt(2.0 * np.pi)
    return total / n, probit, np.sqrt(share * (1.0 - share) / n) / density


def _slope(x: Floats, y: Floats) -> float:
    """Median of the slopes between models (Theil and Sen), which a few models cannot turn."""
    if x.size > MOST_FOR_SLOPE:
        kept = np.argsort(x, kind="stable")[
            np.linspace(0, x.size - 1, MOST_FOR_SLOPE).round().astype(int)
        ]
        x, y = x[kept], y[kept]
    one, other = np.triu_indices(x.size, 1)
    run = x[other] - x[one]
    apart = run != 0
    return float(np.median((y[other] - y[one])[apart] / run[apart])) if apart.any() else 1.0
