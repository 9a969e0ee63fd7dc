"""Does the style of the answers explain the order?"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from caveat.results.control import Controls
from caveat.results.stress.style import Style
from caveat.stats.ranking.board_change import board_change
from caveat.stats.ranking.controlled import (
    ControlledBoard,
    controls_of,
    fit_controlled,
    rate_controlled,
)
from caveat.stats.ranking.covariates import Contrast
from caveat.stats.ranking.dependence import COLUMNS
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rate import PLAIN, Errors, rate_fitted
from caveat.stats.ranking.rated_votes import has_values

Floats = npt.NDArray[np.float64]


def style(
    board: FittedBoard,
    *,
    columns: tuple[str, ...] = (),
    contrast: Contrast = "relative",
    anchor: str | None = None,
    errors: Errors = PLAIN,
) -> Style:
    """Compare the board with the one at equal style.

    Use it wherever the votes say how long the answers were, or how many lists they had. A first
    place that falls when lengths are held equal was won by length.

    Parameters
    ----------
    board : FittedBoard
        With its source.
    columns : tuple of str
        Names of pairs of columns (`chars` for `chars_a` and `chars_b`); all that can be used where
        empty.
    contrast : str
        `relative` or `difference`; see `fit_controlled`.
    anchor : str, optional
    errors : Errors
        Its level and seed; clusters are those of battle, item and voter that make the errors of the
        coefficients largest.

    Returns
    -------
    Style

    Raises
    ------
    InputError
        As `fit_controlled`.
    TooFewError
        If fewer than two models are rated.

    Examples
    --------
    >>> import caveat
    >>> from caveat.stats.ranking.counting import count_votes
    >>> from caveat.stats.ranking.fitted import fit_board
    >>> rows = {"model_a": ["x"] * 80, "model_b": ["y"] * 80, "chars_a": [30, 10] * 40,
    ...         "chars_b": [10, 30] * 40, "winner": (["a", "b"] * 3 + ["b", "a"]) * 10}
    >>> found = style(fit_board(count_votes(caveat.read_votes(rows))))
    >>> [(one.name, one.points > 0) for one in found.controls.coefficients]
    [('chars', True)]
    """
    plain = replace(errors, cluster=None, bootstrap=0)
    controlled = fit_controlled(board, columns=columns, contrast=contrast)
    anchor = anchor if anchor in controlled.plain.names else None
    before = rate_fitted(controlled.plain, anchor=anchor, errors=plain)
    after = rate_controlled(controlled, anchor=before.anchor, errors=plain)
    return Style(
        method=before.method,
        controls=judged_controls(controlled, errors=errors),
        change=board_change(before, after),
    )


def judged_controls(board: ControlledBoard, *, errors: Errors = PLAIN) -> Controls:
    """Say what properties are worth, with the clusters that make the errors largest."""
    column, held, covariance = _widest(board)
    return controls_of(board, covariance, held, replace(errors, cluster=column))


def _widest(board: ControlledBoard) -> tuple[str | None, int | None, Floats]:
    """Clusters that make the errors of the coefficients largest, their number, the covariance."""
    found: tuple[str | None, int | None, Floats] = (None, None, board.covariance())
    source = board.plain.votes.source
    for name in COLUMNS:
        if source is None or not has_values(source.table, name):
            continue
        number = board.n_clusters(name)
        if 1 < number < board.n_votes:
            covariance = board.covariance(name)
            if _size(covariance, board) > _size(found[2], board):
                found = (name, number, covariance)
    return found


def _size(covariance: Floats, board: ControlledBoard) -> float:
    k = board.spread.size
    head = board.fit.parameters.size - board.fit.coefficients.size
    return float(np.diag(covariance)[head : head + k].sum())
