"""Boards by groups of voters, and whether the groups rank alike."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.special import expit

from caveat._blas import single_threaded
from caveat._rng import as_generator
from caveat.errors import InputError
from caveat.kernels.heterogeneity import Decisive, ScoreTest, score_test
from caveat.kernels.kendall import kendall_tau
from caveat.kernels.merging import merged_with_others
from caveat.kernels.multiplicity import holm
from caveat.results.stress.voters import Apart, GroupBoard, GroupTest
from caveat.stats.ranking.fitted import FittedBoard, fit_board
from caveat.stats.ranking.scale import POINTS
from caveat.stats.voters.board import VoterBoard, board_of, most_votes, ranked
from caveat.stats.voters.electorate import Attribute, Electorate
from caveat.stats.voters.manner import PLAIN, Manner

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


def groups(voters: Electorate, *, manner: Manner = PLAIN) -> tuple[GroupTest, ...]:
    """Rate the models by each group of voters, and test whether the groups rank alike.

    The test uses decisive votes only: a group that calls more ties has no other opinion for it. It
    asks whether ratings of their own for each group fit better than common ones by more than voters
    of like mind would make them, whose votes go together. p values are adjusted over attributes.

    Parameters
    ----------
    voters : Electorate
    manner : Manner
        All but `trim`. Groups of fewer voters than the threshold, or that would give away the size
        of one, are left out.

    Returns
    -------
    tuple of GroupTest
        One for each attribute.

    References
    ----------
    Kline and Santos (2012), https://doi.org/10.1515/2156-6674.1006; MacKinnon, Nielsen and Webb
    (2023), https://doi.org/10.1002/jae.2969; Holm (1979), https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> from caveat.stats.voters.electorate import electorate
    >>> from caveat.stats.voters.synthetic import synthetic_arena
    >>> arena = synthetic_arena(600, by_age=0.8, seed=1)
    >>> found = groups(electorate(arena.votes, arena.voters), manner=Manner(replicates=199))
    >>> [(test.attribute, test.p_adjusted < 0.05) for test in found]
    [('age', True), ('sex', False), ('region', False)]
    """
    # Each test and board has the same stream, whatever else is asked for.
    fixed = replace(
        manner,
        anchor=manner.anchor or most_votes(voters),
        seed=int(as_generator(manner.seed).integers(2**62)),
    )
    found = [_attribute(voters, one, fixed) for one in voters.attributes]
    adjusted = holm(np.array([test.p for test in found]))
    return tuple(
        replace(test, p_adjusted=float(p)) for test, p in zip(found, adjusted, strict=True)
    )


def _attribute(voters: Electorate, attribute: Attribute, manner: Manner) -> GroupTest:
    k = len(attribute.levels)
    # Those who declare nothing are a level when it is decided whom to merge, and no group after.
    code = np.where(attribute.code < 0, k, attribute.code)
    sizes = np.bincount(code, minlength=k + 1)
    merged = merged_with_others(sizes, manner.threshold)
    shown = [] if merged is None else [i for i in range(k) if sizes[i] and not merged[i]]
    shown.sort(key=lambda i: (-sizes[i], attribute.levels[i]))
    if len(shown) < 2:
        reason = f"fewer than two groups of at least {manner.threshold:,} voters"
        return GroupTest(attribute=attribute.name, groups=(), reason=reason)
    place = np.full(k + 1, -1, dtype=np.int64)
    place[shown] = np.arange(len(shown))
    group = place[code]
    together = _Own.of(voters, group >= 0, manner)
    own = [_Own.of(voters, group == g, manner) for g in range(len(shown))]
    boards = tuple(
        _board(attribute.levels[level], voters, group == g, own[g], together, manner)
        for g, level in enumerate(shown)
    )
    made = GroupTest(attribute=attribute.name, groups=boards, apart=_apart(boards, own))
    return _tested(made, voters, group, manner)


@dataclass(frozen=True, slots=True, eq=False)
class _Own:
    """A board of some voters, or why there is none."""

    board: VoterBoard | None
    why: str = ""

    @staticmethod
    def of(voters: Electorate, where: npt.NDArray[np.bool_], manner: Manner) -> "_Own":
        """Fit the board of the voters chosen, every vote counting once."""
        try:
            return _Own(board_of(voters, where.astype(np.float64), method=manner.method))
        except InputError as error:
            return _Own(None, str(error))


def _board(
    level: str,
    voters: Electorate,
    where: npt.NDArray[np.bool_],
    own: _Own,
    together: _Own,
    manner: Manner,
) -> GroupBoard:
    made = GroupBoard(
        level=level,
        n_voters=int(where.sum()),
        n_votes=round(float(voters.cast[where].sum())),
        reason=own.why,
    )
    if own.board is None or together.board is None:
        return made
    board = ranked(own.board, anchor=manner.anchor or "", level=manner.level, seed=manner.seed)
    return replace(
        made,
        models=board.models,
        lead=board.lead,
        first=tuple(model.model for model in board.models if model.tier == 1),
        tau=_tau(own.board.fitted, together.board.fitted),
    )


def _tau(one: FittedBoard, other: FittedBoard) -> float:
    theta = [dict(zip(b.names, b.fit.theta.tolist(), strict=True)) for b in (one, other)]
    both = [name for name in one.names if name in theta[1]]
    return kendall_tau(*(np.array([t[name] for name in both]) for t in theta))


def _apart(boards: Sequence[GroupBoard], own: Sequence[_Own]) -> Apart | None:
    """Find the model on which two groups differ most surely."""
    found: list[Apart] = []
    for i, one in enumerate(own):
        for j in range(i + 1, len(own)):
            if one.board is not None and (other := own[j].board) is not None:
                found += _between(one.board, other, boards[i].level, boards[j].level)
    return max(found, key=lambda apart: abs(apart.z), default=None)


def _between(one: VoterBoard, other: VoterBoard, first: str, second: str) -> list[Apart]:
    names = [name for name in one.fitted.names if name in other.fitted.names]
    if len(names) < 2:
        return []
    theta, variance = np.zeros(len(names)), np.zeros(len(names))
    for board, sign in ((one, 1.0), (other, -1.0)):
        place = [board.fitted.names.index(name) for name in names]
        centre = np.eye(len(names)) - 1.0 / len(names)
        theta += sign * (centre @ board.fitted.fit.theta[place])
        variance += np.diag(centre @ board.covariance()[np.ix_(place, place)] @ centre)
    z = theta / np.sqrt(np.where(variance > 0, variance, np.nan))
    if not np.isfinite(z).any():
        return []
    most = int(np.nanargmax(np.abs(z)))
    flip = theta[most] < 0
    return [
        Apart(
            model=names[most],
            above=second if flip else first,
            below=first if flip else second,
            points=float(POINTS * abs(theta[most])),
            se=float(POINTS * np.sqrt(variance[most])),
            z=float(abs(z[most])),
        )
    ]


def _tested(made: GroupTest, voters: Electorate, group: Codes, manner: Manner) -> GroupTest:
    """Add the test of common ratings to the boards of the groups."""
    cells, tested = voters.votes.cells, np.flatnonzero(group >= 0)
    decisive = np.where(cells.outcome < 2, voters.ballots.count[tested].sum(axis=0), 0.0)
    used = decisive > 0
    pooled = replace(
        cells,
        a=cells.a[used],
        b=cells.b[used],
        outcome=cells.outcome[used],
        count=decisive[used],
        weight=decisive[used],
        weight2=decisive[used],
    )
    reason = "no two models beat each other in the decisive votes of these groups"
    if not used.any():
        return replace(made, reason=reason)
    fitted = fit_board(
        replace(voters.votes, cells=pooled, weighted=False, source=None), method="bradley-terry"
    )
    if len(fitted.names) < 2:
        return replace(made, reason=reason)
    votes = _decisive(voters, tested, fitted)
    present = np.asarray((votes.wins + votes.losses).sum(axis=1)) > 0
    number = np.unique(group[tested][present], return_inverse=True)[1]
    if number.max(initial=0) < 1:
        return replace(made, reason="only one of the groups cast decisive votes between them")
    votes = replace(votes, wins=votes.wins[present], losses=votes.losses[present])
    with single_threaded():
        test = score_test(
            votes, number, replicates=manner.replicates, rng=as_generator(manner.seed)
        )
    return _with(made, test, round(float(fitted.cells.count.sum())))


def _with(made: GroupTest, test: ScoreTest, n_votes: int) -> GroupTest:
    if test.degrees < 1:
        return replace(made, reason="the groups share no comparison on which they could differ")
    return replace(
        made,
        n_votes=n_votes,
        statistic=test.statistic,
        expected=test.expected,
        degrees=test.degrees,
        p=test.p,
        replicates=test.replicates,
    )


def _decisive(voters: Electorate, tested: Codes, fitted: FittedBoard) -> Decisive:
    """Gather the decisive votes of some voters between rated models by unordered pair."""
    cells, m = voters.votes.cells, len(fitted.names)
    place = np.full(cells.n_models, -1, dtype=np.int64)
    place[fitted.members] = np.arange(m)
    a, b = place[cells.a], place[cells.b]
    columns = np.flatnonzero((a >= 0) & (b >= 0) & (cells.outcome < 2))
    a, b, won = a[columns], b[columns], cells.outcome[columns] == 0
    first, second = np.minimum(a, b), np.maximum(a, b)
    for_first = won == (a == first)
    pairs, pair = np.unique(first * m + second, return_inverse=True)
    count = voters.ballots.count[tested][:, columns]

    def by_pair(chosen: npt.NDArray[np.bool_]) -> csr_array:
        rows = np.flatnonzero(chosen)
        shape = (columns.size, pairs.size)
        spread = csr_array((np.ones(rows.size), (rows, pair[rows])), shape=shape)
        return csr_array(count @ spread)

    low, high = pairs // m, pairs % m
    theta = fitted.fit.theta
    return Decisive(
        a=low,
        b=high,
        slope=expit(theta[high] - theta[low]),
        wins=by_pair(for_first),
        losses=by_pair(~for_first),
        n_models=m,
    )
