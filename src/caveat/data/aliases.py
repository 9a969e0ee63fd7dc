"""One model under several names: a table of aliases, and evidence with one name for each model."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from caveat.data.builder import BadRows
from caveat.data.evidence import Evidence, told
from caveat.errors import InputError
from caveat.results.provenance import Account, Drop

_COLUMNS: dict[str, tuple[str, ...]] = {
    "votes": ("model_a", "model_b", "judge"),
    "responses": ("model",),
    "models": ("model",),
    "published": ("model",),
}
ITSELF = "model_b: a model cannot meet itself (its two names are one model by the aliases)"
_SHOWN = 5


def checked(aliases: Iterable[tuple[str, str]], *, where: str) -> dict[str, str]:
    """Return aliases by name, or say what is wrong with them.

    Parameters
    ----------
    aliases
        Pairs of a name and the name it stands for.
    where
        What messages call the table.

    Raises
    ------
    InputError
        When a name is empty, stands for itself or for two models, or for a name that is itself
        an alias: every alias must name its model outright, so that order does not matter.

    Examples
    --------
    >>> checked([("openai/gpt-4o", "gpt-4o")], where="aliases.toml")
    {'openai/gpt-4o': 'gpt-4o'}
    """
    table: dict[str, str] = {}
    for name, model in aliases:
        if not name.strip() or not model.strip():
            raise InputError(f"{where}: names must not be empty, got {name!r} = {model!r}")
        if name == model:
            raise InputError(f"{where}: {name!r} must stand for another name, got itself")
        if table.setdefault(name, model) != model:
            raise InputError(
                f"{where}: {name!r} must stand for one model, got {table[name]!r} and {model!r}"
            )
    for name, model in table.items():
        if model in table:
            _refuse_chain(table, name, where)
    return table


def _refuse_chain(table: Mapping[str, str], name: str, where: str) -> None:
    chain = [name]
    while (after := table.get(chain[-1])) is not None and after not in chain:
        chain.append(after)
    shown = " = ".join(repr(part) for part in chain[:6])
    if after is not None:
        raise InputError(f"{where}: aliases must not go round in a circle, got {shown} = {after!r}")
    raise InputError(
        f"{where}: an alias must name its model outright, got {shown}; write {name!r} = "
        f"{chain[-1]!r}"
    )


def renamed(
    evidence: Evidence, aliases: Mapping[str, str], *, bad_rows: BadRows = "error"
) -> tuple[Evidence, frozenset[str]]:
    """Return the evidence with each alias replaced by its model, and the aliases it had.

    How many rows were renamed is told in a notice. Votes between two names of one model are an
    error, or dropped and counted. Two names that both answered one item become repeats or
    contradictions of one row: `deduplicate` deals with them.

    Raises
    ------
    InputError
        When a model would meet itself and `bad_rows` is `error`.
    """
    table, counts = evidence.table, dict.fromkeys(aliases, 0)
    for name in _COLUMNS.get(evidence.kind, ()):
        if name in table.column_names and pa.types.is_dictionary(table.column(name).type):
            place = table.column_names.index(name)
            column = _replaced(table.column(name), aliases, counts)
            table = table.set_column(place, name, column)
    met = {name: count for name, count in counts.items() if count}
    if not met:
        return evidence, frozenset()
    shown = ", ".join(
        f"{name!r} as {aliases[name]!r} ({count:,} rows)"
        for name, count in list(met.items())[:_SHOWN]
    )
    more = f" and {len(met) - _SHOWN:,} more" if len(met) > _SHOWN else ""
    made = told(
        replace(evidence, table=table), f"aliases: {len(met):,} names of models read: {shown}{more}"
    )
    return _without_self_votes(made, bad_rows), frozenset(met)


def _replaced(
    column: pa.ChunkedArray, aliases: Mapping[str, str], counts: dict[str, int]
) -> pa.ChunkedArray:
    """Return a column with other words in its dictionary; the codes follow."""
    column = column.unify_dictionaries()
    if not column.num_chunks:
        return column
    words = column.chunk(0).dictionary.to_pylist()
    places: dict[str, int] = {}
    code = np.array([places.setdefault(aliases.get(w, w), len(places)) for w in words], np.int32)
    rows = np.zeros(len(words), dtype=np.int64)
    chunks = []
    dictionary = pa.array(list(places), pa.string())
    for chunk in column.chunks:
        indices = np.asarray(pc.fill_null(chunk.indices, -1), dtype=np.int32)
        rows += np.bincount(indices[indices >= 0], minlength=len(words))
        new = np.where(indices < 0, -1, code[indices]) if words else indices
        chunks.append(
            pa.DictionaryArray.from_arrays(pa.array(new, pa.int32(), mask=new < 0), dictionary)
        )
    for word, count in zip(words, rows, strict=True):
        if word in counts:
            counts[word] += int(count)
    return pa.chunked_array(chunks)


def _without_self_votes(evidence: Evidence, bad_rows: BadRows) -> Evidence:
    if evidence.kind != "votes":
        return evidence
    same = pc.equal(
        evidence.table.column("model_a").cast(pa.string()),
        evidence.table.column("model_b").cast(pa.string()),
    )
    where: NDArray[np.bool_] = np.asarray(same, dtype=bool)
    if not where.any():
        return evidence
    first = int(np.argmax(where))
    place = f"row {first + 1}"
    if evidence.places is not None:
        file, number = evidence.places.of(first)
        place = f"{file}, row {number}"
    if bad_rows == "error":
        model = evidence.table.column("model_a")[first].as_py()
        raise InputError(
            f"{place}: {ITSELF}: {model!r}; correct the aliases, or drop such votes with "
            "bad_rows='drop' (--bad-rows drop)"
        )
    drop = Drop(reason=ITSELF, count=int(where.sum()), examples=(place,))
    old = evidence.provenance.account
    kept = Account(rows_read=old.rows_read, kept=int((~where).sum()), drops=old.drops)
    account = kept + Account(rows_read=0, kept=0, drops=(drop,))
    return replace(
        evidence,
        table=evidence.table.filter(pa.array(~where)),
        provenance=replace(evidence.provenance, account=account),
        places=evidence.places.take(~where) if evidence.places is not None else None,
    )
