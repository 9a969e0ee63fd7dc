"""`caveat import`: files of other tools into evidence tables."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once

if TYPE_CHECKING:
    from caveat.data.evidence import Evidence

    Written = tuple[Path, Evidence]

IN_IMPORT = Parameter(group=given.ABOUT_IMPORT)
Out = Annotated[
    Path,
    IN_IMPORT,
    Parameter(
        metavar="FOLDER", help="Workspace, made if new; the tables go to its folder evidence."
    ),
]
DryRun = Annotated[bool, IN_IMPORT, given.flag("Read and count, write nothing.")]


def import_(
    sources: given.Sources,
    /,
    *,
    out: Out,
    dry_run: DryRun = False,
    reading: given.Reading = given.READING,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Turn files of other tools into evidence tables, every row accounted for.

    Example: caveat import results.zip --out . --dry-run
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_folder, check_json, put_json
    from caveat.cli.settled import settle
    from caveat.workflows.importing import import_sources

    settled = settle(file, reading=reading)
    options = settled.options
    if not dry_run:
        check_folder(out)
    check_json(session)
    with settled.at_work(), session.progress() as progress:
        written = import_sources(
            each_once(sources), out, options=replace(options, progress=progress), dry_run=dry_run
        )
    put_json(
        session,
        document(
            session.command,
            {"dry_run": dry_run, "tables": [_described(*pair) for pair in written]},
            settings={
                "mapping": options.mapping,
                "bad_rows": options.bad_rows,
                "model_name": options.model_name,
            },
            provenance=_together(written),
        ),
    )
    if not session.json_on_stdout:
        _print(written, session, dry_run=dry_run)
    return 0


def _together(written: "Sequence[Written]") -> Any:  # noqa: ANN401 - Provenance, loaded late
    from caveat.results.provenance import Account, Provenance

    parts = [evidence.provenance for _, evidence in written]
    return Provenance(
        sources=tuple(dict.fromkeys(source for part in parts for source in part.sources)),
        account=sum((part.account for part in parts), Account(rows_read=0, kept=0)),
        notices=tuple(dict.fromkeys(notice for part in parts for notice in part.notices)),
    )


def _described(path: Path, evidence: "Evidence") -> dict[str, Any]:
    account = evidence.provenance.account
    return {
        "file": str(path),
        "kind": evidence.kind,
        "rows_read": account.rows_read,
        "kept": account.kept,
        "dropped": account.dropped,
        "drops": account.drops,
    }


def _print(written: "Sequence[Written]", session: Session, *, dry_run: bool) -> None:
    from caveat.reports.visible import visible

    for path, evidence in written:
        account = evidence.provenance.account
        verb = "would hold" if dry_run else "holds"
        line = f"{path}: {verb} {account.kept:,} {evidence.kind} of {account.rows_read:,} rows read"
        session.out.print(visible(line), soft_wrap=True)
        for drop in account.drops:
            where = f" ({', '.join(drop.examples)})" if drop.examples else ""
            text = visible(f"  {drop.count:,} dropped: {drop.reason}{where}")
            session.out.print(text, soft_wrap=True)
    session.say_notices(notice for _, evidence in written for notice in evidence.provenance.notices)
