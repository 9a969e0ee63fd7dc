import numpy as np
import pytest

import caveat
from caveat.errors import InputError, TooFewError
from caveat.stats.robustness.voter_votes import FIRST, SECOND, TIE, cells_of, voter_votes

ROWS = {
    "model_a": ["y", "x", "x", "z", "y", "x"],
    "model_b": ["x", "y", "y", "x", "z", "y"],
    "winner": ["model_a", "model_a", "tie", "model_b", "tie (bothbad)", "model_b"],
    "voter": ["v", "u", "u", "v", None, None],
}


def test_pairs_do_not_depend_on_who_was_shown_first():
    votes = voter_votes(caveat.read_votes(ROWS))
    assert votes.models == ("x", "y", "z")
    assert votes.voters == ("u", "v")
    assert votes.voter.tolist() == [1, 0, 0, 1, -1, -1]
    assert votes.outcome.tolist() == [SECOND, FIRST, TIE, FIRST, TIE, SECOND]
    assert votes.pair.tolist() == [0, 0, 0, 1, 2, 0]
    assert votes.cast().tolist() == [2, 2]
    assert votes.n_votes == 6


def test_cells_hold_decisive_votes_beside_all_of_the_pair():
    paired = cells_of(voter_votes(caveat.read_votes(ROWS)))
    cells = paired.cells
    assert cells.voter.tolist() == [0, 1, 1]
    assert (cells.wins.tolist(), cells.losses.tolist()) == ([1, 0, 1], [0, 1, 0])
    # Of x against y: one for x, two for y, one of them by a voter who is not named.
    assert (cells.pool_wins.tolist(), cells.pool_losses.tolist()) == ([1, 1, 1], [2, 2, 0])


def test_counts_stand_for_votes():
    rows = {name: [values[0], values[1]] for name, values in ROWS.items()} | {"count": [7, 3]}
    votes = voter_votes(caveat.read_votes(rows))
    assert votes.cast().tolist() == [3, 7]
    assert cells_of(votes).cells.pool_losses.tolist() == [7, 7]


def test_the_others_who_are_left_out_are_not_in_the_pool():
    rows = {
        "model_a": ["x"] * 6,
        "model_b": ["y"] * 6,
        "winner": ["a", "a", "b", "a", "b", "b"],
        "voter": ["p", "p", "q", "r", "r", "s"],
    }
    paired = cells_of(voter_votes(caveat.read_votes(rows)))
    left = paired.beside_others(np.array([True, True, False, False])).cells  # p and q
    assert left.voter.tolist() == [0, 1]
    # r and s cast one for x and two for y; p adds two for x, q one for y.
    assert (left.pool_wins.tolist(), left.pool_losses.tolist()) == ([3, 1], [2, 3])


def test_only_those_that_are_odder_are_left_out():
    rows = {
        "model_a": ["x"] * 8,
        "model_b": ["y", "y", "y", "y", "y", "y", "z", "z"],
        "winner": ["a", "a", "b", "a", "b", "b", "a", "a"],
        "voter": ["p", "p", "q", "r", "r", "s", "p", "s"],
    }
    paired = cells_of(voter_votes(caveat.read_votes(rows)))
    odd = np.array([True, True, True, False])
    left = paired.beside_less_odd(odd, np.array([9.0, 5.0, 5.0, 0.0])).cells
    assert left.voter.tolist() == [0, 0, 1, 2]
    # p is the oddest: all of 3 and 3, and 2 and 0. q and r are equally odd: without the two of p.
    assert left.pool_wins.tolist() == [3, 2, 1, 1]
    assert left.pool_losses.tolist() == [3, 0, 3, 3]


def test_pairs_can_be_kept_apart_by_a_column():
    rows = ROWS | {"language": ["de", "de", "en", "de", "en", "en"]}
    votes = voter_votes(caveat.read_votes(rows), within=("language",))
    assert len(set(votes.pair[[0, 1]])) == 1
    assert votes.pair[0] != votes.pair[2] == votes.pair[5]
    with pytest.raises(InputError, match="within must name columns that the votes have, got 'x'"):
        voter_votes(caveat.read_votes(rows), within=("x",))


def test_fewer_than_two_voters_are_an_error():
    one = {name: values[:1] for name, values in ROWS.items()}
    with pytest.raises(TooFewError, match="voters named by the votes: needs at least 2, got 1"):
        voter_votes(caveat.read_votes(one))
    del one["voter"]
    with pytest.raises(TooFewError, match="got 0; map the column that says who voted"):
        voter_votes(caveat.read_votes(one))
