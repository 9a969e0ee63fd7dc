"""A row may stand only once: repeats are dropped and counted, contradictions are an error."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from caveat.data.account import EXAMPLES
from caveat.data.builder import BadRows, show
from caveat.data.evidence import Evidence
from caveat.data.keys import codes_of, combine, repeats
from caveat.data.schema import SCHEMAS
from caveat.errors import InputError
from caveat.results.provenance import Account, Drop

DUPLICATE = "duplicate of an earlier row"
CONFLICT = "conflicts with an earlier row of the same key"
_APART = "name the column that tells them apart (for example --map repeat=COLUMN)"
_CORRECT = "say each once"
_CLAIMS = {
    "votes": ("outcome",),
    "responses": ("prediction", "score"),
    "published": ("value",),
}


def deduplicate(evidence: Evidence, *, bad_rows: BadRows = "error") -> Evidence:
    """Drop rows that repeat an earlier one.

    Two rows are the same row when they agree in the key of their kind: responses in benchmark,
    item, model, run, repeat and prompt; votes in battle, turn, voter, judge and both models, and
    only where the source says which battle a vote belongs to; models and voters in their name;
    published scores in everything but the value, its error and its number of items.

    Parameters
    ----------
    evidence
        One table, also a concatenation of several.
    bad_rows
        What to do when two rows of one key disagree in the outcome, in prediction or score, or in
        anything that is said of a model or voter:
        `"error"` raises, `"drop"` keeps the first and counts the others.

    Raises
    ------
    InputError
        When two rows contradict each other; the message names both.
    """
    names = _key_columns(evidence)
    if not names or not len(evidence):
        return evidence
    key, bound = combine([evidence.table.column(name) for name in names])
    found = repeats(key, bound)
    if evidence.kind == "votes":
        known = codes_of(evidence.table.column("battle"))[found.rows] > 0
        rows, firsts = found.rows[known], found.firsts[known]
    else:
        rows, firsts = found.rows, found.firsts
    if not rows.size:
        return evidence
    differs = _differs(evidence, rows, firsts)
    if differs.any() and bad_rows == "error":
        which = int(np.argmax(differs))
        raise _conflict(evidence, names, int(rows[which]), int(firsts[which]))
    return _without(evidence, rows, differs)


def _key_columns(evidence: Evidence) -> list[str]:
    present = evidence.table.schema.names
    if evidence.kind == "votes" and "battle" not in present:
        return []
    return [name for name in SCHEMAS.get(evidence.kind).key if name in present]


def _claims(evidence: Evidence) -> list[str]:
    names = evidence.table.schema.names
    claims = _CLAIMS.get(evidence.kind, tuple(names))
    return [name for name in claims if name in names]


def _differs(
    evidence: Evidence, rows: NDArray[np.int64], firsts: NDArray[np.int64]
) -> NDArray[np.bool_]:
    differs = np.zeros(rows.size, dtype=bool)
    for name in _claims(evidence):
        codes = codes_of(evidence.table.column(name))
        differs |= codes[rows] != codes[firsts]
    return differs


def _conflict(evidence: Evidence, names: list[str], row: int, first: int) -> InputError:
    table = evidence.table
    key = ", ".join(f"{n}={show(table.column(n)[row].as_py())}" for n in names)
    claims = "; ".join(
        f"{n} {show(table.column(n)[first].as_py())} and {show(table.column(n)[row].as_py())}"
        for n in _claims(evidence)
        if table.column(n)[first].as_py() != table.column(n)[row].as_py()
    )
    return InputError(
        f"{_place(evidence, first)} and {_place(evidence, row)}: one key ({key}) must have one "
        f"answer, got {claims}; {_APART if evidence.kind in _CLAIMS else _CORRECT}, or keep the "
        "first of each with bad_rows='drop' (--bad-rows drop)"
    )


def _place(evidence: Evidence, row: int) -> str:
    if evidence.places is None:
        return f"row {row + 1}"
    file, number = evidence.places.of(row)
    return f"{file}, row {number}"


def _without(evidence: Evidence, rows: NDArray[np.int64], differs: NDArray[np.bool_]) -> Evidence:
    keep = np.ones(len(evidence), dtype=bool)
    keep[rows] = False
    drops = tuple(
        Drop(
            reason=reason,
            count=int(which.sum()),
            examples=tuple(_place(evidence, int(r)) for r in rows[which][:EXAMPLES]),
        )
        for reason, which in ((DUPLICATE, ~differs), (CONFLICT, differs))
        if which.any()
    )
    account = evidence.provenance.account
    kept = int(keep.sum())
    less = Account(rows_read=account.rows_read, kept=kept, drops=account.drops)
    provenance = replace(
        evidence.provenance, account=less + Account(rows_read=0, kept=0, drops=drops)
    )
    return replace(
        evidence,
        table=evidence.table.filter(pa.array(keep)),
        provenance=provenance,
        places=evidence.places.take(keep) if evidence.places is not None else None,
    )
