"""What prompts, parsers, runs and seeds do to scores and their order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from caveat import _validate
from caveat._rng import as_generator
from caveat.data.item_clusters import item_clusters
from caveat.data.replicates import Replicates
from caveat.errors import TooFewError
from caveat.kernels.kendall import kendall_tau
from caveat.kernels.variant_spread import (
    VariantSpread,
    order_test,
    turned_pairs,
    variant_spread,
)
from caveat.results.comparison.sensitivity import (
    ModelSpan,
    Sensitivity,
    VariantOrder,
    VariantSensitivity,
)

Floats = npt.NDArray[np.float64]
DRAWS = 1_000
MOST_MODELS = 60
MOST_VARIANTS = 20
MOST_CELLS = 600
"""Models by variants at most: the covariance of so many scores is worked out."""
FEWEST_ITEMS = 10
_COVERED = 0.5


def sensitivity(
    variants: Sequence[Replicates], *, level: float = 0.95, seed: int = 0
) -> Sensitivity:
    """Compare scores and orders of models under the variants they were measured with.

    Parameters
    ----------
    variants : sequence of Replicates
        One for each kind of variant.
    level : float
        One less the chance, over all pairs of models and variants, that an order counts as sure
        by chance.
    seed : int
        Of the draws that say how much orders differ by chance.

    Returns
    -------
    Sensitivity
        For models that have all variants most models have, on the items all of them have.

    Raises
    ------
    TooFewError
        When no kind of variant has two models or more on ten common scored items.
    """
    _validate.probability("level", level)
    found = [one for one in (_source(v, level=level, seed=seed) for v in variants) if one]
    if not found:
        raise TooFewError(
            "models scored under the same two variants on the same items", got=0, need=2
        )
    return Sensitivity(sources=tuple(found))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Cube:
    """Scores by item, model and variant."""

    values: Floats
    models: list[int]
    variants: list[int]
    left_out: dict[str, str]


def _source(replicates: Replicates, *, level: float, seed: int) -> VariantSensitivity | None:
    cube = _cube(replicates)
    common = np.isfinite(cube.values).all(axis=(1, 2)) if cube.values.size else np.zeros(0, bool)
    if len(cube.models) < 2 or len(cube.variants) < 2 or common.sum() < FEWEST_ITEMS:
        return None
    cluster = item_clusters(replicates.matrix)
    spread = variant_spread(
        cube.values[common], cluster=None if cluster is None else cluster[common]
    )
    test = order_test(spread, draws=DRAWS, rng=as_generator(seed))
    parts = np.maximum([spread.sampling, spread.common, spread.own], 0.0)
    shares = parts / parts.sum() if parts.sum() > 0 else np.full(3, np.nan)
    return VariantSensitivity(
        source=replicates.source,
        variants=_orders(replicates, cube, spread, level=level),
        models=_spans(replicates, cube, spread),
        n_items=int(common.sum()),
        tau=test.concordance,
        tau_expected=test.expected,
        p=test.p,
        firsts=test.firsts,
        first_changes_expected=test.changes,
        share_items=float(shares[0]),
        share_common=float(shares[1]),
        share_own=float(shares[2]),
        sd_items=float(np.sqrt(parts[0])),
        sd_common=float(np.sqrt(parts[1])),
        sd_own=float(np.sqrt(parts[2])),
        left_out=cube.left_out,
        draws=test.draws,
        seed=seed,
    )


def _cube(replicates: Replicates) -> _Cube:
    """Put scores into a cube of models and variants that has no gap but for single items."""
    m, v = len(replicates.models), len(replicates.variants)
    column = np.full((m, v), -1)
    named = replicates.variant >= 0
    column[replicates.owner[named], replicates.variant[named]] = np.flatnonzero(named)
    score = replicates.matrix.score
    n = np.append(np.isfinite(score).sum(axis=0), 0)[column]
    has = n > 0
    left_out: dict[str, str] = {}
    several = has.sum(axis=1) > 1
    often = has[several].sum(axis=0)
    variants = [k for k in range(v) if 2 * often[k] >= max(int(several.sum()), 1)]
    for k in set(range(v)) - set(variants):
        left_out[replicates.variants[k]] = "few models have it"
    for k in variants[MOST_VARIANTS:]:
        left_out[replicates.variants[k]] = f"beyond the first {MOST_VARIANTS}"
    variants = variants[:MOST_VARIANTS]
    models = _models(replicates, n[:, variants], left_out)
    place = column[np.ix_(models, variants)]
    values = score[:, place] if place.size else np.zeros((0, 0, 0))
    best: list[int] = []
    if place.size:
        best = np.argsort(-np.nanmean(values[:, :, 0], axis=0), kind="stable").tolist()
    most = min(MOST_MODELS, max(MOST_CELLS // max(len(variants), 1), 2))
    for k in best[most:]:
        left_out[replicates.models[models[k]]] = f"not among the {most} of best score"
    kept = sorted(best[:most])
    return _Cube(
        values=values[:, kept],
        models=[models[k] for k in kept],
        variants=variants,
        left_out=left_out,
    )


def _models(
    replicates: Replicates, n: "npt.NDArray[np.integer]", left_out: dict[str, str]
) -> list[int]:
    """Models with all variants on enough items."""
    models = []
    most = int(n.max(initial=0))
    for k in range(n.shape[0]):
        if not n.shape[1] or n[k].min() == 0:
            left_out[replicates.models[k]] = "lacks a variant"
        elif n[k].min() < _COVERED * most:
            left_out[replicates.models[k]] = "has fewer than half of the items"
        else:
            models.append(k)
    return models


def _orders(
    replicates: Replicates, cube: _Cube, spread: VariantSpread, *, level: float
) -> tuple[VariantOrder, ...]:
    m, v = spread.score.shape
    tested = m * (m - 1) / 2 * v
    turned, sure = turned_pairs(spread, critical=float(-ndtri((1.0 - level) / 2.0 / tested)))
    return tuple(
        VariantOrder(
            variant=replicates.variants[cube.variants[k]],
            first=replicates.models[cube.models[int(spread.score[:, k].argmax())]],
            tau=kendall_tau(spread.score[:, 0], spread.score[:, k]),
            turned=int(turned[k]),
            turned_surely=int(sure[k]),
        )
        for k in range(v)
    )


def _spans(replicates: Replicates, cube: _Cube, spread: VariantSpread) -> tuple[ModelSpan, ...]:
    """Models in the order of the first variant; equal scores share the better place."""
    rank = 1 + (spread.score[None] > spread.score[:, None] + 1e-12).sum(axis=1)
    spans = []
    for k, model in enumerate(cube.models):
        own = cube.values[:, k]
        scored = np.isfinite(own).all(axis=1)
        spans.append(
            ModelSpan(
                model=replicates.models[model],
                scores=tuple(own[scored].mean(axis=0).tolist()),
                ranks=tuple(rank[k].tolist()),
                n=int(scored.sum()),
            )
        )
    return tuple(sorted(spans, key=lambda one: (one.ranks[0], one.model)))
