"""A plot as a picture by itself, for papers and slides."""

from pathlib import Path
from typing import Any

from caveat._files import all_or_nothing
from caveat.errors import InputError
from caveat.reports.plots.plot import Plot

SUFFIXES = (".svg", ".png")
_WIDTH = 720
_CONFIG: dict[str, Any] = {  # the light theme of the page
    "background": "#ffffff",
    "font": "Helvetica, Arial, sans-serif",
    "view": {"stroke": None},
    "range": {
        "category": ["#0b5cad", "#b3541e", "#5b6b7b", "#2e7d4f", "#7a4fa3", "#8a6d00"],
        "heatmap": {"scheme": "blues"},
        "diverging": {"scheme": "blueorange"},
    },
    "axis": {"gridColor": "#e3e6ea", "domainColor": "#9aa4af", "labelLimit": 230},
}


def check_picture(path: Path) -> None:
    """Refuse a file that is no picture.

    Raises
    ------
    InputError
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"the plot must go to a file named {' or '.join(SUFFIXES)}, got {path}")


def write_picture(plot: Plot, path: Path) -> None:
    """Draw a plot as SVG or PNG, by the ending of the name.

    Raises
    ------
    InputError
        If the name ends otherwise.
    """
    import vl_convert

    check_picture(path)
    spec = {**plot.spec, "title": {"text": plot.title, "anchor": "start"}, "config": _CONFIG}
    if spec.get("width") == "container":
        spec |= {"width": _WIDTH, "autosize": "pad"}
    if path.suffix.lower() == ".svg":
        drawn = vl_convert.vegalite_to_svg(spec).encode()
    else:
        drawn = vl_convert.vegalite_to_png(spec, scale=2)
    with all_or_nothing(path) as part:
        part.write_bytes(drawn)
