"""What a log of Inspect says about its run: the header, without the samples."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from caveat.errors import SourceError
from caveat.importers.case_fields import mapping
from caveat.importers.log_versions import newer_version

TESTED = (1, 2)
_STATUSES = ("success", "started", "error", "cancelled")
_LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """One run.

    Attributes
    ----------
    model, benchmark : str
    run : str or None
        Identity of the task; a retry of a broken run keeps it.
    prompt : str or None
        Arguments that the task was given, as `name=value`.
    dataset, revision, created : str or None
    status : str
        `success`, `started`, `error` or `cancelled`.
    error : str
        Why the run broke.
    scorers : tuple of str
    sharing : tuple of str
        Roles besides the evaluated one that the same model plays, such as the grader's.
    expected : int or None
        Samples that the run was to have, epochs counted.
    invalidated : bool
        Whether somebody declared the whole log void.
    notices : tuple of str
    """

    model: str
    benchmark: str
    run: str | None = None
    prompt: str | None = None
    dataset: str | None = None
    revision: str | None = None
    created: str | None = None
    status: str = "success"
    error: str = ""
    scorers: tuple[str, ...] = ()
    sharing: tuple[str, ...] = ()
    expected: int | None = None
    invalidated: bool = False
    notices: tuple[str, ...] = ()


def read_header(told: Mapping[str, Any], *, name: str) -> Header:
    """Return the header of a log; an error names what is missing, and the log's version."""
    spec = mapping(told.get("eval"))
    model, task = _text(spec.get("model")), _text(spec.get("task"))
    version = told.get("version")
    missing = [field for field, value in (("model", model), ("task", task)) if value is None]
    if model is None or task is None:
        raise SourceError(
            f"{name}: a log of Inspect must name eval.model and eval.task, got none for "
            f"{' and '.join(missing)}; its version is {version}, tested are {TESTED}"
        )
    status = _text(told.get("status")) or "started"
    if status not in _STATUSES:
        raise SourceError(
            f"{name}: the status of a log must be one of {', '.join(_STATUSES)}, got {status!r} "
            f"(log version {version}, tested are {TESTED})"
        )
    newer = newer_version(name, what="log version", found=version, tested=TESTED)
    return Header(
        model=model,
        benchmark=task.rsplit("/", 1)[-1],
        run=_text(spec.get("task_id")) or _text(spec.get("run_id")),
        prompt=_arguments(spec.get("task_args_passed", spec.get("task_args"))),
        dataset=_text(mapping(spec.get("dataset")).get("name")),
        revision=_text(mapping(spec.get("revision")).get("commit")),
        created=_text(spec.get("created")),
        status=status,
        error=str(mapping(told.get("error")).get("message") or "").split("\n", 1)[0][:_LONGEST],
        scorers=_scorers(told),
        sharing=_sharing(spec, model),
        expected=_expected(spec),
        invalidated=told.get("invalidated") is True,
        notices=(newer,) if newer else (),
    )


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _arguments(given: object) -> str | None:
    pairs = (f"{name}={_value(value)}" for name, value in sorted(mapping(given).items()))
    return ", ".join(pairs)[:_LONGEST] or None


def _value(value: object) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _scorers(told: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of all scorers, as far as the header lists them."""
    listed = mapping(told.get("eval")).get("scorers")
    if not isinstance(listed, list):
        listed = mapping(told.get("results")).get("scores")
    entries = listed if isinstance(listed, list) else []
    names = (_text(mapping(entry).get("name")) for entry in entries)
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _sharing(spec: Mapping[str, Any], model: str) -> tuple[str, ...]:
    roles = mapping(spec.get("model_roles"))
    return tuple(
        role
        for role, played in roles.items()
        if any(
            mapping(one).get("model") == model
            for one in (played if isinstance(played, list) else [played])
        )
    )


def _expected(spec: Mapping[str, Any]) -> int | None:
    ids = mapping(spec.get("dataset")).get("sample_ids")
    epochs = mapping(spec.get("config")).get("epochs")
    if not isinstance(ids, list) or not isinstance(epochs, (int, type(None))):
        return None
    return len(ids) * (epochs or 1)
