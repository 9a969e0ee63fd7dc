import math

import pytest

import caveat
from caveat.errors import TooFewError
from caveat.stats.ranking.board_change import board_change


def board(**wins):
    """Votes of 40 between two models; `x_y=30` are the wins of x."""
    rows = {"model_a": [], "model_b": [], "outcome": [], "count": []}
    for pair, won in wins.items():
        a, b = pair.split("_")
        for outcome, count in (("a", won), ("b", 40 - won)):
            rows["model_a"].append(a)
            rows["model_b"].append(b)
            rows["outcome"].append(outcome)
            rows["count"].append(count)
    return caveat.rank(caveat.read_votes(rows))


def test_by_hand():
    # odds of 3 are 400 log10(3) points: y falls from second to third place
    before = board(x_y=30, y_z=30, x_z=36)
    after = board(x_y=36, y_z=10, x_z=30)
    got = board_change(before, after)
    assert [(m.model, m.rank, m.rank_after, m.moved) for m in got.models] == [
        ("x", 1, 1, 0),
        ("y", 2, 3, -1),
        ("z", 3, 2, 1),
    ]
    assert got.tau == pytest.approx(1 / 3)
    assert not got.first_changes
    assert [m.model for m in got.moves] == ["y", "z"]
    assert got.lead.difference == pytest.approx(400 * math.log10(3), abs=1e-6)
    assert (got.lead_after.runner_up, got.n_votes) == ("z", 120)


def test_the_same_board_changes_nothing():
    one = board(x_y=30, y_z=30, x_z=36)
    got = board_change(one, one)
    assert (got.tau, got.moves, got.entered, got.left) == (1.0, (), (), ())
    assert not got.first_changes
    assert not got.separation_lost


def test_a_lead_that_no_longer_counts():
    got = board_change(board(x_y=35, y_z=30), board(x_y=21, y_z=30))
    assert got.separation_lost
    assert got.entered == ("y",)
    assert not board_change(board(x_y=21, y_z=30), board(x_y=35, y_z=30)).separation_lost


def test_ranks_are_those_among_models_on_both():
    got = board_change(board(x_y=30, y_z=30), board(x_z=30))
    assert [(m.model, m.rank) for m in got.models] == [("x", 1), ("z", 2)]
    with pytest.raises(TooFewError, match="models rated on both boards"):
        board_change(board(x_y=30), board(x_z=30))
