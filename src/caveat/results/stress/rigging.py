"""Whose votes look rigged, and what the board is without them."""

from dataclasses import dataclass
from typing import Any, Literal

from caveat.results._plain import to_plain
from caveat.results.board_change import BoardChange, ChangedModel

Pattern = Literal["for", "against", "lifting", "contrary", "guessing"]
FoundBy = Literal["history", "loyalty", "bursts"]
Order = Literal["time", "rows", "none"]

LISTED = 50
"""Voters listed at most by each test; the counts beside the lists are of all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedVoter:
    """One voter whose votes do not fit those of the others on the same pairs.

    Attributes
    ----------
    voter : str
        As the source names it.
    n_votes, n_compared : int
        Votes cast; and those that are decisive, on pairs on which others disagree.
    log10_e : float
        Decimal logarithm of the e-value: with 6, an honest voter gets that far once in a million.
    pattern : str or None
        What fits best: `for` or `against` one model, `lifting` one model with votes between any
        models, `contrary` (with the minority), `guessing`; None where only another test found
        the voter.
    model : str or None
        The model it is about; None for `contrary` and `guessing`.
    n_about, n_following : int
        Compared votes that the pattern speaks of (all, or those on the model), and those that
        follow it; for `contrary` and `guessing`, votes with the majority.
    share, expected : float
        `n_following / n_about`, and what it would be had the voter voted as the others did on the
        same pairs; nan without such votes.
    found_by : tuple of str
        Tests that flagged the voter.
    """

    voter: str
    n_votes: int
    n_compared: int
    log10_e: float
    pattern: Pattern | None
    model: str | None
    n_about: int
    n_following: int
    share: float
    expected: float
    found_by: tuple[FoundBy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoyalVoter:
    """A voter who backs one model nearly always.

    Attributes
    ----------
    voter, model : str
    n_votes, n_backed : int
        Compared votes on the model, and those for it.
    share, expected : float
        Share of these, and the model's win rate over the same opponents among the others.
    p : float
        Chance of a share that large if voters differ as much as they do here.
    """

    voter: str
    model: str
    n_votes: int
    n_backed: int
    share: float
    expected: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Burst:
    """The longest run of equal votes of a voter who repeats votes too often.

    Attributes
    ----------
    voter : str
    model_a, model_b, outcome : str
        The pair in the order of names; `a`, `b` or `tie`.
    n_votes : int
        Consecutive votes.
    seconds : float
        From the first of them to the last; nan where votes have no time.
    usual : float
        Share of all voters' votes on this pair with this outcome that the same vote followed.
    log10_e : float
        Decimal logarithm of the e-value of all the voter's repeats.
    """

    voter: str
    model_a: str
    model_b: str
    outcome: str
    n_votes: int
    seconds: float
    usual: float
    log10_e: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutFlagged:
    """The board without the votes of all flagged voters.

    Attributes
    ----------
    n_votes : int
        Votes left.
    change : BoardChange or None
        The board with and without them; None where nothing can be rated without them.
    unrated : tuple of str
        Models that lose their rating.
    reason : str
        Why there is no such board; empty where there is.
    """

    n_votes: int
    change: BoardChange | None
    unrated: tuple[str, ...] = ()
    reason: str = ""

    @property
    def first_changes(self) -> bool:
        """Whether another model comes first, or none."""
        return self.change is None or self.change.first_changes

    def moved(self, top: int) -> tuple[ChangedModel, ...]:
        """Models of the first `top` places that are in another place without them."""
        if self.change is None:
            return ()
        return tuple(m for m in self.change.models if m.moved and min(m.rank, m.rank_after) <= top)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far a rigging voter could go here before being found.

    Attributes
    ----------
    model, place : str
        The model it would always back, and which one that is: `runner-up`, `middle`, `last`.
    power : float
        Chance to be found that is asked for.
    n_votes : int or None
        Decisive votes on the model by which the chance is reached; None where it never is.
    """

    model: str
    place: str
    power: float
    n_votes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rigging:
    """Tests of every voter against the others.

    Attributes
    ----------
    n_votes, n_unnamed : int
        Votes, and those whose voter is not named: they count as the others' only.
    n_voters, n_tested, n_untestable : int
        Voters named; those with at least `min_votes` compared votes; the rest, who are never
        flagged.
    fdr : float
        False discovery rate of each of the three tests.
    log10_threshold : float
        Decimal logarithm of the e-value from which voters are flagged; nan if none was tested.
    flagged : tuple of FlaggedVoter
        Found by any of the tests, largest e-value first; at most 50.
    n_flagged, n_flagged_votes : int
    n_cleared : int
        Voters over the threshold who fit the others once those flagged beside them are left out.
    loyal : tuple of LoyalVoter
    n_loyal : int
    correlation : float
        Of two votes of one voter on one model: how much voters differ in taste; nan untested.
    bursts : tuple of Burst
    n_bursts : int
        Voters with bursts.
    order : str
        What tells the order of votes: `time`, `rows`, or `none` (bursts are not tested).
    order_reason : str
        Why there is none.
    without : WithoutFlagged or None
        None when nobody is flagged.
    reach : tuple of Reach
    top_log10_e : tuple of float
        The largest 200 e-values of tested voters, for a plot.
    min_votes : int
    within : tuple of str
        Columns inside whose values pairs are compared.
    window : float
        Seconds within which a vote counts as following another, where votes have times.
    seed : int or None
    """

    n_votes: int
    n_unnamed: int
    n_voters: int
    n_tested: int
    n_untestable: int
    fdr: float
    log10_threshold: float
    flagged: tuple[FlaggedVoter, ...]
    n_flagged: int
    n_flagged_votes: int
    n_cleared: int
    loyal: tuple[LoyalVoter, ...]
    n_loyal: int
    correlation: float
    bursts: tuple[Burst, ...]
    n_bursts: int
    order: Order
    order_reason: str
    without: WithoutFlagged | None
    reach: tuple[Reach, ...]
    top_log10_e: tuple[float, ...]
    min_votes: int
    within: tuple[str, ...]
    window: float
    seed: int | None

    @property
    def flagged_share(self) -> float:
        """Share of the votes that flagged voters cast."""
        return self.n_flagged_votes / self.n_votes if self.n_votes else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """Return it under the names it has in `caveat stress --json`."""
        whole = to_plain(self)
        flagged = whole.pop("flagged")
        if self.without is not None:
            whole["without"]["first_changes"] = self.without.first_changes
        return {"voters_flagged": flagged, "rigging": whole}
