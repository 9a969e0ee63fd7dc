"""Bars of the items that carry an order, beside what chance alone makes."""

from caveat.reports.numbers import UNDEFINED, fine_percent, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.item_removal import p_value, rivals_table
from caveat.reports.visible import visible
from caveat.results.comparison.item_removal import ItemRemoval, Rivalry

ROW = 26
NEEDED, CHANCE = "Items that carry the order", "What equal models reach 19 times in 20"


def items_needed(found: ItemRemoval) -> Plot:
    """Return one bar for each rival of the leader and each pair asked for."""
    rows = [row for row in (*found.rivals, *found.pairs) if _number(row) is not None]
    words = (
        "Items that have to go before the lower of two models stands above, one bar for each rival "
        "of the leader, the closest on top. A diamond marks what two equal models with as many "
        "differing items would need 19 times in 20 at most: a bar that ends before it is a lead "
        "that chance makes."
    )
    leaders = {row.a for row in found.rivals}
    leader = next(iter(leaders)) if len(leaders) == 1 else None
    if leader is not None:
        words += f" {visible(leader)} leads; bars are named after the rival alone."
    values = [_row(row, _name(row, leader)) for row in rows]
    spec = base(values, words, marks=4 * len(rows))
    spec |= {
        "width": "container",
        "autosize": FLUID,
        "height": ROW * max(len(rows), 1),
        "encoding": {"y": {"field": "name", "type": "nominal", "sort": None, "title": None}},
        "layer": _layers(),
    }
    left = len(found.rivals) + len(found.pairs) - len(rows)
    return Plot(
        name="items-needed",
        title="Items that carry the order",
        description=words,
        spec=spec,
        table=rivals_table(found),
        note=f"{whole(left)} without a bar: no removal turns the order." if left else "",
        n_rows=len(rows),
    )


def _name(row: Rivalry, leader: str | None) -> str:
    """Name a bar: over the leader's bars its name would only hide that of the rival."""
    return visible(row.b) if row.a == leader else f"{visible(row.a)} over {visible(row.b)}"


def _number(row: Rivalry) -> int | None:
    flip = row.flip("items")
    return flip.number if flip else None


def _row(row: Rivalry, name: str) -> Spec:
    flip = row.flip("items")
    equal = flip.equal if flip else None
    share = flip.share if flip else float("nan")
    return {
        "name": name,
        "order": f"{visible(row.a)} over {visible(row.b)}",
        "items": _number(row),
        "equal": equal,
        "shown": f"{whole(_number(row) or 0)} ({fine_percent(share)})",
        "chance": UNDEFINED if equal is None else whole(equal),
        "p": p_value(row.verdict.p) if row.verdict else UNDEFINED,
        "needed_tone": NEEDED,
        "chance_tone": CHANCE,
    }


def _layers() -> list[Spec]:
    axis = {"orient": "top", "tickCount": 5}
    items = {"type": "quantitative", "scale": {"zero": True}, "axis": axis, "title": "Items"}
    names = {"domain": [NEEDED, CHANCE], "range": "category"}
    legend = {"orient": "top", "title": None, "symbolOpacity": 1, "labelLimit": 320}
    tooltip = tips(("order", "Order"), ("shown", "Items"), ("chance", "By chance"), ("p", "p"))

    def colour(field: str) -> Spec:
        return {"field": field, "type": "nominal", "scale": names, "legend": legend}

    return [
        {
            "mark": {"type": "bar", "height": {"band": 0.5}, "opacity": 0.55},
            "encoding": {"x": {**items, "field": "items"}, "color": colour("needed_tone")},
        },
        {
            "mark": {
                "type": "point",
                "filled": True,
                "size": 56,
                "opacity": 1,
                "shape": "diamond",
            },
            "encoding": {"x": {**items, "field": "equal"}, "color": colour("chance_tone")},
        },
        {
            "mark": {"type": "text", "align": "right", "baseline": "middle"},
            "encoding": {
                "x": {"value": {"expr": "width + 96"}},
                "text": {"field": "shown", "type": "nominal"},
            },
        },
        {
            "mark": {"type": "bar", "opacity": 0, "height": {"band": 1}, "cursor": "default"},
            "encoding": {
                "x": {"value": 0},
                "x2": {"value": {"expr": "width + 96"}},
                "tooltip": tooltip,
            },
        },
    ]
