"""Rasch model of items and models, with the items drawn from a distribution.

The log-odds that model m gets item j right are theta_m - b_j (Rasch 1960). A benchmark has many
items and few models, so that each ability theta is pinned down by thousands of answers and each
difficulty b by a few dozen. Marginal maximum likelihood (Bock and Aitkin 1981,
https://doi.org/10.1007/BF02293801) therefore integrates over the side with the many units, the
items, also where there are fewer items than models. The distribution of the difficulties is smooth
and estimated along with the abilities, `kernels/loglinear_prior.py`.

Given which models have a score, the number of right answers is sufficient for the difficulty:
items with the same models and the same number of right answers are one row.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from caveat.kernels.loglinear_prior import LoglinearPrior, orthonormal, refit, start

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
ROOM = 5.0
"""Logits by which the nodes reach beyond the abilities."""
_NEWTON = 4


@dataclass(frozen=True, slots=True, eq=False)
class ItemRows:
    """Items that the likelihood cannot tell apart, counted.

    Attributes
    ----------
    present : float array, shape (p, m)
        Distinct sets of models with a score, 0 and 1.
    pattern, right, count : arrays, shape (r,)
        Of each row: its set, right answers, items.
    row : int array, shape (n,)
        Row of each item.
    total : float array, shape (m,)
        Right answers of each model.
    """

    present: Floats
    pattern: Ints
    right: Floats
    count: Floats
    row: Ints
    total: Floats


@dataclass(frozen=True, slots=True, eq=False)
class RaschFit:
    """Rasch model of n items and m models.

    Attributes
    ----------
    ability : float array, shape (m,)
        In logits; their mean is 0.
    covariance : float array, shape (m, m)
        Of the abilities, relative to their mean.
    difficulty, sd : float arrays, shape (n,)
        Mean and standard deviation of the item's difficulty given its answers; ability 0 has even
        odds on difficulty 0.
    low, high : float arrays, shape (n,)
        Equal-tailed interval of the difficulty given its answers.
    node, weight : float arrays, shape (q,)
        The distribution of difficulties.
    loglik : float
    n_parameters : int
        Abilities beside their mean, and moments of the difficulties.
    iterations : int
    converged : bool
    """

    ability: Floats
    covariance: Floats
    difficulty: Floats
    sd: Floats
    low: Floats
    high: Floats
    node: Floats
    weight: Floats
    loglik: float
    n_parameters: int
    iterations: int
    converged: bool


def rasch(
    score: Floats,
    *,
    level: float = 0.95,
    moments: int = 4,
    ability_sd: float = np.inf,
    cluster: Ints | None = None,
    tolerance: float = 1e-4,
    max_iterations: int = 300,
) -> RaschFit:
    """Fit the model by EM.

    Parameters
    ----------
    score : float array, shape (n, m)
        0 or 1; nan where there is none. Some item is right for one model and wrong for another.
    level : float
        Content of each item's interval.
    moments : int
        Moments of the distribution of difficulties that are estimated; 2 is a normal one.
    ability_sd : float
        Standard deviation of a normal prior of the abilities: a model that is right everywhere has
        no finite estimate without one.
    cluster : int array, shape (n,), optional
        Items that belong together: the errors of the abilities are robust to it.
    tolerance : float
        Largest change of an ability, in logits, at which the iteration stops.
    max_iterations : int

    Returns
    -------
    RaschFit
    """
    rows = item_rows(score)
    ability = _first_abilities(score)
    node = nodes(ability)
    basis = orthonormal(node[:, None] ** np.arange(1, moments + 1))
    prior = start(basis, np.exp(-((node / 1.5) ** 2) / 2))
    converged, iterations = False, 0
    for iterations in range(1, max_iterations + 1):  # noqa: B007 - read after the loop
        posterior, _ = _posterior(rows, ability, node, prior)
        mass = posterior * rows.count[:, None]
        prior = refit(prior, mass.sum(axis=0))
        new = _abilities(rows, mass, ability, node, ability_sd)
        # Where the scale has its zero is settled last: items and abilities may drift together.
        moved = new - ability
        change = float(np.abs(moved - moved.mean()).max())
        ability = new
        if change < tolerance:
            converged = True
            break
    posterior, log_each = _posterior(rows, ability, node, prior)
    loglik = float(rows.total @ ability + rows.count @ log_each)
    covariance = _covariance(score, rows, posterior, ability, node, prior, cluster, ability_sd)
    shift = ability.mean()
    mean = posterior @ node
    spread = np.sqrt(np.maximum(posterior @ node**2 - mean**2, 0.0))
    low, high = quantiles(posterior, node, level)
    return RaschFit(
        ability=ability - shift,
        covariance=covariance,
        difficulty=(mean - shift)[rows.row],
        sd=spread[rows.row],
        low=(low - shift)[rows.row],
        high=(high - shift)[rows.row],
        node=node - shift,
        weight=prior.weight,
        loglik=loglik,
        n_parameters=ability.size - 1 + moments,
        iterations=iterations,
        converged=converged,
    )


def nodes(ability: Floats) -> Floats:
    """Return nodes dense enough for what so many models say of an item.

    A sum over equally spaced nodes integrates a bell curve almost exactly while they are no further
    apart than 1.5 of its standard deviations; an item's is about 1 / sqrt(0.2 m).
    """
    step = min(0.25, 1.5 / np.sqrt(0.2 * ability.size))
    low, high = ability.min() - ROOM, ability.max() + ROOM
    return np.linspace(low, high, int(np.ceil((high - low) / step)) + 1)


def item_rows(score: Floats) -> ItemRows:
    """Group items by the models that have a score and by right answers."""
    present = np.isfinite(score)
    packed = np.packbits(present, axis=1)
    keys = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1])))[:, 0]
    _, first, pattern = np.unique(keys, return_index=True, return_inverse=True)
    filled = np.where(present, score, 0.0)
    right = filled.sum(axis=1)
    wide = score.shape[1] + 1
    key, row, count = np.unique(
        pattern * wide + right.astype(np.intp), return_inverse=True, return_counts=True
    )
    return ItemRows(
        present=present[first].astype(np.float64),
        pattern=key // wide,
        right=(key % wide).astype(np.float64),
        count=count.astype(np.float64),
        row=row,
        total=filled.sum(axis=0),
    )


def _first_abilities(score: Floats) -> Floats:
    present = np.isfinite(score)
    number = present.sum(axis=0)
    right = np.where(present, score, 0.0).sum(axis=0)
    share = (right + 0.5) / (number + 1.0)
    ability = 1.2 * np.log(share / (1.0 - share))
    centred: Floats = ability - ability.mean()
    return centred


def _softplus(x: Floats) -> Floats:
    positive: Floats = np.logaddexp(0.0, x)
    return positive


def _posterior(
    rows: ItemRows, ability: Floats, node: Floats, prior: LoglinearPrior
) -> tuple[Floats, Floats]:
    """Weights of the nodes for each row, and its log-likelihood but for the abilities."""
    wrong = rows.present @ _softplus(ability[:, None] - node)
    log = -np.outer(rows.right, node) - wrong[rows.pattern]
    with np.errstate(divide="ignore"):
        log += np.log(prior.weight)
    top = log.max(axis=1, keepdims=True)
    likelihood = np.exp(log - top)
    total = likelihood.sum(axis=1, keepdims=True)
    return likelihood / total, (top + np.log(total))[:, 0]


def _abilities(
    rows: ItemRows, mass: Floats, ability: Floats, node: Floats, ability_sd: float
) -> Floats:
    """Maximise over the abilities given where the items stand."""
    first = np.flatnonzero(np.r_[True, np.diff(rows.pattern) > 0])  # rows come by pattern
    number = rows.present.T @ np.add.reduceat(mass, first, axis=0)
    precision = 1.0 / ability_sd**2
    for _ in range(_NEWTON):
        chance = expit(ability[:, None] - node)
        expected = (number * chance).sum(axis=1)
        information = (number * chance * (1.0 - chance)).sum(axis=1) + precision
        step = (rows.total - expected - precision * ability) / information
        ability = ability + np.clip(step, -1.0, 1.0)
    return ability


def _covariance(
    score: Floats,
    rows: ItemRows,
    posterior: Floats,
    ability: Floats,
    node: Floats,
    prior: LoglinearPrior,
    cluster: Ints | None,
    ability_sd: float,
) -> Floats:
    """Inverse of the scores' cross products, abilities relative to their mean."""
    m = ability.size
    expected = posterior @ expit(ability - node[:, None])
    each = np.where(np.isfinite(score), score - expected[rows.row], 0.0)
    moments = posterior @ prior.basis - prior.basis.T @ prior.weight
    scores = np.column_stack([each, moments[rows.row]])
    information = scores.T @ scores
    information[np.arange(m), np.arange(m)] += 1.0 / ability_sd**2
    # Abilities that sum to zero: all but the mean of a rotated basis.
    contrast = np.linalg.qr(np.column_stack([np.ones(m), np.eye(m)[:, : m - 1]]))[0][:, 1:]
    turn = np.zeros((m + moments.shape[1], m - 1 + moments.shape[1]))
    turn[:m, : m - 1] = contrast
    turn[m:, m - 1 :] = np.eye(moments.shape[1])
    inverse = np.linalg.pinv(turn.T @ information @ turn, hermitian=True)
    if cluster is not None:
        grouped = np.zeros((int(cluster.max()) + 1, scores.shape[1]))
        np.add.at(grouped, cluster, scores)
        meat = turn.T @ (grouped.T @ grouped) @ turn
        inverse = inverse @ meat @ inverse
    free = inverse[: m - 1, : m - 1]
    covariance: Floats = contrast @ free @ contrast.T
    return covariance


def quantiles(posterior: Floats, node: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the ends of the equal-tailed interval.

    The weight of a node is spread over its cell, which adds a twelfth of the squared step to the
    variance (Sheppard 1898, https://doi.org/10.1112/plms/s1-29.1.353); the ends are drawn in by as
    much.
    """
    below = np.cumsum(posterior, axis=1)
    step = node[1] - node[0]
    ends = []
    for tail in ((1.0 - level) / 2.0, (1.0 + level) / 2.0):
        place = np.minimum((below < tail).sum(axis=1), node.size - 1)
        at = np.arange(place.size)
        own = posterior[at, place]
        before = below[at, place] - own
        share = (tail - before) / np.where(own > 0, own, 1.0)
        ends.append(node[place] + step * (np.clip(share, 0.0, 1.0) - 0.5))
    mean = posterior @ node
    variance = np.maximum(posterior @ node**2 - mean**2, 0.0)
    factor = np.sqrt(variance / (variance + step**2 / 12.0))
    return mean + factor * (ends[0] - mean), mean + factor * (ends[1] - mean)
