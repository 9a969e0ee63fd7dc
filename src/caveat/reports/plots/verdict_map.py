"""Verdict map: which models may stand for which."""

from caveat.reports.numbers import percent, whole
from caveat.reports.plots.plot import Plot, Spec, base, tips
from caveat.reports.plots.square import name_axis
from caveat.reports.tables.interchange import verdicts_table
from caveat.reports.visible import visible
from caveat.results.agreement import Agreement
from caveat.results.comparison.interchange import Interchange, PairVerdict

KINDS = ("interchangeable", "different", "undecided")


def verdict_map(found: Interchange, agreement: Agreement | None) -> Plot | None:
    """Return a square of verdicts, alike models side by side; None for a single pair."""
    names = _order(found, agreement)
    if len(names) < 3:
        return None
    words = (
        "Verdict on each pair of models, those of similar answers side by side. Different: a "
        "criterion fails beyond doubt; undecided: the items do not tell."
    )
    cells = [
        _cell(pair, one, other)
        for pair in found.pairs
        for one, other in ((pair.a, pair.b), (pair.b, pair.a))
    ]
    return Plot(
        name="verdicts",
        title="Who may stand for whom",
        description=words,
        spec=base(cells, words, marks=len(cells)) | _drawing(names, cells),
        table=verdicts_table(found),
        note=f"The {whole(found.considered)} models of best score, of {whole(found.n_models)}."
        if found.considered < found.n_models
        else "",
    )


def _order(found: Interchange, agreement: Agreement | None) -> list[str]:
    judged = {name for pair in found.pairs for name in (pair.a, pair.b)}
    if agreement is None:
        return sorted(judged)
    return [agreement.models[i] for i in agreement.order if agreement.models[i] in judged]


def _cell(pair: PairVerdict, one: str, other: str) -> Spec:
    return {
        "row": visible(one),
        "column": visible(other),
        "verdict": pair.verdict,
        "why": ", ".join(pair.failed) or "none",
        "shown": percent(pair.disagree),
        "equal": percent(pair.equal_within),
        "items": "none needed" if pair.items is None else whole(pair.items),
    }


def _drawing(names: list[str], cells: list[Spec]) -> Spec:
    shown = [visible(name) for name in names]
    step = 30 if len(names) <= 12 else 20 if len(names) <= 30 else 15
    axis = name_axis(shown)
    place = {"type": "nominal", "sort": shown, "scale": {"domain": shown}, "title": None}
    tilt = {"labelAngle": -60 if step > 20 else -90, "labelAlign": "left", "orient": "top"}
    met = [kind for kind in KINDS if any(cell["verdict"] == kind for cell in cells)]
    return {
        "params": [{"name": "gap", "value": "#ffffff"}],
        "width": {"step": step},
        "height": {"step": step},
        "mark": {"type": "rect", "stroke": {"expr": "gap"}, "strokeWidth": 1},
        "encoding": {
            "x": {**place, "field": "column", "axis": {**axis, **tilt}},
            "y": {**place, "field": "row", "axis": axis},
            "color": {
                "field": "verdict",
                "type": "nominal",
                "title": None,
                "scale": {"domain": list(KINDS), "range": "category"},
                "legend": {"orient": "top", "values": met},
            },
            "opacity": {
                "condition": {"test": "datum.verdict === 'interchangeable'", "value": 1},
                "value": 0.45,
            },
            "tooltip": tips(
                ("row", "Model"),
                ("column", "and"),
                ("verdict", "Verdict"),
                ("why", "Fails"),
                ("shown", "Disagree"),
                ("equal", "Scores equal within"),
                ("items", "Items to decide"),
            ),
        },
    }
