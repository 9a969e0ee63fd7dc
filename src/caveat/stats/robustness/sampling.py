"""How unequally models were shown."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from caveat.data.evidence import Evidence
from caveat.kernels.concentration import gini, top_number, top_share
from caveat.results.stress.sampling import ModelSampling, ProviderSampling, Sampling
from caveat.stats.robustness.appearances import Appearances, Daily, appearances, iso

Floats = npt.NDArray[np.float64]

LEAST_DAYS = 7
"""Days on the board below which the days themselves are a matter of chance."""
MOST_MONTHS = 60
"""Months above which time is cut into years."""
TOP = 0.1


def sampling(
    votes: Evidence,
    *,
    models: Mapping[str, Mapping[str, Any]],
    shown: Appearances | None = None,
) -> Sampling:
    """Say how often models and providers were shown, and when.

    Use it to see whose ratings the votes went to. Models that are shown more have smaller errors,
    and their makers see more of what voters ask.

    Parameters
    ----------
    votes : Evidence
        Votes; with a column `at`, sampling is judged day by day.
    models : mapping of str to mapping
        What a table of models declares; `provider` is read.
    shown : Appearances, optional
        Of these votes, where they are counted already.

    Returns
    -------
    Sampling
        Of all models that a vote names, rated or not.

    Raises
    ------
    InputError
        If `at` holds something else than times.

    References
    ----------
    Singh et al. (2025), "The Leaderboard Illusion", https://arxiv.org/abs/2504.20879; Gini (1912).

    Examples
    --------
    >>> import caveat
    >>> rows = {"model_a": ["x", "x", "x"], "model_b": ["y", "y", "z"], "winner": ["a", "b", "a"]}
    >>> found = sampling(caveat.read_votes(rows), models={"x": {"provider": "P"}})
    >>> [(m.model, m.n_votes, m.relative) for m in found.models]
    [('x', 3, 1.5), ('y', 2, 1.0), ('z', 1, 0.5)]
    >>> [(p.provider, p.share) for p in found.providers], found.n_unknown
    ([('P', 0.5)], 2)
    """
    shown = shown or appearances(votes)
    number, daily = shown.number, shown.daily
    fair = _fair(shown, number, daily)
    relative = (number if daily is None else daily.shown.sum(axis=1)) / fair
    order = np.array(sorted(range(number.size), key=lambda i: (-number[i], shown.models[i])))
    rows = tuple(_model(i, shown, number, relative, daily, models) for i in order.tolist())
    months, monthly = _monthly(daily)
    monthly = monthly[order] if months else np.zeros((len(rows), 0))
    known = relative[np.isfinite(relative)]
    return Sampling(
        models=rows,
        providers=_providers(rows, shown.n_votes, monthly),
        n_unknown=sum(row.provider is None for row in rows),
        gini=gini(number),
        gini_relative=gini(known) if known.size > 1 else float("nan"),
        top_models=top_number(number.size, TOP),
        top_share=top_share(number, TOP),
        median=float(np.median(number)),
        dated=daily is not None,
        n_undated=round(shown.undated),
        months=months,
        monthly=monthly,
    )


def _fair(shown: Appearances, number: Floats, daily: Daily | None) -> Floats:
    """Votes each model would have had if all on the board were shown equally often."""
    if daily is None:
        return np.full(number.size, 2.0 * shown.n_votes / number.size)
    there = daily.there
    each = 2.0 * daily.votes / np.maximum(there.sum(axis=0), 1)
    return np.where(daily.length >= LEAST_DAYS, there @ each, np.nan)


def _model(
    i: int,
    shown: Appearances,
    number: Floats,
    relative: Floats,
    daily: Daily | None,
    models: Mapping[str, Mapping[str, Any]],
) -> ModelSampling:
    name = shown.models[i]
    first, last = (-1, -1) if daily is None else (int(daily.first[i]), int(daily.last[i]))
    dated = daily is not None and first >= 0
    return ModelSampling(
        model=name,
        provider=models.get(name, {}).get("provider") or None,
        n_votes=round(float(number[i])),
        share=float(number[i]) / shown.n_votes,
        relative=float(relative[i]),
        first=daily.date(first) if daily and dated else None,
        last=daily.date(last) if daily and dated else None,
        days=int(daily.length[i]) if daily and dated else None,
    )


def _providers(
    rows: tuple[ModelSampling, ...], n_votes: float, monthly: Floats
) -> tuple[ProviderSampling, ...]:
    names = dict.fromkeys(row.provider for row in rows if row.provider is not None)
    found = []
    for name in names:
        own = np.array([row.provider == name for row in rows])
        by_month = tuple(round(n) for n in monthly[own].sum(axis=0).tolist())
        found.append(_provider(name, [r for r in rows if r.provider == name], n_votes, by_month))
    return tuple(sorted(found, key=lambda p: (-p.n_votes, p.provider)))


def _provider(
    name: str, rows: list[ModelSampling], n_votes: float, monthly: tuple[int, ...]
) -> ProviderSampling:
    total = sum(row.n_votes for row in rows)
    known = [row for row in rows if np.isfinite(row.relative) and row.relative > 0]
    fair = sum(row.n_votes / row.relative for row in known)
    return ProviderSampling(
        provider=name,
        n_models=len(rows),
        n_votes=total,
        share=total / (2.0 * n_votes),
        relative=sum(row.n_votes for row in known) / fair if known else float("nan"),
        monthly=monthly,
    )


def _monthly(daily: Daily | None) -> tuple[tuple[str, ...], Floats]:
    """Votes by month, or by year over a long time; and what these are called."""
    if daily is None:
        return (), np.zeros((0, 0))
    dates = [iso(day) for day in daily.days.tolist()]
    months = [12 * int(date[:-6]) + int(date[-5:-3]) for date in (dates[0], dates[-1])]
    spans = months[1] - months[0] + 1
    names = [date[: 7 if spans <= MOST_MONTHS else 4] for date in dates]
    called, starts = np.unique(names, return_index=True)
    return tuple(called.tolist()), np.add.reduceat(daily.shown, starts, axis=1)
