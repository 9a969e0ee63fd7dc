"""Voters beside a population, level by level, without telling of too few."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from caveat.data.margins import Margins, collapsed
from caveat.kernels.merging import merged_with_others
from caveat.results.stress.voters import Target
from caveat.stats.voters.electorate import Electorate

Floats = npt.NDArray[np.float64]


def targets(
    voters: Electorate, margins: Sequence[Margins], weight: Floats | None, *, threshold: int
) -> tuple[Target, ...]:
    """Return shares of voters, votes and population by each level of each attribute.

    Parameters
    ----------
    voters : Electorate
    margins : sequence of Margins
        Of attributes that voters declare.
    weight : float array, shape (g,), or None
        Of each voter; None without weights.
    threshold : int
        Levels of fewer voters are merged, as in the disclosure table. A level without any is shown.

    Returns
    -------
    tuple of Target
        Empty for an attribute that fewer voters than the threshold declare.
    """
    found: list[Target] = []
    seen: set[str] = set()
    for one in margins:
        for attribute in one.attributes:
            if attribute not in seen:
                seen.add(attribute)
                found += _of(voters, collapsed(one, (attribute,)), weight, threshold)
    return tuple(found)


def _of(
    voters: Electorate, margins: Margins, weight: Floats | None, threshold: int
) -> list[Target]:
    (attribute,) = margins.attributes
    declared = voters.attribute(attribute)
    assert declared is not None  # noqa: S101 - the margins are of declared attributes
    named = [cell[0] for cell in margins.levels]
    others = [level for level in declared.levels if level not in named]
    levels = [*named, *others]
    asked = np.append(margins.shares / margins.shares.sum(), np.zeros(len(others)))
    place = np.array([levels.index(level) for level in declared.levels], dtype=np.int64)
    told = declared.code >= 0
    code = place[declared.code[told]]
    k = len(levels)

    def shares(values: Floats) -> Floats:
        total = np.bincount(code, weights=values[told], minlength=k)
        return np.asarray(total / total.sum(), dtype=np.float64)

    sizes = np.bincount(code, minlength=k)
    merged = merged_with_others(sizes, threshold)
    if merged is None:
        return []
    columns = [
        shares(np.ones(told.size)),
        shares(voters.cast),
        asked,
        np.full(k, np.nan) if weight is None else shares(weight),
    ]
    shown = [i for i in range(k) if not merged[i] and (sizes[i] or asked[i])]
    lines = [_target(attribute, levels[i], [column[[i]] for column in columns]) for i in shown]
    if merged.any():
        name = f"other ({int(merged.sum())} levels)" if merged.sum() > 1 else "other (1 level)"
        lines.append(_target(attribute, name, [column[merged] for column in columns]))
    return lines


def _target(attribute: str, level: str, columns: list[Floats]) -> Target:
    voters, votes, population, weighted = (float(column.sum()) for column in columns)
    return Target(
        attribute=attribute,
        level=level,
        voters=voters,
        votes=votes,
        population=population,
        weighted=weighted,
    )
