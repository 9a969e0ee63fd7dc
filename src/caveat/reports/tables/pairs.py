"""Pairs of models and how often their answers differ."""

from typing import TYPE_CHECKING

from caveat.reports.numbers import between, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.agreement import Agreement

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MAX_PAIRS = 1_000
BY_CHANCE = "chance alone would make them agree as far as can be"
"""Why a measure beyond chance is undefined where nothing else is in the way."""


def pair_table(agreement: Agreement) -> Table:
    """Return the pairs that disagree most, at most `MAX_PAIRS`; undefined ones last."""
    import numpy as np

    first, second = np.triu_indices(len(agreement.models), k=1)
    shown = _most_disagreement(agreement.disagree[first, second])
    rows = tuple(
        _pair_row(agreement, i, j)
        for i, j in zip(first[shown].tolist(), second[shown].tolist(), strict=True)
    )
    note = (
        f"The {whole(len(rows))} pairs that disagree most are listed, of {whole(len(first))}; "
        "the file that --json writes has them all."
    )
    return Table(
        caption="Pairs of models, most disagreement first",
        columns=(
            Column("Model", text=True),
            Column("and", text=True),
            Column("Disagree"),
            Column("Interval"),
            Column("Scores"),
            Column("Items"),
            Column("Both wrong"),
            Column("Same wrong answer"),
            Column("Kappa", help="Cohen's kappa of the answers"),
            Column("CAPA", help="Chance-adjusted agreement of errors"),
        ),
        rows=rows,
        note=note if len(rows) < len(first) else "",
    )


def _most_disagreement(values: "npt.NDArray[np.float64]") -> "npt.NDArray[np.intp]":
    import numpy as np

    return np.argsort(-values, kind="stable")[:MAX_PAIRS]


def _pair_row(agreement: Agreement, i: int, j: int) -> tuple[Cell, ...]:
    why = agreement.reasons
    empty = "no item counted for both" if agreement.n[i, j] == 0 else ""
    scores = (percent(agreement.pair_score[i, j]), percent(agreement.pair_score[j, i]))
    return (
        Cell(agreement.models[i]),
        Cell(agreement.models[j]),
        figure(percent(agreement.disagree[i, j]), empty or why.get("disagree", "")),
        figure(
            between(agreement.low[i, j], agreement.high[i, j], percent),
            empty or why.get("low", why.get("disagree", "")),
        ),
        Cell(" / ".join(scores)),
        Cell(whole(agreement.n[i, j])),
        figure(percent(agreement.both_wrong[i, j]), empty or why.get("both_wrong", "")),
        figure(percent(agreement.same_wrong[i, j]), empty or why.get("same_wrong", "")),
        figure(two(agreement.kappa[i, j]), empty or why.get("kappa", BY_CHANCE)),
        figure(two(agreement.capa[i, j]), empty or why.get("capa", BY_CHANCE)),
    )
