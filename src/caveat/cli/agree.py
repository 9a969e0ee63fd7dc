"""`caveat agree`: scores, and how alike the answers of models are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once

if TYPE_CHECKING:
    from caveat.results.report import BenchmarkFindings


def agree(
    responses: given.Responses,
    /,
    *,
    reading: given.Reading = given.READING,
    figures: given.Answers = given.ANSWERS,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Score models and compare their answers, pair by pair.

    Example: caveat agree responses.parquet --policy as-disagreement
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put_json
    from caveat.cli.settled import settle
    from caveat.results.report import Findings
    from caveat.workflows.agree import agree_all
    from caveat.workflows.caveats import caveats_of

    options = settle(file, reading=reading, figures=figures).options
    check_json(session)
    with session.progress() as progress:
        found = agree_all(each_once(responses), options=replace(options, progress=progress))
    caveats = caveats_of(Findings(benchmarks=found), options=options)
    put_json(
        session,
        document(
            session.command,
            _result(found),
            settings=options.to_dict(),
            provenance=found[0].scores.provenance,
            caveats=caveats,
        ),
    )
    if not session.json_on_stdout:
        _print(found, session)
        session.say_caveats(caveats)
    return 0


def _result(found: "Sequence[BenchmarkFindings]") -> dict[str, Any]:
    """Return models and pairs of all benchmarks in two lists, each row with its benchmark."""
    models: list[dict[str, Any]] = []
    pairs: list[dict[str, Any]] = []
    benchmarks: list[dict[str, Any]] = []
    for bench in found:
        named = {"benchmark": bench.benchmark}
        scores = bench.scores.to_dict()
        compared = bench.agreement.to_dict() if bench.agreement else {"pairs": []}
        models += [{**named, **row} for row in scores.pop("models")]
        pairs += [{**named, **row} for row in compared.pop("pairs")]
        benchmarks.append({**compared, **scores})
    return {"models": models, "pairs": pairs, "benchmarks": benchmarks}


def _print(found: "Sequence[BenchmarkFindings]", session: Session) -> None:
    from caveat.reports.terminal import print_agreement

    for number, bench in enumerate(found):
        if number:
            session.out.print()
        print_agreement(bench.scores, bench.agreement, session.out)
