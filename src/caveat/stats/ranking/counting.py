"""From a table of votes to cells of counts: one scan."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.evidence import Evidence
from caveat.data.schema import OUTCOMES
from caveat.errors import InputError, TooFewError
from caveat.kernels.counts import VoteCells, VoteCounter

if TYPE_CHECKING:
    import pyarrow as pa

_EXACT = 2.0**53


@dataclass(frozen=True, slots=True, eq=False)
class CountedVotes:
    """Cells of counts with the names of the models.

    Attributes
    ----------
    models : tuple of str
        In the order of their names, as `count_votes` makes them.
    cells : VoteCells
    weighted : bool
        Whether the votes carry weights.
    order_known : bool
    source : Evidence or None
        The votes themselves, for what they share; None where only counts are left.
    """

    models: tuple[str, ...]
    cells: VoteCells
    weighted: bool
    order_known: bool
    source: Evidence | None = None


def count_votes(evidence: Evidence) -> CountedVotes:
    """Add up votes by first model, second model and outcome.

    Parameters
    ----------
    evidence : Evidence
        Votes.

    Returns
    -------
    CountedVotes

    Raises
    ------
    TooFewError
        If fewer than two models or no vote is left.
    InputError
        If the votes do not fit exact arithmetic (2**53), or a weight is negative.
    """
    table = evidence.table
    names: dict[str, int] = {}
    for side in ("model_a", "model_b"):
        for chunk in table[side].chunks[:1]:
            for name in chunk.dictionary.to_pylist():
                names.setdefault(name, len(names))
    if len(names) < 2:
        raise TooFewError("votes between models", got=len(names), need=2)
    counter = VoteCounter(len(names))
    wanted = ("model_a", "model_b", "outcome", "count", "weight")
    columns = [name for name in wanted if name in table.column_names]
    outcomes = {outcome: code for code, outcome in enumerate(OUTCOMES)}
    for batch in table.select(columns).to_batches(max_chunksize=1 << 20):
        counter.add(
            _recoded(batch.column("model_a"), names),
            _recoded(batch.column("model_b"), names),
            _recoded(batch.column("outcome"), outcomes),
            count=_numbers(batch, "count"),
            weight=_numbers(batch, "weight"),
        )
    cells = counter.cells()
    if cells.n_votes >= _EXACT:
        raise InputError(f"votes must add up to less than 2**53, got {cells.n_votes:.3g}")
    weighted = "weight" in columns
    return _by_name(CountedVotes(tuple(names), cells, weighted, evidence.order_known, evidence))


def _recoded(column: "pa.DictionaryArray", names: dict[str, int]) -> npt.NDArray[np.integer]:
    lookup = np.array([names[value] for value in column.dictionary.to_pylist()], dtype=np.int64)
    indices: npt.NDArray[np.integer] = column.indices.to_numpy()
    return indices if (lookup == np.arange(lookup.size)).all() else lookup[indices]


def _numbers(batch: "pa.RecordBatch", name: str) -> npt.NDArray[np.float64] | None:
    import pyarrow as pa

    if name not in batch.schema.names:
        return None
    values = batch.column(name).cast(pa.float64()).fill_null(1.0).to_numpy(zero_copy_only=False)
    numbers = np.asarray(values, dtype=np.float64)
    if name == "weight" and (numbers < 0).any():
        raise InputError(f"weights must not be negative, got {numbers.min():g}")
    return numbers


def _by_name(votes: CountedVotes) -> CountedVotes:
    """Put models in the order of their names, and leave out those that no vote names.

    So nothing that is drawn at random, nor which of two equal groups is rated, depends on the order
    of the votes.
    """
    cells = votes.cells
    used = np.unique(np.concatenate([cells.a, cells.b]))
    if used.size < 2:
        raise TooFewError("models with votes", got=int(used.size), need=2)
    order = sorted(used.tolist(), key=lambda code: votes.models[code])
    place = np.zeros(len(votes.models), dtype=np.int64)
    place[order] = np.arange(used.size)
    a, b = place[cells.a], place[cells.b]
    row = np.lexsort((cells.outcome, b, a))
    return replace(
        votes,
        models=tuple(votes.models[code] for code in order),
        cells=VoteCells(
            used.size,
            a[row],
            b[row],
            cells.outcome[row],
            cells.count[row],
            cells.weight[row],
            cells.weight2[row],
        ),
    )
