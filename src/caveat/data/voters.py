"""Which voter of the voters table cast each vote, and what on either side has no partner."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from caveat.data.evidence import Evidence
from caveat.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VoterMatch:
    """The voters table joined to the votes.

    Votes are counted with their `count`; weights do not enter.

    Attributes
    ----------
    rows : int array, shape (votes,)
        Row of the voters table for each row of the votes; -1 for none.
    n_votes : int
        All votes.
    n_matched : int
        Votes of voters in the table.
    n_unnamed : int
        Votes that name no voter.
    n_unknown : int
        Votes whose voter is not in the table.
    unknown : tuple of str
        Voters that cast votes and are not in the table, in the order of their first vote.
    n_silent : int
        Voters in the table without a vote.
    """

    rows: NDArray[np.int64]
    n_votes: int
    n_matched: int
    n_unnamed: int
    n_unknown: int
    unknown: tuple[str, ...]
    n_silent: int


def match_voters(votes: Evidence, voters: Evidence) -> VoterMatch:
    """Find the voter of each vote in a table of voters.

    Parameters
    ----------
    votes : Evidence
        Votes; where the source names no voters, none is matched.
    voters : Evidence
        Voters, each once (see `caveat.data.dedupe.deduplicate`).

    Returns
    -------
    VoterMatch

    Raises
    ------
    InputError
        When the tables are of other kinds, or a voter is in the voters table twice.
    """
    for evidence, kind in ((votes, "votes"), (voters, "voters")):
        if evidence.kind != kind:
            raise InputError(f"{kind} must hold {kind}, got {evidence.kind}")
    known = voters.table.column("voter").combine_chunks().cast(pa.string())
    if pc.count_distinct(known).as_py() < len(known):
        raise InputError("voters must hold each voter once; de-duplicate the table first")
    counts = _counts(votes)
    if "voter" not in votes.table.column_names:
        rows = np.full(len(votes), -1, np.int64)
        named = np.zeros(len(votes), dtype=bool)
        unknown: tuple[str, ...] = ()
    else:
        cast = votes.table.column("voter").cast(pa.string())
        rows = np.asarray(pc.fill_null(pc.index_in(cast, value_set=known), -1), dtype=np.int64)
        named = np.asarray(cast.is_valid(), dtype=bool)
        strangers = cast.filter(pa.array(named & (rows < 0)))
        unknown = tuple(strangers.unique().to_pylist())
    return VoterMatch(
        rows=rows,
        n_votes=int(counts.sum()),
        n_matched=int(counts[rows >= 0].sum()),
        n_unnamed=int(counts[~named].sum()),
        n_unknown=int(counts[named & (rows < 0)].sum()),
        unknown=unknown,
        n_silent=len(voters) - int(np.unique(rows[rows >= 0]).size),
    )


def _counts(votes: Evidence) -> NDArray[np.int64]:
    if "count" not in votes.table.column_names:
        return np.ones(len(votes), np.int64)
    return np.asarray(votes.table.column("count").cast(pa.int64()), dtype=np.int64)
