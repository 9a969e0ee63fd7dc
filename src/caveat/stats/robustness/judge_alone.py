"""The votes of one judge by themselves."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from caveat.data.evidence import Evidence
from caveat.data.paired import paired_columns
from caveat.errors import InputError, TooFewError
from caveat.results.control import Coefficient
from caveat.results.ranking import Position, Ranking
from caveat.stats.ranking.controlled import fit_controlled
from caveat.stats.ranking.counting import CountedVotes, count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import Errors, rate_fitted
from caveat.stats.robustness.position import judged_position
from caveat.stats.robustness.style import judged_controls

if TYPE_CHECKING:
    import pyarrow as pa

_LENGTH = re.compile(r"(token|word|char|character|length|len)s?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class JudgeAlone:
    """What the votes of one judge say.

    Attributes
    ----------
    votes : CountedVotes
        With its source.
    errors : Errors
        Level and seed.
    """

    votes: CountedVotes
    errors: Errors

    @classmethod
    def of(cls, evidence: Evidence, errors: Errors) -> "JudgeAlone":
        """Count the votes."""
        return cls(count_votes(evidence), errors)

    @property
    def tie_share(self) -> float:
        """Share of ties among the votes."""
        cells = self.votes.cells
        return float(cells.count[cells.outcome >= 2].sum() / cells.n_votes)

    def ranking(self, anchor: str | None) -> Ranking:
        """Return the board; an `InputError` says why there is none."""
        fitted = fit_board(self.votes)
        anchor = anchor if anchor in fitted.names else None
        made = rate_fitted(fitted, anchor=anchor, errors=self.errors)
        if made.lead is None:
            raise TooFewError("models rated by its votes", got=0, need=2)
        return made

    def position(self) -> Position:
        """Return what going first is worth; an `InputError` says why nobody knows."""
        fitted = fit_board(self.votes, position=True)
        if len(fitted.names) < 2:
            raise TooFewError("models rated by its votes", got=0, need=2)
        return judged_position(fitted, level=self.errors.level).position

    def length(self, column: str | None) -> Coefficient:
        """Return what length is worth; an `InputError` says why nobody knows."""
        if column is None:
            raise InputError("the votes do not tell how long the answers were")
        held = fit_controlled(fit_board(self.votes), columns=(column,))
        return judged_controls(held, errors=self.errors).coefficients[0]


def length_column(table: "pa.Table") -> str | None:
    """Name the first usable pair of columns that has a part which means length."""
    try:
        pairs = paired_columns(table)
    except InputError:
        return None
    for pair in pairs:
        parts = re.split(r"[^A-Za-z]+", pair.name)
        if pair.usable and any(_LENGTH.fullmatch(part) for part in parts):
            return pair.name
    return None
