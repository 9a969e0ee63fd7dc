"""The board under each judge: one line per model, judges side by side."""

from caveat.reports.numbers import whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.judging import ranks_table
from caveat.reports.visible import visible
from caveat.results.stress.judging import Judging

TOP = 10
"""Places drawn: models that some judge puts there."""


def judge_ranks(found: Judging) -> Plot | None:
    """Return the ranks of the best models under each judge; None where fewer than two rate any."""
    judges = [judge for judge in found.judges if judge.models]
    if len(judges) < 2:
        return None
    chosen = {row.model for judge in judges for row in judge.models if row.rank <= TOP}
    rows: list[Spec] = [
        {
            "judge": visible(judge.judge),
            "model": visible(row.model),
            "rank": row.rank,
            "shown": whole(row.rank),
            "rating": whole(row.rating),
            "tier": str(row.tier),
        }
        for judge in judges
        for row in judge.models
        if row.model in chosen
    ]
    words = (
        f"Rank of each model by the votes of one judge alone, for models that some judge puts "
        f"among the first {TOP}. A line that climbs or falls is a model on which judges differ."
    )
    spec = base(rows, words, marks=2 * len(rows))
    names = [visible(judge.judge) for judge in judges]
    deepest = max(row["rank"] for row in rows)
    spec |= {"width": "container", "autosize": FLUID, "height": max(220, 16 * min(deepest, 40))}
    spec |= {"layer": _layers(names)}
    return Plot(
        name="judge-ranks",
        title="The board under each judge",
        description=words,
        spec=spec,
        table=ranks_table(found),
    )


def _layers(names: list[str]) -> list[Spec]:
    x: Spec = {
        "field": "judge",
        "type": "nominal",
        "sort": names,
        "title": None,
        "axis": {"orient": "top", "labelAngle": 0, "labelLimit": 160},
    }
    y: Spec = {
        "field": "rank",
        "type": "quantitative",
        "title": "Rank",
        "scale": {"reverse": True, "domainMin": 1, "nice": False},
        "axis": {"tickMinStep": 1, "format": "d"},
    }
    one: Spec = {"field": "model", "type": "nominal", "legend": None}
    tooltip = tips(
        ("model", "Model"), ("judge", "Judge"), ("shown", "Rank"), ("tier", "Tier"),
        ("rating", "Rating"),
    )  # fmt: skip
    return [
        {
            "mark": {"type": "line", "strokeWidth": 1.5, "opacity": 0.7},
            "encoding": {"x": x, "y": y, "color": one},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {"x": x, "y": y, "color": one, "tooltip": tooltip},
        },
        {
            "transform": [{"filter": {"field": "judge", "equal": names[0]}}],
            "mark": {"type": "text", "align": "right", "dx": -9, "baseline": "middle"},
            "encoding": {"x": x, "y": y, "text": {"field": "model", "type": "nominal"}},
        },
    ]
