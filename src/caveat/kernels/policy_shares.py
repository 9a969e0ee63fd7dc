"""Disagreement of all pairs when answers without a readable choice count in three ways."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.coincidence import ABSENT, NO_OPTION, Codes, Floats

_EXACT_FLOAT32 = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class PolicyShares:
    """Items that count and share of them answered differently; each of shape (m, m).

    Attributes
    ----------
    n, disagree : dict of float array
        By `drop`, `as-disagreement` and `as-option`; `disagree` is nan where `n` is 0.
    """

    n: dict[str, Floats]
    disagree: dict[str, Floats]


def policy_shares(answers: Codes, same: Floats) -> PolicyShares:
    """Disagreement under each policy, from one count of same readable answers.

    Parameters
    ----------
    answers : int array, shape (items, m)
        Codes from 0; `ABSENT` for no answer at all, `NO_OPTION` for an unreadable one.
    same : float array, shape (m, m)
        Items with the same readable answer.
    """
    present, unread = _both(answers != ABSENT), np.zeros_like(same)
    readable = present
    none = answers == NO_OPTION
    if none.any():
        readable, unread = _both(answers >= 0), _both(none)
    counts = {
        "drop": (readable, same),
        "as-disagreement": (present, same),
        "as-option": (present, same + unread),
    }
    return PolicyShares(
        n={policy: n for policy, (n, _) in counts.items()},
        disagree={
            policy: 1.0 - alike / np.where(n > 0, n, np.nan)
            for policy, (n, alike) in counts.items()
        },
    )


def _both(mask: npt.NDArray[np.bool_]) -> Floats:
    """Items where the mask holds for both models of a pair."""
    if mask.shape[0] < _EXACT_FLOAT32:
        narrow = mask.T.astype(np.float32)
        return (narrow @ narrow.T).astype(np.float64)
    wide = mask.T.astype(np.float64)
    product: Floats = wide @ wide.T
    return product
