"""Votes added up, as a file that can be read again beside new votes."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from caveat._files import all_or_nothing
from caveat.data.evidence import Evidence
from caveat.importers.written import metadata_of

_MARK = b"caveat.counts"


def write_counts(votes: Evidence, path: Path) -> None:
    """Write votes that were added up, all or nothing.

    Parameters
    ----------
    votes : Evidence
        With a column `count`.
    path : Path
        A Parquet file; one of the same name is replaced.
    """
    table = votes.table.replace_schema_metadata(metadata_of(votes) | {_MARK: b"true"})
    with all_or_nothing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def is_counts(path: Path) -> bool:
    """Whether a file was written by `write_counts`."""
    try:
        return _MARK in (pq.read_schema(path).metadata or {})
    except (pa.ArrowInvalid, OSError):
        return False
