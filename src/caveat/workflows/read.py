"""Read sources into one evidence table per kind."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caveat.errors import InputError
from caveat.workflows.options import DEFAULTS, Options

if TYPE_CHECKING:
    import pyarrow as pa

    from caveat.data.builder import BadRows
    from caveat.data.evidence import Evidence
    from caveat.data.schema import Kind
    from caveat.importers._base import ReadOptions

Sources = Any
"""A path, a frame (Arrow, pandas, polars, columns, records), Evidence, or several of them."""


def read(
    sources: Sources,
    *,
    kind: "Kind | None" = None,
    options: Options = DEFAULTS,
    columns: frozenset[str] | None = None,
) -> "dict[Kind, Evidence]":
    """Read everything into one table per kind of evidence.

    Parameters
    ----------
    sources
        A path, a frame (Arrow, pandas, polars, a dict of columns, or a list of records: dicts that
        hold the cells of one row), `Evidence`, or a list of these. A folder is read with all it
        holds.
    kind : str, optional
        `votes`, `responses`, `models`, `voters` or `published`; recognised by content when not
        given. Needed for frames that could be several kinds.
    options : Options
        `mapping`, `aliases`, `bad_rows` and `model_name` apply.
    columns : frozenset of str, optional
        Columns to read besides the required ones; all by default.

    Returns
    -------
    dict
        Kind to Evidence; rows that repeat an earlier one are left out and counted.

    Raises
    ------
    SourceError
        If a source is missing, damaged or of no known format.
    InputError
        If its content breaks a rule; the message names file, row, column, rule and value.
    """
    parts: dict[Kind, list[Evidence]] = {}
    chosen = separate(sources)
    bound: set[str] = set()
    for source in chosen:
        reading = reading_of(source, options=options, columns=columns)
        if len(chosen) > 1 or (isinstance(source, (str, Path)) and Path(source).is_dir()):
            reading = replace(reading, bound=bound.add)
        else:
            bound.update(options.mapping)
        for evidence in _read_one(source, kind=kind, reading=reading):
            if kind is None or evidence.kind == kind:
                parts.setdefault(evidence.kind, []).append(evidence)
    if not parts:
        raise InputError(f"sources must hold {kind or 'some evidence'}, got none")
    for name in options.mapping.keys() - bound:
        raise InputError(f"mapping {name}={options.mapping[name]}: no source has such a column")
    return combined(parts, bad_rows=options.bad_rows, aliases=options.aliases)


def read_votes(source: Sources, *, options: Options = DEFAULTS) -> "Evidence":
    """Read votes: who won when two models were compared.

    Parameters
    ----------
    source
        As in `caveat.read`: a path, a frame, or several.
    options : Options

    Returns
    -------
    Evidence

    Examples
    --------
    >>> import caveat
    >>> len(caveat.read_votes({"model_a": ["x"], "model_b": ["y"], "winner": ["tie"]}))
    1
    """
    return read(source, kind="votes", options=options)["votes"]


def read_responses(source: Sources, *, options: Options = DEFAULTS) -> "Evidence":
    """Read responses: what each model answered to each item, and how it was scored.

    Parameters
    ----------
    source
        As in `caveat.read`: a path, a frame, or several.
    options : Options

    Returns
    -------
    Evidence

    Examples
    --------
    >>> import caveat
    >>> rows = {"benchmark": ["b"], "item": ["1"], "model": ["x"], "prediction": ["A"],
    ...         "target": ["A"]}
    >>> len(caveat.read_responses(rows))
    1
    """
    return read(source, kind="responses", options=options)["responses"]


def read_voters(source: Sources, *, options: Options = DEFAULTS) -> "Evidence":
    """Read voters: who they are by what they declared, one row each.

    Parameters
    ----------
    source
        As in `caveat.read`: a path, a frame, or several.
    options : Options

    Returns
    -------
    Evidence
        With a column `voter`; every other column is a declared attribute.

    Examples
    --------
    >>> import caveat
    >>> len(caveat.read_voters({"voter": ["u1", "u2"], "age": ["18-24", "65+"]}))
    2
    """
    return read(source, kind="voters", options=options)["voters"]


def combined(
    parts: "Mapping[Kind, list[Evidence]]",
    *,
    bad_rows: "BadRows",
    aliases: Mapping[str, str] | None = None,
) -> "dict[Kind, Evidence]":
    """Put the tables of each kind together; repeats are dropped and counted."""
    from caveat.data.concat import concat

    _refuse_copies(evidence for tables in parts.values() for evidence in tables)
    whole = {kind: concat(tables) for kind, tables in parts.items()}
    return _without_repeats(whole, aliases or {}, bad_rows)


def _without_repeats(
    whole: "dict[Kind, Evidence]", aliases: Mapping[str, str], bad_rows: "BadRows"
) -> "dict[Kind, Evidence]":
    """Give each model one name, then drop the rows that repeat an earlier one."""
    from caveat.data.aliases import renamed
    from caveat.data.dedupe import deduplicate
    from caveat.data.evidence import told

    met: set[str] = set()
    made: dict[Kind, Evidence] = {}
    for kind, evidence in whole.items():
        named, found = renamed(evidence, aliases, bad_rows=bad_rows) if aliases else (evidence, ())
        met |= set(found)
        try:
            made[kind] = deduplicate(named, bad_rows=bad_rows)
        except InputError as error:
            if not found:
                raise
            raise InputError(f"{error}; by the aliases several names are one model") from error
    missing = [name for name in aliases if name not in met]
    if missing:
        first = next(iter(made))
        shown = ", ".join(map(repr, missing[:5])) + (" ..." if len(missing) > 5 else "")
        notice = f"aliases: {len(missing):,} names that no source has: {shown}"
        made[first] = told(made[first], notice)
    return made


def _refuse_copies(tables: "Iterable[Evidence]") -> None:
    """Two sources of the same bytes would count every row twice.

    Members of one archive, named `archive!member`, share the archive's digest. Published scores
    may be the same for two models, whose names only their folders tell.
    """
    seen: dict[tuple[str, str], str] = {}
    for table in tables:
        for source in table.provenance.sources if table.kind != "published" else ():
            digest = (source.sha256, source.kind)
            archive = source.name.partition("!")[0]
            if source.sha256 and seen.get(digest, archive) != archive:
                raise InputError(
                    f"{source.name} holds the same bytes as {seen[digest]}: its rows would count "
                    "twice; name one of them"
                )
            seen[digest] = archive


def separate(sources: Sources) -> tuple[Any, ...]:
    """Return the sources one by one; a list of records is one table."""
    if not isinstance(sources, (list, tuple)):
        return (sources,)
    if (table := _as_records(sources)) is not None:
        return (table,)
    inner = ((source, _as_records(source)) for source in sources)
    return tuple(source if table is None else table for source, table in inner)


def _as_records(rows: Any) -> "pa.Table | None":  # noqa: ANN401 - anything a user may pass
    """Return a list of records as one table, None for anything else."""
    if not isinstance(rows, (list, tuple)) or not rows:
        return None
    if not all(isinstance(row, Mapping) for row in rows):
        return None
    from caveat.importers.python_data import is_record, table_of_records

    return table_of_records(rows) if any(map(is_record, rows)) else None


def reading_of(
    source: Any,  # noqa: ANN401 - a path, any frame, or Evidence
    *,
    options: Options,
    columns: frozenset[str] | None,
) -> "ReadOptions":
    """Return how one source is read."""
    from caveat.importers._base import ReadOptions

    return ReadOptions(
        mapping=options.mapping,
        bad_rows=options.bad_rows,
        columns=columns,
        model_name=options.model_name,
        progress=lambda done, total: options.tell(f"reading {source}", done, total),
    )


def _read_one(
    source: Any,  # noqa: ANN401 - a path, any frame, or Evidence
    *,
    kind: "Kind | None",
    reading: "ReadOptions",
) -> "Iterable[Evidence]":
    from caveat.data.evidence import Evidence
    from caveat.importers.frames import read_frame
    from caveat.importers.reading import read_path

    if isinstance(source, Evidence):
        return (source,)
    if isinstance(source, (str, Path)):
        return read_path(source, options=reading, kind=kind)
    if isinstance(source, Mapping):
        from caveat.importers.python_data import table_of_columns

        source = table_of_columns(source)
    return (read_frame(source, kind=kind, options=reading),)
