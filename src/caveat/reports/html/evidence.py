"""Evidence of a caveat, laid out: scalars as terms, lists of records as small tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from caveat.reports.numbers import UNDEFINED, plain, whole
from caveat.reports.tables.quality import probability
from caveat.reports.tables.table import Cell, Column, Table
from caveat.results._plain import to_plain

MAX_ROWS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Terms with their values, and tables."""

    terms: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]


def evidence_of(evidence: Mapping[str, object]) -> Evidence:
    """Lay out what a rule gave as evidence, whatever its shape."""
    terms: list[tuple[str, str]] = []
    tables: list[Table] = []
    for name, value in evidence.items():
        clean = to_plain(value)
        if isinstance(clean, list) and clean and all(isinstance(row, dict) for row in clean):
            tables.append(_records(words(name), clean))
        elif isinstance(clean, dict):
            terms += [(f"{words(name)}: {key}", inline(item)) for key, item in clean.items()]
        else:
            terms.append((words(name), _named(name, clean)))
    return Evidence(terms=tuple(terms), tables=tuple(tables))


def words(name: str) -> str:
    """Turn a field name into words."""
    return name.replace("_", " ")


def _named(name: str, value: object) -> str:
    """Write a value; a p value that is too small to tell from 0 is written as a bound."""
    if isinstance(value, float) and (name == "p" or name.endswith("_p")):
        return probability(value)
    return inline(value)


def inline(value: object) -> str:
    """Write any plain value on one line."""
    if isinstance(value, dict):
        return ", ".join(f"{words(str(k))} = {inline(v)}" for k, v in value.items()) or "none"
    if isinstance(value, list):
        cut = value[:MAX_ROWS]
        more = f", and {whole(len(value) - len(cut))} more" if len(cut) < len(value) else ""
        return (", ".join(inline(item) for item in cut) or "none") + more
    return plain(value)


def _records(name: str, records: Sequence[Mapping[str, object]]) -> Table:
    fields = list(dict.fromkeys(key for record in records[:MAX_ROWS] for key in record))
    texts = {f for f in fields if any(isinstance(r.get(f), str) for r in records[:MAX_ROWS])}
    left_out = len(records) - MAX_ROWS
    return Table(
        caption=name,
        columns=tuple(Column(words(field), text=field in texts) for field in fields),
        rows=tuple(
            tuple(
                Cell(_named(field, record[field]) if field in record else UNDEFINED)
                for field in fields
            )
            for record in records[:MAX_ROWS]
        ),
        note=f"{whole(left_out)} more in the file that --json writes." if left_out > 0 else "",
    )
