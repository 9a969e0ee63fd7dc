import numpy as np
import pyarrow as pa
import pytest

import caveat
from caveat.data.evidence import Evidence
from caveat.data.voters import match_voters
from caveat.errors import InputError


def _votes(voters, counts=None):
    table = {"model_a": ["x"] * len(voters), "model_b": ["y"] * len(voters)}
    table |= {"winner": ["a"] * len(voters), "voter": voters}
    return caveat.read_votes(table | ({} if counts is None else {"count": counts}))


def _voters(names):
    return caveat.read_voters({"voter": names, "age": list(range(len(names)))})


def test_each_vote_finds_its_voter():
    # u2 voted twice (counts 3 and 1), u9 is a stranger (count 2), one vote (count 5) names nobody;
    # u1 and u3 of the table never voted: 11 votes = 4 matched + 2 of strangers + 5 unnamed.
    found = match_voters(
        _votes(["u2", "u9", None, "u2"], [3, 2, 5, 1]), _voters(["u1", "u2", "u3"])
    )
    assert found.rows.tolist() == [1, -1, -1, 1]
    assert (found.n_votes, found.n_matched, found.n_unknown, found.n_unnamed) == (11, 4, 2, 5)
    assert (found.unknown, found.n_silent) == (("u9",), 2)


def test_everybody_known_leaves_nothing():
    found = match_voters(_votes(["a", "b"]), _voters(["b", "a"]))
    assert found.rows.tolist() == [1, 0]
    assert (found.n_matched, found.n_unknown, found.n_unnamed, found.n_silent) == (2, 0, 0, 0)


def test_votes_without_a_column_of_voters():
    votes = caveat.read_votes({"model_a": ["x"], "model_b": ["y"], "winner": ["tie"]})
    found = match_voters(votes, _voters(["a"]))
    assert (found.n_unnamed, found.n_matched, found.n_silent) == (1, 0, 1)


def test_row_order_does_not_matter():
    names = [f"u{n % 7}" for n in range(50)]
    order = np.random.default_rng(0).permutation(50)
    voters = _voters([f"u{n}" for n in range(1, 9)])
    one = match_voters(_votes(names), voters)
    other = match_voters(_votes([names[i] for i in order]), voters)
    assert other.rows.tolist() == one.rows[order].tolist()
    assert (one.n_matched, one.n_silent) == (other.n_matched, other.n_silent)


def test_what_cannot_be_matched():
    votes, voters = _votes(["a"]), _voters(["a"])
    with pytest.raises(InputError, match="votes must hold votes, got voters"):
        match_voters(voters, voters)
    twice = Evidence(kind="voters", table=pa.concat_tables([voters.table, voters.table]))
    with pytest.raises(InputError, match="each voter once"):
        match_voters(votes, twice)
