"""Which score of an answer counts, where a source holds several of each answer."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes
from caveat.errors import InputError
from caveat.results.quality import Reading

if TYPE_CHECKING:
    import pyarrow as pa

Ints = npt.NDArray[np.int64]
COLUMNS = ("metric", "filter")


def one_reading(
    table: "pa.Table", *, metric: str | None = None, filter: str | None = None
) -> tuple["pa.Table", tuple[Reading, ...]]:
    """Keep one score of each answer.

    Where a source scores an answer by several metrics, or reads it by several filters, each task
    keeps the reading that has most rows in the whole benchmark; of equal ones the first.

    Parameters
    ----------
    table : pyarrow.Table
        Rows of one benchmark.
    metric, filter : str, optional
        The ones wanted.

    Returns
    -------
    table : pyarrow.Table
    readings : tuple of Reading
        All there are, most rows first; empty where the source names no metric and no filter.

    Raises
    ------
    InputError
        When the metric or filter asked for is not there.
    """
    named = [name for name in COLUMNS if name in table.column_names]
    wanted = {"metric": metric, "filter": filter}
    if not named:
        _refuse({name: value for name, value in wanted.items() if value is not None}, {})
        return table, ()
    code, kinds = _kinds(table, named)
    rows = np.bincount(code, minlength=len(kinds))
    fits = [_fits(kind, named, wanted) for kind in kinds]
    if not any(fits):
        _refuse(wanted, {name: sorted({k[i] for k in kinds}) for i, name in enumerate(named)})
    order = sorted(range(len(kinds)), key=lambda i: (not fits[i], -rows[i], i))
    rank = np.empty(len(kinds), dtype=np.int64)
    rank[order] = np.arange(len(kinds))
    keep = np.asarray(fits)[code] & (rank[code] == _best_of_task(table, rank[code]))
    used = np.bincount(code[keep], minlength=len(kinds))
    readings = tuple(
        Reading(
            **{**dict.fromkeys(COLUMNS, ""), **dict(zip(named, kinds[i], strict=True))},
            rows=int(rows[i]),
            used=int(used[i]),
        )
        for i in order
    )
    if keep.all():
        return table, readings
    import pyarrow as pa

    return table.filter(pa.array(keep)), readings


def _kinds(table: "pa.Table", named: list[str]) -> tuple[Ints, list[tuple[str, ...]]]:
    """Return the reading of each row, and what each reading is, in the order they appear."""
    combined: Ints = np.zeros(table.num_rows, dtype=np.int64)
    values: list[tuple[str, ...]] = []
    for name in named:
        own, names = codes(table, name)
        combined = combined * (len(names) + 1) + own + 1
        values.append(("", *names))
    found, first, code = np.unique(combined, return_index=True, return_inverse=True)
    by_place = np.argsort(first)
    place = np.empty(found.size, dtype=np.int64)
    place[by_place] = np.arange(found.size)
    kinds = []
    for key in found[by_place].tolist():
        kind = []
        for options in reversed(values):
            key, which = divmod(key, len(options))
            kind.append(options[which])
        kinds.append(tuple(reversed(kind)))
    return place[code], kinds


def _best_of_task(table: "pa.Table", rank: Ints) -> Ints:
    """Return, for each row, the best rank of a reading within its task."""
    if "task" not in table.column_names or not rank.size:
        return np.full(rank.size, rank.min(initial=0))
    task, names = codes(table, "task")
    best = np.full(len(names) + 1, np.iinfo(np.int64).max)
    np.minimum.at(best, task, rank)
    chosen: Ints = best[task]
    return chosen


def _fits(kind: tuple[str, ...], named: list[str], wanted: dict[str, str | None]) -> bool:
    return all(
        wanted[name] is None or value == wanted[name]
        for name, value in zip(named, kind, strict=True)
    )


def _refuse(wanted: dict[str, str | None], there: dict[str, list[str]]) -> None:
    for name, value in wanted.items():
        if value is not None:
            known = ", ".join(one or "(none)" for one in there.get(name, ())) or "none named"
            raise InputError(
                f"{name} must be one of those in the responses ({known}), got {value!r}"
            )
