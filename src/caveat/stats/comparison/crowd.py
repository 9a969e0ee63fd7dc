"""Does it help to ask several models, and does their agreement mean that they are right?"""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.matrix import ResponseMatrix
from caveat.errors import InputError
from caveat.kernels.crowd_size import crowd_size, majority_if_correlated, majority_if_independent
from caveat.kernels.means import column_means, wilson_share
from caveat.kernels.plurality import Votes, chance_if_independent, growing_votes
from caveat.results.comparison.crowd import Crowd, MajoritySize, SharedErrors, VoteOfBest
from caveat.stats.comparison.panel import Panel, interval, panel_of
from caveat.stats.comparison.trios import best_trios

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

MOST_SIZES = 50
"""Best models up to which every number of votes is tried."""
HALF = 0.5
"""Share of the right answers that may lack a prediction."""
BOUNDS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def crowd(matrix: ResponseMatrix, *, level: float = 0.95, seed: int = 0) -> Crowd:
    """Judge votes of models against single models, and agreement against correctness.

    A vote is the first answer of each model; a model without a readable answer does not vote. Only
    items that all models have a row of are counted; models that lack so many that less than half
    of the items would be left are left out.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models, with answers and scores.
    level : float
        Content of the intervals, in (0, 1).
    seed : int
        Of the division into folds.

    Returns
    -------
    Crowd
        Votes of the best k are judged on other items than those by which the best are found.

    Raises
    ------
    InputError
        When the responses hold no predictions, or none for most of what was scored as right, and
        when scores are other than 0 and 1: a vote is right or wrong.
    TooFewError
        With fewer than two models on common items.

    References
    ----------
    Condorcet (1785), Essai sur l'application de l'analyse; Kish (1965), Survey Sampling; Williams
    (1975), https://doi.org/10.2307/2529820.
    """
    _validate.probability("level", level)
    if not matrix.has_answers:
        raise InputError(
            f"responses of {matrix.benchmark} must hold predictions for a vote, got scores only"
        )
    known = matrix.score[np.isfinite(matrix.score)]
    if not np.isin(known, (0.0, 1.0)).all():
        other = float(known[~np.isin(known, (0.0, 1.0))][0])
        raise InputError(
            f"scores of {matrix.benchmark} must be 0 or 1 for a vote to be right or wrong, got "
            f"{other:g}"
        )
    right = matrix.score == 1.0
    if (right & (matrix.answer < 0)).sum() > HALF * right.sum():
        raise InputError(
            f"responses of {matrix.benchmark} must hold the answers that were scored as right for "
            "a vote, got none for most of them"
        )
    panel = panel_of(matrix, seed=seed)
    n, m = panel.score.shape
    (votes,) = growing_votes(panel.answer, panel.score, range(m), (m,))
    overall = column_means(votes.credit[:, None], cluster=panel.cluster, level=level)
    promised = _promised(panel)
    all_agree = (votes.top == m) & (votes.answered == m)
    return Crowd(
        benchmark=matrix.benchmark,
        models=panel.names,
        left_out=tuple(matrix.models[j] for j in panel.left_out.tolist()),
        n_items=n,
        best_single=float(panel.score.mean(axis=0).max()),
        plurality=float(overall.mean[0]),
        low=float(overall.low[0]),
        high=float(overall.high[0]),
        tied=int((votes.tied > 1).sum()),
        by_size=_by_size(panel, level),
        by_majority=_by_majority(votes, promised, level),
        unanimous=_majority(all_agree, (1.0, 1.0), votes, promised, level),
        errors=_errors(panel),
        trios=best_trios(panel, level=level),
        level=level,
        seed=seed,
        reasons=panel.reasons,
        notes=tuple(panel.notes),
    )


