"""`caveat agree`: scores, and how alike the answers of models are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once

if TYPE_CHECKING:
    from caveat.results.caveat import Caveat
    from caveat.results.report import BenchmarkFindings


def agree(
    responses: given.Responses,
    /,
    *,
    reading: given.Reading = given.READING,
    figures: given.Compared = given.COMPARED,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Score models and compare their answers, pair by pair.

    Example: caveat agree responses.parquet --policy as-disagreement
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put_json
    from caveat.cli.settled import settle
    from caveat.results.report import Findings, agree_dict
    from caveat.workflows.agree import agree_all
    from caveat.workflows.caveats import caveats_of

    settled = settle(file, reading=reading, figures=figures)
    options = replace(settled.options, pairs=figures.pair)
    check_json(session)
    with settled.at_work(), session.progress() as progress:
        found = agree_all(
            each_once(responses),
            options=replace(options, progress=progress),
            without_pairs="refuse",
        )
    caveats = caveats_of(Findings(benchmarks=found), options=options)
    put_json(
        session,
        document(
            session.command,
            agree_dict(found),
            settings=options.to_dict(),
            provenance=found[0].scores.provenance,
            caveats=caveats,
        ),
    )
    if not session.json_on_stdout:
        _print(found, caveats, session)
    session.say_provenance(found[0].scores.provenance)
    if not session.json_on_stdout:
        session.say_caveats(caveats)
    return 0


def _print(
    found: "Sequence[BenchmarkFindings]", caveats: "Sequence[Caveat]", session: Session
) -> None:
    from caveat.reports.terminal import print_compared
    from caveat.reports.visible import visible

    for number, bench in enumerate(found):
        if number:
            session.out.print()
        if len(found) > 1:
            session.out.print(visible(bench.benchmark), style="bold", markup=False)
        print_compared(bench, caveats, session.out)
        if bench.agreement is None:
            why = next((w for c, w in bench.quality.skipped if c.startswith("AGR301")), "")
            session.out.print(f"No pairs were compared: {why}", markup=False)
