"""`caveat claim`: claims about models, held against their answers."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from caveat.cli import options as given
from caveat.cli.exits import CAVEATS, FINE
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once

IN_CLAIM = Parameter(group=given.ABOUT_REPORT)
ClaimFile = Annotated[Path, Parameter(name="CLAIMS", help="TOML file with tables [[claim]].")]
Responses = Annotated[
    tuple[Path, ...],
    Parameter(
        name="RESPONSES",
        negative=(),
        help="Files or folders that hold responses; those the claims name by default.",
    ),
]
FailOn = Annotated[
    Literal["none", "contradicted", "undecided"],
    IN_CLAIM,
    Parameter(
        help="Exit with 1 when a claim is contradicted; undecided: when one is not supported."
    ),
]
Baseline = Annotated[
    Path | None,
    IN_CLAIM,
    Parameter(
        metavar="FILE",
        negative=(),
        help="JSON of an earlier run: tell what has changed, exit with 1 if a claim stands worse.",
    ),
]


def claim(
    claims: ClaimFile,
    responses: Responses = (),
    /,
    *,
    fail_on: FailOn = "contradicted",
    baseline: Baseline = None,
    reading: given.Reading = given.READING,
    figures: given.Answers = given.ANSWERS,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Say of each claim whether the responses support it, contradict it, or leave it open.

    Example: caveat claim claims.toml responses.parquet
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put_json
    from caveat.cli.settled import settle
    from caveat.workflows.claim import claim as run

    settled = settle(file, reading=reading, figures=figures)
    check_json(session)
    with settled.at_work(), session.progress() as progress:
        found = run(
            claims,
            each_once(responses) if responses else None,
            options=replace(settled.options, progress=progress),
            baseline=baseline,
        )
    put_json(
        session,
        document(
            session.command,
            found.to_dict(),
            settings={**found.settings, "fail_on": fail_on},
            provenance=found.provenance,
        ),
    )
    if not session.json_on_stdout:
        from caveat.reports.claims import print_claims

        print_claims(found, session.out)
    session.say_provenance(found.provenance)
    counts = found.counts
    failed = {
        "none": False,
        "contradicted": counts["contradicted"] > 0,
        "undecided": counts["contradicted"] + counts["undecided"] > 0,
    }[fail_on]
    return CAVEATS if failed or (fail_on != "none" and found.worse) else FINE
