"""Where the report comes from: enough to make it again and to doubt it."""

from dataclasses import dataclass

from caveat.reports.html.evidence import inline, words
from caveat.reports.numbers import UNDEFINED, size, whole
from caveat.reports.tables.table import Cell, Column, Table
from caveat.results._plain import to_plain
from caveat.results.provenance import Account
from caveat.results.report import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """Sources, rows, settings, versions and the command."""

    sources: Table | None
    rows: str
    drops: Table | None
    notices: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    versions: tuple[tuple[str, str], ...]
    command: str
    created: str


def footer_of(report: Report) -> Footer:
    """Lay the provenance out."""
    account = report.provenance.account
    return Footer(
        sources=_sources(report) if report.provenance.sources else None,
        rows=(
            f"{whole(account.rows_read)} rows read, {whole(account.kept)} kept, "
            f"{whole(account.dropped)} dropped."
        ),
        drops=_drops(account) if account.drops else None,
        notices=report.provenance.notices,
        settings=tuple((words(k), _setting(v)) for k, v in report.settings.items()),
        versions=tuple((name, version) for name, version in report.versions.items()),
        command=report.command,
        created=report.created,
    )


def _setting(value: object) -> str:
    """Write a setting as it is typed: integers such as a seed get no separators."""
    clean = to_plain(value)
    if isinstance(clean, int) and not isinstance(clean, bool):
        return str(clean)
    return inline(clean)


def _sources(report: Report) -> Table:
    return Table(
        caption="Sources",
        columns=(
            Column("Source", text=True, whole=True),
            Column("Holds", text=True),
            Column("Read by", text=True),
            Column("Size"),
            Column("SHA-256", text=True, whole=True),
        ),
        rows=tuple(
            (
                Cell(source.name),
                Cell(source.kind),
                Cell(source.importer),
                Cell(size(source.size)) if source.sha256 else Cell(UNDEFINED, "data in memory"),
                Cell(source.sha256) if source.sha256 else Cell(UNDEFINED, "data in memory"),
            )
            for source in report.provenance.sources
        ),
    )


def _drops(account: Account) -> Table:
    return Table(
        caption="Rows left out, and why",
        columns=(
            Column("Reason", text=True),
            Column("Rows"),
            Column("First places", text=True, whole=True),
        ),
        rows=tuple(
            (Cell(drop.reason), Cell(whole(drop.count)), Cell("; ".join(drop.examples)))
            for drop in account.drops
        ),
    )
