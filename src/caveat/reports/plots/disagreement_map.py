"""Disagreement map: which models give the same answers, alike ones side by side."""

import math

from caveat.reports.numbers import between, counted, percent, two, whole
from caveat.reports.plots.dendrogram import beside
from caveat.reports.plots.plot import Plot, Spec, base, tips
from caveat.reports.plots.square import Square, square_layers
from caveat.reports.tables.table import Table
from caveat.reports.visible import visible
from caveat.results.agreement import Agreement

MAX_MODELS = 60


def disagreement_map(agreement: Agreement, *, name: str, table: Table) -> Plot:
    """Return the heat map in the order of the clustering.

    Above `MAX_MODELS` models, those of the best score are drawn.
    """
    chosen = _chosen(agreement)
    words = (
        "Share of items on which two models answer differently. Models with similar answers "
        "stand side by side. Blank cells are undefined."
    )
    if agreement.merges:
        words += " At the right, how much models and groups of them disagree where they join."
    cells = [
        _cell(agreement, i, j)
        for i in chosen
        for j in chosen
        if i != j and math.isfinite(agreement.disagree[i, j])
    ]
    values = [cell["share"] for cell in cells]
    bottom, top = min(values, default=0.0), max(values, default=1.0)
    square = Square(
        names=tuple(visible(agreement.models[i]) for i in chosen),
        rows="row",
        columns="column",
        value="share",
        legend="Items answered differently",
        range="heatmap",
        domain=(bottom, top) if bottom < top else (0.0, 1.0),
        strong=f"datum.share > {bottom + 0.55 * (top - bottom):.4f}",
        tooltip=tips(
            ("row", "Model"),
            ("column", "and"),
            ("shown", "Disagree"),
            ("interval", "Interval"),
            ("n", "Items"),
            ("same", "Same wrong answer"),
            ("kappa", "Kappa"),
        ),
    )
    total = len(agreement.models)
    note = (
        f"The {MAX_MODELS} models of best score are drawn, of {counted(total, 'model')}; "
        "the file that --json writes has all pairs."
    )
    return Plot(
        name=name,
        title="Who answers alike",
        description=words,
        spec=base(cells, words, marks=len(cells))
        | beside(square_layers(square), agreement, chosen),
        table=table,
        note=note if total > MAX_MODELS else "",
    )


def _chosen(agreement: Agreement) -> list[int]:
    """Models to draw, in the order of the clustering."""
    if len(agreement.order) <= MAX_MODELS:
        return list(agreement.order)
    score = agreement.score.tolist()
    best = sorted(agreement.order, key=lambda i: -score[i] if math.isfinite(score[i]) else 1.0)
    kept = set(best[:MAX_MODELS])
    return [i for i in agreement.order if i in kept]


def _cell(agreement: Agreement, i: int, j: int) -> Spec:
    return {
        "row": visible(agreement.models[i]),
        "column": visible(agreement.models[j]),
        "share": round(float(agreement.disagree[i, j]), 4),
        "shown": percent(agreement.disagree[i, j]),
        "interval": between(agreement.low[i, j], agreement.high[i, j], percent),
        "n": whole(agreement.n[i, j]),
        "same": percent(agreement.same_wrong[i, j]),
        "kappa": two(agreement.kappa[i, j]),
    }
