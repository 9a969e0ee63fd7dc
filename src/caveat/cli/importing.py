"""`caveat import`: files of other tools into evidence tables."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from caveat.cli import options as given
from caveat.cli.exits import FINE, MISUSE
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once
from caveat.errors import InputError

if TYPE_CHECKING:
    from caveat.data.evidence import Evidence
    from caveat.results.surveyed import Surveyed
    from caveat.workflows.options import Options

    Written = tuple[Path, Evidence]

IN_IMPORT = Parameter(group=given.ABOUT_IMPORT)
Out = Annotated[
    Path | None,
    IN_IMPORT,
    Parameter(
        metavar="FOLDER",
        negative=(),
        help="Workspace, made if new; the tables go to its folder evidence.",
    ),
]
DryRun = Annotated[
    bool, IN_IMPORT, given.flag("Say of every file what would be read, write nothing.")
]
Proposals = Annotated[
    Path | None,
    IN_IMPORT,
    Parameter(
        metavar="FILE",
        negative=(),
        help="Write here which names of models may be one: TOML, or CSV for a name in .csv.",
    ),
]


def import_(
    sources: given.Sources,
    /,
    *,
    out: Out = None,
    dry_run: DryRun = False,
    propose_aliases: Proposals = None,
    reading: given.Reading = given.READING,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Turn files of other tools into evidence tables, every row accounted for.

    Example: caveat import results.zip --out . --dry-run
    """
    from caveat.cli.outputs import check_folder, check_json
    from caveat.cli.settled import settle
    from caveat.workflows.importing import check_new

    settled = settle(file, reading=reading)
    if out is None and not dry_run and propose_aliases is None:
        raise InputError("--out must name a folder, unless nothing is written (--dry-run)")
    if propose_aliases is not None:
        check_new(propose_aliases)
    if out is not None and not dry_run:
        check_folder(out)
    check_json(session)
    with settled.at_work():
        if dry_run or out is None:
            return _look(each_once(sources), out, settled.options, propose_aliases, session)
        return _import(each_once(sources), out, settled.options, propose_aliases, session)


def _import(
    sources: list[Path],
    out: Path,
    options: "Options",
    proposals: Path | None,
    session: Session,
) -> int:
    from caveat.workflows.importing import import_sources

    there = set((out / "evidence").glob("*.parquet"))
    with session.progress() as progress:
        written = import_sources(sources, out, options=replace(options, progress=progress))
    tables = tuple(table for _, table in written)
    for path, _ in written:
        if path in there:
            session.say(f"notice: {path}: replaced the table that was there")
    _answer(written, {"dry_run": False}, options, session)
    if not session.json_on_stdout:
        _print(written, session, verb="holds")
    _propose(tables, proposals, session)
    return FINE


def _look(
    sources: list[Path],
    out: Path | None,
    options: "Options",
    proposals: Path | None,
    session: Session,
) -> int:
    from caveat.workflows.importing import places_of
    from caveat.workflows.surveying import survey_sources

    with session.progress() as progress:
        found = survey_sources(sources, options=replace(options, progress=progress))
    written = tuple(zip(places_of(found.tables, out or Path()), found.tables, strict=True))
    _answer(written, {"dry_run": True, **found.surveyed.to_dict()}, options, session)
    if not session.json_on_stdout:
        _print_files(found.surveyed, session)
        _print(written, session, verb="would hold")
    _propose(found.tables, proposals, session)
    return MISUSE if found.surveyed.failed else FINE


def _answer(
    written: "Sequence[Written]", said: dict[str, Any], options: "Options", session: Session
) -> None:
    from caveat.cli.documents import document
    from caveat.cli.outputs import put_json

    put_json(
        session,
        document(
            session.command,
            {**said, "tables": [_described(*pair) for pair in written]},
            settings={
                "mapping": options.mapping,
                "aliases": options.aliases,
                "bad_rows": options.bad_rows,
                "model_name": options.model_name,
            },
            provenance=_together(written),
        ),
    )


def _propose(tables: "tuple[Evidence, ...]", file: Path | None, session: Session) -> None:
    from caveat.workflows.importing import propose_aliases

    if file is None:
        return
    made = propose_aliases(tables, file)
    session.say(
        f"{len(made):,} names may stand for others: see {file}; accept there what is true, and "
        "read with --aliases"
        if made
        else f"no two names look like one model; {file} is empty"
    )


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


def _print(written: "Sequence[Written]", session: Session, *, verb: str) -> None:
    from caveat.reports.visible import visible

    for path, evidence in written:
        account = evidence.provenance.account
        line = f"{path}: {verb} {account.kept:,} {evidence.kind} of {account.rows_read:,} rows read"
        session.out.print(visible(line), soft_wrap=True)
        for drop in account.drops:
            where = f" ({', '.join(drop.examples)})" if drop.examples else ""
            text = visible(f"  {drop.count:,} dropped: {drop.reason}{where}")
            session.out.print(text, soft_wrap=True)
    session.say_notices(notice for _, evidence in written for notice in evidence.provenance.notices)


def _print_files(surveyed: "Surveyed", session: Session) -> None:
    from caveat.reports.survey_lines import survey_lines
    from caveat.reports.visible import visible

    for line in survey_lines(surveyed):
        session.out.print(visible(line), soft_wrap=True, markup=False)
