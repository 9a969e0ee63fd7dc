"""Which column of a source is which column of the evidence: mapping, names, aliases."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from caveat.data.schema import SCHEMAS, VOTERS, Kind, Schema, key_of
from caveat.errors import InputError, UnrecognisedError
from caveat.importers._base import ReadOptions
from caveat.importers.voter_columns import are_voters


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How the columns of one table are read.

    Attributes
    ----------
    schema : Schema
    renames : dict of str to str
        Every column of the source to the name it has in the evidence.
    missing : tuple of str
        Required columns nobody supplies.
    notices : tuple of str
    certain : bool
        Whether the user said which kind of evidence the table holds.
    """

    schema: Schema
    renames: dict[str, str]
    missing: tuple[str, ...]
    notices: tuple[str, ...]
    certain: bool = False

    @property
    def has(self) -> frozenset[str]:
        """Canonical columns that the source supplies."""
        return frozenset(self.renames.values()) & frozenset(self.schema.names)

    @property
    def shown(self) -> dict[str, str]:
        """Names in the evidence to names in the source."""
        return {new: old for old, new in self.renames.items()}

    @property
    def complete(self) -> bool:
        """Whether the table can be read as this kind of evidence."""
        if self.schema.kind == "responses":
            answers = bool({"prediction", "score"} & self.has)
            return set(self.missing) <= {"benchmark"} and answers
        if self.schema.kind == "models":
            return not self.missing and len(self.has) > 1
        if self.schema.kind == "voters":
            return not self.missing and are_voters(self.renames, certain=self.certain)
        if self.schema.kind == "published":
            return not self.missing and (self.certain or _says_published(self.renames))
        return not self.missing


def plan(schema: Schema, names: tuple[str, ...], mapping: Mapping[str, str]) -> Plan:
    """Match the columns of a source to a schema.

    The user's mapping wins, then canonical names, then aliases in their order. A column whose
    name the mapping took away is kept as `<name>_source`. Where the user maps `prediction` to
    another column and a target exists, the source's score belongs to the old prediction: it is
    kept as `score_source` and the score is computed anew.
    """
    by_key = {key_of(name): name for name in reversed(names)}
    chosen = {new: old for new, old in mapping.items() if schema.column(new) is not None}
    notices: list[str] = []
    for column in schema.columns:
        if column.name in chosen:
            continue
        free = [k for k in (column.name, *column.aliases) if k in by_key]
        free = [by_key[k] for k in free if by_key[k] not in chosen.values()]
        if free:
            chosen[column.name] = free[0]
    renames = {old: new for new, old in chosen.items()}
    if _score_is_stale(schema, names, mapping, chosen):
        del renames[chosen["score"]]
        displaced = {chosen["score"]: "score_source"}
        notices.append(
            f"column {chosen['score']!r} scores another prediction than the one mapped: kept as "
            "'score_source'"
        )
    else:
        displaced = {}
    for name in names:
        if name not in renames:
            renames[name] = displaced.get(name) or _extra(name, schema, set(renames.values()))
    supplied = {new for new in renames.values() if schema.column(new) is not None}
    return Plan(
        schema=schema,
        renames={name: renames[name] for name in names},
        missing=tuple(c.name for c in schema.required if c.name not in supplied),
        notices=tuple(notices),
    )


def extended(old: Plan, names: tuple[str, ...], mapping: Mapping[str, str]) -> Plan:
    """Return the plan with columns that turned up later; those already placed stay."""
    fresh = plan(old.schema, (*old.renames, *names), mapping)
    renames = dict(old.renames)
    for name in names:
        new = fresh.renames[name]
        if new in renames.values():
            new = _extra(name, old.schema, set(renames.values()))
        renames[name] = new
    return Plan(schema=old.schema, renames=renames, missing=old.missing, notices=old.notices)


