"""Instances of MEDLEY-BENCH: what several models said about the difficulty of one vignette."""

from collections.abc import Iterator
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.importers._base import Dropped, Head, ReadOptions
from caveat.importers.json_records import array_records
from caveat.importers.opening import Member
from caveat.importers.record_batches import record_stream
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

LEVELS = ("easy", "moderate", "hard")
NOT_ASKED = "the model was not asked for the difficulty (other form of response)"
NOTICE = (
    "medley-bench: the claims C1, C2, ... of two models are different claims under the same ids, "
    "so their confidences are not compared; what is read is the difficulty that each model "
    "assigned to the same vignette, which has no right answer"
)


class MedleyBench:
    """Reads `difficulty_prediction` of each model's response to each vignette."""

    name = "medley_bench"
    doc = "MEDLEY-BENCH instances: the difficulty each model assigned to a vignette"
    kind: Kind = "responses"

    def recognises(self, head: Head) -> bool:
        """Look for the keys of its records."""
        return set(head.keys) >= {"instance_id", "ensemble_outputs"}

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all outputs; rows are numbered by output, in the order of the file."""
        stream = record_stream(lambda dropped: _asked(member, dropped))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        return told(read_records(stream, RESPONSES, source, options), NOTICE)


def _asked(member: Member, dropped: Dropped) -> Iterator[tuple[int, dict[str, Any]]]:
    row = 0
    for _, instance in array_records(member):
        for output in instance.get("ensemble_outputs") or ():
            row += 1
            response = output.get("response") if isinstance(output, dict) else None
            if isinstance(response, dict) and "overall_assessment" in response:
                dropped(NOT_ASKED, 1, f"{member.name}, output {row}")
                continue
            yield row, _row(instance, output if isinstance(output, dict) else {}, response)


def _row(instance: dict[str, Any], output: dict[str, Any], response: object) -> dict[str, Any]:
    stated = response.get("difficulty_prediction") if isinstance(response, dict) else None
    level = str(stated).strip().lower()
    return {
        "benchmark": "medley_bench_difficulty",
        "item": instance.get("instance_id"),
        "model": output.get("model_id"),
        "task": instance.get("domain"),
        "prediction": level if level in LEVELS else None,
        "score": None,
        "status": "unscored" if level in LEVELS else "unparsed",
        "difficulty_stated": None if stated is None else str(stated),
    }
