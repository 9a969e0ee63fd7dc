"""Writes evidence as Every Eval Ever 0.3: results and samples of each model, benchmark and run."""

import hashlib
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from caveat._files import all_or_nothing
from caveat.data import every_eval_ever as eee
from caveat.data.evidence import Evidence
from caveat.exporters.eee_cells import Table, as_text
from caveat.exporters.eee_results import Results, Writer, document, results_of
from caveat.exporters.eee_rows import lines, placed, table_of, votes_table_of
from caveat.exporters.parts import Part, parts_of
from caveat.exporters.places import component, model_folders
from caveat.results.exported import Exported


def write_every_eval_ever(
    evidence: Evidence,
    folder: Path,
    *,
    models: Mapping[str, Mapping[str, Any]],
    writer: Writer,
    tell: Callable[[int, int], None] = lambda _done, _total: None,
) -> tuple[Exported, ...]:
    """Write responses or votes below `folder/data`.

    Parameters
    ----------
    evidence
        Responses, or votes; each vote is filed once, under the model shown first.
    folder
        Files go to `data/<benchmark>/<developer>/<model>/<uuid>.json` and `<uuid>_samples.jsonl`
        in it. The uuid is made from the content, so the same evidence gives the same names.
    models
        What is declared of models: `provider` and `open_weights` are used.
    writer
        Who writes, and when.
    tell
        Told how many files of how many are written.

    Returns
    -------
    tuple of Exported
        The files of results, with what they hold.
    """
    parts = list(parts_of(evidence))
    made: list[Exported] = []
    for number, part in enumerate(parts):
        tell(number, len(parts))
        made.append(_write(part, evidence, folder, models.get(part.model, {}), writer))
    tell(len(parts), len(parts))
    return tuple(made)


def _write(
    part: Part, evidence: Evidence, folder: Path, declared: Mapping[str, Any], writer: Writer
) -> Exported:
    votes = evidence.kind == "votes"
    table = votes_table_of(part.rows) if votes else table_of(part.rows)
    found = _no_results(table) if votes else results_of(table, benchmark=part.benchmark)
    body = list(lines(table, model=part.model, evaluation=part.benchmark, result_ids=found.ids))
    name = _uuid(body, part)
    provider = declared.get("provider")
    developer, short = model_folders(part.model, provider)
    inside = "/".join(("data", component(part.benchmark), developer, short, name))
    evaluation_id = "/".join(filter(None, (part.benchmark, part.model, writer.created, part.run)))
    text = b"".join(placed(line, evaluation_id) for line in body)
    results = document(
        table=table,
        writer=writer,
        evaluation_id=evaluation_id,
        model=_model(part.model, developer if "/" not in part.model else None, declared),
        entries=found.entries,
        samples={
            "format": "jsonl",
            "file_path": f"{inside}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(text).hexdigest(),
            "total_rows": table.length,
        },
        details=_details(evidence),
    )
    path = folder / f"{inside}.json"
    _put(folder / f"{inside}_samples.jsonl", text)
    _put(path, orjson.dumps(results, option=orjson.OPT_INDENT_2) + b"\n")
    return Exported(
        path=path, model=part.model, benchmark=part.benchmark, rows=table.length,
        results=len(found.entries),
    )  # fmt: skip


def _no_results(table: Table) -> Results:
    """Half of a model's votes are filed under other models, so votes have no result here."""
    return Results(ids=[None] * table.length, entries=[])


def _uuid(body: list[bytes], part: Part) -> str:
    """Return a name made of the content, in the form of a random uuid that the schema demands."""
    digest = hashlib.sha256(repr((part.benchmark, part.run)).encode())
    for line in body:
        digest.update(line)
    return str(uuid.UUID(bytes=digest.digest()[:16], version=4))


def _model(name: str, developer: str | None, declared: Mapping[str, Any]) -> dict[str, Any]:
    open_weights = declared.get("open_weights")
    weights = "unknown"
    if open_weights is not None:
        weights = "open_weights" if open_weights else "closed_weights"
    first = name.partition("/")[0]
    said = {
        eee.PREFIX + "model." + key: as_text(pa.chunked_array([[value]]))[0][0]
        for key, value in declared.items()
        if key != "model" and value is not None
    }
    return {
        "name": name,
        "id": name,
        "developer": declared.get("provider") or developer or first,
        "additional_details": {
            "deployment_type": "unknown",
            "model_availability": weights,
            **{key: text for key, text in said.items() if text is not None},
        },
    }


def _details(evidence: Evidence) -> dict[str, str]:
    details: dict[str, str] = {eee.KIND: evidence.kind}
    if evidence.kind == "votes":
        details[eee.ORDER_KNOWN] = str(evidence.order_known).lower()
    return details


def _put(path: Path, text: bytes) -> None:
    with all_or_nothing(path) as part:
        part.write_bytes(text)
