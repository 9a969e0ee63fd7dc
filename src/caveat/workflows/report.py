"""The main job: sources in, one report out."""

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from caveat import __version__
from caveat.results.report import Report
from caveat.workflows.findings import find
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources

_SHAPING = ("numpy", "scipy", "pyarrow")
"""Packages whose version can move a figure."""


def report(
    sources: Sources,
    *,
    out: str | Path | None = None,
    options: Options = DEFAULTS,
    command: str = "",
) -> Report:
    """Read the sources, compute all they support, and raise the caveats.

    Parameters
    ----------
    sources
        A path, a frame, `Evidence`, or a list of these.
    out : path, optional
        Where to write the report as one HTML file.
    options : Options
    command : str
        Command line that reproduces the report, for its footer.

    Returns
    -------
    Report
        With `.verdict`, `.caveats`, `.findings` and `.to_dict()`.
    """
    from caveat.rules.engine import Selection, not_run, run_rules
    from caveat.rules.verdict import verdict

    selection = Selection(
        select=options.select, ignore=options.ignore, thresholds=options.thresholds
    )
    findings, provenance = find(sources, options=options)
    options.tell("raising caveats")
    caveats = run_rules(findings, selection)
    made = Report(
        title=options.title or _title(provenance.sources),
        verdict=verdict(findings, caveats),
        findings=findings,
        caveats=caveats,
        not_run=not_run(findings, selection),
        settings=options.to_dict(),
        versions=_versions(),
        command=command,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        provenance=provenance,
    )
    if out is not None:
        from caveat.reports.html.render import write_html

        write_html(made, out)
    return made


def _title(sources: tuple["object", ...]) -> str:
    names = [str(getattr(source, "name", source)).rsplit("/", 1)[-1] for source in sources]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _versions() -> dict[str, str]:
    return {
        "caveat": __version__,
        "python": platform.python_version(),
        **{package: version(package) for package in _SHAPING},
    }
