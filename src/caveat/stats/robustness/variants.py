"""What picking the best of several private variants adds to a rating by luck."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from caveat.errors import InputError
from caveat.kernels.best_of import MOST, expected_maximum, luck, number_for
from caveat.results.ranking import Ranking, RatedModel
from caveat.results.stress.variants import LuckyLead, VariantModel, Variants
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rate import covariance_of
from caveat.stats.ranking.scale import POINTS
from caveat.stats.ranking.sharing import clusters_of

Row = Mapping[str, Any]


def variants(
    board: Ranking,
    fitted: FittedBoard,
    *,
    models: Mapping[str, Row],
    registry: Mapping[str, int] | None = None,
) -> Variants:
    """Say what luck adds to the rating of the best of several variants.

    Use it with a registry of how many variants were tested in private before one was shown. With
    N equal variants, each measured with standard error sigma, the best is expected to come out
    sigma E[max of N standard normals] too high.

    Parameters
    ----------
    board : Ranking
    fitted : FittedBoard
        Its fit.
    models : mapping of str to mapping
        What a table of models declares: `variants_tested`, and where known `variant_votes` (votes
        each variant had) and `variant_spread` (standard deviation of the true ratings of
        the variants, in points).
    registry : mapping of str to int, optional
        Variants tested, by model or by provider, beside that table. A provider's number is taken to
        stand behind its best rated model.

    Returns
    -------
    Variants
        Without any registry, the lead only: how many variants would do to explain it.

    Raises
    ------
    InputError
        If a number of variants is no whole number from 1 to 10^9, or their votes or spread are
        negative.

    References
    ----------
    Singh et al. (2025), "The Leaderboard Illusion", section 3, https://arxiv.org/abs/2504.20879;
    Harter (1961), https://doi.org/10.1093/biomet/48.1-2.151.

    """
    rated = [model for model in board.models if model.tier is not None]
    claims, unmatched = _claims(rated, models, dict(registry or {}))
    errors = own_errors(board, fitted)
    found = [
        _model(
            model, *claims[model.model], error=errors[model.model], row=models.get(model.model, {})
        )
        for model in rated
        if model.model in claims
    ]
    carried = {one.model: one.carried for one in found}
    return Variants(
        models=tuple(sorted(found, key=lambda v: (-v.carried, v.model))),
        lead=_lead(board, carried, errors),
        unmatched=unmatched,
    )


def own_errors(board: Ranking, fitted: FittedBoard) -> dict[str, float]:
    """Return the standard error of each rating against the mean of all others, in points."""
    clusters = clusters_of(fitted, board.cluster) if board.cluster else None
    m = len(fitted.names)
    variance = covariance_of(fitted, clusters).diagonal()[:m]  # of ratings that sum to zero
    errors = POINTS * m / (m - 1.0) * np.sqrt(np.maximum(variance, 0.0))
    return dict(zip(fitted.names, errors.tolist(), strict=True))


def _claims(
    rated: list[RatedModel], models: Mapping[str, Row], registry: dict[str, int]
) -> tuple[dict[str, tuple[int, str]], tuple[str, ...]]:
    """Count the variants behind each model, and say where that is from; and what names nothing."""
    found = {}
    best: dict[str, str] = {}
    for model in rated:
        row = models.get(model.model, {})
        number = row.get("variants_tested")
        if number is not None and not _is_nan(number):
            found[model.model] = (_number(model.model, number), "models table")
        if row.get("provider"):
            best.setdefault(str(row["provider"]), model.model)
    names = {model.model for model in rated}
    unmatched = []
    for name, number in registry.items():
        if name in names:
            found[name] = (_number(name, number), "settings")
        elif name in best:
            found.setdefault(best[name], (_number(name, number), "settings, by provider"))
        else:
            unmatched.append(name)
    return {name: claim for name, claim in found.items() if claim[0] > 1}, tuple(unmatched)


def _number(name: str, value: object) -> int:
    whole = isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)
    if not whole or not 1 <= value <= MOST:  # type: ignore[operator]  # a number, as just checked
        raise InputError(f"variants of {name} must be a whole number from 1 to 10^9, got {value!r}")
    return int(value)  # type: ignore[call-overload, no-any-return]  # as above


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _optional(name: str, column: str, row: Row) -> float | None:
    value = row.get(column)
    if value is None or _is_nan(value):
        return None
    if not isinstance(value, (int, float)) or value < 0:
        raise InputError(f"{column} of {name} must be a number of at least 0, got {value!r}")
    return float(value)


def _model(model: RatedModel, number: int, source: str, *, error: float, row: Row) -> VariantModel:
    declared = _optional(model.model, "variant_votes", row)
    votes = declared or float(model.n_votes)
    spread = _optional(model.model, "variant_spread", row) or 0.0
    sigma = error * math.sqrt(model.n_votes / votes)
    inflation = luck(error=sigma, spread=spread, number=number) if sigma > 0 else math.nan
    return VariantModel(
        model=model.model,
        provider=row.get("provider") or None,
        n_variants=number,
        source=source,
        n_votes=model.n_votes,
        votes=votes,
        votes_declared=bool(declared),
        sigma=sigma,
        spread=spread,
        expected_maximum=expected_maximum(number),
        inflation=inflation,
        # The votes that picked the model are the share votes / n_votes of those that rate it.
        carried=inflation * min(1.0, votes / model.n_votes),
    )


def _lead(board: Ranking, carried: Mapping[str, float], errors: Mapping[str, float]) -> LuckyLead:
    lead = board.lead
    if lead is None:
        raise InputError(
            "board must have a leader and a runner-up, got fewer than two rated models"
        )
    sigma = errors[lead.leader]
    known = lead.leader in carried or lead.runner_up in carried
    ahead, behind = carried.get(lead.leader, 0.0), carried.get(lead.runner_up, 0.0)
    return LuckyLead(
        leader=lead.leader,
        runner_up=lead.runner_up,
        difference=lead.difference,
        sigma=sigma,
        enough=number_for(lead.difference / sigma) if sigma > 0 else math.nan,
        inflation=ahead - behind if known else math.nan,
    )
