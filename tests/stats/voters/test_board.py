"""Boards with weights of voters against R's survey package, and against the plain board."""

from dataclasses import replace

import numpy as np
import pytest

from caveat.data.margins import Margins
from caveat.errors import TooFewError
from caveat.kernels.raking import Margin, rake
from caveat.kernels.voter_scores import cross
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.rate import Errors, rate
from caveat.stats.voters.board import Calibration, board_of, ranked
from caveat.stats.voters.electorate import electorate
from caveat.stats.voters.synthetic import synthetic_arena
from caveat.stats.voters.weighting import weigh


def margins_of(attributes, levels, shares):
    return Margins(name="x", attributes=attributes, levels=levels, shares=shares)


AGES, SEXES, REGIONS = (
    ("18-29", "30-44", "45-64", "65+"),
    ("man", "woman"),
    ("north", "south", "west"),
)
AGE = margins_of(("age",), [(x,) for x in AGES], [0.20, 0.25, 0.33, 0.22])
SEX = margins_of(("sex",), [(x,) for x in SEXES], [0.48, 0.52])
REGION = margins_of(("region",), [(x,) for x in REGIONS], [0.30, 0.35, 0.35])
JOINT = margins_of(
    ("age", "sex"),
    [(x, y) for y in SEXES for x in AGES],
    [0.10, 0.12, 0.16, 0.10, 0.10, 0.13, 0.17, 0.12],
)


@pytest.mark.parametrize(
    ("column", "margins", "trim"),
    [
        ("raked", (AGE, SEX, REGION), None),
        ("cells", (JOINT,), None),
        ("both", (JOINT, REGION), None),
        ("bounded", (AGE, SEX, REGION), 3.0),
    ],
)
def test_weights_equal_those_of_r(oracle_electorate, oracle_rows, column, margins, trim):
    rows = {row["voter"]: float(row[column]) for row in oracle_rows("weights.csv")}
    names = list(dict.fromkeys(row["voter"] for row in oracle_rows("votes.csv")))
    got = weigh(oracle_electorate, margins, trim=trim, threshold=1)
    assert got.population.reason == ""
    # the weights of R have mean 1 over all 400 voters, all of whom voted
    assert got.weight == pytest.approx([rows[name] for name in names], abs=1e-8)


BOARDS = {
    "cast": ((), False, False),
    "voice": ((), True, False),
    "raked_vote_fixed": ((AGE, SEX, REGION), False, False),
    "raked_voice_fixed": ((AGE, SEX, REGION), True, False),
    "raked_voice": ((AGE, SEX, REGION), True, True),
    "cells_voice": ((JOINT,), True, True),
    "both_voice": ((JOINT, REGION), True, True),
}


@pytest.mark.parametrize("name", BOARDS)
def test_ratings_and_errors_equal_those_of_svyglm(oracle_electorate, oracle_rows, name):
    margins, voice, fitted = BOARDS[name]
    voters = oracle_electorate
    weight = np.ones(voters.n_voters)
    calibration = None
    if margins:
        found = weigh(voters, margins, trim=None, threshold=1)
        weight = found.weight
        if fitted:
            calibration = Calibration(weight=weight, free=found.free, margins=found.margins)
    board = board_of(
        voters,
        weight / voters.cast if voice else weight,
        method="bradley-terry",
        calibration=calibration,
    )
    # survey does not make up for leverage
    flat = replace(board.scores, leverage=np.zeros(voters.n_voters))
    board = replace(board, scores=flat, products=cross(flat, flat))
    want = [row for row in oracle_rows("boards.csv") if row["board"] == name]
    order = [board.fitted.names.index(row["model"]) for row in want]
    theta = [float(row["theta"]) for row in want]
    se = [float(row["se"]) for row in want]
    assert board.fitted.fit.theta[order] == pytest.approx(theta, abs=1e-7)
    # Weights agree to about 1e-9 of their size, errors to as much. Where several margins are raked,
    # survey takes means of levels without the weights that were fitted, which is right only for
    # weights near those of the design: see the next test for what is.
    slack = 0.02 if name in ("raked_voice", "both_voice") else 1e-6
    assert np.sqrt(np.diag(board.covariance()))[order] == pytest.approx(se, rel=slack)


@pytest.mark.parametrize("trim", [None, 2.9])
def test_errors_equal_the_influence_of_each_voter_found_by_refitting(oracle_electorate, trim):
    # The weight of one voter in the sample is raised a little; the sample is raked and the board
    # fitted again. The variance is the sum of the squared changes.
    voters = oracle_electorate
    found = weigh(voters, (AGE, SEX), trim=trim, threshold=1)
    board = board_of(
        voters,
        found.weight / voters.cast,
        method="bradley-terry",
        calibration=Calibration(weight=found.weight, free=found.free, margins=found.margins),
    )
    asked = [
        Margin(code, np.array(one.shares))
        for code, one in zip(found.margins, (AGE, SEX), strict=True)
    ]
    step, moved = 1e-4, []
    for voter in range(0, voters.n_voters, 4):
        ends = []
        for sign in (1, -1):
            count = np.ones(voters.n_voters)
            count[voter] += sign * step
            raked = rake(count, asked, cap=trim, tolerance=1e-13)
            weight = count * raked.weight / voters.cast
            ends.append(board_of(voters, weight, method="bradley-terry").fitted.fit.theta)
        moved.append((ends[0] - ends[1]) / (2 * step))
    bread, scores = board.bread, board.scores
    ours = (scores.total - scores.levels @ scores.explained)[::4] @ bread
    assert np.array(moved) == pytest.approx(np.asarray(ours), abs=2e-5)


