"""Results in the model card of a Hugging Face repository: `model-index` in its YAML header."""

import re
from collections.abc import Iterator
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import PUBLISHED, Kind
from caveat.errors import SourceError
from caveat.importers._base import Dropped, Head, ReadOptions
from caveat.importers.case_fields import mapping
from caveat.importers.hf_eval_results import NO_SCALE
from caveat.importers.opening import Member
from caveat.importers.plain_yaml import read_text, read_yaml
from caveat.importers.record_batches import record_stream
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_HEADER = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)", re.DOTALL)
_KEY = re.compile(rb"^model-index\s*:", re.MULTILINE)


class HfModelIndex:
    """Reads each metric of each result as a published score."""

    name = "hf_model_index"
    doc = "Hugging Face model card (README.md) with model-index in its YAML header"
    kind: Kind = "published"

    def recognises(self, head: Head) -> bool:
        """Look for a YAML header with the key."""
        return head.data.lstrip(b"\xef\xbb\xbf").startswith(b"---") and bool(_KEY.search(head.data))

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read the header; the text of the card is not looked at."""
        header = _HEADER.match(read_text(member))
        if header is None:
            raise SourceError(f"{member.name}: its YAML header has no end (a line ---)")
        document = mapping(read_yaml(header[1], name=member.name))
        stream = record_stream(lambda dropped: _rows(document, member, options, dropped))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        return told(read_records(stream, PUBLISHED, source, options), NO_SCALE)


def _rows(
    document: Any,  # noqa: ANN401 - whatever YAML holds
    member: Member,
    options: ReadOptions,
    dropped: Dropped,
) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    for model in _list(document.get("model-index")):
        for result in _list(model.get("results")):
            dataset, source = mapping(result.get("dataset")), mapping(result.get("source"))
            for metric in _list(result.get("metrics")):
                number += 1
                benchmark = dataset.get("type") or dataset.get("name")
                if metric.get("value") is None or benchmark is None:
                    dropped("no value, or no dataset", 1, f"{member.name}, metric {number}")
                    continue
                task = ":".join(v for k in ("config", "split") if (v := dataset.get(k)))
                row = {
                    "benchmark": benchmark,
                    "model": options.model_name or model.get("name"),
                    "task": task or None,
                    "metric": metric.get("type") or metric.get("name"),
                    "value": metric["value"],
                    "revision": dataset.get("revision"),
                    "source": source.get("name"),
                    "url": source.get("url"),
                    "notes": metric.get("config"),
                    "dataset_name": dataset.get("name"),
                    "verified": metric.get("verified"),
                    "verify_token": metric.get("verifyToken"),
                }
                yield number, {name: value for name, value in row.items() if value is not None}


def _list(value: object) -> list[Any]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []
