"""Do some voters' votes look rigged?"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat._blas import single_threaded
from caveat._rng import as_generator
from caveat.data.column_arrays import codes
from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.kernels.counts import win_matrix
from caveat.kernels.lifting import Lifts, lifts
from caveat.results.stress.rigging import LISTED, FlaggedVoter, FoundBy, Rigging
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rate import Errors
from caveat.stats.robustness.rigging_bursts import Bursts, bursts
from caveat.stats.robustness.rigging_effect import without_rows
from caveat.stats.robustness.rigging_followed import Followed, followed
from caveat.stats.robustness.rigging_history import History, history
from caveat.stats.robustness.rigging_loyalty import Loyalty, loyalty
from caveat.stats.robustness.rigging_reach import reach
from caveat.stats.robustness.voter_votes import VoterVotes, cells_of, voter_votes

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

VOTERS_OF_A_KIND = 10
"""Voters to a name of the column `judge` from which the names are kinds."""
_PLOTTED = 200
_LN10 = float(np.log(10.0))


def rigging(
    evidence: Evidence,
    board: FittedBoard,
    *,
    fdr: float = 0.05,
    min_votes: int = 5,
    window: float = 600.0,
    within: tuple[str, ...] | None = None,
    level: float = 0.95,
    seed: int | np.random.Generator = 0,
) -> Rigging:
    """Test every voter against the others, and refit the board without those that stand out.

    Use it on votes that name their voters. An honest voter of any taste that others share is
    flagged at most as often as `fdr` says; a voter with a taste of its own, such as a fan of one
    model, cannot be told from one who rigs.

    Parameters
    ----------
    evidence : Evidence
        The votes that `board` was fitted to, with a column `voter`.
    board : FittedBoard
    fdr : float
        False discovery rate of each of three tests, in (0, 1).
    min_votes : int
        Decisive votes on pairs on which others disagree that a voter needs to be tested.
    window : float
        Seconds within which a vote counts as following another, where votes have times.
    within : tuple of str, optional
        Columns (`task`, `language`, ...) inside whose values pairs are compared: for voters who
        differ in what they ask. Where absent, `judge` if it names kinds of voters (ten voters or
        more to a name), so that people are compared with people; else none.
    level : float
        Coverage of the intervals of the board without the flagged voters.
    seed : int or Generator
        For the simulated voters of `reach`, and the critical values of that board.

    Returns
    -------
    Rigging

    Raises
    ------
    TooFewError
        If fewer than two voters are named.
    InputError
        If an option is out of range, or nobody is rated.

    References
    ----------
    E-values: Vovk and Wang (2021), https://doi.org/10.1214/20-AOS2020; e-BH: Wang and Ramdas
    (2022), https://doi.org/10.1111/rssb.12489; attacks: Min et al. (2025),
    https://arxiv.org/abs/2501.17858.

    Examples
    --------
    >>> import caveat
    >>> from caveat.stats.ranking.counting import count_votes
    >>> from caveat.stats.ranking.fitted import fit_board
    >>> crowd = [("x", "y", "a" if i % 5 else "b", f"v{i // 20}") for i in range(800)]
    >>> rows = [*crowd, *[("x", "y", "b", "w")] * 30]
    >>> names = ("model_a", "model_b", "winner", "voter")
    >>> votes = caveat.read_votes({name: [row[k] for row in rows] for k, name in enumerate(names)})
    >>> found = rigging(votes, fit_board(count_votes(votes)))
    >>> [(one.voter, one.pattern, one.model) for one in found.flagged]
    [('w', 'for', 'y')]
    """
    _validate.probability("fdr", fdr)
    _validate.probability("level", level)
    _validate.at_least("min_votes", min_votes, 2)
    if not window > 0:
        raise InputError(f"window must be above 0 seconds, got {window!r}")
    if len(board.names) < 2:
        raise InputError("board must rate at least two models, got fewer")
    for_reach, for_board = as_generator(seed).spawn(2)
    errors = Errors(level=level, seed=for_board)
    within = _kinds(evidence) if within is None else within
    votes = voter_votes(evidence, within=within)
    paired = cells_of(votes)
    push = _lifts(board, votes)
    old = history(paired, push, fdr=fdr, min_votes=min_votes)
    true = loyalty(votes, paired, old.flagged, fdr=fdr, min_votes=min_votes)
    rows = bursts(votes, evidence, fdr=fdr, window=window)
    found = _Found(old, true, rows)
    flagged = found.anyhow
    cast = votes.cast()
    out = votes.rows[(votes.voter >= 0) & flagged[votes.voter]]
    tested = int(old.tested.sum())
    alone = float(np.log((tested + 1) / fdr))
    return Rigging(
        n_votes=votes.n_votes,
        n_unnamed=round(float(votes.count[votes.voter < 0].sum())),
        n_voters=len(votes.voters),
        n_tested=tested,
        n_untestable=len(votes.voters) - tested,
        fdr=fdr,
        log10_threshold=old.log_threshold / _LN10,
        flagged=_flagged(votes, found, followed(paired, push, old.bets), cast),
        n_flagged=int(flagged.sum()),
        n_flagged_votes=round(float(cast[flagged].sum())),
        n_cleared=old.n_cleared,
        loyal=true.listed,
        n_loyal=true.n_loyal,
        correlation=true.correlation,
        bursts=rows.listed,
        n_bursts=int(rows.flagged.sum()),
        order=rows.order,
        order_reason=rows.reason,
        without=without_rows(board, out, errors=errors) if out.size else None,
        reach=reach(votes, board, log_threshold=alone, rng=for_reach) if tested else (),
        top_log10_e=tuple((np.sort(old.log_e[old.tested])[::-1][:_PLOTTED] / _LN10).tolist()),
        min_votes=min_votes,
        within=within,
        window=window,
        seed=seed if isinstance(seed, int) else None,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What each test found."""

    history: History
    loyalty: Loyalty
    bursts: Bursts

    @property
    def anyhow(self) -> Mask:
        return self.history.flagged | self.loyalty.flagged | self.bursts.flagged

    def by(self, voter: int) -> tuple[FoundBy, ...]:
        tests: tuple[tuple[FoundBy, Mask], ...] = (
            ("history", self.history.flagged),
            ("loyalty", self.loyalty.flagged),
            ("bursts", self.bursts.flagged),
        )
        return tuple(name for name, flagged in tests if flagged[voter])


