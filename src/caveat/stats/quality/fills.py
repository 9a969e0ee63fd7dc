"""Answers that stand where the model's text holds none."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats
from caveat.data.matrix import REFUSED, UNPARSED
from caveat.data.schema import STATUSES
from caveat.kernels.fills import largest_excess, tail
from caveat.results.quality import Fill

if TYPE_CHECKING:
    import pyarrow as pa

REFERENCE = "prediction_source"
"""Column that holds another reading of the same text: the source's own `prediction`, where the
user mapped another column over it."""
LEVEL = 0.001
"""Adjusted p value below which one answer counts as a constant fill, and p value of as many right
answers by guessing below which the fill counts as another reading."""
HALF = 0.5
"""Share of the filled rows that a constant fill holds at least."""

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def find_fills(table: "pa.Table") -> tuple[tuple[Fill, ...], str]:
    """Look for answers on rows that are known to hold none.

    Returns
    -------
    fills : tuple of Fill
        One per model that has such rows, most rows first.
    why_not : str
        Why the check could not run; empty when it ran.
    """
    if "prediction" not in table.column_names:
        return (), "no predictions in the source"
    reference, unreadable = _unreadable(table)
    if not reference:
        return (), (
            "no second reading of the answers (a status column, or another parse of the same "
            "text under --map prediction=COLUMN) tells which rows hold no answer"
        )
    rows = _Rows(table, unreadable)
    found = [_fill(rows, j, reference) for j in np.unique(rows.model[rows.filled])]
    return tuple(sorted(found, key=lambda fill: (-fill.filled, fill.model))), ""


class _Rows:
    """Columns of the table as codes, answers renumbered over those that occur as a fill."""

    def __init__(self, table: "pa.Table", unreadable: Mask) -> None:
        answer, labels = codes(table, "prediction")
        self.model, self.models = codes(table, "model")
        self.unreadable = unreadable
        self.filled = unreadable & (answer >= 0)
        used = np.unique(answer[self.filled])
        self.labels = tuple(labels[code] for code in used)
        place = np.full(len(labels) + 1, -1, dtype=np.int32)
        place[used] = np.arange(used.size)
        self.answer = place[answer]
        self.n_labels = len(labels)
        self.readable = ~unreadable & (answer >= 0)
        self.score = floats(table, "score")
        options = floats(table, "n_options")
        with np.errstate(divide="ignore"):
            self.chance = np.where(np.isfinite(options), 1.0 / options, np.nan)


def _fill(rows: _Rows, j: int, reference: str) -> Fill:
    own = rows.model == j
    filled = own & rows.filled
    readable = rows.answer[own & rows.readable]
    counts = np.bincount(rows.answer[filled], minlength=len(rows.labels)).astype(float)
    usual = np.bincount(readable[readable >= 0], minlength=len(rows.labels)).astype(float)
    excess = largest_excess(counts, usual, n_readable=readable.size, n_answers=rows.n_labels)
    p = min(1.0, excess.p * len(rows.models))
    correct = int((rows.score[filled] == 1.0).sum())
    known = np.isfinite(rows.chance[filled]).all() and np.isfinite(rows.score[filled]).all()
    chance = float(rows.chance[filled].mean()) if known else float("nan")
    n, n_answer = int(filled.sum()), int(counts[excess.code])
    p_chance = tail(correct, n, chance)
    return Fill(
        model=rows.models[j],
        reference=reference,
        unparseable=int((own & rows.unreadable).sum()),
        filled=n,
        answer=rows.labels[excess.code],
        n_answer=n_answer,
        expected=excess.expected,
        p=p,
        constant=p < LEVEL and n_answer >= HALF * n and not p_chance < LEVEL,
        correct=correct,
        chance=chance,
        p_chance=p_chance,
    )


def _unreadable(table: "pa.Table") -> tuple[str, Mask]:
    if REFERENCE in table.column_names:
        return REFERENCE, np.asarray(table[REFERENCE].is_null().to_numpy(), dtype=bool)
    status, names = codes(table, "status")
    flagged = [names.index(STATUSES[s]) for s in (UNPARSED, REFUSED) if STATUSES[s] in names]
    if flagged and (np.isin(status, flagged) & (codes(table, "prediction")[0] >= 0)).any():
        return "status", np.isin(status, flagged)
    return "", np.zeros(table.num_rows, dtype=bool)
