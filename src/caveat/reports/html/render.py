"""Render a report as one HTML document that fetches nothing, and write it whole or not at all."""

import json
import os
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from caveat._files import all_or_nothing
from caveat.reports.html.page import page_of
from caveat.reports.plots.plot import Spec
from caveat.reports.shortening import cut
from caveat.reports.visible import visible
from caveat.results.report import Report

if TYPE_CHECKING:
    from jinja2 import Environment

FIRST_ROWS = 25  # longer tables fold the rest away
LONGEST = 120  # characters of a cell; all of it shows on hover

_OPENINGS = re.compile(
    "(a|all|an|answers|any|at|both|by|each|every|few|first|for|from|how|in|items?|its?|judges|less"
    "|many|models|more|most|no|none|of|on|one|only|other|pairs|removing|scores|several|some|that"
    "|the|these|this|too|two|under|votes|what|when|which|with|without) "
)
"""Words that open a claim and are hardly a name: a name keeps its small letter."""
_TICKED = re.compile("`([^`]+)`")  # commands in a remedy; the text is escaped before
_JSON_IN_HTML = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def render_html(report: Report) -> str:
    """Return the report as a self-contained document.

    The drawing library is included only when there is something to draw. A content security
    policy in the page allows its own scripts and style, by digest, and no request at all.
    """
    page = page_of(report)
    plots = page.plots
    scripts = (_vega(), _asset("report.js")) if plots else (_asset("report.js"),)
    style = _asset("style.css")
    policy = "; ".join(
        (
            "default-src 'none'",
            "script-src " + " ".join(_digest(script) for script in scripts),
            f"style-src {_digest(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    template = _environment().get_template("report.html.j2")
    return template.render(
        page=page, plots=plots, scripts=scripts, style=style, policy=policy, first=FIRST_ROWS
    )


def write_html(report: Report, path: str | os.PathLike[str]) -> Path:
    """Write the report to `path` and return it.

    An earlier file of that name is replaced only once the new one is complete.

    Raises
    ------
    SourceError
        If the folder cannot be written; the message says what to do.
    """
    target = Path(path)
    text = render_html(report)
    with all_or_nothing(target) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
    return target


def sentence(claim: str) -> str:
    """Return a claim with a capital letter, unless it may open with a name.

    Examples
    --------
    >>> sentence("the best model is not known"), sentence("gpt-4 is ahead")
    ('The best model is not known', 'gpt-4 is ahead')
    """
    return claim[:1].upper() + claim[1:] if _OPENINGS.match(claim) else claim


def embed_json(spec: Spec) -> str:
    """Return JSON that cannot end the script element it stands in."""
    return json.dumps(spec, separators=(",", ":"), allow_nan=False).translate(_JSON_IN_HTML)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def _asset(name: str) -> str:
    return files("caveat.reports.html").joinpath(name).read_text(encoding="utf-8")


@cache
def _vega() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed=vegaEmbed")
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup, escape

    def spelled(value: object) -> object:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=PackageLoader("caveat.reports.html", "templates"),
        autoescape=True,
        finalize=spelled,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["embed_json"] = lambda spec: Markup(embed_json(spec))
    environment.filters["short"] = lambda text: cut(text, LONGEST)
    environment.filters["own"] = lambda text: Markup(text)
    environment.filters["sentence"] = sentence
    environment.filters["ticked"] = lambda text: Markup(
        _TICKED.sub(r"<code>\1</code>", str(escape(visible(text))))
    )
    return environment
