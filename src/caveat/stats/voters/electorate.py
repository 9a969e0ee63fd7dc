"""The people behind the votes: how many each cast, on what, and what each declares."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats
from caveat.data.evidence import Evidence
from caveat.data.margins import clean
from caveat.data.schema import OUTCOMES
from caveat.errors import InputError
from caveat.kernels.ballots import Ballots, ballots
from caveat.kernels.counts import N_OUTCOMES
from caveat.stats.ranking.counting import CountedVotes, count_votes

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

MAX_LEVELS = 50
"""Values of a column beyond which it is no attribute that groups voters."""
UNDECLARED = frozenset(
    {"prefer not to say", "prefer not to answer", "not stated", "undisclosed", "unknown"}
)
"""Answers, in lower case, that declare nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """What voters declare of one thing.

    Attributes
    ----------
    name : str
    levels : tuple of str
        Those that a voter with a vote declares.
    code : int array, shape (g,)
        Level of each voter; -1 where it declares nothing.
    """

    name: str
    levels: tuple[str, ...]
    code: Codes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Electorate:
    """The g voters that cast the votes of a board.

    Attributes
    ----------
    votes : CountedVotes
        All votes.
    ballots : Ballots
        Votes of each voter in each cell of `votes`.
    cast : float array, shape (g,)
        Votes of each voter.
    attributes : tuple of Attribute
    skipped : tuple of (str, str)
        Columns of the voters table that are no attribute, and why.
    n_unknown : int
        Voters with a vote and without a row in the voters table; all where there is no table.
    n_silent : int
        Voters in the table without a vote.
    """

    votes: CountedVotes
    ballots: Ballots
    cast: Floats
    attributes: tuple[Attribute, ...]
    skipped: tuple[tuple[str, str], ...]
    n_unknown: int
    n_silent: int

    @property
    def n_voters(self) -> int:
        """Voters that are told apart."""
        return int(self.cast.size)

    @property
    def n_anonymous(self) -> int:
        """Votes that name no voter."""
        return round(float(self.ballots.single.sum()))

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute called `name`; None where voters declare nothing so called."""
        return next((a for a in self.attributes if a.name == name), None)


def electorate(
    votes: Evidence, voters: Evidence | None, *, wanted: Collection[str] = ()
) -> Electorate:
    """Gather votes by voter and join what the voters declare.

    Parameters
    ----------
    votes : Evidence
    voters : Evidence or None
        Voters, each once.
    wanted : collection of str
        Attributes that count as such however many values they have.

    Returns
    -------
    Electorate

    Raises
    ------
    TooFewError
        If there is no vote between two models.
    InputError
        If a voter is in the voters table twice.
    """
    counted = count_votes(votes)
    code, names = _voters_of(votes.table)
    sorted_out = ballots(
        code,
        _cells(votes.table, counted),
        n_voters=len(names),
        n_cells=counted.cells.a.size,
        count=_numbers(votes.table, "count"),
        weight=_numbers(votes.table, "weight"),
    )
    place = _rows(names, voters)
    attributes, skipped = _attributes(voters, place, wanted)
    return Electorate(
        votes=counted,
        ballots=sorted_out,
        cast=sorted_out.cast,
        attributes=attributes,
        skipped=skipped,
        n_unknown=int((place < 0).sum()),
        n_silent=0 if voters is None else len(voters) - int((place >= 0).sum()),
    )


def _voters_of(table: "pa.Table") -> tuple[Codes, tuple[str, ...]]:
    """Code of each row's voter from 0 without gaps, -1 for none, and their names."""
    if "voter" not in table.column_names:
        return np.full(table.num_rows, -1, dtype=np.int64), ()
    code, names = codes(table, "voter")
    return code.astype(np.int64), names


def _cells(table: "pa.Table", counted: CountedVotes) -> Codes:
    """Cell of each row."""
    number = {name: k for k, name in enumerate(counted.models)}
    orders = {"model_a": number, "model_b": number}
    outcomes = {name: k for k, name in enumerate(OUTCOMES)}
    key = np.zeros(table.num_rows, dtype=np.int64)
    for column in ("model_a", "model_b", "outcome"):
        code, labels = codes(table, column)
        order = orders.get(column, outcomes)
        key = key * len(order) + np.array([order[label] for label in labels])[code]
    cells = counted.cells
    known = (cells.a * len(number) + cells.b) * N_OUTCOMES + cells.outcome
    return np.searchsorted(known, key)


def _numbers(table: "pa.Table", name: str) -> Floats | None:
    if name not in table.column_names:
        return None
    return np.nan_to_num(floats(table, name), nan=1.0)


def _rows(names: tuple[str, ...], voters: Evidence | None) -> Codes:
    """Row of each voter in the voters table; -1 where it has none."""
    if voters is None:
        return np.full(len(names), -1, dtype=np.int64)
    row = {name: k for k, name in enumerate(voters.table["voter"].to_pylist())}
    if len(row) < len(voters):
        raise InputError("voters must hold each voter once; de-duplicate the table first")
    return np.array([row.get(name, -1) for name in names], dtype=np.int64)


def _attributes(
    voters: Evidence | None, place: Codes, wanted: Collection[str]
) -> tuple[tuple[Attribute, ...], tuple[tuple[str, str], ...]]:
    found, skipped = [], []
    for name in voters.table.column_names if voters is not None else ():
        if name == "voter":
            continue
        assert voters is not None  # noqa: S101 - for mypy
        made = _attribute(name, voters.table, place)
        if len(made.levels) > MAX_LEVELS and name not in wanted:
            skipped.append((name, f"{len(made.levels):,} different values: group them first"))
        else:
            found.append(made)
    return tuple(found), tuple(skipped)


def _attribute(name: str, table: "pa.Table", place: Codes) -> Attribute:
    row, words = codes(table, name)
    plain = [clean(str(word)) for word in words]
    levels = sorted({word for word in plain if word and word.casefold() not in UNDECLARED})
    order = {word: k for k, word in enumerate(levels)}
    lookup = np.array([*(order.get(word, -1) for word in plain), -1], dtype=np.int64)
    code = np.append(lookup[row], -1)[place]
    used = np.unique(code[code >= 0])
    final = np.full(len(levels) + 1, -1, dtype=np.int64)
    final[used] = np.arange(used.size)
    return Attribute(name, tuple(levels[i] for i in used), final[code])
