"""Comparisons about how firm an order is: items that go, ranks, the leader's luck, choices."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

    from caveat.data.matrix import ResponseMatrix
    from caveat.data.replicates import Replicates
    from caveat.results.comparison.choices import Choices
    from caveat.results.comparison.item_removal import ItemRemoval
    from caveat.results.comparison.rank_intervals import RankIntervals
    from caveat.results.comparison.winner import WinnersCurse
    from caveat.stats.comparison.choice_scores import OtherReading
    from caveat.stats.comparison.common_scores import CommonScores
    from caveat.workflows.agree_parts import Desk

Bools = npt.NDArray[np.bool_]


def item_removal(desk: "Desk") -> "ItemRemoval | None":
    """Find how few items carry the order; None for a single model."""
    from caveat.stats.comparison.item_removal import item_removal as run

    if len(desk.matrix.models) < 2:
        return None
    return run(desk.matrix, pairs=_pairs(desk), level=desk.options.level)


def rank_intervals(desk: "Desk") -> "RankIntervals | None":
    """Bound the ranks of all models together; None for a single model."""
    from caveat.stats.comparison.rank_intervals import rank_intervals as run

    if len(desk.matrix.models) < 2:
        return None
    return run(_common(desk), level=desk.options.level, seed=desk.options.seed)


def winner(desk: "Desk") -> "WinnersCurse | None":
    """Correct the leader's score for its choice; None for a single model."""
    from caveat.stats.comparison.winner import winners_curse

    if len(desk.matrix.models) < 2:
        return None
    return winners_curse(_common(desk), level=desk.options.level, seed=desk.options.seed)


def choices(desk: "Desk") -> "Choices | None":
    """Rank models under every combination of choices; None for a single model."""
    from caveat.stats.comparison.choices import choices as run

    if len(desk.matrix.models) < 2:
        return None
    return run(
        desk.matrix,
        readings=_readings(desk),
        suspected=_suspected(desk),
        conflicts=_conflicts(desk),
        pairs=_pairs(desk),
    )


def _pairs(desk: "Desk") -> tuple[tuple[str, str], ...]:
    """Pairs asked for that this benchmark has."""
    scored = np.flatnonzero(np.isfinite(desk.matrix.score).any(axis=0))
    there = {desk.matrix.models[k] for k in scored}
    return tuple((a, b) for a, b in desk.options.pairs if a != b and {a, b} <= there)


def _common(desk: "Desk") -> "CommonScores":
    from caveat.stats.comparison.common_scores import common_scores

    if "common_scores" not in desk.kept:
        desk.kept["common_scores"] = common_scores(desk.matrix)
    found: CommonScores = desk.kept["common_scores"]
    return found


def _readings(desk: "Desk") -> tuple["OtherReading", ...]:
    """Other filters, parsers and metrics of the same answers, item by item."""
    from caveat.data.replicates import replicates
    from caveat.workflows.agree_noise import variants_of_desk

    first = desk.matrix.readings[:1]
    usual = {"filter": {"prediction"}, "metric": set[str]()}
    for named in first:
        usual["filter"].add(named.filter)
        usual["metric"].add(named.metric)
    found = [one for one in variants_of_desk(desk) if one.source == "filter"]
    by_metric = replicates(_one_filter(desk), desk.matrix.benchmark, "metric")
    return tuple(
        reading
        for one in (*found, *((by_metric,) if by_metric else ()))
        for code, variant in enumerate(one.variants)
        if variant not in usual[one.source]
        and (reading := _aligned(desk.matrix, one, code)) is not None
    )


def _aligned(matrix: "ResponseMatrix", read: "Replicates", code: int) -> "OtherReading | None":
    """Put one reading in the order of the matrix; None where a model with a score has none."""
    from caveat.data.matrix import NO_ANSWER
    from caveat.stats.comparison.choice_scores import OtherReading

    wanted = np.flatnonzero(read.variant == code)
    column = np.full(len(matrix.models), -1)
    column[_places(read.models, matrix.models)[read.owner[wanted]]] = wanted
    row = _places(matrix.items, read.matrix.items)
    part = np.ix_(row, column)
    there = (row >= 0)[:, None] & (column >= 0)[None, :]
    score = np.where(there, read.matrix.score[part], np.nan)
    scored = np.isfinite(score).any(axis=0) | ~np.isfinite(matrix.score).any(axis=0)
    if not scored.all():
        return None
    unread = there & (read.matrix.answer[part] == NO_ANSWER) & matrix.has_answers
    return OtherReading(name=read.variants[code], score=score, unparsed=unread)


def _one_filter(desk: "Desk") -> "pa.Table":
    """Rows of every metric, by the filter that counts."""
    if "filter" not in desk.rows.column_names or not desk.matrix.readings:
        return desk.rows
    import pyarrow.compute as pc

    name = desk.matrix.readings[0].filter
    wanted = pc.equal(desk.rows["filter"], name) if name else pc.is_null(desk.rows["filter"])
    return desk.rows.filter(wanted)


def _places(names: tuple[str, ...], among: tuple[str, ...]) -> npt.NDArray[np.int64]:
    place = {name: k for k, name in enumerate(among)}
    return np.array([place.get(name, -1) for name in names], dtype=np.int64)


def _suspected(desk: "Desk") -> Bools | None:
    """Items with a probably wrong key, where the comparison of items found any."""
    found = desk.kept.get("items")
    if found is None:
        return None
    marked = np.asarray(found.columns.suspected)
    names = {name for name, bad in zip(found.items, marked.tolist(), strict=True) if bad}
    return np.array([name in names for name in desk.matrix.items])


def _conflicts(desk: "Desk") -> Bools | None:
    """Items whose gold answer is not the same in all rows."""
    from caveat.data.column_arrays import codes

    if "target" not in desk.rows.column_names:
        return None
    item, items = codes(desk.rows, "item")
    target, _ = codes(desk.rows, "target")
    known = target >= 0
    low = np.full(len(items), np.iinfo(np.int64).max)
    high = np.full(len(items), -1)
    np.minimum.at(low, item[known], target[known])
    np.maximum.at(high, item[known], target[known])
    differs = high > low
    place = _places(desk.matrix.items, items)
    return np.asarray(differs[place] & (place >= 0))
