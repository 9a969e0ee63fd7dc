"""Votes split by a column, each part counted as a board counts them."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from caveat.data.column_arrays import codes
from caveat.errors import InputError
from caveat.kernels.counts import N_OUTCOMES, VoteCells
from caveat.stats.ranking.counting import CountedVotes, count_votes
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rated_votes import has_values, votes_between

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SplitVotes:
    """Votes by category.

    Attributes
    ----------
    board : FittedBoard
        Of all votes, with its source.
    names : tuple of str
        Categories.
    code : int array, shape (rows of the source,)
        Category of each row, -1 where it has none.
    sums : float array, shape (3, categories, cells)
        Count, weight and squared weight by category and cell of all models.
    by_rows : bool
        Whether parts keep their votes as a source, for what these share.
    """

    board: FittedBoard
    names: tuple[str, ...]
    code: Ints
    sums: Floats
    by_rows: bool

    @property
    def votes(self) -> Floats:
        """Votes of each category."""
        return np.asarray(self.sums[0].sum(axis=1), dtype=np.float64)

    @property
    def unnamed(self) -> float:
        """Votes without a category."""
        return float(self.board.votes.cells.n_votes - self.votes.sum())

    def part(self, category: int) -> CountedVotes:
        """Votes of one category."""
        return self._taken(self.code == category, self.sums[:, category])

    def rest(self, category: int) -> CountedVotes:
        """Votes of all other categories."""
        other = (self.code >= 0) & (self.code != category)
        return self._taken(other, self.sums.sum(axis=1) - self.sums[:, category])

    def _taken(self, rows: npt.NDArray[np.bool_], sums: Floats) -> CountedVotes:
        votes = self.board.votes
        if self.by_rows and votes.source is not None:
            table = votes.source.table.filter(pa.array(rows))
            return count_votes(replace(votes.source, table=table, places=None))
        m = len(votes.models)
        held = np.flatnonzero(np.rint(sums[0]) > 0)
        pair, outcome = np.divmod(held, N_OUTCOMES)
        a, b = np.divmod(pair, m)
        used = np.unique(np.concatenate([a, b]))
        place = np.zeros(m, dtype=np.int64)
        place[used] = np.arange(used.size)
        cells = VoteCells(used.size, place[a], place[b], outcome, *sums[:, held])
        models = tuple(votes.models[i] for i in used)
        return replace(votes, models=models, cells=cells, source=None)


def split_votes(board: FittedBoard, column: str, *, by_rows: bool = False) -> SplitVotes:
    """Split the votes of a board by a column.

    Parameters
    ----------
    board : FittedBoard
        With its source.
    column : str
    by_rows : bool
        Whether parts keep their votes as a source.

    Raises
    ------
    InputError
        If the votes have no such column, or nothing in it.
    """
    source = board.votes.source
    if source is None or not has_values(source.table, column):
        raise InputError(f"by must name a column that the votes have, got {column!r}")
    code, names = codes(source.table, column)
    models = board.votes.models
    votes = votes_between(source.table, models, theta=np.zeros(len(models)))
    known = code >= 0
    size = len(models) ** 2 * N_OUTCOMES
    key = (votes.a.astype(np.int64) * len(models) + votes.b) * N_OUTCOMES + votes.outcome
    key = (code.astype(np.int64) * size + key)[known]
    count = np.ones(1) if votes.count is None else votes.count[known]
    weight = np.ones(1) if votes.weight is None else votes.weight[known]
    sums = [
        np.bincount(
            key,
            weights=np.broadcast_to(count * weight**power, key.shape),
            minlength=len(names) * size,
        ).reshape(len(names), size)
        for power in (0, 1, 2)
    ]
    return SplitVotes(board, names, code.astype(np.int64), np.array(sums), by_rows)
