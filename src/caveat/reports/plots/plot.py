"""A plot: a Vega-Lite specification, the words around it and the table behind it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from caveat.reports.tables.table import Table

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"  # a name, never fetched
MAX_ROWS = 150  # models drawn in a plot with one row each
SVG_MARKS = 1_500  # with more marks than this a canvas is quicker
FLUID = {"type": "fit-x", "contains": "padding"}  # follows the width of the page

Spec = dict[str, Any]  # Vega-Lite JSON: its own schema types it, and tests check it


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One plot.

    Attributes
    ----------
    name : str
        Unique in a report; letters, digits and hyphens.
    title, description : str
        What it shows, for the caption and for a screen reader.
    spec : dict
        Vega-Lite, data included, without a theme: names occur as data values only.
    table : Table
        The same figures to read.
    note : str
        What the drawing leaves out; empty when it shows everything.
    n_rows : int
        Rows of a plot that has one row per model; 0 for others.
    """

    name: str
    title: str
    description: str
    spec: Spec
    table: Table
    note: str = ""
    n_rows: int = 0


def base(values: Sequence[Spec], description: str, *, marks: int) -> Spec:
    """Return the top of a specification: data, description and the way to draw it.

    A figure that is not finite becomes null, which is not drawn: JSON has no word for it.
    """
    renderer: Literal["svg", "canvas"] = "svg" if marks <= SVG_MARKS else "canvas"
    return {
        "$schema": SCHEMA,
        "description": description,
        "data": {"values": [_drawable(row) for row in values]},
        "usermeta": {"embedOptions": {"renderer": renderer}},
    }


def _drawable(row: Spec) -> Spec:
    if all(not isinstance(value, float) or math.isfinite(value) for value in row.values()):
        return row
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }


def tips(*fields: tuple[str, str]) -> list[Spec]:
    """Return tooltip entries of fields that hold written figures."""
    return [{"field": name, "title": title, "type": "nominal"} for name, title in fields]
