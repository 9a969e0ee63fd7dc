"""What a run of lm-evaluation-harness says about itself: `results_*.json`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from caveat.errors import InputError, SourceError
from caveat.importers._base import ReadOptions
from caveat.importers.case_fields import mapping, number
from caveat.importers.json_values import json_object
from caveat.importers.parts import Part

TESTED = ("0.4.2", "0.4.13")
_PREFIXES = ("peft", "delta", "pretrained", "model", "path", "engine")
_DATED = re.compile(r"_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl?")
NOT_NAMED = (
    "{file}: samples of lm-evaluation-harness do not name the model, and no results file beside "
    "them does; put results_*.json of the same run beside it, or name the model with --model-name"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One samples file among the results of its run.

    Attributes
    ----------
    model : str
    task : str
    benchmark : str
        The outermost group that the task was run for; without one the task.
    stamp : str or None
        Time in the file's name.
    at : str or None
        When the run began.
    prompt : str or None
        Shots, chat template and system message, as far as the results tell them.
    filters : tuple of str
        Filters of the task in their order; samples before 0.4.6 do not name theirs.
    lower_is_better : frozenset of str
        Metrics of the task.
    delimiter : str
        What stands between a prompt and its choice.
    notices : tuple of str
    """

    model: str
    task: str
    benchmark: str
    stamp: str | None = None
    at: str | None = None
    prompt: str | None = None
    filters: tuple[str, ...] = ()
    lower_is_better: frozenset[str] = frozenset()
    delimiter: str = " "
    notices: tuple[str, ...] = field(default=())

    @property
    def grouped(self) -> bool:
        """Whether the benchmark has further tasks."""
        return self.task != self.benchmark


def stamp_of(file: str) -> str | None:
    """Return the time in the name of a file of a run."""
    found = _DATED.search(file)
    return found.group(1) if found else None


def is_results(part: Part) -> bool:
    """Whether a part is the results of a run, by its name and beginning."""
    start = part.start.lstrip(b"\xef\xbb\xbf \t\r\n")
    return bool(re.match(rb'\{\s*"results"\s*:\s*\{', start)) and b'"alias"' in start


def results_beside(part: Part) -> Part | None:
    """Return the results of the run that a samples file belongs to, if they lie beside it."""
    stamp = stamp_of(part.file)
    if stamp is not None:
        same = part.beside(f"*_{stamp}.json", f"*_{stamp}.json.*")
        return next((other for other in same if is_results(other)), None)
    undated = (p for p in part.beside("*.json", "*.json.*") if stamp_of(p.file) is None)
    return next((other for other in undated if is_results(other)), None)


def run_of(part: Part, options: ReadOptions) -> Run:
    """Return what is known of the run of a samples file.

    Raises
    ------
    InputError
        When nothing names the model.
    """
    results = results_beside(part)
    told = _content(results) if results is not None else {}
    if not _fits(part, told):
        told = {}
    task = _task(part, told)
    model, notices = _model(part, told, options)
    higher = mapping(mapping(told.get("higher_is_better")).get(task))
    return Run(
        model=model,
        task=task,
        benchmark=_group(task, told),
        stamp=stamp_of(part.file),
        at=_time(told.get("date")),
        prompt=_prompt(task, told),
        filters=_filters(task, told),
        lower_is_better=frozenset(name for name, up in higher.items() if up is False),
        delimiter=str(_config(task, told).get("target_delimiter", " ")),
        notices=(*notices, *_version(part, told)),
    )


def _content(part: Part) -> Mapping[str, Any]:
    try:
        return json_object(part.member)
    except SourceError as error:
        raise SourceError(
            f"{error}, or move it away and name the model with --model-name"
        ) from error


def _fits(part: Part, told: Mapping[str, Any]) -> bool:
    """Whether undated results, which the next run replaces, are those of a samples file."""
    arguments = mapping(told.get("config")).get("model_args")
    if stamp_of(part.file) is not None or not isinstance(arguments, str):
        return True
    return part.file.startswith((re.sub("[/=]", "__", arguments), "samples_"))


