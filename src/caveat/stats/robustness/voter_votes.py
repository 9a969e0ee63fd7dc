"""Votes with their voters, one by one, and added up by voter and pair."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats
from caveat.data.evidence import Evidence
from caveat.data.keys import codes_of
from caveat.data.schema import OUTCOMES
from caveat.errors import InputError, TooFewError
from caveat.kernels.voter_cells import VoterCells

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

FIRST, SECOND, TIE = range(3)
"""Outcomes of a vote: for the pair's first model, for its second, for neither."""
SIDES = ("a", "b", "tie")
_CODE = {"a": FIRST, "b": SECOND, "tie": TIE, "both_bad": TIE}


@dataclass(frozen=True, slots=True, eq=False)
class VoterVotes:
    """Votes between two models, whoever was shown first.

    Attributes
    ----------
    voters, models : tuple of str
        In the order of their names.
    rows : int array, shape (n,)
        Row of the table each vote stands in.
    voter : int array, shape (n,)
        Code, -1 for a vote whose voter is not named.
    first, second : int array, shape (n,)
        Codes of the models, `first` below `second`.
    pair : int array, shape (n,)
        Code of the pair within its stratum.
    outcome : int array, shape (n,)
        `FIRST`, `SECOND` or `TIE`.
    count : float array, shape (n,)
        Votes the row stands for.
    """

    voters: tuple[str, ...]
    models: tuple[str, ...]
    rows: Codes
    voter: Codes
    first: Codes
    second: Codes
    pair: Codes
    outcome: Codes
    count: Floats

    @property
    def n_votes(self) -> int:
        """Votes, not rows."""
        return round(float(self.count.sum()))

    @property
    def n_pairs(self) -> int:
        """Pairs within strata."""
        return int(self.pair.max(initial=-1)) + 1

    def cast(self) -> Floats:
        """Votes of each voter; shape (v,)."""
        named = self.voter >= 0
        return np.bincount(
            self.voter[named], weights=self.count[named], minlength=len(self.voters)
        ).astype(float)


@dataclass(frozen=True, slots=True, eq=False)
class PairedCells:
    """Decisive votes by voter and pair, with the code of the pair of each cell."""

    cells: VoterCells
    pair: Codes

    def beside_others(self, odd: Mask) -> "PairedCells":
        """Return the cells of odd voters, each beside the pool without the other odd ones.

        Parameters
        ----------
        odd : bool array, shape (v,)
        """
        own = self._of(odd)
        size = int(self.pair.max(initial=-1)) + 1
        lost = [
            np.bincount(own.pair, weights=votes, minlength=size)[own.pair] - votes
            for votes in (own.cells.wins, own.cells.losses)
        ]
        return own._without(*lost)

    def beside_less_odd(self, odd: Mask, log_e: Floats) -> "PairedCells":
        """Return the cells of odd voters, each beside the pool without those that are odder.

        Parameters
        ----------
        odd : bool array, shape (v,)
        log_e : float array, shape (v,)
            The larger, the odder.
        """
        own = self._of(odd)
        value = -log_e[own.cells.voter]
        order = np.lexsort((value, own.pair))
        pair, value = own.pair[order], value[order]
        # Where a pair, and within it a value, begins: equally odd voters stay in the pool.
        new_pair = np.diff(pair, prepend=-1) != 0
        new_value = new_pair | (np.diff(value, prepend=np.inf) != 0)
        lost = []
        for votes in (own.cells.wins, own.cells.losses):
            before = np.cumsum(votes[order]) - votes[order]
            odder = _held(before, new_value) - _held(before, new_pair)
            back = np.empty_like(odder)
            back[order] = odder
            lost.append(back)
        return own._without(*lost)

    def _of(self, voters: Mask) -> "PairedCells":
        rows = voters[self.cells.voter]
        return PairedCells(self.cells.only(rows), self.pair[rows])

    def _without(self, wins: Floats, losses: Floats) -> "PairedCells":
        cells = self.cells
        less = replace(
            cells, pool_wins=cells.pool_wins - wins, pool_losses=cells.pool_losses - losses
        )
        return PairedCells(less, self.pair)


def _held(values: Floats, start: Mask) -> Floats:
    """Value at the last start, for every place."""
    return values[np.maximum.accumulate(np.where(start, np.arange(start.size), 0))]


