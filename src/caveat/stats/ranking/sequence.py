"""Votes one by one, in the order they were cast."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.times import read_times
from caveat.errors import InputError, TooFewError
from caveat.kernels.counts import VoteCells
from caveat.results.ranking import Ranking
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.rated_votes import has_values, votes_between

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]

MOST_PLAYED = 200_000_000
"""Votes that are put in an order at most: about 2 GB of memory."""


BY_ROWS, SORTED = "rows", "time (rows were sorted)"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VoteSequence:
    """Votes in order.

    Attributes
    ----------
    a, b, outcome : int32 array, shape (n,)
    count : float array, shape (n,), or None
        Votes a row stands for; None where each is one.
    at : float array, shape (n,), or None
        Seconds since 1970, ascending; None where no vote has a time.
    untimed : int
        Votes left out because others have a time and they have none.
    moved : bool
        Whether rows had to be sorted by time.
    """

    a: Codes
    b: Codes
    outcome: Codes
    count: Floats | None
    at: Floats | None
    untimed: int
    moved: bool

    @property
    def order(self) -> str:
        """What the order is that of, in words."""
        if self.at is None:
            return BY_ROWS
        return SORTED if self.moved else "time"

    def one_by_one(self, system: str) -> "VoteSequence":
        """Return itself where each row is one vote.

        Raises
        ------
        InputError
            If rows stand for several votes, whose order nobody knows.
        """
        if self.count is not None and (self.count > 1).any():
            raise InputError(
                f"{system} must have the votes one by one, got counts of votes, which have no "
                "order: use elo-shuffled, or a method that does not depend on order"
            )
        return self


def check_playable(cells: VoteCells, what: str) -> None:
    """Refuse counts that stand for more votes than can be played one by one.

    Raises
    ------
    InputError
    """
    if cells.n_votes > MOST_PLAYED:
        raise InputError(
            f"{what} must have {MOST_PLAYED:,} votes at most to play one by one, got "
            f"{cells.n_votes:,.0f}"
        )


def random_sequence(cells: VoteCells, rng: np.random.Generator) -> VoteSequence:
    """Put the votes of cells in a random order."""
    check_playable(cells, "a random order")
    cell = rng.permutation(np.repeat(np.arange(cells.a.size), np.rint(cells.count).astype(int)))
    return VoteSequence(
        a=cells.a[cell].astype(np.int32),
        b=cells.b[cell].astype(np.int32),
        outcome=cells.outcome[cell].astype(np.int32),
        count=None,
        at=None,
        untimed=0,
        moved=False,
    )


def sequence_of(votes: CountedVotes, names: tuple[str, ...]) -> VoteSequence:
    """Put the votes between some models in order: by time where they have one, else as they stand.

    Votes of one time stay in the order of their rows.

    Parameters
    ----------
    votes : CountedVotes
        With its source.
    names : tuple of str
        Models to keep; codes are places in it.

    Raises
    ------
    InputError
        If only counts are left of the votes, the votes carry weights, or a time cannot be read.
    """
    if votes.source is None:
        raise InputError("votes must be given one by one for a method that depends on order")
    if votes.weighted:
        raise InputError("votes must not be weighted for a method that depends on their order")
    table = votes.source.table
    kept = votes_between(table, names, theta=np.zeros(len(names)))
    a, b, outcome, count = kept.a, kept.b, kept.outcome, kept.count
    at, untimed, moved = None, 0, False
    if has_values(table, "at"):
        seconds = read_times(table["at"]).seconds[kept.rows]
        timed = np.flatnonzero(~np.isnan(seconds))
        left_out = np.isnan(seconds)
        untimed = round(float(left_out.sum() if count is None else count[left_out].sum()))
        if not timed.size:
            raise TooFewError("votes with a time", got=0, need=1)
        moved = bool((np.diff(seconds[timed]) < 0).any())
        order = timed[np.argsort(seconds[timed], kind="stable")] if moved else timed
        at, a, b, outcome = seconds[order], a[order], b[order], outcome[order]
        count = None if count is None else count[order]
    return VoteSequence(
        a=a.astype(np.int32),
        b=b.astype(np.int32),
        outcome=outcome.astype(np.int32),
        count=count,
        at=at,
        untimed=untimed,
        moved=moved,
    )


def order_notices(board: Ranking) -> tuple[str, ...]:
    """Say in what order the votes of an order-dependent board were taken; nothing of others."""
    if not board.order_dependent:
        return ()
    said = []
    if board.settings["order"] == BY_ROWS:
        said.append(f"no vote has a time: {board.method} took the votes in the order of their rows")
    if board.settings["order"] == SORTED:
        said.append(f"rows were not in the order of their times: {board.method} took them sorted")
    if untimed := board.settings["votes_without_time"]:
        votes = "vote" if untimed == 1 else "votes"
        said.append(f"{board.method} left out {untimed:,} {votes} without a time")
    return tuple(said)
