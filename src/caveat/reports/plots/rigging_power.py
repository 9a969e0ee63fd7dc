"""Power and false alarms of the test of voters, by the votes that a rigging voter casts."""

from caveat.reports.numbers import percent, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.rigging import power_table
from caveat.results.stress.rigging_simulation import RiggingSimulation

FOUND, ALARM = "rigging voters found", "honest voters flagged"


def rigging_power(found: RiggingSimulation) -> Plot:
    """Return two curves over the number of votes, which is on a logarithmic axis."""
    words = (
        "Share of rigging voters that are found, and of honest voters that are flagged beside "
        "them, by the votes that each rigging voter casts."
    )
    values = [
        {
            "votes": point.votes,
            "share": round(share, 5),
            "who": who,
            "shown": percent(share),
            "cast": whole(point.votes),
        }
        for point in found.power
        for who, share in ((FOUND, point.power), (ALARM, point.false_alarms))
    ]
    spec = base(values, words, marks=2 * len(values))
    spec |= {
        "width": "container",
        "autosize": FLUID,
        "height": 240,
        "mark": {"type": "line", "point": {"filled": True, "size": 46}},
        "encoding": _encoding(),
    }
    return Plot(
        name="rigging-power",
        title=f"A voter who rigs for {found.target}: found after how many votes?",
        description=words,
        spec=spec,
        table=power_table(found),
    )


def _encoding() -> Spec:
    who: Spec = {"field": "who", "type": "nominal", "title": None, "legend": {"orient": "top"}}
    both = [FOUND, ALARM]
    return {
        "x": {
            "field": "votes",
            "type": "quantitative",
            "scale": {"type": "log"},
            "title": "Votes cast by each rigging voter",
        },
        "y": {
            "field": "share",
            "type": "quantitative",
            "scale": {"domain": [0, 1]},
            "axis": {"format": ".0%", "tickCount": 5},
            "title": "Share of voters",
        },
        "color": {**who, "scale": {"domain": both, "range": "category"}},
        "shape": {**who, "scale": {"domain": both, "range": ["circle", "diamond"]}},
        "tooltip": tips(("who", "Share of"), ("cast", "Votes"), ("shown", "Share")),
    }
