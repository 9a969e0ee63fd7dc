"""The file of results beside the samples, as Every Eval Ever has it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from caveat.data import every_eval_ever as eee
from caveat.exporters.eee_cells import Table
from caveat.exporters.eee_rows import READING

_LOWER_UNKNOWN = "evidence does not say whether lower is better; false is the schema's default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Who writes, and when.

    Attributes
    ----------
    organization : str
        Name of the organisation that provides the data; `unknown` where nobody says.
    relationship : str
        `first_party`, `third_party`, `collaborative` or `other`: the evaluator to the model.
    created : str
        Unix time of writing, as text.
    converted_by : str
        Name and version of this program.
    """

    organization: str = "unknown"
    relationship: str = "other"
    created: str = "0"
    converted_by: str = "caveat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The results that samples point at.

    Attributes
    ----------
    ids : list of str or None
        For each row, the id of its result.
    entries : list of dict
        `evaluation_results`.
    """

    ids: list[str | None]
    entries: list[dict[str, Any]]


def results_of(table: Table, *, benchmark: str) -> Results:
    """Return one result for each metric, filter and prompt: the mean over items.

    Repeats of an item are averaged first, and rows without a score are in no result.
    """
    keys = list(
        zip(*(table.texts.get(name) or [None] * table.length for name in READING), strict=True)
    )
    names = _names(list(dict.fromkeys(keys)))
    score = np.array([math.nan if v is None else v for v in table.cells["score"]], dtype=float)
    numbers = {key: number for number, key in enumerate(names)}
    code = np.array([numbers[key] for key in keys], dtype=np.int64)
    items = np.unique(np.array(table.cells["item"], dtype=object), return_inverse=True)[1]
    entries = [
        _entry(key, name, benchmark, score[code == numbers[key]], items[code == numbers[key]])
        for key, name in names.items()
    ]
    return Results(ids=[names[key] for key in keys], entries=[e for e in entries if e is not None])


def document(
    *,
    table: Table,
    writer: Writer,
    evaluation_id: str,
    model: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    samples: Mapping[str, Any],
    details: Mapping[str, str],
) -> dict[str, Any]:
    """Return the whole file of results."""
    kept = {name: kind for name, kind in table.types.items() if kind != "text"}
    return {
        "schema_version": eee.SCHEMA_VERSION,
        "evaluation_id": evaluation_id,
        "retrieved_timestamp": writer.created,
        "source_metadata": {
            "source_name": "caveat export",
            "source_type": "evaluation_run",
            "source_organization_name": writer.organization,
            "evaluator_relationship": writer.relationship,
            "additional_details": {eee.CONVERTED_BY: writer.converted_by, **details},
        },
        "eval_library": {"name": "unknown", "version": "unknown"},
        "model_info": model,
        "evaluation_results": list(entries),
        "detailed_evaluation_results": {
            **samples,
            "additional_details": {eee.COLUMNS: _json(kept)},
        },
    }


def _names(keys: list[tuple[str | None, ...]]) -> dict[tuple[str | None, ...], str]:
    """Return a name for each result: metric, filter and prompt with colons between."""
    names: dict[tuple[str | None, ...], str] = {}
    for metric, *rest in keys:
        name = ":".join([metric or "score", *(part for part in rest if part)])
        while name in names.values():
            name += "'"
        names[metric, *rest] = name
    return names


def _entry(
    key: tuple[str | None, ...],
    name: str,
    benchmark: str,
    score: NDArray[np.float64],
    items: NDArray[np.int64],
) -> dict[str, Any] | None:
    known = ~np.isnan(score)
    if not known.any():
        return None
    _, inner, counts = np.unique(items[known], return_inverse=True, return_counts=True)
    with np.errstate(over="ignore", invalid="ignore"):
        means = np.bincount(inner, weights=score[known]) / counts
        mean = float(means.mean())
    if not math.isfinite(mean):
        return None  # scores near the largest number there is; JSON has no infinity
    metric, filtered, prompt = key
    said = {"filter": filtered, "prompt": prompt}
    return {
        "evaluation_result_id": name,
        "evaluation_name": benchmark,
        "source_data": {"dataset_name": benchmark, "source_type": "other"},
        "metric_config": {
            "evaluation_description": "mean over items, repeats of an item averaged first",
            "metric_name": metric or "score",
            "lower_is_better": False,
            **_bounds(score[known]),
            "additional_details": {
                eee.PREFIX + "lower_is_better": _LOWER_UNKNOWN,
                **{eee.PREFIX + n: text for n, text in said.items() if text is not None},
            },
        },
        "score_details": {
            "score": mean,
            "details": {
                "rows": str(int(known.sum())),
                "rows_without_score": str(int((~known).sum())),
            },
            "uncertainty": {"num_samples": int(means.size)},
        },
    }


def _bounds(score: NDArray[np.float64]) -> dict[str, Any]:
    """Return the type of a score and its bounds, which only known kinds of scores have."""
    if np.isin(score, (0.0, 1.0)).all():
        return {"score_type": "binary", "min_score": 0, "max_score": 1}
    if ((score >= 0) & (score <= 1)).all():
        return {"score_type": "continuous", "min_score": 0, "max_score": 1}
    return {"score_type": "continuous", "min_score": "-Infinity", "max_score": "Infinity"}


def _json(value: Mapping[str, str]) -> str:
    import orjson

    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
