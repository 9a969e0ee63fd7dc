"""The fewest made-up votes after which a contrast of ratings changes its sign.

Each further vote of a kind is worth less than the one before, so the best mix may hold several
kinds, whose next votes are worth the same. It is filled in parts, each into the kind that is worth
most on the board so far, and then evened out.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.paired import Units
from caveat.kernels.pull import pull_of
from caveat.kernels.removal_path import STRICT, State
from caveat.kernels.ties import TieModel
from caveat.kernels.vote_kinds import Pull, VoteKinds, moves
from caveat.kernels.warm_refit import Refit, refit

Floats = npt.NDArray[np.float64]

_PARTS = 12
_CANDIDATES = 60
_ALL_PAIRS = 200
"""Models up to which votes between any two are thought of; beyond, one of the two in question takes
part."""
_MAX_STEPS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Additions:
    """Made-up votes that turn the order round, and that one fewer of which do not.

    Attributes
    ----------
    number : int
        Votes.
    kinds : VoteKinds
        Kinds that were tried.
    added : float array, shape (k,)
        Votes of each.
    state : State
        The board with them.
    one_step : int
        What the best kind would need if each vote of it were worth what the first is.
    """

    number: int
    kinds: VoteKinds
    added: Floats
    state: State
    one_step: int


def fewest_additions(
    start: State, contrast: Floats, *, ties: TieModel, position: bool, only: "Wins | None" = None
) -> Additions | None:
    """Search for the fewest votes between models of the board that turn an order round.

    Parameters
    ----------
    start : State
        The connected board; its gap is not negative.
    contrast : float array, shape (p,)
        1 at the model above, -1 at the one below.
    ties : str
    position : bool
        Whether being shown first has a coefficient.
    only : Wins, optional
        Use no other votes than these.

    Returns
    -------
    Additions or None
        None where no votes of these kinds do. The number is an upper bound.
    """
    possible, worth = _possible(start, contrast, ties=ties, position=position, only=only)
    best = np.argsort(-worth, kind="stable")[:_CANDIDATES]
    best = best[worth[best] > 0]
    if not best.size:
        return None
    one_step = _offer(start, worth[best[0]])
    part = max(1, one_step // _PARTS) if best.size > 1 else one_step
    adding = _Adding(start.units, _some(possible, best), contrast, ties)
    filled = _filled(adding, start, part=part)
    if filled is None:
        return None
    added, state = _trimmed(adding, *_evened(adding, *filled, part=part))
    return Additions(int(added.sum()), adding.kinds, added, state, one_step)


def first_offer(start: State, contrast: Floats, *, ties: TieModel, position: bool) -> float:
    """Votes needed if each were worth what the first of the best kind is; inf if none is."""
    _, worth = _possible(start, contrast, ties=ties, position=position, only=None)
    most = float(worth.max(initial=0.0))
    return _offer(start, most) if most > 0 else math.inf


def _offer(start: State, worth: float) -> int:
    return max(1, math.ceil((start.gap + STRICT) / worth))


def _possible(
    start: State, contrast: Floats, *, ties: TieModel, position: bool, only: "Wins | None"
) -> tuple[VoteKinds, Floats]:
    """Kinds of votes that may be made up, and what the first of each takes off the gap."""
    m = start.units.n_models
    ends = np.flatnonzero(contrast[:m]) if m > _ALL_PAIRS else np.arange(m)
    possible = _every_kind(m, ends, position=position)
    if only is not None:
        possible = _some(possible, _of(possible, only))
    return possible, -moves(
        possible, pull_of(start.units, start.refit, contrast, ties=ties), votes=1.0
    )


@dataclass(frozen=True, slots=True)
class Wins:
    """Votes for one model over another."""

    winner: int
    loser: int


def _every_kind(m: int, ends: npt.NDArray[np.intp], *, position: bool) -> VoteKinds:
    """All results of all pairs with one of `ends`, each with a weight of 1 and no votes."""
    wanted = np.zeros((m, m), dtype=bool)
    wanted[ends] = wanted[:, ends] = True
    np.fill_diagonal(wanted, val=False)
    a, b = np.nonzero(wanted if position else np.triu(wanted))
    none = np.zeros(a.size)
    pairs = Units(m, a, b, none, none, none, np.ones((a.size, 1 if position else 0)))
    pair, result = np.divmod(np.arange(3 * a.size), 3)
    return VoteKinds(pairs, pair, result, np.ones(pair.size), np.zeros(pair.size))


def _of(kinds: VoteKinds, wins: Wins) -> npt.NDArray[np.intp]:
    a, b = kinds.pairs.a[kinds.pair], kinds.pairs.b[kinds.pair]
    first = (a == wins.winner) & (b == wins.loser) & (kinds.result == 0)
    second = (b == wins.winner) & (a == wins.loser) & (kinds.result == 1)
    return np.flatnonzero(first | second)


def _some(kinds: VoteKinds, chosen: npt.NDArray[np.intp]) -> VoteKinds:
    """Return some kinds, and the pairs they need."""
    used, pair = np.unique(kinds.pair[chosen], return_inverse=True)
    u = kinds.pairs
    sums = (u.wins[used], u.losses[used], u.ties[used])
    pairs = Units(u.n_models, u.a[used], u.b[used], *sums, u.covariates[used])
    return VoteKinds(pairs, pair, kinds.result[chosen], kinds.weight[chosen], kinds.count[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class _Adding:
    """A board, and kinds of votes that may be added to it."""

    board: Units
    kinds: VoteKinds
    contrast: Floats
    ties: TieModel

    def state(self, added: Floats, near: Refit) -> State:
        more, u = self.kinds.with_counts(added), self.board
        units = Units(
            u.n_models,
            np.concatenate([u.a, more.a]),
            np.concatenate([u.b, more.b]),
            np.concatenate([u.wins, more.wins]),
            np.concatenate([u.losses, more.losses]),
            np.concatenate([u.ties, more.ties]),
            np.concatenate([u.covariates, more.covariates]),
        )
        fitted = refit(units, ties=self.ties, start=near)
        return State(float(self.contrast @ fitted.parameters), units, fitted)

    def at(self, state: State) -> "_At":
        return _At(self.kinds, pull_of(state.units, state.refit, self.contrast, ties=self.ties))


@dataclass(frozen=True, slots=True, eq=False)
class _At:
    """What votes are worth on one board."""

    kinds: VoteKinds
    pull: Pull

    @property
    def next(self) -> Floats:
        """What one more vote of each kind would take off the gap."""
        return -moves(self.kinds, self.pull, votes=1.0)

    def last(self, added: Floats) -> Floats:
        """Return what one vote of each kind that was added takes off; inf where none was."""
        return np.where(added > 0, moves(self.kinds, self.pull, votes=-1.0), np.inf)

    @property
    def refit(self) -> Refit:
        """Where to start from."""
        return Refit(self.pull.parameters, self.pull.inverse, converged=True)


def _filled(adding: _Adding, start: State, *, part: int) -> tuple[Floats, State] | None:
    added, state = np.zeros(adding.kinds.pair.size), start
    for _ in range(_MAX_STEPS):
        at = adding.at(state)
        worth = at.next
        best = int(np.argmax(worth))
        if not worth[best] > 0:
            return None
        added[best] += min(part, _offer(state, worth[best]))
        state = adding.state(added, at.refit)
        if state.flipped:
            return added, state
    return None


def _evened(adding: _Adding, added: Floats, state: State, *, part: int) -> tuple[Floats, State]:
    """Exchange votes of the least worthy kind for those of the most worthy while that helps."""
    for _ in range(_MAX_STEPS):
        at = adding.at(state)
        least, most = int(np.argmin(at.last(added))), int(np.argmax(at.next))
        if least == most:
            break
        moved = added.copy()
        moved[least] -= min(part, added[least])
        moved[most] += min(part, added[least])
        there = adding.state(moved, at.refit)
        if there.gap < state.gap:
            added, state = moved, there
        elif part > 1:
            part //= 2
        else:
            break
    return added, state


def _trimmed(adding: _Adding, added: Floats, state: State) -> tuple[Floats, State]:
    """Take back what is too much, always of the kind whose last vote is worth least."""
    back = np.inf
    while back >= 1.0 and added.sum() > 1.0:
        at = adding.at(state)
        last = at.last(added)
        least = int(np.argmin(last))
        spare = np.floor(-state.gap / last[least]) if last[least] > 0 else added[least]
        back = min(max(spare, 1.0), added[least], added.sum() - 1.0, back)
        fewer = added.copy()
        fewer[least] -= back
        there = adding.state(fewer, at.refit)
        if there.flipped:
            added, state = fewer, there
        else:
            back = back // 2.0
    return added, state
