"""How often do two models give the same answer?"""

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.matrix import MISSING, NO_ANSWER, ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.kernels import coincidence as kernel
from caveat.kernels.cluster_order import cluster_order
from caveat.kernels.means import wilson_share
from caveat.results.agreement import Agreement
from caveat.stats.agreement.policy import POLICIES, Policy

Floats = npt.NDArray[np.float64]
MAX_LABELS = 256
"""Distinct answers up to which Cohen's kappa is computed: beyond, answers are free text, chance
agreement is next to nothing, and kappa says what plain agreement says."""


def agreement(matrix: ResponseMatrix, *, policy: Policy = "drop", level: float = 0.95) -> Agreement:
    """Compare the answers of all pairs of models.

    Only items that both models of a pair have are compared; where an item was answered several
    times, the first answer counts.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models.
    policy : str
        What an answer without a readable choice counts as: `drop` leaves the item out of the
        pair, `as-disagreement` lets it equal nothing, `as-option` lets it equal another one.
    level : float
        Coverage of the Wilson interval of each pair's share, in (0, 1).

    Returns
    -------
    Agreement
        Shares are nan for pairs without a common item; `both_wrong`, `same_wrong` and `capa` are
        nan for pairs with an unscored answer to a common item, and for all pairs when scores are
        other than 0 and 1; with the reason.

    Raises
    ------
    InputError
        When the responses hold no predictions.
    TooFewError
        With fewer than two models, or when no pair has an item in common.

    References
    ----------
    Cohen (1960), https://doi.org/10.1177/001316446002000104; Goel et al. (2025),
    https://arxiv.org/abs/2502.04313; Wilson (1927),
    https://doi.org/10.1080/01621459.1927.10502953.
    """
    _validate.choice("policy", policy, POLICIES)
    _validate.probability("level", level)
    if len(matrix.models) < 2:
        raise TooFewError(f"models of {matrix.benchmark}", got=len(matrix.models), need=2)
    if not matrix.has_answers:
        raise InputError(
            f"responses of {matrix.benchmark} must hold predictions to be compared, got scores "
            "only; `caveat.report` shows the scores"
        )
    answers, n_labels = _apply(policy, matrix)
    graded, reasons = _graded(matrix, answers)
    counts = kernel.coincidence(answers, graded & (matrix.score == 1.0))
    if not (counts.n[~np.eye(len(matrix.models), dtype=bool)] > 0).any():
        raise TooFewError(
            f"items of {matrix.benchmark} that two models both answered", got=0, need=1
        )
    with np.errstate(invalid="ignore", divide="ignore"):
        same, wrong, same_wrong, right = (
            x / np.where(counts.n > 0, counts.n, np.nan)
            for x in (counts.same, counts.both_wrong, counts.same_wrong, counts.right)
        )
    low, high = wilson_share(1.0 - same, counts.n, level=level)
    known = _known_pairs(answers, graded) & ("both_wrong" not in reasons)
    return Agreement(
        benchmark=matrix.benchmark,
        models=matrix.models,
        policy=policy,
        n=counts.n,
        disagree=1.0 - same,
        low=low,
        high=high,
        both_wrong=np.where(known, wrong, np.nan),
        same_wrong=np.where(known, same_wrong, np.nan),
        kappa=_kappa(answers, n_labels, same, reasons),
        capa=np.where(known, _capa(matrix, answers, counts, reasons), np.nan),
        score=_all_items_score(matrix),
        pair_score=np.where(known, right, np.nan),
        order=cluster_order(1.0 - same),
        level=level,
        reasons=reasons,
    )


def _apply(policy: Policy, matrix: ResponseMatrix) -> tuple[kernel.Codes, int]:
    """Codes under the policy, and the number of labels."""
    answer = matrix.answer
    none = answer == NO_ANSWER
    n_labels = len(matrix.labels)
    if policy == "drop":
        return np.where(none, kernel.ABSENT, answer).astype(np.int32), n_labels
    if policy == "as-option":
        return np.where(none, n_labels, answer).astype(np.int32), n_labels + 1
    return answer, n_labels


def _graded(
    matrix: ResponseMatrix, answers: kernel.Codes
) -> tuple[npt.NDArray[np.bool_], dict[str, str]]:
    """Where right and wrong are known, and why figures that need them may be undefined."""
    answered = answers != kernel.ABSENT
    graded = answered & np.isfinite(matrix.score)
    reasons: dict[str, str] = {}
    if not graded.any():
        why = "no scores: right and wrong are unknown"
    elif not np.isin(matrix.score[graded], (0.0, 1.0)).all():
        why = "scores other than 0 and 1: right and wrong are not defined"
    else:
        return graded, reasons
    return graded, dict.fromkeys(("both_wrong", "same_wrong", "capa"), why)


def _known_pairs(answers: kernel.Codes, graded: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Pairs whose common items are all scored for both."""
    answered = answers != kernel.ABSENT
    if graded[answered].all():
        return np.ones((answers.shape[1], answers.shape[1]), dtype=bool)
    alike = np.ones(answers.shape[0])
    known: npt.NDArray[np.bool_] = kernel.weighted_common(graded, alike) == kernel.weighted_common(
        answered, alike
    )
    return known


def _kappa(answers: kernel.Codes, n_labels: int, same: Floats, reasons: dict[str, str]) -> Floats:
    if n_labels > MAX_LABELS:
        reasons["kappa"] = f"{n_labels} distinct answers: more than {MAX_LABELS} are free text"
        return np.full_like(same, np.nan)
    return kernel.chance_adjusted(same, kernel.chance_agreement(answers, n_labels))


def _capa(
    matrix: ResponseMatrix,
    answers: kernel.Codes,
    counts: kernel.Coincidence,
    reasons: dict[str, str],
) -> Floats:
    """CAPA over the items that have two options or more."""
    m = len(matrix.models)
    usable = matrix.n_options >= 2
    if "capa" not in reasons and not usable.any():
        reasons["capa"] = "number of options per item unknown: --map n_options=COLUMN names it"
    if "capa" in reasons:
        return np.full((m, m), np.nan)
    if not usable.all():
        answers = answers[usable]
        correct = (answers != kernel.ABSENT) & (matrix.score[usable] == 1.0)
        counts = kernel.coincidence(answers, correct)
    spread = kernel.weighted_common(
        answers != kernel.ABSENT, 1.0 / (matrix.n_options[usable] - 1.0)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        n = np.where(counts.n > 0, counts.n, np.nan)
        right = counts.right / n
        expected = right * right.T + (1.0 - right) * (1.0 - right.T) * spread / n
    return kernel.chance_adjusted(counts.same / n, expected)


def _all_items_score(matrix: ResponseMatrix) -> Floats:
    present = np.isfinite(matrix.score) & (matrix.status != MISSING)
    number = present.sum(axis=0)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(present, matrix.score, 0.0).sum(axis=0) / np.where(
            number > 0, number, np.nan
        )
    return mean
