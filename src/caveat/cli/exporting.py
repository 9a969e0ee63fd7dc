"""`caveat export`: evidence in the formats of other tools."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once
from caveat.errors import InputError

if TYPE_CHECKING:
    from caveat.results.exported import Exported

Format = Literal["every-eval-ever", "hf-eval-results", "parquet"]
Relationship = Literal["first_party", "third_party", "collaborative", "other"]
MAX_FILES = 10
IN_EXPORT = Parameter(group=given.ABOUT_EXPORT)
To = Annotated[Format, IN_EXPORT, Parameter(help="Format to write.")]
Out = Annotated[
    Path, IN_EXPORT, Parameter(metavar="FOLDER", help="Folder to write to, made if new.")
]


@Parameter(name="*", group=given.ABOUT_EXPORT)
@dataclass(frozen=True, kw_only=True)
class Publishing:
    """Who publishes."""

    organization: Annotated[
        str,
        Parameter(
            metavar="NAME", negative=(), help="every-eval-ever: who provides the evaluation."
        ),
    ] = "unknown"
    relationship: Annotated[
        Relationship, Parameter(help="every-eval-ever: of whoever evaluated to the models.")
    ] = "other"
    dataset: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="NAME=ID",
            negative=(),
            show_default=False,
            help="hf-eval-results: id of a benchmark on the Hub, as mmlu_pro=TIGER-Lab/MMLU-Pro, "
            "with #TASK behind it where it is one of several. Repeatable.",
        ),
    ] = ()


PUBLISHING = Publishing()


def export(
    sources: given.Sources,
    /,
    *,
    to: To,
    out: Out,
    publishing: Publishing = PUBLISHING,
    reading: given.Reading = given.READING,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Write evidence in the format of another tool.

    Example: caveat export responses.parquet --to every-eval-ever --out eee
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_folder, check_json, put_json
    from caveat.cli.settled import settle
    from caveat.workflows.exporting import Publisher
    from caveat.workflows.exporting import export as export_evidence

    settled = settle(file, reading=reading)
    publisher = Publisher(
        organization=publishing.organization,
        relationship=publishing.relationship,
        datasets=_datasets(publishing.dataset),
    )
    check_folder(out)
    check_json(session)
    with settled.at_work(), session.progress() as progress:
        made = export_evidence(
            each_once(sources),
            out,
            to=to,
            options=replace(settled.options, progress=progress),
            publisher=publisher,
        )
    put_json(
        session,
        document(
            session.command,
            {"files": [_described(one) for one in made]},
            settings={"to": to, "organization": publishing.organization},
        ),
    )
    if not session.json_on_stdout:
        _print(made, session)
    return 0


def _datasets(texts: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, dataset = text.rpartition("=")
        if not (name and equals and dataset):
            raise InputError(
                f"--dataset must be NAME=ID, as mmlu_pro=TIGER-Lab/MMLU-Pro, got {text!r}"
            )
        found[name] = dataset
    return found


def _described(one: "Exported") -> dict[str, Any]:
    return {
        "file": str(one.path),
        "model": one.model or None,
        "benchmark": one.benchmark or None,
        "rows": one.rows,
        "results": one.results,
    }


def _print(made: "Sequence[Exported]", session: Session) -> None:
    from caveat.reports.visible import visible

    for one in made[:MAX_FILES]:
        what = (
            f"{one.results:,} results of {one.rows:,} rows" if one.model else f"{one.rows:,} rows"
        )
        session.out.print(visible(f"{one.path}: {what}"), soft_wrap=True, markup=False)
    rows = sum(one.rows for one in made)
    if len(made) > MAX_FILES:
        more = f"and {len(made) - MAX_FILES:,} more; {len(made):,} files of {rows:,} rows in all"
        session.out.print(more, soft_wrap=True)
