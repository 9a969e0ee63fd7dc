"""Items numbered by a tool are called by the id that the data set itself gives them, if it does."""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from caveat.data.evidence import Evidence
from caveat.importers._base import ReadOptions

OWN = "own_id"
"""Column of the data set's own ids; it is gone once `with_own_ids` has used it."""
FIELDS = (
    "id", "question_id", "qid", "uid", "uuid", "idx", "index", "key", "task_id", "problem_id",
    "example_id", "sample_id", "instance_id", "query_id", "item_id", "ID", "Id",
)  # fmt: skip
_FIELDS = frozenset(FIELDS)


def keeping_own(options: ReadOptions) -> ReadOptions:
    """Return options under which the column of own ids is read."""
    if options.columns is None:
        return options
    return replace(options, columns=options.columns | {OWN})


def own_id(record: object) -> str | None:
    """Return the first field of a record that is an id: a text or a whole number."""
    if not isinstance(record, Mapping):
        return None
    here = _FIELDS.intersection(record)
    named = sorted(here, key=FIELDS.index) if len(here) > 1 else here
    return next((text for name in named if (text := _id(record[name])) is not None), None)


def _id(value: Any) -> str | None:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    return unicodedata.normalize("NFC", str(value).strip()) or None


def with_own_ids(evidence: Evidence, *, prefix: str = "") -> Evidence:
    """Call items by their own ids where these stand for the tool's numbers one to one.

    Where an id is missing or stands for two items, the tool's numbers stay.
    """
    table = evidence.table
    if OWN not in table.column_names:
        return _prefixed(evidence, prefix) if prefix else evidence
    own = _column(table, OWN)
    table = table.drop_columns([OWN])
    items = _column(table, "item")
    names = _names(items, own)
    if names is not None:
        items = pa.DictionaryArray.from_arrays(items.indices, names)
    table = table.set_column(table.column_names.index("item"), "item", items)
    return _prefixed(replace(evidence, table=table), prefix)


def _names(items: pa.DictionaryArray, own: pa.DictionaryArray) -> pa.Array | None:
    if own.null_count or not len(own):
        return None
    item = np.asarray(items.indices)
    names = np.asarray(own.indices)
    of_item = np.full(len(items.dictionary), -1)
    of_item[item] = names
    used = of_item >= 0
    one_to_one = bool((of_item[item] == names).all())
    if not one_to_one or len(np.unique(of_item[used])) < used.sum():
        return None
    return own.dictionary.take(pa.array(of_item, mask=~used))


def _column(table: pa.Table, name: str) -> pa.DictionaryArray:
    column = table.column(name)
    if not pa.types.is_dictionary(column.type):
        column = column.cast(pa.string()).dictionary_encode()
    return column.unify_dictionaries().combine_chunks()


def _prefixed(evidence: Evidence, prefix: str) -> Evidence:
    if not prefix:
        return evidence
    table = evidence.table
    items = _column(table, "item")
    names = [None if name is None else prefix + name for name in items.dictionary.to_pylist()]
    named = pa.DictionaryArray.from_arrays(items.indices, pa.array(names, pa.string()))
    return replace(
        evidence, table=table.set_column(table.column_names.index("item"), "item", named)
    )
