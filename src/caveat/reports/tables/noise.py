"""One model with itself, and pairs against that."""

from collections.abc import Mapping

from caveat.reports.numbers import between, counted, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.noise import NoiseFloor

SOURCES: Mapping[str, str] = {
    "repeat": "repeats",
    "run": "runs",
    "host": "hosts",
    "prompt": "prompts",
    "filter": "readings of the same text",
    "metric": "metrics",
}
OWN: Mapping[str, str] = {
    "both": "both",
    "one": "one of them",
    "none": "borrowed",
    "itself": "one model",
}
MAX_PAIRS = 500


def noise_table(found: NoiseFloor) -> Table:
    """Return one row per source and model: how often it disagrees with itself."""
    rows = [
        (
            Cell(row.model, ", ".join(row.names)),
            Cell(SOURCES[source.source]),
            Cell(whole(row.replicates)),
            Cell(whole(row.n)),
            figure(percent(row.disagree)),
            figure(between(row.low, row.high, percent)),
        )
        for source in found.sources
        for row in source.models
    ]
    return Table(
        caption="How often one model, run again, gives another answer",
        columns=(
            Column("Model", text=True),
            Column("Run again by", text=True),
            Column("Times", help="Most answers of the model to an item"),
            Column("Items", help="With two answers or more"),
            Column("Disagrees with itself", help="Share of pairs of its answers that differ"),
            Column("Interval"),
        ),
        rows=tuple(rows),
    )


def pairs_table(found: NoiseFloor) -> Table:
    """Return one row per pair, least excess first."""
    left = len(found.pairs) - MAX_PAIRS
    note = f"{counted(left, 'pair')} of more excess left out." if left > 0 else ""
    if found.considered < found.n_models:
        note = (
            f"Pairs of the {whole(found.considered)} models of best score, of "
            f"{whole(found.n_models)}. {note}"
        ).strip()
    return Table(
        caption="Disagreement of two models against that of one model with itself",
        columns=(
            Column("Model", text=True),
            Column("and", text=True),
            Column("Items"),
            Column("Disagree"),
            Column("Floor", help="Mean of what each of the two disagrees with itself"),
            Column(
                "Excess over the mean floor",
                help="Disagree less floor, item by item; for a model whose noise is not known, "
                "the mean of the known",
            ),
            Column("Interval"),
            Column("Ratio", help="Disagree by floor"),
            Column("Floor known of", text=True),
            Column("Beyond the floor", text=True),
        ),
        rows=tuple(
            (
                Cell(pair.a),
                Cell(pair.b),
                Cell(whole(pair.n)),
                figure(percent(pair.disagree)),
                figure(percent(pair.floor)),
                figure(percent(pair.excess)),
                figure(between(pair.low, pair.high, percent), "nothing varies"),
                figure(two(pair.ratio), "the floor is nearly 0"),
                Cell(OWN[pair.own]),
                Cell("yes" if pair.beyond else "no"),
            )
            for pair in found.pairs[:MAX_PAIRS]
        ),
        note=note,
    )