def bind(options: ReadOptions, names: tuple[str, ...], file: str) -> ReadOptions:
    """Return the options with the part of the mapping that this source has columns for.

    A mapping to a column we do not know is an error, and so is one from a column the source
    lacks, unless several sources share the mapping.
    """
    known = {name for schema in SCHEMAS for name in schema.names}
    for new, old in options.mapping.items():
        if new not in known:
            raise InputError(
                f"mapping must name one of {', '.join(sorted(known))}, got {new!r} (in {new}={old})"
            )
        if old not in names and options.bound is None:
            raise InputError(
                f"{file}: mapping {new}={old} needs a column {old!r}, found {_listed(names)}"
            )
    if len(set(options.mapping.values())) < len(options.mapping):
        pairs = ", ".join(f"{new}={old}" for new, old in options.mapping.items())
        raise InputError(f"mapping must use each column once, got {pairs}")
    here = {new: old for new, old in options.mapping.items() if old in names}
    if options.bound is not None:
        for new in here:
            options.bound(new)
    return replace(options, mapping=here)


def choose(
    names: tuple[str, ...], mapping: Mapping[str, str], *, file: str, kind: Kind | None
) -> Plan | None:
    """Return the plan for the first kind of evidence that the columns make complete, or None."""
    _refuse_doubles(names, file)
    schemas = [SCHEMAS.get(kind)] if kind else list(SCHEMAS)
    plans = [
        replace(plan(schema, names, mapping), certain=kind is not None)
        for schema in schemas
        if all(schema.column(new) is not None for new in mapping)
    ]
    return next((p for p in plans if p.complete), None)


def unknown_columns(names: tuple[str, ...], *, file: str, kind: Kind | None) -> UnrecognisedError:
    """Return the error for a table that is no evidence, with what it would need."""
    lines = [f"{file}: not recognised as evidence; columns found: {_listed(names)}."]
    for schema in SCHEMAS:
        if kind in (None, schema.kind) and schema.kind in ("votes", "responses"):
            needs = [c for c in schema.required if c.name != "benchmark"]
            if schema.kind == "responses":
                needs += [c for c in schema.columns if c.name in ("prediction", "score")]
            listed = "; ".join(f"{c.name} ({', '.join(c.aliases)})" for c in needs)
            lines.append(f"{schema.kind} need {listed}.")
    if kind in (None, "voters"):
        lines.append(
            f"voters need voter ({', '.join(VOTERS.columns[0].aliases)}) and a column for each "
            "attribute (age, gender, country, ...)."
        )
    lines.append("Name them with --map model=COLUMN, --map item=COLUMN and so on.")
    return UnrecognisedError("\n  ".join(lines))


def _says_published(renames: Mapping[str, str]) -> bool:
    """Whether a column is called value: a table of scores without items is else no evidence."""
    return any(new == "value" == key_of(old) for old, new in renames.items())


def _score_is_stale(
    schema: Schema, names: tuple[str, ...], mapping: Mapping[str, str], chosen: Mapping[str, str]
) -> bool:
    if schema.kind != "responses" or "prediction" not in mapping or "score" in mapping:
        return False
    if "score" not in chosen or "target" not in chosen:
        return False
    others = {new: old for new, old in mapping.items() if new != "prediction"}
    default = plan(schema, names, others)
    return default.renames.get(mapping["prediction"]) != "prediction"


def _extra(name: str, schema: Schema, taken: set[str]) -> str:
    clean = name.strip().lstrip("\ufeff")
    while clean in taken or schema.column(clean) is not None:
        clean += "_source"
    return clean


def _refuse_doubles(names: tuple[str, ...], file: str) -> None:
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        raise InputError(f"{file}: column names must be unique, found twice: {_listed(doubles)}")


def _listed(names: tuple[str, ...] | list[str]) -> str:
    shown = ", ".join(ascii(name)[1:-1] if not name.isprintable() else name for name in names[:30])
    return shown + (f" and {len(names) - 30} more" if len(names) > 30 else "") or "none"