@pytest.mark.parametrize("method", ["bradley-terry", "davidson", "rao-kupper"])
def test_equal_weights_collapse_to_the_board_with_errors_by_voter(method):
    arena = synthetic_arena(120, n_models=5, anonymous=0.1, seed=2)
    voters = electorate(arena.votes, arena.voters)
    board = board_of(voters, np.ones(voters.n_voters), anonymous=1.0, method=method)
    got = ranked(board, anchor="m01", level=0.9, seed=0)
    want = rate(
        count_votes(arena.votes),
        method=method,
        anchor="m01",
        errors=Errors(level=0.9, cluster="voter"),
    )
    assert [m.model for m in got.models] == [m.model for m in want.models]
    for one, other in zip(got.models, want.models, strict=True):
        assert one.rating == pytest.approx(other.rating, abs=1e-6)
        assert one.low == pytest.approx(other.low, abs=1e-6)
        assert (one.rank_low, one.rank_high, one.tier) == (
            other.rank_low, other.rank_high, other.tier
        )  # fmt: skip


def test_votes_without_voters_collapse_to_the_plain_board(people):
    votes = [("", "x", "y", "a"), ("", "y", "x", "a"), ("", "x", "y", "tie")] * 20
    votes += [("", "y", "z", "a"), ("", "z", "x", "a")] * 20
    voters = people(votes)
    assert voters.n_voters == 0
    board = board_of(voters, np.zeros(0), anonymous=1.0, method="bradley-terry")
    plain = rate(voters.votes, method="bradley-terry", anchor="x")
    got = ranked(board, anchor="x", level=0.95, seed=0)
    g = 100  # each vote is a cluster: the factor G / (G - 1), and Student's t
    for one, other in zip(got.models, plain.models, strict=True):
        assert one.se == pytest.approx(other.se * np.sqrt(g / (g - 1)), rel=1e-8)


def test_the_scale_of_weights_does_not_matter():
    arena = synthetic_arena(60, n_models=4, seed=5)
    voters = electorate(arena.votes, arena.voters)
    weight = np.random.default_rng(1).uniform(0.2, 3, voters.n_voters)
    one, other = (board_of(voters, k * weight) for k in (1.0, 1e-3))
    assert other.fitted.fit.theta == pytest.approx(one.fitted.fit.theta, abs=1e-9)
    assert other.covariance() == pytest.approx(one.covariance(), rel=1e-7, abs=1e-12)


def test_a_voter_of_weight_two_counts_as_two_in_ratings_and_as_one_in_errors(people):
    # Three voters. v1 has 3 wins of x to 1, weight 2; v2 1 to 1; v3 1 to 1, both weight 1: 8 wins
    # of x to 4, odds 2, p = 2/3, information 12 * 2/9 = 8/3. Scores: v1 2 (3/3 - 2/3) = 2/3, v2 and
    # v3 1/3 - 2/3 = -1/3. Variance 3/2 (4/9 + 1/9 + 1/9) / (64/9) = 1 / (64/9) = 9/64.
    votes = [("v1", "x", "y", "a")] * 3 + [("v1", "y", "x", "a")]
    votes += [(v, "x", "y", o) for v in ("v2", "v3") for o in ("a", "b")]
    voters = people(votes)
    board = board_of(voters, np.array([2.0, 1.0, 1.0]))
    theta = board.fitted.fit.theta
    assert theta[0] - theta[1] == pytest.approx(np.log(2))
    # three voters are few: their sum is mixed with what the board says, which is not done here
    bare = board.factor * board.bread @ board.products @ board.bread
    assert bare[0, 0] + bare[1, 1] - 2 * bare[0, 1] == pytest.approx(9 / 64, rel=1e-12)


def test_a_model_of_one_voter_has_an_error_that_the_board_lends(people):
    # v0 alone voted on z, as often for as against: the sum of its slopes is zero
    rng = np.random.default_rng(1)
    votes = [
        (f"v{k}", "x", "y", rng.choice(["a", "b"], p=[0.6, 0.4]))
        for k in range(60)
        for _ in range(5)
    ]
    votes += [("v0", "z", "x", o) for o in "ab" * 10]
    board = board_of(people(votes), np.ones(60))
    got = {m.model: m for m in ranked(board, anchor="x", level=0.95, seed=0).models}
    assert got["z"].se > 3 * got["y"].se


def test_too_few_voters_have_no_board(people):
    voters = people([("v1", "x", "y", "a"), ("v1", "x", "y", "b")])
    with pytest.raises(TooFewError, match="voters whose votes count: needs at least 2, got 1"):
        board_of(voters, np.ones(1))
    voters = people([("v1", "x", "y", "a"), ("v2", "x", "y", "a")])
    with pytest.raises(TooFewError, match="models that these votes rate"):
        board_of(voters, np.ones(2))
