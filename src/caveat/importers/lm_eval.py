"""Runs of lm-evaluation-harness: `samples_{task}_{time}.jsonl` beside `results_{time}.json`."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import UnrecognisedError
from caveat.importers._base import Claim, Dropped, ReadOptions
from caveat.importers.json_lines import line_records
from caveat.importers.json_records import array_records
from caveat.importers.lm_eval_run import is_results, results_beside, run_of
from caveat.importers.lm_eval_samples import Samples
from caveat.importers.own_ids import keeping_own, with_own_ids
from caveat.importers.parts import Part
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_KEYS = frozenset({"doc_id", "doc", "target", "arguments", "resps", "filtered_resps"})
_BEGINNING = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[?\s*\{\s*"doc_id"\s*:\s*\d+\s*,\s*"doc"\s*:')
ONLY_RESULTS = (
    "{file}: results of lm-evaluation-harness without samples: it holds scores of whole tasks and "
    "no answers to items; name the folder that has samples_*.jsonl too, or run lm_eval again with "
    "--log_samples"
)


class LmEval:
    """Reads each samples file with what the results beside it say of model, task and filters."""

    name = "lm_eval"
    doc = "lm-evaluation-harness: samples_*.jsonl with results_*.json beside them"
    kinds: tuple[Kind, ...] = ("responses",)

    def claims(self, parts: tuple[Part, ...]) -> Iterable[Claim]:
        """Look for the keys of samples, and for the results of their runs."""
        free: dict[str, Part] = {}
        samples: list[Part] = []
        for part in parts:
            if _is_samples(part):
                samples.append(part)
            elif is_results(part):
                free[part.member.name] = part
        for part in samples:
            results = results_beside(part)
            mine = free.pop(results.member.name, None) if results is not None else None
            both = (part,) if mine is None else (part, mine)
            yield Claim(name=part.member.name, parts=both, kind="responses")
        for name, part in free.items():
            yield Claim(name=name, parts=(part,), kind="responses")

    def read(self, claim: Claim, options: ReadOptions) -> tuple[Evidence, ...]:
        """Read one row for each sample and metric."""
        part = claim.parts[0]
        if not _is_samples(part):
            raise UnrecognisedError(ONLY_RESULTS.format(file=claim.name))
        run = run_of(part, options)
        samples = Samples(run, file=part.member.name, options=options)
        stream = samples.stream(lambda dropped: _records(part, options, dropped))
        source = Source(name=part.member.name, importer=self.name, kind="responses")
        evidence = read_records(stream, RESPONSES, source, keeping_own(options))
        for notice in (*run.notices, *samples.notices()):
            evidence = told(evidence, notice)
        return (with_own_ids(evidence, prefix=f"{run.task}/" if run.grouped else ""),)


def _is_samples(part: Part) -> bool:
    return set(part.keys) >= _KEYS or bool(_BEGINNING.match(part.start))


def _records(
    part: Part, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, dict[str, Any]]]:
    if part.start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):  # until 0.4.2
        return array_records(part.member)
    return line_records(part.member, options, dropped)
