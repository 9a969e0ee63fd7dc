"""`caveat compare`: two models, item by item."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once

if TYPE_CHECKING:
    from caveat.results.comparison.pair import PairComparison

ROWS = 20
"""Rows of a table; --json writes them all."""
ModelA = Annotated[str, Parameter(name="A", help="Name of a model.")]
ModelB = Annotated[str, Parameter(name="B", help="Name of another model.")]


def compare(
    a: ModelA,
    b: ModelB,
    responses: given.Responses,
    /,
    *,
    reading: given.Reading = given.READING,
    figures: given.Answers = given.ANSWERS,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Compare two models on the items both have: scores, tests, tasks, and where they differ.

    Example: caveat compare model-1 model-2 responses.parquet
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put_json
    from caveat.cli.settled import settle
    from caveat.workflows.compare import compare_dict, compared

    settled = settle(file, reading=reading, figures=figures)
    check_json(session)
    with settled.at_work(), session.progress() as progress:
        options = replace(settled.options, progress=progress)
        found, provenance = compared(a, b, each_once(responses), options=options)
    put_json(
        session,
        document(
            session.command,
            compare_dict(found),
            settings=settled.options.to_dict(),
            provenance=provenance,
        ),
    )
    if not session.json_on_stdout:
        _print(found, session)
    session.say_provenance(provenance)
    return 0


def _print(found: "tuple[PairComparison, ...]", session: Session) -> None:
    from caveat.reports.agree.compare import sections_of
    from caveat.reports.referee import print_section
    from caveat.reports.visible import visible

    for place, one in enumerate(found):
        if place:
            session.out.print()
        if len(found) > 1:
            session.out.print(visible(one.benchmark), style="bold", markup=False)
        for number, section in enumerate(sections_of(one)):
            if number:
                session.out.print()
            print_section(section.title, section, session.out, rows=ROWS)
