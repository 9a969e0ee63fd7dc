"""How often do two models give the same answer?"""

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import MISSING, ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.kernels import coincidence as kernel
from caveat.kernels.clustered_shares import SharesOfPairs, shares_of_pairs
from caveat.kernels.common_score import common_score
from caveat.kernels.feasible import Feasible, feasible, item_kinds, place
from caveat.kernels.merge_tree import merge_tree
from caveat.results.agreement import Agreement
from caveat.stats.agreement.coded import NEED_RIGHT_OR_WRONG, Coded, coded
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
        Items x models; with `cluster`, intervals are cluster-robust.
    policy : str
        What an answer without a readable choice counts as: `drop` leaves the item out of the
        pair, `as-disagreement` lets it equal nothing, `as-option` lets it equal another one.
    level : float
        Coverage of the interval of each pair's share, in (0, 1): Wilson's, or its clustered form.

    Returns
    -------
    Agreement
        Shares are nan for pairs without a common item. What needs right and wrong (`both_wrong`,
        `one_right`, `capa`, the feasible range, ...) is nan for pairs with an unscored answer to
        a common item, and for all pairs when scores are other than 0 and 1; with the reason.

    Raises
    ------
    InputError
        When the responses hold no predictions.
    TooFewError
        With fewer than two models, or when no pair has an item in common.

    References
    ----------
    Cohen (1960), https://doi.org/10.1177/001316446002000104; Goel et al. (2025),
    https://arxiv.org/abs/2502.04313; Geirhos et al. (2020), https://arxiv.org/abs/2006.16736;
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953; Korn and Graubard (1998) for
    its clustered form.
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
    given = coded(matrix, policy)
    counts = kernel.coincidence(given.answers, given.correct)
    if not (counts.n[~np.eye(len(matrix.models), dtype=bool)] > 0).any():
        raise _nothing_shared(matrix)
    cluster = item_clusters(matrix)
    shares = shares_of_pairs(counts, given.answers, given.correct, cluster=cluster, level=level)
    return _result(matrix, given, counts, shares, policy=policy, level=level)


def _nothing_shared(matrix: ResponseMatrix) -> TooFewError:
    """Say why no pair has an item in common: other items, or answers that nobody could read."""
    shared = (matrix.status >= 0).sum(axis=1)
    if not (shared > 1).any():
        return TooFewError(
            f"items of {matrix.benchmark} that two models both answered", got=0, need=1
        )
    return TooFewError(
        f"items of {matrix.benchmark} with readable answers of two models",
        got=0,
        need=1,
        remedy="the models share items, but no answer of two of them could be read: map a column "
        "that holds answers (--map prediction=COLUMN), or count unread answers with --policy",
    )


def _result(
    matrix: ResponseMatrix,
    given: Coded,
    counts: kernel.Coincidence,
    shares: SharesOfPairs,
    *,
    policy: Policy,
    level: float,
) -> Agreement:
    known, reasons = given.known_pairs(), dict[str, str]()
    if given.why_not:
        reasons |= dict.fromkeys(NEED_RIGHT_OR_WRONG, given.why_not)

    def where_known(values: Floats) -> Floats:
        return np.where(known, values, np.nan)

    n = np.where(counts.n > 0, counts.n, np.nan)
    disagree = shares.value["disagree"]
    room = _feasible(given, counts)
    pair_score = where_known(counts.right / n)
    tree = merge_tree(disagree)
    return Agreement(
        benchmark=matrix.benchmark,
        models=matrix.models,
        policy=policy,
        n=counts.n,
        disagree=disagree,
        low=shares.low["disagree"],
        high=shares.high["disagree"],
        both_wrong=where_known(shares.value["both_wrong"]),
        same_wrong=where_known(shares.value["same_wrong"]),
        one_right=where_known(shares.value["one_right"]),
        limits={
            name: (where_known(shares.low[name]), where_known(shares.high[name]))
            for name in ("both_wrong", "same_wrong", "one_right")
        },
        kappa=_kappa(given, counts.same / n, reasons),
        capa=where_known(_capa(matrix, given, counts, reasons)),
        error_consistency=where_known(_error_consistency(shares, pair_score)),
        feasible_low=where_known(room.low),
        feasible_high=where_known(room.high),
        position=where_known(place(disagree, room.low, room.high)),
        score=_all_items_score(matrix),
        common_score=common_score(matrix.score),
        pair_score=pair_score,
        order=tree.order,
        merges=tree.merges,
        level=level,
        interval="wilson" if item_clusters(matrix) is None else "clustered",
        reasons=reasons,
    )


def _feasible(given: Coded, counts: kernel.Coincidence) -> Feasible:
    kinds = item_kinds(given.answers, given.correct, given.n_options)
    return feasible(given.answers, kinds, n=counts.n, right=counts.right)


def _error_consistency(shares: SharesOfPairs, right: Floats) -> Floats:
    """Agreement on being right or wrong beyond what the two scores give by chance."""
    expected = right * right.T + (1.0 - right) * (1.0 - right.T)
    return kernel.chance_adjusted(1.0 - shares.value["one_right"], expected)


def _kappa(given: Coded, same: Floats, reasons: dict[str, str]) -> Floats:
    if given.n_labels > MAX_LABELS:
        reasons["kappa"] = (
            f"{given.n_labels} distinct answers: more than {MAX_LABELS} are free text"
        )
        return np.full_like(same, np.nan)
    return kernel.chance_adjusted(same, kernel.chance_agreement(given.answers, given.n_labels))


def _capa(
    matrix: ResponseMatrix, given: Coded, counts: kernel.Coincidence, reasons: dict[str, str]
) -> Floats:
    """CAPA over the items that have two options or more."""
    m = len(matrix.models)
    usable = matrix.n_options >= 2
    if "capa" not in reasons and not usable.any():
        reasons["capa"] = "number of options per item unknown: --map n_options=COLUMN names it"
    if "capa" in reasons:
        return np.full((m, m), np.nan)
    answers = given.answers
    if not usable.all():
        answers = answers[usable]
        counts = kernel.coincidence(answers, given.correct[usable])
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
