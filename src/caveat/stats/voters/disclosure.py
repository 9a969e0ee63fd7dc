"""Who voted, by what voters declare, without telling of too few."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.kernels.concentration import effective_number, gini, top_number, top_share
from caveat.kernels.merging import merged_with_others
from caveat.results.stress.voters import Disclosure, Level, Turnout
from caveat.stats.voters.electorate import Attribute, Electorate
from caveat.stats.voters.manner import THRESHOLD

_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
_NAN = float("nan")


def turnout(voters: Electorate, *, threshold: int = THRESHOLD) -> Turnout:
    """Say how the votes fall to voters.

    Parameters
    ----------
    voters : Electorate
    threshold : int
        Shares of the busiest are withheld where these are fewer voters; at least 1.

    Returns
    -------
    Turnout
    """
    _validate.at_least("threshold", threshold, 1)
    cast, n = voters.cast, voters.n_voters
    named = float(cast.sum())
    total = round(named) + voters.n_anonymous

    def top(part: float) -> float:
        return top_share(cast, part) if n and top_number(n, part) >= threshold else _NAN

    return Turnout(
        n_votes=total,
        n_voters=n,
        n_anonymous=voters.n_anonymous,
        anonymous_share=voters.n_anonymous / total,
        mean=named / n if n else _NAN,
        median=float(np.median(cast)) if n else _NAN,
        quantiles=tuple(
            (q, float(np.quantile(cast, q, method="inverted_cdf"))) for q in _QUANTILES if n
        ),
        gini=gini(cast),
        top_1=top(0.01),
        top_10=top(0.1),
        effective_voters=effective_number(cast),
    )


def disclosure(voters: Electorate, *, threshold: int = THRESHOLD) -> tuple[Disclosure, ...]:
    """Table the voters by each attribute they declare.

    No line tells of fewer voters than the threshold, and none can be found by subtracting lines
    from each other or from the total: levels below it are merged, with the next larger one where
    they are below it even together. Those who declare nothing are a level in this.

    Parameters
    ----------
    voters : Electorate
    threshold : int
        At least 1, which hides nothing.

    Returns
    -------
    tuple of Disclosure
        One for each attribute.

    Examples
    --------
    >>> from caveat.stats.voters.electorate import electorate
    >>> from caveat.stats.voters.synthetic import synthetic_arena
    >>> arena = synthetic_arena(40, seed=1)
    >>> age, *_ = disclosure(electorate(arena.votes, arena.voters))
    >>> [(level.level, level.n_voters) for level in age.levels]
    [('18-29', 18), ('other (3 levels)', 22)]
    """
    _validate.at_least("threshold", threshold, 1)
    return tuple(_table(voters, one, threshold) for one in voters.attributes)


def _table(voters: Electorate, attribute: Attribute, threshold: int) -> Disclosure:
    k, cast = len(attribute.levels), voters.cast
    # Code k for those who declare nothing.
    code = np.where(attribute.code < 0, k, attribute.code)
    sizes = np.bincount(code, minlength=k + 1)
    undeclared = int(sizes[k])
    merged = merged_with_others(sizes, threshold)
    hidden = merged is None or bool(merged[k])
    silent = float(voters.n_anonymous) + (0.0 if hidden else float(cast[code == k].sum()))
    made = Disclosure(
        attribute=attribute.name,
        levels=(),
        n_levels=k,
        undeclared=_NAN if hidden else undeclared / voters.n_voters,
        undeclared_votes=silent / (float(cast.sum()) + voters.n_anonymous),
    )
    if merged is None:
        reason = f"fewer than {threshold:,} voters: nothing is told of them"
        return replace(made, reason=reason)
    shown = [place for place in range(k) if sizes[place] and not merged[place]]
    shown.sort(key=lambda place: (-sizes[place], attribute.levels[place]))
    lines = [_level(attribute.levels[i], "level", voters, code == i) for i in shown]
    if merged.any():
        lines.append(_level(_other(merged), "other", voters, merged[code]))
    if undeclared and not hidden:
        lines.append(_level("not declared", "undeclared", voters, code == k))
    return replace(made, levels=tuple(lines))


def _other(merged: npt.NDArray[np.bool_]) -> str:
    n = int(merged[:-1].sum())
    levels = f"{n} level{'' if n == 1 else 's'}" if n else ""
    return f"other ({' and '.join(filter(None, [levels, 'not declared' if merged[-1] else '']))})"


def _level(name: str, kind: str, voters: Electorate, where: npt.NDArray[np.bool_]) -> Level:
    cast = voters.cast[where]
    return Level(
        level=name,
        kind=kind,
        n_voters=int(cast.size),
        n_votes=round(float(cast.sum())),
        share=cast.size / voters.n_voters,
        votes_share=float(cast.sum() / voters.cast.sum()),
        mean=float(cast.mean()),
        median=float(np.median(cast)),
        gini=gini(cast),
    )
