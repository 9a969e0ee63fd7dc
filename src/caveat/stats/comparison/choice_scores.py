"""Scores of models under all combinations of what an analyst can decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import ERROR, MISSING, NO_ANSWER, REFUSED, UNPARSED, ResponseMatrix
from caveat.kernels.choice_grid import GroupSums, means

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

MEANS = ("over items", "over tasks", "median of tasks", "win rate over tasks")
_KNOWN = 0.9  # share of items with options below which chance is not corrected for
COMBINATIONS = 40_000
"""Combinations beyond which not every task is left out once."""
CHOICES = ("mean", "missing", "unparsed", "reading", "metric", "weights", "items")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OtherReading:
    """Another score of the same answers.

    Attributes
    ----------
    name : str
    score : float array, shape (items, models)
        In the order of the matrix; nan where there is none.
    unparsed : bool array, shape (items, models)
        Where it reads no answer.
    """

    name: str
    score: Floats
    unparsed: Bools


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreGrid:
    """Scores by the level of each choice.

    Attributes
    ----------
    levels : mapping of str to tuple of str
        By choice, in the order of `CHOICES`, the default first.
    values : float array, shape (levels of each choice ..., m)
        nan where a model has no item left.
    absent : mapping of str to str
        Why a choice, or a level, is not there.
    """

    levels: Mapping[str, tuple[str, ...]]
    values: Floats
    absent: Mapping[str, str]


def score_grid(
    matrix: ResponseMatrix,
    models: Ints,
    *,
    readings: Sequence[OtherReading] = (),
    suspected: Bools | None = None,
    conflicts: Bools | None = None,
) -> ScoreGrid:
    """Score models by every combination.

    Parameters
    ----------
    matrix : ResponseMatrix
    models : int array, shape (m,)
        Columns that take part; each has a score.
    readings : sequence of OtherReading
    suspected, conflicts : bool array, shape (items,), optional
        Items with a probably wrong key, and with several.

    Returns
    -------
    ScoreGrid
    """
    absent: dict[str, str] = {}
    rows = np.asarray(np.isfinite(matrix.score[:, models]).any(axis=1), dtype=np.bool_)
    task, tasks = _tasks(matrix, rows, absent)
    base = _Read.of(matrix, models, rows)
    read = [base, *(_Read.other(one, base, models, rows) for one in readings)]
    keep, filters = _filters(matrix, models, rows, suspected, conflicts, absent)
    weights, weighting = _weights(base.score, absent)
    metrics = _metrics(matrix, base.score, rows, absent)
    missing = _missing(base, absent)
    unparsed = _unparsed(read, absent)
    groups = GroupSums.of((keep[:, None, :] * weights).reshape(-1, task.size), task, len(tasks))
    sums, totals = [], []
    for how, treat, one in product(missing, unparsed, read):
        seen = _seen(one, how, treat)
        whole = groups.totals(seen)
        for metric in metrics:
            scored = metric.of(seen)
            sums.append(groups.sums(scored))
            totals.append(whole if metric.chance is None else groups.totals(scored))
    levels = (len(missing), len(unparsed), len(read), len(metrics), len(filters), len(weighting))
    shape = (*levels, len(tasks), models.size)
    by_group = [np.moveaxis(np.stack(part).reshape(shape), 4, 5) for part in (sums, totals)]
    dropped = _dropped(len(tasks), int(np.prod(levels)), absent)
    if "mean" in absent:
        values = means(by_group[0], by_group[1], [None])[:1]
        values = values[..., 0, :]
    else:
        whole = means(by_group[0], by_group[1], [None])[..., 0, :]
        first = [part[..., 0, :, :] for part in by_group]
        without = means(first[0], first[1], dropped)
        values = np.concatenate([whole, without], axis=-2)
    names = {
        "mean": MEANS[: values.shape[0]],
        "missing": tuple(missing),
        "unparsed": tuple(unparsed),
        "reading": tuple(one.name for one in read),
        "metric": tuple(metric.name for metric in metrics),
        "weights": weighting,
        "items": (*filters, *(f"without {tasks[k] or 'no task'}" for k in range(len(dropped)))),
    }
    return ScoreGrid(levels=names, values=values, absent=absent)


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """One reading: scores, what it could not read, and what was never asked."""

    name: str
    score: Floats
    unparsed: Bools
    missing: Bools

    @classmethod
    def of(cls, matrix: ResponseMatrix, models: Ints, rows: Bools) -> "_Read":
        part = np.ix_(rows, models)
        score, status, answer = matrix.score[part], matrix.status[part], matrix.answer[part]
        unread = (status == UNPARSED) | (status == REFUSED)
        if matrix.has_answers:
            unread |= (answer == NO_ANSWER) & (status >= 0) & (status != ERROR)
        missing = (status == MISSING) | (status == ERROR)
        name = "as read"
        if matrix.readings:
            first = matrix.readings[0]
            name = ", ".join(filter(None, (first.metric, first.filter))) or name
        return cls(name, score, unread, missing & ~np.isfinite(score))

    @classmethod
    def other(cls, one: OtherReading, base: "_Read", models: Ints, rows: Bools) -> "_Read":
        part = np.ix_(rows, models)
        return cls(one.name, one.score[part], one.unparsed[part], base.missing)


def _seen(one: _Read, how: str, treat: str) -> Floats:
    """Scores as they count."""
    score = np.where(one.unparsed, np.nan, one.score) if treat == "left out" else one.score
    if how == "missing is wrong":
        score = np.where(one.missing, 0.0, score)
    elif how == "common items":
        score = np.where(np.isfinite(score).all(axis=1, keepdims=True), score, np.nan)
    return score


def _tasks(
    matrix: ResponseMatrix, rows: Bools, absent: dict[str, str]
) -> tuple[npt.NDArray[np.integer], tuple[str, ...]]:
    if matrix.task is None or np.unique(matrix.task[rows]).size < 2:
        absent["mean"] = "the responses name no two tasks"
        return np.zeros(int(rows.sum()), dtype=np.int64), ("",)
    found, code = np.unique(matrix.task[rows], return_inverse=True)
    return code, tuple(matrix.tasks[k] if k >= 0 else "" for k in found)


def _filters(
    matrix: ResponseMatrix,
    models: Ints,
    rows: Bools,
    suspected: Bools | None,
    conflicts: Bools | None,
    absent: dict[str, str],
) -> tuple[Floats, tuple[str, ...]]:
    score = matrix.score[np.ix_(rows, models)]
    with np.errstate(invalid="ignore"):
        spread = np.fmax.reduce(score, axis=1) - np.fmin.reduce(score, axis=1)
    out = {
        "without saturated": spread == 0,
        "without suspected keys": suspected[rows] if suspected is not None else None,
        "without gold conflicts": conflicts[rows] if conflicts is not None else None,
    }
    masks, names = [np.ones(int(rows.sum()))], ["all"]
    for name, gone in out.items():
        if gone is None or not gone.any() or gone.all():
            absent[name] = "not looked for" if gone is None else "no such items, or no others"
            continue
        masks.append(np.where(gone, 0.0, 1.0))
        names.append(name)
    return np.array(masks), tuple(names)


def _weights(score: Floats, absent: dict[str, str]) -> tuple[Floats, tuple[str, ...]]:
    """Alike, or by the share of the range that models miss on the item."""
    known = np.isfinite(score)
    mean = np.where(known, score, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    low, high = min(0.0, float(np.nanmin(score))), max(1.0, float(np.nanmax(score)))
    hard = (high - mean) / (high - low)
    alike = np.ones(mean.size)
    if np.ptp(hard) <= 1e-12 or not hard.any():
        absent["weights"] = "all items are equally hard"
        return alike[None, :], ("alike",)
    return np.array([alike, hard]), ("alike", "by difficulty")


@dataclass(frozen=True, slots=True, eq=False)
class _Metric:
    name: str
    chance: Floats | None = None

    def of(self, score: Floats) -> Floats:
        if self.name == "all right":
            return np.where(np.isfinite(score), np.asarray(score >= 1.0, dtype=np.float64), np.nan)
        if self.chance is None:
            return score
        return (score - self.chance[:, None]) / (1.0 - self.chance[:, None])


def _metrics(
    matrix: ResponseMatrix, score: Floats, rows: Bools, absent: dict[str, str]
) -> list[_Metric]:
    made = [_Metric("score")]
    known = score[np.isfinite(score)]
    if np.isin(known, (0.0, 1.0)).all():
        absent["all right"] = "all scores are 0 or 1"
    else:
        made.append(_Metric("all right"))
    options = matrix.n_options[rows]
    usable = options >= 2  # one option alone leaves nothing to correct; such items do not count
    if usable.mean() < _KNOWN:
        absent["chance-corrected"] = "options are unknown for some items"
    elif np.ptp(options[usable]) == 0:
        absent["chance-corrected"] = "all items have as many options: no order can change"
    else:
        made.append(_Metric("chance-corrected", 1.0 / np.where(usable, options, np.nan)))
    if len(made) == 1:
        absent["metric"] = "there is one"
    return made


def _missing(base: _Read, absent: dict[str, str]) -> tuple[str, ...]:
    if np.isfinite(base.score).all():
        absent["missing"] = "every model has a score on every item"
        return ("own items",)
    wrong = ("missing is wrong",) if base.missing.any() else ()
    return ("own items", "common items", *wrong)


def _unparsed(read: Sequence[_Read], absent: dict[str, str]) -> tuple[str, ...]:
    if not any((one.unparsed & np.isfinite(one.score)).any() for one in read):
        absent["unparsed"] = "no answer without a reading has a score"
        return ("as scored",)
    if len(read) == 1:
        absent["reading"] = "the responses hold one"
    return ("as scored", "left out")


def _dropped(tasks: int, others: int, absent: dict[str, str]) -> list[int | None]:
    """Tasks that are left out one by one: all, or the first that fit."""
    if tasks < 2:
        return []
    room = max(COMBINATIONS // (others * len(MEANS)), 2)
    if tasks > room:
        absent["tasks left out"] = f"the first {room} of {tasks} are left out one by one"
    return list(range(min(tasks, room)))
