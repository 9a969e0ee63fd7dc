"""What are the items like, and which of their keys are probably wrong?"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from caveat import _validate
from caveat.data.matrix import ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.kernels.e_bh import e_bh
from caveat.kernels.item_scores import effective_items, item_rest, split_shares
from caveat.kernels.wrong_keys import WrongKeys, most_given
from caveat.results.comparison.items import Ability, ItemColumns, Items
from caveat.stats.comparison.item_models import Fitted, fit_items
from caveat.stats.comparison.keys import graded_answers, key_codes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Array = Floats | Ints | Mask
Columns = Mapping[str, Array]


def items(
    matrix: ResponseMatrix, *, level: float = 0.95, margin: float = 0.05, fdr: float = 0.05
) -> Items:
    """Estimate difficulty and discrimination of each item, and judge its key.

    Classical figures (share right, item-rest correlation) are there for any scores. The Rasch and
    the two-parameter model need scores of 0 and 1; the one of lower BIC is chosen, and without
    evidence for unequal slopes no item gets one. Items are integrated out, models are not: see
    `kernels/rasch.py`.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models.
    level : float
        Content of the intervals, in (0, 1).
    margin : float
        Largest difference of mean scores at which two models count as equal.
    fdr : float
        Bound of the share of sound keys among those found to be probably wrong.

    Returns
    -------
    Items

    Raises
    ------
    TooFewError
        Without two models that have scores on one item.

    References
    ----------
    Bock and Aitkin (1981), https://doi.org/10.1007/BF02293801; Wang and Ramdas (2022),
    https://doi.org/10.1111/rssb.12489.
    """
    _validate.probability("level", level)
    _validate.probability("fdr", fdr)
    score = matrix.score
    n = np.isfinite(score).sum(axis=1)
    if not (n >= 2).any():
        got = min(int(np.isfinite(score).any(axis=0).sum()), 1)
        what = f"models of {matrix.benchmark} with a score on the same item"
        raise TooFewError(what, got=got, need=2)
    if not 0.0 <= margin < 1.0:
        raise InputError(f"margin must be at least 0 and below 1, got {margin!r}")
    key = key_codes(matrix)
    fitted = fit_items(matrix, key, level=level)
    splits, matched = split_shares(score, margin)
    if not matched:
        fitted.reasons["splits"] = f"no two models within {100 * margin:g} points of each other"
    elif not np.isfinite(splits).any():
        fitted.reasons["splits"] = "scores other than 0 and 1: right and wrong are not defined"
    right = np.where(np.isfinite(score), score, 0.0).sum(axis=1) / np.where(n > 0, n, np.nan)
    suspected = _suspected(fitted.keys, fdr, n.size)
    answers = _answers(matrix, key, fitted.keys)
    same_wrong = (answers["wrong_number"] == answers["answered"]) & (answers["answered"] >= 3)
    scored, slopes = n >= 2, fitted.two is not None and "discrimination" not in fitted.reasons
    return Items(
        benchmark=matrix.benchmark,
        models=matrix.models,
        items=matrix.items,
        answers=matrix.labels,
        tasks=_tasks(matrix),
        columns=_columns(
            _difficulty(fitted, n),
            _discrimination(fitted if slopes else None, n),
            answers,
            n=n,
            right=right,
            item_rest=item_rest(score),
            splits=splits,
            suspected=suspected,
        ),
        grades=_grades(score),
        given=matrix.answer if matrix.has_answers else None,
        abilities=_abilities(matrix, fitted, level),
        fits=fitted.fits(len(matrix.items)),
        chosen=None if fitted.one is None else "2pl" if slopes else "rasch",
        n_scored=int(scored.sum()),
        all_right=int((scored & (right == 1.0)).sum()),
        all_wrong=int((scored & (right == 0.0)).sum()),
        all_same_wrong=int(same_wrong.sum()),
        effective=effective_items(score),
        matched_pairs=matched,
        judged=int(np.isfinite(fitted.keys.log_e).sum()) if fitted.keys else 0,
        suspected=int(suspected.sum()),
        margin=margin,
        fdr=fdr,
        level=level,
        reasons=fitted.reasons,
        notes=tuple(fitted.notes),
    )


def _grades(score: Floats) -> npt.NDArray[np.int8]:
    """Return 1 for right, 0 for wrong, -1 for neither."""
    return np.where(score == 1.0, 1, np.where(score == 0.0, 0, -1)).astype(np.int8)


def _tasks(matrix: ResponseMatrix) -> tuple[str, ...]:
    if matrix.task is None:
        return ()
    names = (*matrix.tasks, "")
    return tuple(names[code] for code in matrix.task.tolist())


def _columns(*groups: Columns, **others: Array) -> ItemColumns:
    columns: dict[str, Any] = dict(others)
    for group in groups:
        columns |= group
    return ItemColumns(**columns)


def _suspected(keys: WrongKeys | None, fdr: float, n: int) -> Mask:
    """Keys against which there is evidence enough; at most `fdr` of them sound."""
    found = np.zeros(n, dtype=bool)
    if keys is not None:
        judged = np.flatnonzero(np.isfinite(keys.log_e))
        found[judged] = e_bh(keys.log_e[judged], fdr).rejected
    return found


def _difficulty(fitted: Fitted, n: Ints) -> Columns:
    one = fitted.one
    if one is None:
        return {name: np.full(n.size, np.nan) for name in ("difficulty", "low", "high")}
    columns = {"difficulty": one.difficulty, "low": one.low, "high": one.high}
    return {name: np.where(n > 0, values, np.nan) for name, values in columns.items()}


def _discrimination(fitted: Fitted | None, n: Ints) -> Columns:
    names = ("discrimination", "discrimination_low", "discrimination_high")
    if fitted is None or fitted.two is None:
        return {name: np.full(n.size, np.nan) for name in names}
    two = fitted.two
    columns = zip(names, (two.slope, two.low, two.high), strict=True)
    return {name: np.where(n > 0, values, np.nan) for name, values in columns}


def _answers(matrix: ResponseMatrix, key: Ints, keys: WrongKeys | None) -> Columns:
    n = len(matrix.items)
    wrong, number, answered = most_given(graded_answers(matrix, key), key)
    nan, none = np.full(n, np.nan), np.zeros(n, dtype=np.int64)
    columns: dict[str, Array] = {
        "key": key,
        "wrong_answer": wrong,
        "wrong_number": number,
        "answered": answered,
    }
    if keys is None:
        return {
            **columns,
            "rival": none - 1,
            "rival_number": none,
            "key_number": none,
            "rival_ability": nan,
            "key_ability": nan,
            "log10_e": nan,
        }
    return columns | {
        "rival": keys.rival,
        "rival_number": keys.number.astype(np.int64),
        "key_number": keys.key_number.astype(np.int64),
        "rival_ability": keys.ability,
        "key_ability": keys.key_ability,
        "log10_e": keys.log_e / np.log(10.0),
    }


def _abilities(matrix: ResponseMatrix, fitted: Fitted, level: float) -> tuple[Ability, ...]:
    known = np.isfinite(matrix.score)
    n = known.sum(axis=0)
    mean = np.where(known, matrix.score, 0.0).sum(axis=0) / np.maximum(n, 1)
    ability = np.full((3, n.size), np.nan)
    if fitted.one is not None:
        half = float(ndtri((1.0 + level) / 2.0)) * np.sqrt(np.diag(fitted.one.covariance))
        at = fitted.one.ability
        ability[:, fitted.models] = (at, at - half, at + half)
    rows = [
        Ability(
            model=matrix.models[j],
            n=int(n[j]),
            score=float(mean[j]) if n[j] else float("nan"),
            ability=float(ability[0, j]),
            low=float(ability[1, j]),
            high=float(ability[2, j]),
        )
        for j in range(n.size)
    ]
    return tuple(sorted(rows, key=_best_first))


def _best_first(row: Ability) -> tuple[bool, float, float, str]:
    able = row.ability if np.isfinite(row.ability) else -np.inf
    score = row.score if row.n else -np.inf
    return (not row.n, -able, -score, row.model)
