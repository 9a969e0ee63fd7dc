"""Writes scores as `.eval_results/*.yaml` of model repositories on the Hugging Face Hub."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from caveat._files import all_or_nothing
from caveat.exporters.places import component, model_folders
from caveat.results.exported import Exported

FOLDER = ".eval_results"
MODEL_LINE = "# model: "
DEFAULT_TASK = "default"
Figure = Mapping[str, Any]  # a row of published scores


def write_hf_eval_results(
    figures: Iterable[Figure], folder: Path, *, datasets: Mapping[str, str]
) -> tuple[Exported, ...]:
    """Write one file for each model and benchmark.

    Parameters
    ----------
    figures
        Rows of published scores: benchmark, model, value, and whatever else is known.
    folder
        Files go to `<developer>/<model>/.eval_results/<benchmark>.yaml` in it; the contents of
        the folder of a model belong into the model's repository.
    datasets
        Benchmark to the id of its data set on the Hub, with `#task` behind it where it is one
        task of several. Others keep their names, which the Hub may not know.
    """
    groups: dict[tuple[str, str], list[Figure]] = {}
    for figure in figures:
        groups.setdefault((figure["model"], figure["benchmark"]), []).append(figure)
    made = []
    for (model, benchmark), rows in groups.items():
        developer, short = model_folders(model)
        path = folder / developer / short / FOLDER / f"{component(benchmark)}.yaml"
        entries = [_entry(row, datasets.get(benchmark)) for row in rows]
        with all_or_nothing(path) as part:
            part.write_text(_text(model, entries), encoding="utf-8")
        made.append(
            Exported(path=path, model=model, benchmark=benchmark, rows=len(rows), results=len(rows))
        )
    return tuple(made)


def _entry(row: Figure, dataset: str | None) -> dict[str, Any]:
    name, sign, task = (dataset or "").partition("#")
    place = {
        "id": name or row["benchmark"],
        "task_id": task if sign else row.get("task") or DEFAULT_TASK,
        "revision": row.get("revision"),
    }
    source = {
        "url": row.get("url"),
        "name": row.get("source_name", row.get("source")),
        "user": row.get("source_user"),
        "org": row.get("source_org"),
    }
    entry = {
        "dataset": _some(place),
        "value": row["value"],
        "verifyToken": row.get("verify_token"),
        "date": _day(row.get("date")),
        # the format wants a link wherever it has a source
        "source": _some(source) if source["url"] else None,
        "evaluation_framework": row.get("evaluation_framework"),
        "notes": _notes(row),
    }
    return _some(entry)


def _notes(row: Figure) -> str | None:
    """Return the notes, or what the format has no place for: metric, filter, prompt, items."""
    if row.get("notes") and not row.get("metric"):
        return str(row["notes"])
    said = [("metric", row.get("metric")), ("filter", row.get("filter"))]
    said += [("setting", row.get("notes")), ("n", row.get("n"))]
    parts = [
        f"{name} {value:g}" if name == "n" else f"{name} {value}" for name, value in said if value
    ]
    return ", ".join(parts) or None


def _day(date: object) -> str | None:
    """Return a date as text; a Unix time becomes the day."""
    from datetime import UTC, datetime

    if isinstance(date, (int, float)):
        return datetime.fromtimestamp(date, UTC).date().isoformat()
    return None if date is None else str(date)


def _some(mapping: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if value is not None}


def _text(model: str, entries: list[dict[str, Any]]) -> str:
    import yaml

    body = yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=100)
    return f"{MODEL_LINE}{json.dumps(model, ensure_ascii=True)}\n{body}"
