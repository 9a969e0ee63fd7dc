"""Writes evidence as Parquet, so that it is read once and used often."""

from pathlib import Path

import pyarrow.parquet as pq

from caveat._files import all_or_nothing
from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.importers.written import metadata_of


def write_evidence(
    evidence: Evidence | list[Evidence] | tuple[Evidence, ...], folder: str | Path
) -> tuple[Path, ...]:
    """Write `<folder>/evidence/<kind>.parquet` for each kind, all or nothing.

    Parameters
    ----------
    evidence
        One table, or several of different kinds (put those of one kind together with `concat`).
    folder
        A workspace; made if it is not there. A file of the same kind is replaced.

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    SourceError
        When the folder cannot be written.
    """
    tables = [evidence] if isinstance(evidence, Evidence) else list(evidence)
    kinds = [table.kind for table in tables]
    if len(set(kinds)) < len(kinds):
        raise InputError(f"evidence must hold each kind once, got {', '.join(kinds)}")
    return tuple(_write(table, Path(folder) / "evidence") for table in tables)


def _write(evidence: Evidence, folder: Path) -> Path:
    path = folder / f"{evidence.kind}.parquet"
    table = evidence.table.replace_schema_metadata(metadata_of(evidence))
    with all_or_nothing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")
    return path