def _kinds(evidence: Evidence) -> tuple[str, ...]:
    """Column `judge`, where it names kinds of voters and not voters."""
    table = evidence.table
    if not {"judge", "voter"} <= set(table.column_names):
        return ()
    named = [len(codes(table, column)[1]) for column in ("judge", "voter")]
    return ("judge",) if 1 < named[0] <= named[1] / VOTERS_OF_A_KIND else ()


def _lifts(board: FittedBoard, votes: VoterVotes) -> Lifts:
    """Find which vote lifts which model, in the codes of the votes."""
    place = np.array([votes.models.index(name) for name in board.names])
    m = len(votes.models)
    theta, met = np.full(m, np.nan), np.zeros((m, m))
    theta[place] = board.fit.theta
    wins = win_matrix(board.cells, board.cells.count)
    met[np.ix_(place, place)] = wins + wins.T
    with single_threaded():
        return lifts(met, theta)


def _flagged(
    votes: VoterVotes, found: _Found, said: Followed, cast: Floats
) -> tuple[FlaggedVoter, ...]:
    log_e = found.history.log_e
    order = sorted(np.flatnonzero(found.anyhow), key=lambda v: (-log_e[v], votes.voters[v]))
    return tuple(_one(votes, found, said, cast, int(who)) for who in order[:LISTED])


def _one(votes: VoterVotes, found: _Found, said: Followed, cast: Floats, who: int) -> FlaggedVoter:
    by = found.by(who)
    known = "history" in by
    about = float(said.about[who]) if known else 0.0
    return FlaggedVoter(
        voter=votes.voters[who],
        n_votes=round(float(cast[who])),
        n_compared=round(float(found.history.bets.votes[who])),
        log10_e=float(found.history.log_e[who] / _LN10),
        pattern=said.pattern(who) if known else None,
        model=said.model(who, votes.models) if known else None,
        n_about=round(about),
        n_following=round(float(said.following[who])) if known else 0,
        share=float(said.following[who] / about) if about else float("nan"),
        expected=float(said.expected[who] / about) if about else float("nan"),
        found_by=by,
    )
