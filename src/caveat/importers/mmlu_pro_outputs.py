"""Model outputs of MMLU-Pro: `model_outputs_*.json`, `{subject}_result.json`."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.importers._base import Dropped, Head, ReadOptions
from caveat.importers.json_records import array_elements
from caveat.importers.mmlu_pro_answers import parse_answer
from caveat.importers.opening import Member
from caveat.importers.record_batches import record_stream
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_KEYS = {"question_id", "options", "answer"}
_TEXTS = ("model_outputs", "generated_text")
NOT_A_RECORD = "not a record (a stray word between records)"
_SUFFIXES = re.compile(r"(\.(json|zip|gz|zst|bz2|xz))+$", re.IGNORECASE)
_SHOTS = re.compile(r"_\d+-?shots?(_[\d_]+)?$")


class MmluProOutputs:
    """Reads the texts again: the letter in the file may be a random fill, so it is an extra."""

    name = "mmlu_pro"
    doc = "MMLU-Pro model_outputs_*.json (also zipped) and {subject}_result.json"
    kind: Kind = "responses"

    def recognises(self, head: Head) -> bool:
        """Look for the keys of its records."""
        keys = set(head.keys)
        return keys >= _KEYS and any(name in keys for name in _TEXTS)

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Parse every text; a text without a stated answer is unparsed."""
        model = options.model_name or model_name(member)
        stream = record_stream(lambda dropped: _flat(member, model, dropped))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        evidence = read_records(stream, RESPONSES, source, options)
        if options.model_name is not None:
            return evidence
        return told(
            evidence, f"{member.name}: the model's name {model!r} was taken from the file's"
        )


def model_name(member: Member) -> str:
    """Return the model's name, which only the names of file and folder hold."""
    path = PurePosixPath((member.inside or str(member.path)).replace("\\", "/"))
    stem = _SUFFIXES.sub("", path.name)
    if stem.endswith("_result"):
        folder = path.parent.name or _SUFFIXES.sub("", member.path.name)
        stem = folder if member.inside or folder else stem
    return _SHOTS.sub("", stem.removeprefix("model_outputs_")) or stem


def _flat(member: Member, model: str, dropped: Dropped) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, record in array_elements(member):
        if not isinstance(record, dict):
            dropped(NOT_A_RECORD, 1, f"{member.name}, record {number}")
            continue
        choices = record.get("options")
        n_options = len(choices) if isinstance(choices, list) else 0
        yield (
            number,
            {
                "benchmark": "mmlu_pro",
                "item": record.get("question_id"),
                "model": model,
                "task": record.get("category"),
                "prediction": parse_answer(_text(record), n_options=n_options),
                "target": record.get("answer"),
                "prediction_published": record.get("pred"),
                "n_options": n_options,
            },
        )


def _text(record: dict[str, Any]) -> str:
    outputs = next((record[name] for name in _TEXTS if record.get(name) is not None), "")
    if isinstance(outputs, list):
        return "\n".join(str(part) for part in outputs)
    return str(outputs)
