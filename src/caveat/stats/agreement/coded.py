"""Answers as codes under a policy for those that could not be read, and which of them are right."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import NO_ANSWER, ResponseMatrix
from caveat.kernels.coincidence import ABSENT, Codes, Floats, weighted_common
from caveat.stats.agreement.policy import Policy

Mask = npt.NDArray[np.bool_]
NEED_RIGHT_OR_WRONG = (
    "both_wrong",
    "same_wrong",
    "one_right",
    "capa",
    "error_consistency",
    "feasible_low",
    "feasible_high",
    "position",
)
"""Figures of a pair that are undefined where right and wrong are."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """What is compared.

    Attributes
    ----------
    answers : int array, shape (items, models)
        Label codes; `ABSENT` does not count, `NO_OPTION` equals no other.
    n_labels : int
    n_options : float array, shape (items,)
        Answers to an item that can be told apart under the policy; nan or inf for any number.
    graded : bool array, shape (items, models)
        Where an answer counts and has a score.
    correct : bool array, shape (items, models)
    why_not : str
        Why right and wrong are undefined on the whole benchmark; empty where they are not.
    """

    answers: Codes
    n_labels: int
    n_options: Floats
    graded: Mask
    correct: Mask
    why_not: str

    def known_pairs(self) -> Mask:
        """Pairs whose common items are all scored for both; shape (models, models)."""
        m = self.answers.shape[1]
        if self.why_not:
            return np.zeros((m, m), dtype=bool)
        answered = self.answers != ABSENT
        if self.graded[answered].all():
            return np.ones((m, m), dtype=bool)
        alike = np.ones(self.answers.shape[0])
        known: Mask = weighted_common(self.graded, alike) == weighted_common(answered, alike)
        return known


def coded(matrix: ResponseMatrix, policy: Policy) -> Coded:
    """Code the answers of a benchmark.

    Parameters
    ----------
    matrix : ResponseMatrix
    policy : str
        `drop` leaves unreadable answers out, `as-disagreement` lets them equal nothing,
        `as-option` lets them equal each other.
    """
    answers, n_labels, n_options = _apply(policy, matrix)
    answered = answers != ABSENT
    graded = answered & np.isfinite(matrix.score)
    why_not = ""
    if not graded.any():
        why_not = "no scores: right and wrong are unknown"
    elif not np.isin(matrix.score[graded], (0.0, 1.0)).all():
        why_not = "scores other than 0 and 1: right and wrong are not defined"
    return Coded(
        answers=answers,
        n_labels=n_labels,
        n_options=n_options,
        graded=graded,
        correct=graded & (matrix.score == 1.0),
        why_not=why_not,
    )


def _apply(policy: Policy, matrix: ResponseMatrix) -> tuple[Codes, int, Floats]:
    answer, options = matrix.answer, matrix.n_options
    none = answer == NO_ANSWER
    n_labels = len(matrix.labels)
    if policy == "drop":
        return np.where(none, ABSENT, answer).astype(np.int32), n_labels, options
    if policy == "as-option":
        return np.where(none, n_labels, answer).astype(np.int32), n_labels + 1, options + 1.0
    return answer, n_labels, np.full_like(options, np.inf)
