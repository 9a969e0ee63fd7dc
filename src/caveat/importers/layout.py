"""Decides how a table is laid out: pair counts, tidy or wide; and reads it so."""

from caveat.data.evidence import Evidence
from caveat.data.schema import Kind
from caveat.importers._base import ReadOptions, TableStream
from caveat.importers.columns import choose, unknown_columns
from caveat.importers.tidy import read_tidy
from caveat.results.provenance import Source


def read_table(
    stream: TableStream, *, name: str, format_name: str, options: ReadOptions, kind: Kind | None
) -> Evidence:
    """Read a table of any layout; the error for an unknown one lists what was found and needed."""
    tidy = choose(stream.names, options.mapping, file=name, kind=kind)
    if tidy is not None:
        source = Source(name=name, importer=format_name, kind=tidy.schema.kind)
        return read_tidy(stream, tidy, source, options)
    raise unknown_columns(stream.names, file=name, kind=kind)
