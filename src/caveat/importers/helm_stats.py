"""Scores of the instances of a HELM run: `per_instance_stats.json`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from caveat.importers.case_fields import mapping, number
from caveat.importers.json_records import array_elements
from caveat.importers.opening import Member

MAIN = (
    "exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match",
    "final_number_exact_match", "exact_set_match", "iou_set_match", "math_equiv",
    "math_equiv_chain_of_thought", "code_eval_acc", "pass", "f1_score", "f1_set_match", "rouge_1",
    "rouge_2", "rouge_l", "bleu_1", "bleu_4", "chain_of_thought_correctness",
    "ifeval_strict_accuracy", "omni_math_accuracy", "wildbench_score_rescaled", "RR@10", "NDCG@10",
    "safety_score", "annotated_accuracy", "score",
)  # fmt: skip
"""Metrics that are read where an instance has any of them; the others are left out by name."""
_BOOKS = (
    "num_", "training_", "inference_", "finish_reason", "batch_size", "prompt_truncated",
    "max_prob", "logprob", "perplexity", "bits_per_byte", "predicted_index",
)  # fmt: skip
Key = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Scores and sizes of one instance in one trial."""

    scores: Mapping[str, float] = field(default_factory=dict)
    split: str | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    latency: float | None = None


@dataclass(slots=True, kw_only=True)
class AllStats:
    """Scores of a run by instance and trial.

    Attributes
    ----------
    found : dict
    perturbed : int
        Entries of changed copies of an instance, which are left out.
    left_out : dict of str to None
        Names of metrics that are not read.
    """

    found: dict[Key, Stats] = field(default_factory=dict)
    perturbed: int = 0
    left_out: dict[str, None] = field(default_factory=dict)


def read_stats(member: Member) -> AllStats:
    """Read the scores of a run, one instance after the other."""
    everything = AllStats()
    for _, element in array_elements(member):
        entry = mapping(element)
        if entry.get("perturbation"):
            everything.perturbed += 1
            continue
        key = key_of(entry, entry.get("instance_id"))
        if key is not None:
            everything.found[key] = _stats(entry, everything.left_out)
    return everything


def key_of(entry: Mapping[str, Any], instance: object) -> Key | None:
    """Return instance and trial of an entry."""
    if instance is None:
        return None
    trial = entry.get("train_trial_index")
    return str(instance), trial if isinstance(trial, int) else 0


def _stats(entry: Mapping[str, Any], left_out: dict[str, None]) -> Stats:
    values: dict[str, float | None] = {}
    split = None
    for name, stat_split, value in _named(entry.get("stats")):
        values[name] = value
        split = split or stat_split
    scores = {name: v for name, v in values.items() if name in MAIN and v is not None}
    others = {n: v for n, v in values.items() if n not in MAIN and not n.startswith(_BOOKS)}
    if not scores:
        scores = {n: v for n, v in others.items() if v is not None and "@" not in n}
    left_out.update(dict.fromkeys(name for name in others if name not in scores))
    return Stats(
        scores=scores,
        split=split,
        input_tokens=values.get("num_prompt_tokens"),
        output_tokens=values.get("num_output_tokens", values.get("num_completion_tokens")),
        latency=values.get("inference_runtime"),
    )


def _named(stats: object) -> Iterator[tuple[str, str | None, float | None]]:
    for stat in stats if isinstance(stats, list) else ():
        name = mapping(mapping(stat).get("name"))
        if isinstance(name.get("name"), str) and not name.get("perturbation"):
            yield name["name"], name.get("split"), number(mapping(stat).get("mean"))
