"""`caveat rank`: a board from votes."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once

Counts = Annotated[
    Path | None,
    Parameter(
        metavar="FILE",
        group=given.ABOUT_FIGURES,
        negative=(),
        help="Write the votes added up as Parquet; read it again beside new votes.",
    ),
]


def rank(
    votes: given.Votes,
    /,
    *,
    reading: given.Reading = given.READING,
    figures: given.Systems = given.SYSTEMS,
    counts: Counts = None,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Rank models from votes, and show which ranks are real.

    Example: caveat rank votes.csv --bootstrap 1000
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_counts, check_json, put_counts, put_json
    from caveat.cli.settled import settle
    from caveat.results.report import Findings
    from caveat.workflows.caveats import caveats_of
    from caveat.workflows.rank import rank as run

    settled = settle(file, reading=reading, figures=figures)
    options = settled.options
    check_json(session)
    check_counts(counts)
    with settled.at_work(), session.progress() as progress:
        board = run(each_once(votes), options=replace(options, progress=progress))
    caveats = caveats_of(Findings(ranking=board), options=options)
    put_json(
        session,
        document(
            session.command,
            board.to_dict(),
            settings=options.to_dict(),
            provenance=board.provenance,
            caveats=caveats,
        ),
    )
    put_counts(session, board, counts)
    if not session.json_on_stdout:
        from caveat.reports.terminal import print_ranking

        print_ranking(board, session.out)
    session.say_provenance(board.provenance)
    if not session.json_on_stdout:
        session.say_caveats(caveats)
    return 0
