"""State of the responses of one benchmark: gaps, unreadable answers, fills, gold, items."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats
from caveat.data.matrix import MISSING, REFUSED, UNPARSED, ResponseMatrix
from caveat.results.quality import (
    DegenerateItems,
    GoldConflict,
    MissingItems,
    ResponseQuality,
    UnparsedShare,
)
from caveat.stats.quality.fills import find_fills

if TYPE_CHECKING:
    import pyarrow as pa

_EXAMPLES = 10


def response_quality(table: "pa.Table", matrix: ResponseMatrix) -> ResponseQuality:
    """Count what is wrong with the responses of one benchmark.

    Parameters
    ----------
    table : pyarrow.Table
        Rows of the benchmark.
    matrix : ResponseMatrix
        The same rows arranged by item and model.

    Returns
    -------
    ResponseQuality
        With the checks that could not run, and why.
    """
    skipped = []
    scored = bool(np.isfinite(matrix.score).any())
    fills, why = find_fills(table)
    if why:
        skipped.append(("DAT104 filled answers scored as answers", why))
    gold, why = _gold_conflict(table, matrix)
    if why:
        skipped.append(("DAT105 gold answer differs between models", why))
    degenerate, why = _degenerate(table, matrix)
    if why:
        skipped.append(("DAT106 items that cannot tell models apart", why))
    return ResponseQuality(
        benchmark=matrix.benchmark,
        n_models=len(matrix.models),
        n_items=len(matrix.items),
        missing=_missing(matrix),
        unparsed=_unparsed(matrix),
        fills=fills,
        gold=gold,
        degenerate=degenerate,
        readings=matrix.readings,
        no_overlap=_no_overlap(matrix),
        score_low=float(np.nanmin(matrix.score)) if scored else float("nan"),
        score_high=float(np.nanmax(matrix.score)) if scored else float("nan"),
        skipped=tuple(skipped),
    )


def _no_overlap(matrix: ResponseMatrix) -> bool:
    answered = (matrix.answer != MISSING).sum(axis=1)
    return len(matrix.models) > 1 and matrix.has_answers and int(answered.max(initial=0)) < 2


def _missing(matrix: ResponseMatrix) -> tuple[MissingItems, ...]:
    absent = matrix.status == MISSING
    number = absent.sum(axis=0)
    return tuple(
        MissingItems(
            model=matrix.models[j],
            missing=int(number[j]),
            items=len(matrix.items),
            tasks=_by_task(matrix, absent[:, j]),
        )
        for j in np.argsort(-number, kind="stable")
        if number[j]
    )


def _by_task(
    matrix: ResponseMatrix, absent: npt.NDArray[np.bool_]
) -> tuple[tuple[str, int, int], ...]:
    if matrix.task is None:
        return ()
    known = matrix.task >= 0
    size = np.bincount(matrix.task[known], minlength=len(matrix.tasks))
    lacking = np.bincount(matrix.task[known & absent], minlength=len(matrix.tasks))
    return tuple(
        (matrix.tasks[k], int(lacking[k]), int(size[k]))
        for k in np.argsort(-lacking, kind="stable")
        if lacking[k]
    )


def _unparsed(matrix: ResponseMatrix) -> tuple[UnparsedShare, ...]:
    if not matrix.has_answers:
        return ()
    unreadable = np.isin(matrix.status, (UNPARSED, REFUSED)).sum(axis=0)
    rows = (matrix.status != MISSING).sum(axis=0)
    share = unreadable / np.maximum(rows, 1)
    return tuple(
        UnparsedShare(
            model=matrix.models[j],
            unparsed=int(unreadable[j]),
            n=int(rows[j]),
            share=float(share[j]),
        )
        for j in np.argsort(-share, kind="stable")
        if unreadable[j]
    )


def _gold_conflict(table: "pa.Table", matrix: ResponseMatrix) -> tuple[GoldConflict | None, str]:
    if "target" not in table.column_names:
        return None, "no gold answers in the source"
    gold, golds = codes(table, "target")
    item, items = codes(table, "item")
    known = gold >= 0
    pairs = np.unique(item[known].astype(np.int64) * max(len(golds), 1) + gold[known])
    owner = pairs // max(len(golds), 1)
    number = np.bincount(owner, minlength=len(items))
    several = np.flatnonzero(number > 1)
    return (
        GoldConflict(
            items=int(several.size),
            n_items=len(matrix.items),
            examples=tuple(
                (items[i], tuple(golds[p % len(golds)] for p in pairs[owner == i]))
                for i in several[:_EXAMPLES]
            ),
        ),
        "",
    )


def _degenerate(table: "pa.Table", matrix: ResponseMatrix) -> tuple[DegenerateItems | None, str]:
    options = floats(table, "n_options")
    if not np.isfinite(options).any():
        return None, "number of options per item unknown: --map n_options=COLUMN names it"
    item, items = codes(table, "item")
    single = np.zeros(len(items), dtype=bool)
    single[item[options == 1]] = True
    outside = np.zeros(len(items), dtype=bool)
    outside[item[_gold_letter(table) >= options]] = True
    return (
        DegenerateItems(
            one_option=int(single.sum()),
            gold_outside=int(outside.sum()),
            n_items=len(matrix.items),
            examples=tuple(items[i] for i in np.flatnonzero(single | outside)[:_EXAMPLES]),
        ),
        "",
    )


def _gold_letter(table: "pa.Table") -> npt.NDArray[np.float64]:
    """Place of each row's gold letter, A as 0; nan for gold of other kinds."""
    if "target" not in table.column_names:
        return np.full(table.num_rows, np.nan)
    gold, golds = codes(table, "target")
    places = [ord(g) - ord("A") if len(g) == 1 and "A" <= g <= "Z" else np.nan for g in golds]
    return np.array([*places, np.nan])[gold]
