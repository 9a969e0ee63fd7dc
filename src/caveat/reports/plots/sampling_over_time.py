"""Who was shown when: share of votes by model and month; bars of votes where no times are known."""

import math

from caveat.reports.numbers import counted, decimal, whole
from caveat.reports.plots.month_map import ROW, MonthMap, month_map, unit_of
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.sampling import sampling_table
from caveat.reports.visible import visible
from caveat.results.stress.sampling import Sampling

MAX_MODELS = 40


def sampling_over_time(found: Sampling) -> Plot:
    """Return the sampling of the models with most votes."""
    drawn = min(MAX_MODELS, len(found.models))
    note = f"The {MAX_MODELS} models with most votes of {counted(len(found.models), 'model')}."
    spec, words = _by_month(found, drawn) if found.months else _bars(found, drawn)
    return Plot(
        name="sampling",
        title="How often each model was shown",
        description=words,
        spec=spec,
        table=sampling_table(found),
        note=note if len(found.models) > drawn else "",
    )


def _by_month(found: Sampling, drawn: int) -> tuple[Spec, str]:
    words = (
        f"Share of each {unit_of(found.months)}'s votes that a model took part in; models in the "
        "order in which they first appear. Blank: it had none. From a quarter on the colour stays "
        "the same."
    )
    total = found.monthly.sum(axis=0) / 2  # layout: every vote stands in the rows of two models
    order = sorted(range(drawn), key=lambda i: (found.models[i].first or "", found.models[i].model))
    shown = MonthMap(
        rows="Model",
        names=[found.models[i].model for i in order],
        months=found.months,
        counts=found.monthly[order].tolist(),
        shares=(found.monthly[order] / total).tolist(),
        counted="Votes",
        words=words,
    )
    return month_map(shown), words


def _bars(found: Sampling, drawn: int) -> tuple[Spec, str]:
    words = (
        "Votes each model took part in, most first. The line is what each would have had if all "
        "were shown equally often; no times are known, so models long on the board have more."
    )
    rows = [
        {
            "model": visible(one.model),
            "votes": one.n_votes,
            "shown": whole(one.n_votes),
            "relative": decimal(one.relative, 2),
        }
        for one in found.models[:drawn]
    ]
    even = next(
        (one.n_votes / one.relative for one in found.models if _positive(one.relative)), 0.0
    )
    spec = base(rows, words, marks=2 * drawn)
    spec |= {"width": "container", "autosize": FLUID, "height": ROW * drawn}
    bars: Spec = {
        "mark": {"type": "bar", "height": {"band": 0.7}, "opacity": 0.6},
        "encoding": {
            "x": {
                "field": "votes",
                "type": "quantitative",
                "title": "Votes",
                "axis": {"orient": "top", "tickCount": 5},
            },
            "y": {"field": "model", "type": "nominal", "sort": None, "title": None},
            "tooltip": tips(("model", "Model"), ("shown", "Votes"), ("relative", "Times even")),
        },
    }
    line: Spec = {
        "data": {"values": [{"even": even}]},
        "mark": {"type": "rule", "strokeWidth": 1.5, "strokeDash": [5, 3]},
        "encoding": {"x": {"field": "even", "type": "quantitative"}},
    }
    return spec | {"layer": [bars, line]}, words


def _positive(value: float) -> bool:
    return math.isfinite(value) and value > 0
