"""Which three models vote best, and which cover most?"""

import numpy as np
import numpy.typing as npt

from caveat.kernels.means import column_means
from caveat.kernels.triples import Triples, greedy_cover, majority_credit, triples
from caveat.results.comparison.crowd import HeldOut, Trio, Trios
from caveat.stats.comparison.panel import FOLDS, Panel, interval

MOST = 60
"""Models whose threes are all tried; of more, the best ones."""


def best_trios(panel: Panel, *, level: float) -> Trios | None:
    """Try all sets of three models.

    Parameters
    ----------
    panel : Panel
    level : float
        Content of the interval of the gain, in (0, 1).

    Returns
    -------
    Trios or None
        None, with the reason in the panel, with fewer than three models.
    """
    m = panel.score.shape[1]
    if m < 3:
        panel.reasons["trios"] = f"needs at least 3 models, got {m}"
        return None
    if m > MOST:
        panel.notes.append(
            f"threes are tried among the best {MOST} of the {m:,} models; the greedy cover is of "
            "all models"
        )
    right = panel.score == 1.0
    answer, pool = panel.answer[:, :MOST], right[:, :MOST]
    every = triples(answer, pool, panel.fold, FOLDS)
    by_vote, by_cover = _largest(every.majority.sum(axis=0)), _largest(every.covered.sum(axis=0))
    return Trios(
        pool=pool.shape[1],
        tried=len(every.members),
        best_majority=_trio(panel, every.members[by_vote], right),
        best_cover=_trio(panel, every.members[by_cover], right),
        greedy_cover=_trio(panel, np.array(greedy_cover(right, 3)), right),
        held_out=_held_out(panel, every, pool, level),
    )


def _largest(values: npt.NDArray[np.float64]) -> int:
    """Place of the largest value; of values equal but for rounding, the first."""
    return int(np.flatnonzero(values >= values.max() - 1e-3)[0])


def _trio(panel: Panel, members: npt.NDArray[np.intp], right: npt.NDArray[np.bool_]) -> Trio:
    return Trio(
        models=tuple(panel.names[j] for j in members.tolist()),
        majority=float(majority_credit(panel.answer, right, members).mean()),
        covered=float(right[:, members].any(axis=1).mean()),
    )


def _held_out(panel: Panel, every: Triples, right: npt.NDArray[np.bool_], level: float) -> HeldOut:
    """Choose on the other folds, judge on each."""
    n = right.shape[0]
    trio, single = np.full(n, np.nan), np.full(n, np.nan)
    folds, chosen = 0, set()
    for own in panel.splits():
        fold = int(panel.fold[own][0])
        folds += 1
        best = every.members[_largest(every.majority.sum(axis=0) - every.majority[fold])]
        alone = _largest(every.single.sum(axis=0) - every.single[fold])
        trio[own] = majority_credit(panel.answer[own], right[own], best)
        single[own] = right[own, alone]
        chosen.add((*best.tolist(), alone))
    means = column_means(
        np.column_stack([trio, single, trio - single]), cluster=panel.cluster, level=level
    )
    best_gain = (every.majority.sum(axis=0).max() - every.single.sum(axis=0).max()) / n
    low, high = interval(means, 2, same=len(chosen) <= 1, within=(-1.0, 1.0))
    return HeldOut(
        majority=float(means.mean[0]),
        single=float(means.mean[1]),
        gain=float(means.mean[2]),
        low=low,
        high=high,
        in_sample_gain=float(best_gain),
        same_choice=len(chosen) <= 1,
        folds=folds,
    )
