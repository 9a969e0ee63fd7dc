"""Evaluation results of model repositories on the Hugging Face Hub: `.eval_results/*.yaml`."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import orjson

from caveat.data.evidence import Evidence, told
from caveat.data.schema import PUBLISHED, Kind
from caveat.errors import SourceError
from caveat.importers._base import Dropped, Head, ReadOptions
from caveat.importers.case_fields import mapping
from caveat.importers.opening import Member
from caveat.importers.plain_yaml import read_text, read_yaml
from caveat.importers.record_batches import record_stream
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

FOLDER = ".eval_results"
MODEL_LINE = "# model: "
_ENTRY = re.compile(rb"^-\s+(dataset|value|source|date|notes|verifyToken)\s*:", re.MULTILINE)
_CACHED = re.compile(r"models--(.+?)--(.+)")
_KNOWN = frozenset(
    {"dataset", "value", "verifyToken", "date", "source", "notes", "evaluation_framework"}
)
NO_SCALE = (
    "hf_eval_results: values are kept as they were published; the format does not say whether "
    "they are shares or percentages, nor what was measured"
)


class HfEvalResults:
    """Reads each entry as a published score of the model in whose repository it lies."""

    name = "hf_eval_results"
    doc = "Hugging Face .eval_results/*.yaml"
    kind: Kind = "published"

    def recognises(self, head: Head) -> bool:
        """Look for a list whose entries have a dataset and a value."""
        data = head.data
        return bool(_ENTRY.search(data[:65536])) and b"dataset:" in data and b"value:" in data

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all entries."""
        text = read_text(member)
        entries = read_yaml(text, name=member.name)
        if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
            raise SourceError(f"{member.name}: must be a list of entries, each with a dataset")
        said = _stated_model(text)
        model = options.model_name or said or folder_model(member)
        stream = record_stream(lambda dropped: _rows(entries, member, model, dropped))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        evidence = told(read_records(stream, PUBLISHED, source, options), NO_SCALE)
        if options.model_name is None and said is None:
            evidence = told(
                evidence,
                f"{member.name}: the model's name {model!r} was taken from its folder's",
            )
        unused = sorted({str(key) for entry in entries for key in entry} - _KNOWN)
        if unused:
            names = ", ".join(unused)[:200]
            evidence = told(evidence, f"{member.name}: keys that are not used: {names}")
        return evidence


def folder_model(member: Member) -> str:
    """Return the name of the repository that a file lies in, as far as its folders tell.

    In the cache of the Hub that is `org/name`; elsewhere it is the folder's name, as a clone has.

    Raises
    ------
    SourceError
        When it does not lie in a folder `.eval_results` of another folder.
    """
    path = PurePosixPath((member.inside or str(member.path.absolute())).replace("\\", "/"))
    folders = path.parts[:-1]
    if FOLDER not in folders or folders.index(FOLDER) == 0:
        raise SourceError(
            f"{member.name}: does not name its model; give --model-name, or leave the file in the "
            f"folder {FOLDER} of the model's repository"
        )
    above = folders[: folders.index(FOLDER)]
    cached = [found for folder in above if (found := _CACHED.fullmatch(folder))]
    return f"{cached[-1][1]}/{cached[-1][2]}" if cached else above[-1]


def _stated_model(text: str) -> str | None:
    """Return the model named in the first line, as this program writes it."""
    first = text.split("\n", 1)[0]
    if not first.startswith(MODEL_LINE):
        return None
    try:
        name = orjson.loads(first.removeprefix(MODEL_LINE))
    except orjson.JSONDecodeError:
        return None
    return name if isinstance(name, str) else None


def _rows(
    entries: list[dict[str, Any]], member: Member, model: str, dropped: Dropped
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, entry in enumerate(entries, 1):
        dataset, source = mapping(entry.get("dataset")), mapping(entry.get("source"))
        if entry.get("value") is None or dataset.get("id") is None:
            dropped("no value, or no dataset.id", 1, f"{member.name}, entry {number}")
            continue
        row = {
            "benchmark": dataset["id"],
            "model": model,
            "task": dataset.get("task_id", dataset.get("config")),
            "value": entry["value"],
            "source": next((source[k] for k in ("name", "org", "user") if source.get(k)), None),
            "url": source.get("url"),
            "date": entry.get("date"),
            "revision": dataset.get("revision"),
            "notes": entry.get("notes"),
            "split": dataset.get("split"),
            "source_name": source.get("name"),
            "source_org": source.get("org"),
            "source_user": source.get("user"),
            "verify_token": entry.get("verifyToken"),
            "evaluation_framework": entry.get("evaluation_framework"),
        }
        yield number, {name: value for name, value in row.items() if value is not None}
