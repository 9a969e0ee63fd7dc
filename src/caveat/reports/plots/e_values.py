"""Evidence against voters: how far the oddest of them stand out."""

from caveat.reports.numbers import decimal, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.rigging import e_value_table
from caveat.results.stress.rigging import Rigging

ODD, REST = "flagged", "not flagged"


def e_values(found: Rigging) -> Plot:
    """Return one point per tested voter, largest evidence first, and the bar for flagging."""
    words = (
        "Each point is a tested voter, the oddest first; up, the decimal logarithm of the e-value: "
        "at 3, an honest voter gets that far at most once in a thousand. Voters above the line are "
        "flagged."
    )
    points = [_point(found, k, value) for k, value in enumerate(found.top_log10_e, start=1)]
    spec = base(points, words, marks=len(points))
    spec |= {
        "width": "container",
        "autosize": FLUID,
        "height": 240,
        "layer": [_bar(found), _points(points)],
    }
    cut = len(found.top_log10_e) < found.n_tested
    return Plot(
        name="voter-evidence",
        title="Evidence against voters",
        description=words,
        spec=spec,
        table=e_value_table(found),
        note=f"The oddest {whole(len(points))} of {whole(found.n_tested)} are drawn."
        if cut
        else "",
    )


def _point(found: Rigging, place: int, value: float) -> Spec:
    return {
        "place": place,
        "evidence": round(value, 3),
        "tone": ODD if value >= found.log10_threshold else REST,
        "shown": decimal(value, 1),
        "at": whole(place),
    }


def _bar(found: Rigging) -> Spec:
    return {
        "data": {"values": [{"bar": round(found.log10_threshold, 3)}]},
        "mark": {"type": "rule", "strokeDash": [4, 3]},
        "encoding": {"y": {"field": "bar", "type": "quantitative"}},
    }


def _points(points: list[Spec]) -> Spec:
    tones = [tone for tone in (REST, ODD) if any(point["tone"] == tone for point in points)]
    tone: Spec = {
        "field": "tone",
        "type": "nominal",
        "title": None,
        "legend": {"orient": "top", "symbolOpacity": 1} if len(tones) > 1 else None,
    }
    shapes = {REST: "circle", ODD: "diamond"}
    return {
        "mark": {"type": "point", "filled": True, "opacity": 0.85},
        "encoding": {
            "size": {"condition": {"test": f"datum.tone === '{ODD}'", "value": 110}, "value": 40},
            "x": {"field": "place", "type": "quantitative", "title": "Voters, oddest first"},
            "y": {
                "field": "evidence",
                "type": "quantitative",
                "title": "Evidence (log10 of the e-value)",
            },
            "color": {**tone, "scale": {"domain": tones, "range": "category"}},
            "shape": {**tone, "scale": {"domain": tones, "range": [shapes[t] for t in tones]}},
            "tooltip": tips(("at", "Place"), ("shown", "Evidence"), ("tone", "Voter")),
        },
    }
