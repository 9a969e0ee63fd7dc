"""Decides how a table is laid out: pair counts, tidy or wide; and reads it so."""

from dataclasses import dataclass
from typing import Literal

from caveat.data.evidence import Evidence
from caveat.data.schema import Kind
from caveat.importers._base import ReadOptions, TableStream
from caveat.importers.columns import Plan, bind, choose, unknown_columns
from caveat.importers.pair_counts import is_pair_counts, read_pair_counts
from caveat.importers.tidy import read_tidy
from caveat.importers.wide import is_wide, read_wide, wide_plan
from caveat.importers.wide_columns import Models
from caveat.results.provenance import Source

Shape = Literal["tidy", "pair counts", "wide"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The shape of a table and what its columns are; `models` are those of a wide table."""

    shape: Shape
    plan: Plan
    models: Models | None = None


def layout_of(stream: TableStream, *, name: str, options: ReadOptions, kind: Kind | None) -> Layout:
    """Return the layout; the error for an unknown one lists what was found and needed."""
    tidy = choose(stream.names, options.mapping, file=name, kind=kind)
    if tidy is not None and tidy.schema.kind != "models":
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


def read_table(
    stream: TableStream, *, name: str, format_name: str, options: ReadOptions, kind: Kind | None
) -> Evidence:
    """Read a table of any layout."""
    options = bind(options, stream.names, name)
    layout = layout_of(stream, name=name, options=options, kind=kind)
    importer = format_name if layout.shape == "tidy" else f"{format_name}, {layout.shape}"
    source = Source(name=name, importer=importer, kind=layout.plan.schema.kind)
    if layout.shape == "pair counts":
        return read_pair_counts(stream, layout.plan, source, options)
    if layout.models is not None:
        return read_wide(stream, layout.plan, layout.models, source, options)
    return read_tidy(stream, layout.plan, source, options)
