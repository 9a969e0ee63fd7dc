"""Are models of one family more alike than their scores explain?"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from caveat._rng import as_generator
from caveat.errors import TooFewError
from caveat.kernels.kin_test import KinTest, kin_test, score_residual
from caveat.kernels.multiplicity import holm
from caveat.results.agreement import Agreement
from caveat.results.comparison.relatives import Family, KinshipTest, Measure, Relatives
from caveat.stats.comparison.family_names import proposed_families

Floats = npt.NDArray[np.float64]
SHUFFLES = 9_999
FEWEST_MODELS = 6
"""Fewer have too few pairs to tell what scores explain."""
COLUMNS = ("family", "provider")


def relatives(
    agreement: Agreement, *, models: Mapping[str, Mapping[str, Any]], seed: int = 0
) -> Relatives | None:
    """Set likeness within families against that between them.

    Parameters
    ----------
    agreement : Agreement
        Of all pairs.
    models : mapping of str to mapping
        What is declared of each: `family`, or else `provider`. Where neither is, names make a
        proposal, and nothing is worked out from it.
    seed : int
        Of the shuffles of family names.

    Returns
    -------
    Relatives or None
        None where no family is declared and names suggest none.

    Raises
    ------
    TooFewError
        With fewer than six models that have a score and a declared family among them, or without
        two of one family and two of different ones.

    References
    ----------
    Goel et al. (2025), https://arxiv.org/abs/2502.04313; Smouse, Long and Sokal (1986),
    https://doi.org/10.2307/2413122.
    """
    column = _column(agreement.models, models)
    if not column:
        proposal = proposed_families(agreement.models)
        if not proposal:
            return None
        return Relatives(column="", unplaced=0, test=None, proposal=proposal)
    names = [models.get(model, {}).get(column) or None for model in agreement.models]
    scored = [k for k in range(len(names)) if np.isfinite(agreement.score[k])]
    if len(scored) < FEWEST_MODELS:
        raise TooFewError(
            f"models of {agreement.benchmark} with a score", got=len(scored), need=FEWEST_MODELS
        )
    families = tuple(dict.fromkeys(name for name in names if name is not None))
    number = {name: k for k, name in enumerate(families)}
    family = np.array([-1 if name is None else number[name] for name in names], dtype=np.int64)
    measure, likeness = _likeness(agreement)
    found = kin_test(likeness, agreement.score, family, shuffles=SHUFFLES, rng=as_generator(seed))
    if not (found.pairs_within and found.pairs_between):
        raise TooFewError(
            f"pairs of relatives, and of unrelated models, of {agreement.benchmark}", got=0, need=1
        )
    return Relatives(
        column=column,
        unplaced=sum(name is None for name in names),
        test=_test(agreement, found, family, families, measure=measure, seed=seed),
        settings={"covariates": "mean score, its square, distance of scores"},
    )


def _column(names: tuple[str, ...], models: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the first column that names one family for two models."""
    for column in COLUMNS:
        said = [str(models[m][column]) for m in names if models.get(m, {}).get(column)]
        if len(set(said)) < len(said):
            return column
    return ""


def _likeness(agreement: Agreement) -> tuple[Measure, Floats]:
    """Take the measure that allows most for scores, of those that are there."""
    off = ~np.eye(len(agreement.models), dtype=bool)
    if np.isfinite(agreement.capa[off]).any():
        return "capa", agreement.capa
    own, other = agreement.pair_score, agreement.pair_score.T
    alike = own + other - 1.0 + 2.0 * agreement.both_wrong
    chance = own * other + (1.0 - own) * (1.0 - other)
    with np.errstate(invalid="ignore", divide="ignore"):
        consistent = np.where(chance < 1.0, (alike - chance) / (1.0 - chance), np.nan)
    if np.isfinite(consistent[off]).any():
        return "error consistency", consistent
    return "kappa", agreement.kappa


def _test(
    agreement: Agreement,
    found: KinTest,
    family: npt.NDArray[np.int64],
    families: tuple[str, ...],
    *,
    measure: Measure,
    seed: int,
) -> KinshipTest:
    one, other = np.triu_indices(family.size, k=1)
    kin = (family[one] == family[other]) & (family[one] >= 0)
    raw = agreement.disagree[one, other]
    left = score_residual(agreement.disagree, agreement.score)[0][one, other]
    unrelated = float(np.nanmean(left[~kin]))
    adjusted = holm(found.family_p)
    rows = [
        Family(
            family=name,
            models=tuple(m for m, f in zip(agreement.models, family, strict=True) if f == k),
            pairs=int(found.family_pairs[k]),
            effect=float(found.family_effect[k]),
            p=float(found.family_p[k]),
            p_adjusted=float(adjusted[k]),
            disagree=float(np.nanmean(raw[kin & (family[one] == k)])),
            disagree_less=unrelated - float(np.nanmean(left[kin & (family[one] == k)])),
        )
        for k, name in enumerate(families)
        if found.family_pairs[k]
    ]
    return KinshipTest(
        measure=measure,
        within=found.within,
        between=found.between,
        effect=found.effect,
        p=found.p,
        disagree_within=float(np.nanmean(raw[kin])),
        disagree_between=float(np.nanmean(raw[~kin])),
        disagree_less=unrelated - float(np.nanmean(left[kin])),
        explained=found.explained,
        pairs_within=found.pairs_within,
        pairs_between=found.pairs_between,
        shuffles=found.shuffles,
        seed=seed,
        families=tuple(sorted(rows, key=lambda row: (-row.effect, row.family))),
    )
