"""Classical figures of items, from scores of any kind between 0 and 1."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def item_rest(score: Floats) -> Floats:
    """Correlation of each item's scores with the models' mean scores on all other items.

    Parameters
    ----------
    score : float array, shape (n, m)
        nan where there is none.

    Returns
    -------
    float array, shape (n,)
        nan where either side does not vary, and with fewer than two models.
    """
    present = np.isfinite(score).astype(np.float64)
    filled = np.where(present > 0, score, 0.0)
    number = present.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.where(number > 1, 1.0 / (number - 1.0), 0.0)
    present = present * (number > 1)
    filled = filled * (number > 1)
    total = filled.sum(axis=0) * weight
    # The rest of model i beside item j is total_i - weight_i * score_ji: all sums are products.
    m = present.sum(axis=1)
    square = filled**2
    rest = present @ total - filled @ weight
    rest_square = present @ total**2 - 2.0 * filled @ (total * weight) + square @ weight**2
    own, own_square = filled.sum(axis=1), square.sum(axis=1)
    both = filled @ total - square @ weight
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = (own_square - own**2 / m) * (rest_square - rest**2 / m)
        together = both - own * rest / m
        steady = (own_square - own**2 / m < 1e-12) | (rest_square - rest**2 / m < 1e-12)
        found = together / np.sqrt(np.maximum(spread, 1e-300))
    return np.where((m >= 2) & ~steady, np.clip(found, -1.0, 1.0), np.nan)


def split_shares(score: Floats, margin: float) -> tuple[Floats, int]:
    """Share of the pairs of equally good models that each item splits.

    Parameters
    ----------
    score : float array, shape (n, m)
        nan where there is none. A pair is split by the difference of its two scores.
    margin : float
        Largest difference of mean scores of a pair.

    Returns
    -------
    splits : float array, shape (n,)
        Mean absolute difference over the pairs that both have a score; for scores of 0 and 1 the
        share of pairs of which one is right. nan without a pair, and for other scores than these.
    pairs : int
    """
    present = np.isfinite(score)
    number = present.sum(axis=0)
    filled = np.where(present, score, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = filled.sum(axis=0) / np.where(number > 0, number, np.nan)
        near = np.abs(mean[:, None] - mean) <= margin + 1e-9
    np.fill_diagonal(near, val=False)
    pairs = int(near.sum()) // 2
    if not pairs or not np.isin(score[present], (0.0, 1.0)).all():
        return np.full(score.shape[0], np.nan), pairs
    models = np.flatnonzero(near.any(axis=0))
    weight = near[np.ix_(models, models)].astype(np.float32)
    right = filled[:, models].astype(np.float32)
    there = present[:, models].astype(np.float32)
    beside = there @ weight
    split = np.einsum("ij,ij->i", right, (there - right) @ weight, dtype=np.float64)
    possible = np.einsum("ij,ij->i", there, beside, dtype=np.float64) / 2.0
    return np.where(possible > 0, split / np.maximum(possible, 1.0), np.nan), pairs


def effective_items(score: Floats) -> float:
    """Count items of equal variance that tell the models apart as well.

    The square of the sum of the items' variances over models, over the sum of their squares (Kish
    1965): the number of items, if all vary alike; items on which all models agree count for
    nothing. nan where no item varies.
    """
    present = np.isfinite(score)
    number = present.sum(axis=1)
    filled = np.where(present, score, 0.0)
    safe = np.maximum(number, 1)
    variance = (filled**2).sum(axis=1) / safe - (filled.sum(axis=1) / safe) ** 2
    variance = np.where(number >= 2, np.maximum(variance, 0.0), 0.0)
    square = float((variance**2).sum())
    return float(variance.sum() ** 2 / square) if square > 0 else float("nan")
