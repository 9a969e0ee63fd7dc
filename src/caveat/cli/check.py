"""`caveat check`: caveats only, for machines and their gates."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once
from caveat.errors import InputError

if TYPE_CHECKING:
    from caveat.results.report import Report

Output = Annotated[
    Literal["text", "json", "sarif", "github"],
    Parameter(group=given.ABOUT_OUTPUT, help="Form of the answer on the standard output."),
]


def check(
    sources: given.Sources,
    /,
    *,
    output: Output = "text",
    reading: given.Reading = given.READING,
    figures: given.Figures = given.FIGURES,
    rules: given.Rules = given.RULES,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """List the caveats of some evidence and nothing else; exit with 1 when one is grave.

    Example: caveat check votes.csv --ignore CST --fail-on warning
    """
    from caveat.cli.exits import judged
    from caveat.cli.outputs import check_json, put, put_json
    from caveat.cli.settled import settle
    from caveat.workflows.report import report

    settled = settle(file, reading=reading, figures=figures, rules=rules)
    _refuse_two_answers(output, session)
    check_json(session)
    with settled.at_work(), session.progress() as progress:
        found = report(
            each_once(sources),
            options=replace(settled.options, progress=progress),
            command=session.command,
        )
    put_json(session, _document(found))
    if output == "text":
        if not session.json_on_stdout:
            _print(found, session)
    elif not (output == "json" and session.json_on_stdout):
        put(session, _written(found, output))
    session.say_provenance(found.provenance)
    return judged(found.caveats, settled.fail_on or "serious")


def _refuse_two_answers(output: str, session: Session) -> None:
    if session.json_on_stdout and output not in ("text", "json"):
        raise InputError(
            f"--output {output} must have the standard output to itself: give --json a file, "
            "or leave one of the two out"
        )


def _document(found: "Report") -> dict[str, object]:
    from caveat.cli.documents import document

    return document(
        found.command,
        {"not_run": found.not_run},
        settings=found.settings,
        provenance=found.provenance,
        caveats=found.caveats,
    )


def _print(found: "Report", session: Session) -> None:
    from caveat.reports.terminal import print_caveats
    from caveat.reports.unrun import by_reason

    print_caveats(found.caveats, session.out)
    for skipped in by_reason(found.not_run):
        session.say(f"not run: {skipped.check}: {skipped.why}")


def _written(found: "Report", output: str) -> str:
    from caveat.reports.github import to_github
    from caveat.reports.json_report import to_json

    if output == "json":
        return to_json(_document(found))
    if output == "github":
        return to_github(found.caveats)
    return json.dumps(_sarif(found), indent=2, allow_nan=False)


def _sarif(found: "Report") -> dict[str, object]:
    from caveat.reports.sarif import RuleText, to_sarif
    from caveat.rules.pages import page
    from caveat.rules.registry import RULES

    rules = [
        RuleText(code=rule.code, title=rule.title, severity=rule.severity, help=page(rule.code))
        for rule in RULES
    ]
    return to_sarif(found.caveats, rules, found.provenance.sources)
