"""Write evidence in the formats of other tools."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from caveat import __version__, _validate
from caveat.errors import InputError
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources, read

if TYPE_CHECKING:
    from caveat.data.evidence import Evidence
    from caveat.results.exported import Exported

Format = Literal["every-eval-ever", "hf-eval-results", "parquet"]
Relationship = Literal["first_party", "third_party", "collaborative", "other"]
FORMATS: tuple[Format, ...] = ("every-eval-ever", "hf-eval-results", "parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """Who publishes, as Every Eval Ever wants to know it.

    Attributes
    ----------
    organization : str
        Organisation that provides the data.
    relationship : str
        Of whoever evaluated to the models.
    created : datetime or None
        When it is written; now, if None.
    datasets : mapping of str to str
        Benchmark to the id of its data set on the Hugging Face Hub, with `#task` behind it where
        it is one task of several.
    """

    organization: str = "unknown"
    relationship: Relationship = "other"
    created: datetime | None = None
    datasets: Mapping[str, str] = field(default_factory=dict)


NOBODY = Publisher()


def export(
    sources: Sources,
    out: str | Path,
    *,
    to: Format,
    options: Options = DEFAULTS,
    publisher: Publisher = NOBODY,
) -> "tuple[Exported, ...]":
    """Write evidence in the format of another tool.

    Parameters
    ----------
    sources
        A path, a frame, or a list of these, as in `caveat.read`.
    out : path
        Folder; made if it is not there.
    to : str
        `every-eval-ever` (responses and votes, row by row, with their results),
        `hf-eval-results` (scores of responses, and published scores, as YAML for model
        repositories), or `parquet` (everything, as `caveat import` writes it).
    options : Options
        How sources are read.
    publisher : Publisher
        Who publishes.

    Returns
    -------
    tuple of Exported
        The files, with what each holds.

    Raises
    ------
    InputError
        If the sources hold nothing that the format has a place for.
    """
    _validate.choice("to", to, FORMATS)
    evidence = read(sources, options=options)
    if to == "parquet":
        return _parquet(evidence.values(), Path(out))
    if to == "hf-eval-results":
        return _hub(evidence, Path(out), publisher)
    return _every_eval_ever(evidence, Path(out), publisher, options)


def _every_eval_ever(
    evidence: "Mapping[Any, Evidence]", out: Path, publisher: Publisher, options: Options
) -> "tuple[Exported, ...]":
    from caveat.exporters.eee_results import Writer
    from caveat.exporters.every_eval_ever import write_every_eval_ever

    tables = [evidence[kind] for kind in ("responses", "votes") if kind in evidence]
    if not tables:
        raise InputError(f"sources must hold responses or votes, got {', '.join(evidence)}")
    created = publisher.created or datetime.now(UTC)
    writer = Writer(
        organization=publisher.organization,
        relationship=publisher.relationship,
        created=repr(created.timestamp()),
        converted_by=f"caveat {__version__}",
    )
    models = _declared(evidence)
    return tuple(
        made
        for table in tables
        for made in write_every_eval_ever(
            table,
            out,
            models=models,
            writer=writer,
            tell=lambda done, total: options.tell("writing", done, total),
        )
    )


def _hub(
    evidence: "Mapping[Any, Evidence]", out: Path, publisher: Publisher
) -> "tuple[Exported, ...]":
    from caveat.exporters.figures import figures_of
    from caveat.exporters.hf_eval_results import write_hf_eval_results

    tables = [evidence[kind] for kind in ("responses", "published") if kind in evidence]
    figures = [figure for table in tables for figure in figures_of(table)]
    if not figures:
        raise InputError(f"sources must hold scores, got {', '.join(evidence)} without any")
    return write_hf_eval_results(figures, out, datasets=publisher.datasets)


def _parquet(tables: Any, out: Path) -> "tuple[Exported, ...]":  # noqa: ANN401 - values of a dict
    from caveat.importers.writing import write_evidence
    from caveat.results.exported import Exported

    tables = tuple(tables)
    paths = write_evidence(tables, out)
    return tuple(
        Exported(path=path, model="", benchmark="", rows=len(table), results=0)
        for path, table in zip(paths, tables, strict=True)
    )


def _declared(evidence: "Mapping[Any, Evidence]") -> dict[str, dict[str, Any]]:
    """Return what is declared of each model."""
    models = evidence.get("models")
    rows = models.table.to_pylist() if models is not None else []
    return {row["model"]: row for row in rows}