def voter_votes(evidence: Evidence, *, within: tuple[str, ...] = ()) -> VoterVotes:
    """Read votes with their voters.

    Parameters
    ----------
    evidence : Evidence
        Votes with a column `voter`.
    within : tuple of str
        Columns (`task`, `language`, ...) inside whose values pairs are kept apart.

    Raises
    ------
    TooFewError
        If fewer than two voters are named.
    InputError
        If a column of `within` is not there.
    """
    table = evidence.table
    voter, voters = _coded(table, "voter") if "voter" in table.column_names else (None, ())
    if voter is None or len(voters) < 2:
        raise TooFewError(
            "voters named by the votes",
            got=len(voters),
            need=2,
            remedy="map the column that says who voted to `voter`",
        )
    models = tuple(sorted({*codes(table, "model_a")[1], *codes(table, "model_b")[1]}))
    a, b = (_placed(table, side, models) for side in ("model_a", "model_b"))
    rows = np.flatnonzero(a != b)
    a, b = a[rows], b[rows]
    swapped = a > b
    outcome = _outcomes(table)[rows]
    decisive = outcome != TIE
    outcome[swapped & decisive] = FIRST + SECOND - outcome[swapped & decisive]
    first, second = np.minimum(a, b), np.maximum(a, b)
    count = np.nan_to_num(floats(table, "count")[rows], nan=1.0)
    return VoterVotes(
        voters=voters,
        models=models,
        rows=rows,
        voter=voter[rows],
        first=first,
        second=second,
        pair=_pairs(evidence, first * len(models) + second, rows, within),
        outcome=outcome,
        count=count,
    )


def cells_of(votes: VoterVotes) -> PairedCells:
    """Add decisive votes up by voter and pair; unnamed voters are in the pool only."""
    n_pairs, n_voters = votes.n_pairs, len(votes.voters)
    won, lost = (np.where(votes.outcome == side, votes.count, 0.0) for side in (FIRST, SECOND))
    pool = [
        np.bincount(votes.pair, weights=side, minlength=n_pairs).astype(float)
        for side in (won, lost)
    ]
    decisive = (votes.voter >= 0) & (votes.outcome != TIE) & (votes.count > 0)
    key, start, place = np.unique(
        votes.voter[decisive] * n_pairs + votes.pair[decisive],
        return_index=True,
        return_inverse=True,
    )
    voter, pair = np.divmod(key, max(n_pairs, 1))
    wins, losses = (
        np.bincount(place, weights=side[decisive], minlength=key.size).astype(float)
        for side in (won, lost)
    )
    cells = VoterCells(
        n_voters=n_voters,
        n_models=len(votes.models),
        voter=voter,
        first=votes.first[decisive][start],
        second=votes.second[decisive][start],
        wins=wins,
        losses=losses,
        pool_wins=pool[0][pair],
        pool_losses=pool[1][pair],
    )
    return PairedCells(cells, pair)


def _coded(table: "pa.Table", column: str) -> tuple[Codes, tuple[str, ...]]:
    """Codes of a column in the order of its values, -1 for null."""
    code, values = codes(table, column)
    order = np.argsort(np.array(values, dtype=object)) if values else np.zeros(0, np.int64)
    place = np.full(len(values) + 1, -1, dtype=np.int64)
    place[order] = np.arange(len(values))
    return place[code], tuple(values[k] for k in order)


def _placed(table: "pa.Table", column: str, names: tuple[str, ...]) -> Codes:
    code, values = codes(table, column)
    place = {name: k for k, name in enumerate(names)}
    return np.array([*(place[value] for value in values), -1], dtype=np.int64)[code]


def _outcomes(table: "pa.Table") -> Codes:
    code, labels = codes(table, "outcome")
    assert set(labels) <= set(OUTCOMES)  # noqa: S101 - the schema has no others
    return np.array([*(_CODE[label] for label in labels), TIE], dtype=np.int64)[code]


def _pairs(evidence: Evidence, pair: Codes, rows: Codes, within: tuple[str, ...]) -> Codes:
    """Codes of the pairs that occur, apart for each value of the columns."""
    for column in within:
        if column not in evidence.table.column_names:
            raise InputError(f"within must name columns that the votes have, got {column!r}")
        stratum = codes_of(evidence.table[column])[rows]
        pair = np.unique(pair, return_inverse=True)[1] * (int(stratum.max(initial=0)) + 1)
        pair = pair + stratum
    return np.unique(pair, return_inverse=True)[1].astype(np.int64)
