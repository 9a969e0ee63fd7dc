"""Votes of a board that share something, as clusters of its cells."""

import numpy as np

from caveat.data.column_arrays import codes, floats
from caveat.data.keys import codes_of
from caveat.data.schema import OUTCOMES
from caveat.errors import InputError
from caveat.kernels.clustered import ClusterCells, cluster_cells
from caveat.kernels.counts import N_OUTCOMES
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rated_votes import has_values


def clusters_of(board: FittedBoard, column: str) -> ClusterCells:
    """Gather the votes between rated models by what they share.

    Parameters
    ----------
    board : FittedBoard
        With its source.
    column : str
        E.g. `voter`, `item`, `battle`; a vote without a value is a cluster of its own.

    Raises
    ------
    InputError
        If the votes have no such column, or nothing in it.
    """
    source = board.votes.source
    if source is None or not has_values(source.table, column):
        raise InputError(f"cluster must name a column that the votes have, got {column!r}")
    table = source.table
    place = {name: code for code, name in enumerate(board.names)}
    ends = []
    for side in ("model_a", "model_b"):
        code, labels = codes(table, side)
        ends.append(np.array([*(place.get(label, -1) for label in labels), -1])[code])
    code, labels = codes(table, "outcome")
    outcome = np.array([OUTCOMES.index(label) for label in labels])[code]
    rows = (ends[0] >= 0) & (ends[1] >= 0)
    m, cells = len(board.names), board.cells
    lookup = np.full(m * m * N_OUTCOMES, -1)
    lookup[(cells.a * m + cells.b) * N_OUTCOMES + cells.outcome] = np.arange(cells.a.size)
    number = {
        name: np.nan_to_num(floats(table, name)[rows], nan=1.0)
        for name in ("count", "weight")
        if name in table.column_names
    }
    return cluster_cells(
        cells,
        codes_of(table[column])[rows] - 1,
        place=lookup[((ends[0] * m + ends[1]) * N_OUTCOMES + outcome)[rows]],
        **number,
    )
