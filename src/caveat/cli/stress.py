"""`caveat stress`: a board from votes, and what shakes it."""

from dataclasses import replace

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once


def stress(
    votes: given.Votes,
    /,
    *,
    reading: given.Reading = given.READING,
    figures: given.Stressed = given.STRESSED,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Rank models from votes, and try to shake the order: a referee's report.

    Example: caveat stress votes.csv voters.csv
    """
    from caveat import _validate
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put_json
    from caveat.cli.settled import settle
    from caveat.results.report import Findings
    from caveat.workflows.caveats import caveats_of
    from caveat.workflows.stress import stress as run

    settled = settle(file, reading=reading, figures=figures)
    options = replace(settled.options, pairs=figures.pair)
    _validate.at_least("--boundaries", options.boundaries, 0)
    check_json(session)
    with settled.at_work(), session.progress() as progress:
        found = run(each_once(votes), options=replace(options, progress=progress))
    caveats = caveats_of(Findings(ranking=found.board, stress=found), options=options)
    put_json(
        session,
        document(
            session.command,
            found.to_dict(),
            settings=options.to_dict(),
            provenance=found.provenance,
            caveats=caveats,
        ),
    )
    if not session.json_on_stdout:
        from caveat.reports.referee import print_stress

        print_stress(found, caveats, session.out)
    session.say_provenance(found.provenance)
    return 0
