"""Drop-a-few bars: the votes that change each boundary."""

from caveat.reports.numbers import counted, fine_percent, one, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.drop import drop_table
from caveat.reports.visible import visible
from caveat.results.stress.drop import Drop, DropAFew

ROW = 40
ABOVE, BELOW = -9, 9
"""Where in a row the order after stands, and the bar under it, in pixels from its middle."""

GONE, MADE_UP = "removed", "made up"


def drop_bars(found: DropAFew) -> Plot:
    """Return one bar for each boundary, from zero, with a mark for made-up votes."""
    drawn = [row for row in found.rows if _number(row, "votes") is not None]
    words = (
        "Votes that have to go at most before the order changes, one bar for each boundary of the "
        "board, the first place on top; a diamond where made-up votes do the same."
    )
    spec = base([_row(row, place) for place, row in enumerate(drawn)], words, marks=4 * len(drawn))
    spec |= {
        "width": "container",
        "autosize": FLUID,
        "height": ROW * max(len(drawn), 1),
        "encoding": {"y": {"field": "name", "type": "nominal", "sort": None, "title": None}},
        "layer": _layers(),
    }
    left_out = len(found.rows) - len(drawn)
    no_bar = "boundary has no bar" if left_out == 1 else "boundaries have no bar"
    return Plot(
        name="drop-a-few",
        title="Votes that change the order",
        description=words,
        spec=spec,
        table=drop_table(found),
        note=f"{whole(left_out)} {no_bar}: nothing was found." if left_out else "",
        n_rows=len(drawn),
    )


def _row(row: Drop, place: int) -> Spec:
    votes, made_up = row.by("votes"), _number(row, "fabricated")
    share = fine_percent(votes.share_of_board) if votes else ""
    which = f"first {row.boundary}" if row.boundary else f"pair {place + 1}"
    return {
        "name": which,
        "after": f"{visible(row.below)} over {visible(row.above)}",
        "votes": _number(row, "votes"),
        "fabricated": made_up,
        "shown": f"{whole(_number(row, 'votes') or 0)} ({share})",
        "made_up": counted(made_up, "vote") if made_up is not None else "",
        "z": one(row.z),
        "gone": GONE,
        "come": MADE_UP,
    }


def _number(row: Drop, unit: str) -> int | None:
    return next((flip.number for flip in row.flips if flip.unit == unit), None)


def _layers() -> list[Spec]:
    axis = {"orient": "top", "tickCount": 5}
    votes = {"type": "quantitative", "scale": {"zero": True}, "axis": axis, "title": "Votes"}
    names = {"domain": [GONE, MADE_UP], "range": "category"}
    legend = {"orient": "top", "title": None, "symbolOpacity": 1}
    tooltip = tips(
        ("name", "Boundary"),
        ("after", "Order after"),
        ("shown", "Removed"),
        ("made_up", "Made up"),
        ("z", "z"),
    )

    def colour(field: str) -> Spec:
        return {"field": field, "type": "nominal", "scale": names, "legend": legend}

    return [
        {
            "mark": {"type": "bar", "height": {"band": 0.34}, "yOffset": BELOW, "opacity": 0.55},
            "encoding": {"x": {**votes, "field": "votes"}, "color": colour("gone")},
        },
        {
            "mark": {
                "type": "point",
                "filled": True,
                "size": 52,
                "opacity": 1,
                "shape": "diamond",
                "yOffset": BELOW,
            },
            "encoding": {"x": {**votes, "field": "fabricated"}, "color": colour("come")},
        },
        {
            "mark": {"type": "text", "align": "right", "baseline": "middle", "yOffset": BELOW},
            "encoding": {
                "x": {"value": {"expr": "width + 96"}},
                "text": {"field": "shown", "type": "nominal"},
            },
        },
        {
            "mark": {
                "type": "text",
                "align": "left",
                "baseline": "middle",
                "yOffset": ABOVE,
                "limit": {"expr": "width + 96"},
            },
            "encoding": {
                "x": {"value": 0},
                "text": {"field": "after", "type": "nominal"},
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
