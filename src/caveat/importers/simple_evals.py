"""Full results of simple-evals: `{eval}_{model}_{date}_{time}_allresults.json`."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import SourceError
from caveat.importers._base import Head, ReadOptions
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import identity, mapping, number
from caveat.importers.json_walk import begun, walk
from caveat.importers.opening import Member
from caveat.importers.record_batches import record_stream
from caveat.importers.simple_evals_html import Shown, shown
from caveat.importers.tally import Tally
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_KEYS = frozenset({"score", "metrics", "htmls"})
_METADATA = ("metadata", "example_level_metadata")
_ARRAYS = (("htmls",), ("convos",), _METADATA)
_SUFFIX = re.compile(r"(_allresults)?(\.json)?(\.(gz|zst|bz2|xz|zip))*$", re.IGNORECASE)
_STAMP = re.compile(r"_\d{8}_\d{4,6}(_DEBUG)?$")
_EVALS = (
    "healthbench_consensus", "healthbench_hard", "healthbench_meta", "healthbench", "mmlu",
    "math", "gpqa", "mgsm", "drop", "humaneval", "simpleqa", "browsecomp",
)  # fmt: skip
NOTICE = (
    "simple_evals: gold, answer and score are read from the HTML of each example; the item is a "
    "hash of the user's messages (of HealthBench its prompt_id)"
)
NO_SCORE = "simple_evals: {n} examples show no score; they have none"
NOT_ATTEMPTED = (
    "simple_evals: {share:.1%} of the answers count as not attempted and score 0; "
    "the file does not say which"
)


class SimpleEvals:
    """Reads the verdict on each conversation; the model is only in the file's name."""

    name = "simple_evals"
    doc = "simple-evals *_allresults.json"
    kind: Kind = "responses"

    def recognises(self, head: Head) -> bool:
        """Look for a score, its metrics and the HTML of examples."""
        return set(begun(head)) >= _KEYS or set(head.keys) >= _KEYS | {"convos"}

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all examples."""
        benchmark, model = named(member)
        tally = Tally()
        common = {"benchmark": benchmark, "model": options.model_name or model}
        stream = record_stream(lambda _dropped: enumerate(_rows(member, common, tally), start=1))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        evidence = told(read_records(stream, RESPONSES, source, options), NOTICE)
        if options.model_name is None:
            evidence = told(
                evidence,
                f"{member.name}: eval {benchmark!r} and model {model!r} were taken from the "
                "file's name; --model-name says another model",
            )
        return tally.told(evidence)


def named(member: Member) -> tuple[str, str]:
    """Return eval and model, which only the file's name holds."""
    file = PurePosixPath((member.inside or str(member.path)).replace("\\", "/")).name
    stem = _STAMP.sub("", _SUFFIX.sub("", file))
    known = next((e for e in _EVALS if stem.startswith(f"{e}_")), None)
    evaluation, _, model = (known, "", stem[len(known) + 1 :]) if known else stem.partition("_")
    return (evaluation, model) if evaluation and model else ("simple_evals", stem or file)


class _Examples:
    """The parts of the examples, which stand in three lists one after the other."""

    def __init__(self) -> None:
        self.shown: list[Shown] = []
        self.asked: list[tuple[str, str | None]] = []
        self.known: list[Mapping[str, Any]] = []
        self.not_attempted: float | None = None

    def take(self, keys: tuple[str, ...], value: object) -> None:
        """Keep what is needed of one value."""
        if keys == ("htmls",):
            self.shown.append(shown(value if isinstance(value, str) else ""))
        elif keys == ("convos",):
            self.asked.append(_asked(value))
        elif keys == _METADATA:
            self.known.append(_known(mapping(value)))
        elif keys == ("metrics",):
            self.not_attempted = number(mapping(value).get("is_not_attempted"))


def _rows(member: Member, common: Mapping[str, Any], tally: Tally) -> Iterator[dict[str, Any]]:
    tally.clear()
    examples = _Examples()
    for found in walk(member, arrays=_ARRAYS):
        examples.take(found.keys, found.value)
    n = len(examples.shown)
    for name, part in (("convos", examples.asked), ("example_level_metadata", examples.known)):
        if part and len(part) != n:
            raise SourceError(
                f"{member.name}: must have as many {name} as htmls, got {len(part)} and {n}"
            )
    if examples.not_attempted:
        tally.add(NOT_ATTEMPTED.format(share=examples.not_attempted))
    seen: Counter[str] = Counter()
    for number_, one in enumerate(examples.shown):
        asked, said = examples.asked[number_] if examples.asked else (f"#{number_ + 1}", None)
        known = examples.known[number_] if examples.known else {}
        item = str(known.get("prompt_id") or asked)
        seen[item] += 1
        score = one.score if known.get("score") is None else known["score"]
        tally.add(NO_SCORE, int(score is None))
        unread = score is not None and one.prediction is None and not known.get("prompt_id")
        yield {
            **common,
            "item": item,
            "repeat": seen[item],
            "prediction": one.prediction or (said if known.get("prompt_id") else None),
            "target": one.target,
            "score": score,
            "status": "unscored" if score is None else "unparsed" if unread else "scored",
            "input_tokens": known.get("input_tokens"),
            "output_tokens": known.get("output_tokens"),
            "position": number_ + 1,
        }


def _asked(conversation: object) -> tuple[str, str | None]:
    """Return a hash of what the user said, and the text of the answer."""
    turns = [mapping(t) for t in conversation] if isinstance(conversation, list) else []
    said = answer_text(turns[-1].get("content")) if turns else None
    return identity([t.get("content") for t in turns[:-1] if t.get("role") == "user"]), said


def _known(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what HealthBench tells of an example."""
    usage = mapping(metadata.get("usage"))
    return {
        "prompt_id": metadata.get("prompt_id"),
        "score": number(metadata.get("score")),
        "input_tokens": number(usage.get("input_tokens")),
        "output_tokens": number(usage.get("output_tokens")),
    }