def _by_size(panel: Panel, level: float) -> tuple[VoteOfBest, ...]:
    """Vote of the best k on each fold, the best being those of the other folds."""
    n, m = panel.score.shape
    sizes = sorted({*range(1, min(m, MOST_SIZES) + 1), m})
    if m > MOST_SIZES:
        panel.notes.append(
            f"votes are tried for the best {MOST_SIZES} models, one by one, and for all {m:,}"
        )
    credit = np.full((n, len(sizes)), np.nan)
    chosen: list[set[tuple[int, ...]]] = [set() for _ in sizes]
    for own in panel.splits():
        order = panel.best_first(~own)
        growing = growing_votes(panel.answer[own], panel.score[own], order, sizes)
        for at, votes in enumerate(growing):
            credit[own, at] = votes.credit
            chosen[at].add((order[0], *sorted(order[: sizes[at]])))
    alone = column_means(credit, cluster=panel.cluster, level=level)
    gain = column_means(credit - credit[:, :1], cluster=panel.cluster, level=level)
    rows = []
    for at, k in enumerate(sizes):
        same = len(chosen[at]) <= 1
        low, high = interval(alone, at, same=same, within=(0.0, 1.0))
        gain_low, gain_high = interval(gain, at, same=same, within=(-1.0, 1.0))
        rows.append(
            VoteOfBest(
                k=k,
                accuracy=float(alone.mean[at]),
                low=low,
                high=high,
                gain=float(gain.mean[at]),
                gain_low=gain_low if at else 0.0,
                gain_high=gain_high if at else 0.0,
                same_choice=same,
            )
        )
    return tuple(rows)


def _by_majority(votes: Votes, promised: Floats, level: float) -> tuple[MajoritySize, ...]:
    share = votes.top / np.maximum(votes.answered, 1)
    answered = votes.answered > 0
    rows = [
        _majority(answered & (share >= low) & (share < high), (low, high), votes, promised, level)
        for low, high in pairwise(BOUNDS)
    ]
    rows.append(_majority(answered & (share == 1.0), (1.0, 1.0), votes, promised, level))
    return tuple(row for row in rows if row.items)


def _majority(
    chosen: Mask, bounds: tuple[float, float], votes: Votes, promised: Floats, level: float
) -> MajoritySize:
    number = int(chosen.sum())
    accuracy = float(votes.credit[chosen].mean()) if number else float("nan")
    low, high = wilson_share(np.array([accuracy]), np.array([float(number)]), level=level)
    return MajoritySize(
        from_share=bounds[0],
        to_share=bounds[1],
        items=number,
        wrong=int((votes.credit[chosen] < 0.5).sum()),
        accuracy=accuracy,
        low=float(low[0]),
        high=float(high[0]),
        if_independent=float(promised[chosen].mean()) if number else float("nan"),
    )


def _promised(panel: Panel) -> Floats:
    """Work out what votes promise under independence; nan without options."""
    if not np.isfinite(panel.options).all():
        panel.reasons["if_independent"] = "the number of options is unknown"
        return np.full(len(panel.score), np.nan)
    answered = panel.answer >= 0
    right = (panel.score == 1.0) & answered
    # Never surer than the items allow: as if half an item more had gone each way.
    share = (right.sum(axis=0) + 0.5) / (answered.sum(axis=0) + 1.0)
    return chance_if_independent(panel.answer, share, panel.options)


def _errors(panel: Panel) -> SharedErrors | None:
    right = panel.score == 1.0
    size = crowd_size(right)
    if size.used < 2:
        panel.reasons["errors"] = (
            "needs two models that are sometimes right and sometimes wrong on the common items, "
            f"got {size.used}"
        )
        return None
    share, number, m = right.mean(axis=0), right.sum(axis=1), right.shape[1]
    return SharedErrors(
        models=size.used,
        mean_correlation=size.mean,
        design_effect=size.design_effect,
        effective=size.effective,
        effective_spectral=size.effective_spectral,
        majority=float(((2 * number > m) + 0.5 * (2 * number == m)).mean()),
        majority_if_independent=majority_if_independent(share),
        majority_if_correlated=majority_if_correlated(float(share.mean()), size.mean, m),
    )
