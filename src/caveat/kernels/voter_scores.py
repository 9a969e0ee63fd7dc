"""What each voter's votes do to the ratings, and errors from that.

A voter's score is the sum of the slopes of its (weighted) votes by every parameter. Where the
weights of voters were fitted to margins, the part of the scores that the margins explain does not
vary from sample to sample: it is taken out by regression on the levels, each voter with its weight
(Deville and Sarndal 1992, https://doi.org/10.1080/01621459.1992.10475217, section 3.4). A voter
whose weight stands at its cap does not answer to the margins and is left out of that regression.
What is left of the score of a voter who is much of a level is too small by its leverage h, and is
divided by the root of 1 - h (HC2; MacKinnon and White 1985,
https://doi.org/10.1016/0304-4076(85)90158-7).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, dia_array, hstack

from caveat.kernels import paired
from caveat.kernels.counts import VoteCells
from caveat.kernels.paired import PairedFit, Slopes, Units

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

_ALL = 0.9
"""Leverage beyond which a residual is rounding, not something to be enlarged."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of g voters by p parameters: `total - levels @ explained`.

    Attributes
    ----------
    total : sparse array, shape (g, p)
    levels : sparse array, shape (g, q)
        Weight of each voter in the column of each level it belongs to, and a column of ones.
    explained : float array, shape (q, p)
        What the margins explain of an unweighted score.
    leverage : float array, shape (g,)
        Share of each voter in what the margins explain of its own score.
    """

    total: csr_array
    levels: csr_array
    explained: Floats
    leverage: Floats


def scores(slopes: Slopes, members: csr_array, *, n_models: int, has_tie: bool) -> Scores:
    """Add up the slopes of each voter's votes.

    Parameters
    ----------
    slopes : Slopes
        Of one vote of each of k cells; without covariates.
    members : sparse array, shape (g, k)
        Weighted votes of each voter in each cell.
    n_models : int
    has_tie : bool
        Whether the model has a tie parameter.
    """
    g = members.shape[0]
    total = (members @ by_parameter(slopes, n_models=n_models, has_tie=has_tie)).tocsr()
    return Scores(total, csr_array((g, 0)), np.zeros((0, total.shape[1])), np.zeros(g))


def by_parameter(slopes: Slopes, *, n_models: int, has_tie: bool) -> csr_array:
    """Slopes of each cell by each parameter; sparse, shape (k, p)."""
    k = slopes.eta.size
    columns, values = [slopes.a, slopes.b], [slopes.eta, -slopes.eta]
    if has_tie:
        columns.append(np.full(k, n_models))
        values.append(slopes.tie)
    places = (np.tile(np.arange(k), len(columns)), np.concatenate(columns))
    return csr_array((np.concatenate(values), places), shape=(k, n_models + has_tie))


def calibrated(
    plain: Scores,
    *,
    weight: Floats,
    free: npt.NDArray[np.bool_],
    margins: Sequence[Codes],
) -> Scores:
    """Take out of the scores what the margins explain that the weights were fitted to.

    Parameters
    ----------
    plain : Scores
        As `scores` returns them.
    weight : float array, shape (g,)
        Of each voter; positive.
    free : bool array, shape (g,)
        Whether the weight is below its cap.
    margins : sequence of int arrays, shape (g,)
        Level of each voter.
    """
    g = weight.size
    shift = np.cumsum([0, *(int(level.max()) + 1 for level in margins)])
    column = np.concatenate([level + at for level, at in zip(margins, shift, strict=False)])
    row = np.tile(np.arange(g), len(margins))
    shape = (g, int(shift[-1]))
    levels = csr_array((np.tile(weight, len(margins)), (row, column)), shape=shape)
    loose = csr_array((np.tile(free.astype(np.float64), len(margins)), (row, column)), shape=shape)
    # Margins share their total, so the normal equations are singular: the least-norm solution
    # gives the same residuals as any other.
    inverse = np.linalg.pinv((loose.T @ levels).toarray(), hermitian=True)
    explained = inverse @ (loose.T @ plain.total).toarray()
    # With weights at their cap the rest does not add up to zero: the levels of all voters, not only
    # of the free ones, have to be those of the population.
    left = np.asarray(plain.total.sum(axis=0)) - levels.sum(axis=0) @ explained
    return Scores(
        plain.total,
        csr_array(hstack([levels, csr_array(np.ones((g, 1)))])),
        np.vstack([explained, left / g]),
        np.asarray(csr_array(loose @ inverse).multiply(levels).sum(axis=1)),
    )


def cross(first: Scores, second: Scores) -> Floats:
    """Products of two kinds of scores added up over voters; shape (p, p')."""
    one, other = _steady(first), _steady(second)
    made = (one.total.T @ other.total).toarray()
    made -= (one.total.T @ other.levels).toarray() @ other.explained
    made -= one.explained.T @ (one.levels.T @ other.total).toarray()
    made += one.explained.T @ (one.levels.T @ other.levels).toarray() @ other.explained
    return np.asarray(made, dtype=np.float64)


def _steady(found: Scores) -> Scores:
    """Make up for leverage; a voter who is all of a level has nothing left to make up."""
    if not found.leverage.any():
        return found
    factor = 1.0 / np.sqrt(1.0 - np.minimum(found.leverage, _ALL))
    grow = csr_array(dia_array((factor[None, :], 0), shape=(factor.size,) * 2))
    total, levels = csr_array(grow @ found.total), csr_array(grow @ found.levels)
    return replace(found, total=total, levels=levels)


def squared_slopes(cells: VoteCells, fitted: PairedFit, weight2: Floats) -> Floats:
    """Squared slopes of single votes by all parameters; shape (p, p).

    Parameters
    ----------
    cells : VoteCells
        k cells.
    fitted : PairedFit
        Without covariates.
    weight2 : float array, shape (k,)
        Sum of the squared weights of the votes of each cell.
    """
    one = paired.slopes(cells.a, cells.b, cells.outcome, fitted=fitted)
    squares = (one.eta**2, one.eta * one.tie, one.tie**2)
    each = Units(cells.n_models, cells.a, cells.b, *(weight2,) * 3, np.zeros((weight2.size, 0)))
    return paired.assemble(each, *(weight2 * square for square in squares), ties=fitted.ties)
