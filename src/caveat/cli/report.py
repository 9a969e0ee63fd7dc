"""`caveat report`: the main job."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once


@Parameter(name="*", group=given.ABOUT_REPORT)
@dataclass(frozen=True, kw_only=True)
class Page:
    """The HTML file."""

    out: Annotated[Path, Parameter(metavar="FILE", help="HTML file to write.")] = Path(
        "caveat-report.html"
    )
    title: Annotated[str | None, Parameter(negative=(), help="Title of the report.")] = None
    open: Annotated[bool, given.flag("Open it in a browser.")] = False


PAGE = Page()


def report(
    sources: given.Sources,
    /,
    *,
    page: Page = PAGE,
    reading: given.Reading = given.READING,
    figures: given.Figures = given.FIGURES,
    rules: given.Rules = given.RULES,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Say how far an evaluation can be trusted: caveats here, everything in one HTML file.

    Example: caveat report votes.csv responses.parquet --out report.html
    """
    from caveat.cli.exits import judged
    from caveat.cli.outputs import apart, check_json, check_target, put_json
    from caveat.cli.settled import settle
    from caveat.reports.html.render import write_html
    from caveat.workflows.report import report as run

    settled = settle(file, reading=reading, figures=figures, rules=rules, title=page.title)
    check_target(page.out, "HTML")
    check_json(session)
    apart("--out", page.out, "--json", session.json)
    with settled.at_work(), session.progress() as progress:
        options = replace(settled.options, progress=progress)
        found = run(each_once(sources), options=options, command=session.command)
        options.tell("writing the report")
        write_html(found, page.out)
    put_json(session, found.to_dict())
    if not session.json_on_stdout:
        from caveat.reports.terminal import print_report

        print_report(found, session.out)
    session.say_provenance(found.provenance)
    session.say(f"Report written to {page.out}")
    if page.open:
        _open(page.out, session)
    return judged(found.caveats, settled.fail_on or "none")


def _open(path: Path, session: Session) -> None:
    import webbrowser

    if not webbrowser.open(path.resolve().as_uri()):
        session.say(f"No browser could be started; open {path} yourself")
