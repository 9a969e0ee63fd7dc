"""Say what would be read of every file, and what it would come to, without writing anything."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from caveat.errors import InputError
from caveat.results.surveyed import Surveyed, SurveyedFile
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources, combined, reading_of, separate

if TYPE_CHECKING:
    from caveat.data.evidence import Evidence
    from caveat.data.schema import Kind

_MODELS = ("model", "model_a", "model_b")
TOGETHER = "all files together"


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """What an import would do.

    Attributes
    ----------
    surveyed : Surveyed
        File by file.
    tables : tuple of Evidence
        What would be written, one table of each kind; none where something stops it.
    """

    surveyed: Surveyed
    tables: "tuple[Evidence, ...]"


def survey_sources(sources: Sources, *, options: Options = DEFAULTS) -> DryRun:
    """Read the sources, and say of every file what came of it.

    Parameters
    ----------
    sources
        A path, or a list of paths.
    options : Options
        How they are read.

    Returns
    -------
    DryRun

    Raises
    ------
    SourceError
        If a path is missing, or a folder empty.
    InputError
        If a column of the mapping is in no source.
    """
    from caveat.importers.reading import survey_path

    found: list[Evidence] = []
    passed: list[tuple[str, str]] = []
    failed: list[tuple[str, str]] = []
    bound: set[str] = set()
    for source in separate(sources):
        if not isinstance(source, (str, Path)):
            raise InputError(f"sources must be paths, got {type(source).__name__}")
        reading = replace(reading_of(source, options=options, columns=None), bound=bound.add)
        one = survey_path(source, options=reading)
        found += one.found
        passed += one.passed
        failed += one.failed
    tables: tuple[Evidence, ...] = ()
    if not failed:
        for name in options.mapping.keys() - bound:
            raise InputError(f"mapping {name}={options.mapping[name]}: no source has such a column")
        try:
            tables = _together(found, options)
        except InputError as error:
            failed.append((TOGETHER, str(error)))
    files = tuple(_described(evidence) for evidence in found)
    return DryRun(
        surveyed=Surveyed(files=files, passed=tuple(passed), failed=tuple(failed)), tables=tables
    )


def _together(found: "list[Evidence]", options: Options) -> "tuple[Evidence, ...]":
    parts: dict[Kind, list[Evidence]] = {}
    for evidence in found:
        parts.setdefault(evidence.kind, []).append(evidence)
    if not parts:
        raise InputError("sources must hold some evidence, got none")
    made = combined(parts, bad_rows=options.bad_rows, aliases=options.aliases)
    return tuple(made.values())


def _described(evidence: "Evidence") -> SurveyedFile:
    from caveat.importers.tested import tested_with

    source = evidence.provenance.sources[0]
    return SurveyedFile(
        name=source.name,
        format=source.importer,
        tested=tested_with(source.importer),
        kind=evidence.kind,
        account=evidence.provenance.account,
        models=tuple(sorted(set().union(*(_words(evidence, name) for name in _MODELS)))),
        benchmarks=tuple(sorted(_words(evidence, "benchmark"))),
        readings=_readings(evidence),
        columns=tuple(
            (name, len(evidence) - evidence.table.column(name).null_count)
            for name in evidence.table.column_names
        ),
        notices=evidence.provenance.notices,
    )


def _words(evidence: "Evidence", name: str) -> set[str]:
    if name not in evidence.table.column_names:
        return set()
    return {str(word) for word in evidence.table.column(name).unique().to_pylist() if word}


def _readings(evidence: "Evidence") -> tuple[tuple[str | None, str | None, int], ...]:
    """Return metric and filter of scores with their rows; empty where nothing names them."""
    names = [n for n in ("metric", "filter") if n in evidence.table.column_names]
    if not names:
        return ()
    count: Counter[tuple[str | None, str | None]] = Counter()
    rows = evidence.table.group_by(names).aggregate([([], "count_all")])
    for row in rows.to_pylist():
        count[row.get("metric"), row.get("filter")] += row["count_all"]
    return tuple((*key, number) for key, number in count.most_common())


def model_rows(tables: "tuple[Evidence, ...]") -> dict[str, int]:
    """Return the names of models with the number of their rows, over all kinds of evidence."""
    rows: Counter[str] = Counter()
    for evidence in tables:
        for name in _MODELS:
            if name in evidence.table.column_names:
                counts = evidence.table.column(name).value_counts().to_pylist()
                rows.update({c["values"]: c["counts"] for c in counts if c["values"]})
    return dict(rows)
