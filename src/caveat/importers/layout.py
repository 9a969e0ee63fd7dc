"""Decides how a table is laid out: pair counts, tidy or wide; and reads it so."""

from dataclasses import dataclass
from typing import Literal

from caveat.data.evidence import Evidence
from caveat.data.schema import SCHEMAS, Kind
from caveat.errors import UnrecognisedError
from caveat.importers._base import KnownTable, ReadOptions, TableStream
from caveat.importers.columns import Plan, bind, choose, plan, unknown_columns
from caveat.importers.pair_counts import is_pair_counts, read_pair_counts
from caveat.importers.refused_tables import refuse_known
from caveat.importers.registry import TABLES
from caveat.importers.tidy import read_records, read_tidy
from caveat.importers.wide import is_wide, read_wide, wide_plan
from caveat.importers.wide_columns import Models
from caveat.results.provenance import Source

Shape = Literal["tidy", "pair counts", "wide", "known"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The shape of a table and what its columns are.

    Attributes
    ----------
    shape : str
    plan : Plan
        Of a known table: for its columns once translated.
    models : Models or None
        Those of a wide table.
    known : KnownTable or None
        The table of another tool that it is.
    """

    shape: Shape
    plan: Plan
    models: Models | None = None
    known: KnownTable | None = None

    @property
    def name(self) -> str:
        """What the layout is called behind its container."""
        return self.known.name if self.known is not None else self.shape


def layout_of(stream: TableStream, *, name: str, options: ReadOptions, kind: Kind | None) -> Layout:
    """Return the layout; the error for an unknown one lists what was found and needed."""
    known = _known(stream.names, name=name, options=options, kind=kind)
    if known is not None:
        names = known.translated(stream, file=name, options=options).names
        found = plan(SCHEMAS.get(known.kind), names, {})
        return Layout(shape="known", plan=found, known=known)
    if not options.mapping:
        refuse_known(stream.names, file=name)
    tidy = choose(stream.names, options.mapping, file=name, kind=kind)
    if tidy is not None and tidy.schema.kind not in ("models", "published"):
        return Layout(shape="tidy", plan=tidy)
    if kind in (None, "votes"):
        pairs = is_pair_counts(stream.names, options)
        if pairs is not None:
            return Layout(shape="pair counts", plan=pairs)
    wide = wide_plan(stream, options, kind)
    if wide is not None:
        models = is_wide(stream, wide, kind, file=name)
        if models is not None:
            return Layout(shape="wide", plan=wide, models=models)
    if tidy is not None:
        return Layout(shape="tidy", plan=tidy)
    raise unknown_columns(stream.names, file=name, kind=kind)


def _known(
    names: tuple[str, ...], *, name: str, options: ReadOptions, kind: Kind | None
) -> KnownTable | None:
    """Return the known table with these columns, unless the user says what its columns are."""
    for table in TABLES:
        required = {column.name for column in SCHEMAS.get(table.kind).required}
        if table.recognises(frozenset(names)) and not required & set(options.mapping):
            if kind not in (None, table.kind):
                raise UnrecognisedError(
                    f"{name}: must hold {kind}, got {table.kind} ({table.name})"
                )
            return table
    return None


def read_table(
    stream: TableStream, *, name: str, format_name: str, options: ReadOptions, kind: Kind | None
) -> Evidence:
    """Read a table of any layout."""
    options = bind(options, stream.names, name)
    layout = layout_of(stream, name=name, options=options, kind=kind)
    importer = format_name if layout.shape == "tidy" else f"{format_name}, {layout.name}"
    source = Source(name=name, importer=importer, kind=layout.plan.schema.kind)
    if layout.known is not None:
        translated = layout.known.translated(stream, file=name, options=options)
        return read_records(translated, layout.plan.schema, source, options)
    if layout.shape == "pair counts":
        return read_pair_counts(stream, layout.plan, source, options)
    if layout.models is not None:
        return read_wide(stream, layout.plan, layout.models, source, options)
    return read_tidy(stream, layout.plan, source, options)