def _model(
    part: Part, told: Mapping[str, Any], options: ReadOptions
) -> tuple[str, tuple[str, ...]]:
    config = mapping(told.get("config"))
    named = told.get("model_name") or _from_arguments(config.get("model_args"))
    if isinstance(named, str) and named.strip():
        return named, ()
    if options.model_name is not None:
        return options.model_name, ()
    if "__" in part.folder:
        model = part.folder.replace("__", "/", 1)
        return model, (f"{part.member.name}: the model's name {model!r} was taken from the folder",)
    raise InputError(NOT_NAMED.format(file=part.member.name))


def _from_arguments(arguments: object) -> str | None:
    if isinstance(arguments, str):
        pairs = (pair.partition("=") for pair in arguments.split(","))
        arguments = {name.strip(): value.strip() for name, _, value in pairs}
    given = mapping(arguments)
    return next((str(given[name]) for name in _PREFIXES if given.get(name)), None)


def _task(part: Part, told: Mapping[str, Any]) -> str:
    tasks = [str(name) for name in mapping(told.get("configs"))]
    stem = part.file.split(".json", 1)[0]
    dated = _DATED.search(part.file)
    if dated is not None:
        stem = part.file[: dated.start()]
    fitting = [task for task in tasks if stem == f"samples_{task}" or stem.endswith(f"_{task}")]
    if fitting:
        return max(fitting, key=len)
    return tasks[0] if len(tasks) == 1 else stem.removeprefix("samples_")


def _group(task: str, told: Mapping[str, Any]) -> str:
    """Follow the groups outwards while there is one only and all in it are scored alike."""
    groups = mapping(told.get("group_subtasks"))
    seen = [task]
    while True:
        above = [g for g, parts in groups.items() if isinstance(parts, list) and seen[-1] in parts]
        if len(above) != 1 or above[0] in seen:
            return seen[-1]
        ways = {_scoring(leaf, told) for leaf in _leaves(above[0], groups, ())}
        if len(ways) > 1:
            return seen[-1]
        seen.append(above[0])


def _leaves(group: str, groups: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[str]:
    parts = groups.get(group)
    if not isinstance(parts, list) or not parts or group in above:
        yield group
        return
    for part in parts:
        yield from _leaves(str(part), groups, (*above, group))


def _scoring(task: str, told: Mapping[str, Any]) -> tuple[str, ...]:
    """Return metrics and filters of a task, as the scores of the whole task name them."""
    scores = mapping(mapping(told.get("results")).get(task))
    return tuple(sorted(name for name in scores if "," in name))


def _config(task: str, told: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(mapping(told.get("configs")).get(task))


def _filters(task: str, told: Mapping[str, Any]) -> tuple[str, ...]:
    listed = _config(task, told).get("filter_list")
    entries = listed if isinstance(listed, list) else []
    return tuple(str(mapping(entry).get("name")) for entry in entries) or ("none",)


def _prompt(task: str, told: Mapping[str, Any]) -> str | None:
    shots = mapping(told.get("n-shot")).get(task)
    if shots is None:
        return None
    words = [f"{shots}-shot"]
    if told.get("chat_template") or told.get("fewshot_as_multiturn"):
        words.append("chat")
    if told.get("system_instruction_sha"):
        words.append(f"system {str(told['system_instruction_sha'])[:8]}")
    return ", ".join(words)


def _time(date: object) -> str | None:
    seconds = number(date)
    if seconds is None or not 0 < seconds < 1e11:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _version(part: Part, told: Mapping[str, Any]) -> tuple[str, ...]:
    version = told.get("lm_eval_version")
    numbers = _numbers(str(version)) if isinstance(version, str) else None
    if numbers is None or _numbers(TESTED[0]) <= numbers <= _numbers(TESTED[1]):
        return ()
    return (
        f"{part.member.name}: written by lm-evaluation-harness {version}; tested here are "
        f"{TESTED[0]} to {TESTED[1]}",
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:4])
