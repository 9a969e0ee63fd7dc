"""The votes between rated models, one by one, on the board they were fitted to."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats
from caveat.data.keys import codes_of
from caveat.data.schema import OUTCOMES
from caveat.results.ranking import Ranking
from caveat.stats.ranking.scale import CENTRE, POINTS

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class RatedVotes:
    """Columns of votes between rated models.

    Attributes
    ----------
    theta : float array, shape (m,)
        Ratings in logits, in the order of the board.
    rows : bool array, shape (rows of the table,)
        Rows that are votes between rated models.
    a, b, outcome : int array, shape (n,)
        Codes on the board, and in `OUTCOMES`.
    count, weight : float array, shape (n,), or None
        None where the source has no such column.
    """

    theta: Floats
    rows: npt.NDArray[np.bool_]
    a: Ints
    b: Ints
    outcome: Ints
    count: Floats | None
    weight: Floats | None

    @property
    def n_votes(self) -> float:
        """Votes, not rows."""
        return float(self.a.size if self.count is None else self.count.sum())


def rated_votes(table: "pa.Table", board: Ranking) -> RatedVotes:
    """Take the votes between rated models out of a table."""
    rated = [model for model in board.models if model.tier is not None]
    theta = (np.array([model.rating for model in rated]) - CENTRE) / POINTS
    return votes_between(table, tuple(model.model for model in rated), theta=theta)


def votes_between(table: "pa.Table", names: tuple[str, ...], *, theta: Floats) -> RatedVotes:
    """Take the votes between some models out of a table, coded by their place in `names`."""
    place = {name: code for code, name in enumerate(names)}
    a, b = (_placed(table, side, place) for side in ("model_a", "model_b"))
    outcome = _placed(table, "outcome", {label: k for k, label in enumerate(OUTCOMES)})
    rows = (a >= 0) & (b >= 0)
    if not rows.all():
        a, b, outcome = a[rows], b[rows], outcome[rows]
    count, weight = (_numbers(table, name, rows) for name in ("count", "weight"))
    return RatedVotes(theta, rows, a, b, outcome, count, weight)


def clusters(table: "pa.Table", column: str, votes: RatedVotes) -> Ints:
    """Code of each vote's cluster, -1 where it has none; shape (n,)."""
    return codes_of(table[column])[votes.rows] - 1


def has_values(table: "pa.Table", column: str) -> bool:
    """Whether a column is there and holds anything."""
    return column in table.column_names and table[column].null_count < table.num_rows


def _placed(table: "pa.Table", column: str, place: dict[str, int]) -> Ints:
    chunks = table[column].chunks
    if table[column].null_count or not chunks or not hasattr(chunks[0], "dictionary"):
        code, labels = codes(table, column)
        return np.array([*(place.get(label, -1) for label in labels), -1], dtype=np.int32)[code]
    parts = []  # one pass over each chunk's own codes: columns of millions are read several times
    for chunk in chunks:
        labels = chunk.dictionary.to_pylist()
        lookup = np.array([place.get(label, -1) for label in labels], dtype=np.int32)
        parts.append(lookup[chunk.indices.to_numpy()])
    return np.concatenate(parts)


def _numbers(table: "pa.Table", name: str, rows: npt.NDArray[np.bool_]) -> Floats | None:
    if name not in table.column_names:
        return None
    values = floats(table, name)[rows]
    return np.where(np.isnan(values), 1.0, values)
