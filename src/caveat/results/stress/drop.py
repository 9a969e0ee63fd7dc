"""How few votes carry an order."""

from dataclasses import dataclass
from typing import Any, Literal

from caveat.results._plain import to_plain

Unit = Literal["votes", "voters", "prompts", "fabricated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesTaken:
    """Votes of one kind among those removed or made up.

    Attributes
    ----------
    model, over : str
        The winner and the loser; with `tie`, the two models.
    tie : bool
    number : float
        Votes; with weighted votes of clusters, their weight.
    of : float or None
        How many of them there are on the board; None for votes that are made up.
    """

    model: str
    over: str
    tie: bool
    number: float
    of: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """The fewest found whose removal (or addition) turns an order round.

    Attributes
    ----------
    unit : str
        What goes: `votes`, `voters`, `prompts`; `fabricated` votes come.
    above, below : str
        The two models that change places.
    number : int or None
        At most so many are needed: a refit without them puts `below` over `above`, and with one of
        them fewer it does not. None where nothing was found.
    of : int
        How many there are of the unit; for `fabricated`, the votes of the board.
    votes : int or None
        Votes that go or come.
    share_of_board, share_of_top : float
        Their number over all votes on the board, and over the votes of `above`; the latter exceeds
        1 where whole voters or prompts go.
    own_share : float
        Of the votes of `above`, those that go.
    one_step : int or None
        What one step of Newton's method says without a refit; None where it finds nothing.
    disconnects : bool
        Whether the board falls apart without them: then `above` has no rating beside `below` any
        more, rather than a lower one. Only where nothing else was found.
    exact : bool
        Whether all smaller sets were tried, so that no fewer do and keep the board together.
    spared : bool
        Whether votes were left in place because the board would have fallen apart without them.
    kinds : tuple of VotesTaken
        At most five, most votes first.
    n_kinds : int
    reason : str
        Why there is no number; empty where there is one.
    """

    unit: Unit
    above: str
    below: str
    number: int | None
    of: int
    votes: int | None
    share_of_board: float
    share_of_top: float
    own_share: float
    one_step: int | None = None
    disconnects: bool = False
    exact: bool = False
    spared: bool = False
    kinds: tuple[VotesTaken, ...] = ()
    n_kinds: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """What it takes to change one boundary, or the order of one pair.

    Attributes
    ----------
    above, below : str
        The two models that change places when the fewest votes go.
    boundary : int or None
        The k of the first k that change; 1 is first place. None for a pair asked for by name.
    n_top : int
        Votes of `above`.
    difference, z : float
        Of the two ratings, in points and in standard errors with each vote an independent unit.
    z_voters, z_prompts : float or None
        With the votes of one voter, of one prompt counted together; None where the votes do not
        name them.
    flips : tuple of Flip
        By unit: votes, voters, prompts, fabricated. Each is the fewest over several contests, so
        its two models may be others.
    apart : int or None
        The fewest votes without which `above` no longer beat or tied `below`, even indirectly, so
        that the board falls apart, where these are fewer than it takes to turn the two round.
    direct : int or None
        Made-up votes needed when all are wins of the one below over the one above.
    """

    above: str
    below: str
    boundary: int | None
    n_top: int
    difference: float
    z: float
    z_voters: float | None
    z_prompts: float | None
    flips: tuple[Flip, ...]
    apart: int | None
    direct: int | None

    def by(self, unit: Unit) -> Flip | None:
        """Return what it takes of one unit; None where the votes do not name it."""
        return next((flip for flip in self.flips if flip.unit == unit), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the row of `caveat stress --json`."""
        votes = self.by("votes")
        made: dict[str, Any] = {
            "above": self.above,
            "below": self.below,
            "boundary": self.boundary,
            "votes": self._number("votes"),
            "voters": self._number("voters"),
            "prompts": self._number("prompts"),
            "fabricated": self._number("fabricated"),
            "share_of_board": to_plain(votes.share_of_board) if votes else None,
            "share_of_top": to_plain(votes.share_of_top) if votes else None,
            "z": to_plain(self.z),
            "z_voters": to_plain(self.z_voters),
            "z_prompts": to_plain(self.z_prompts),
            "difference": to_plain(self.difference),
            "disconnects": bool(votes and votes.disconnects),
            "apart": self.apart,
            "direct": self.direct,
            "n_top": self.n_top,
            "flips": to_plain(self.flips),
        }
        return made

    def _number(self, unit: Unit) -> int | None:
        flip = self.by(unit)
        return flip.number if flip else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DropAFew:
    """How few votes, voters, prompts or made-up votes carry the order of a board.

    Attributes
    ----------
    method : str
        Rating system that every refit used.
    n_models, n_votes : int
        Rated models, and votes between them.
    n_voters, n_prompts : int or None
        Clusters that could be removed whole; None where the votes do not name them.
    unnamed_voters, unnamed_prompts : int
        Votes without a value: they are never removed with a voter, with a prompt.
    prompt_column : str or None
        `item` or `battle`.
    weighted : bool
        Whether votes carry weights: then a vote goes with its weight, and a made-up one weighs 1.
    rows : tuple of Drop
        Boundaries from the first place down, then pairs in the order asked for.
    reasons : mapping of str to str
        Why a unit is missing from all rows.
    """

    method: str
    n_models: int
    n_votes: int
    n_voters: int | None
    n_prompts: int | None
    unnamed_voters: int
    unnamed_prompts: int
    prompt_column: str | None
    weighted: bool
    rows: tuple[Drop, ...]
    reasons: dict[str, str]

    @property
    def first_place(self) -> Drop | None:
        """What it takes to change the first place."""
        return next((row for row in self.rows if row.boundary == 1), None)

    def to_dict(self) -> dict[str, Any]:
        """Return it under the names it has in `caveat stress --json`."""
        return {
            "drop": [row.to_dict() for row in self.rows],
            "drop_of": {
                "method": self.method,
                "n_models": self.n_models,
                "n_votes": self.n_votes,
                "n_voters": self.n_voters,
                "n_prompts": self.n_prompts,
                "unnamed_voters": self.unnamed_voters,
                "unnamed_prompts": self.unnamed_prompts,
                "prompt_column": self.prompt_column,
                "weighted": self.weighted,
                "reasons": dict(self.reasons),
            },
        }
