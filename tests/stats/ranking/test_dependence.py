import csv
import math

import numpy as np
import pytest

import caveat
from caveat.data.schema import VOTES
from caveat.stats.ranking.scale import POINTS


def votes(n=600, *, seed=0, **columns):
    """Random votes of three models with columns of their own."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 3, n), rng.integers(1, 3, n)
    names = np.array(["x", "y", "z"])
    outcome = np.array(["a", "b", "tie"])[rng.choice(3, n, p=[0.45, 0.35, 0.2])]
    rows = {"model_a": names[a], "model_b": names[(a + b) % 3], "outcome": outcome, **columns}
    return {k: list(v) for k, v in rows.items()}


def rank(n=600, *, seed=0, **columns):
    """Rate them."""
    return caveat.rank(caveat.read_votes(votes(n, seed=seed, **columns)))


def test_errors_by_item_and_by_voter_equal_r(oracle):
    folder = oracle / "bradley_terry"
    board = caveat.rank(folder / "clustered.csv", options=caveat.Options(method="bradley-terry"))
    with (folder / "expected_clustered.csv").open() as file:
        expected = {row["column"]: row for row in csv.DictReader(file)}
    assert {d.column for d in board.dependence} == set(expected) == {"item", "voter"}
    for got in board.dependence:
        want = expected[got.column]
        assert (board.lead.leader, board.lead.runner_up) == (want["leader"], want["runner_up"])
        assert got.n_clusters == int(want["n_clusters"])
        # R stops at a relative change of the deviance of 1e-14
        assert board.lead.difference / POINTS == pytest.approx(float(want["difference"]), abs=1e-8)
        assert got.se / POINTS == pytest.approx(float(want["se"]), rel=1e-7)
        ratio = float(want["se"]) / float(want["se_plain"])
        assert got.error_ratio == pytest.approx(ratio, rel=1e-7)
        assert got.z == pytest.approx(float(want["difference"]) / float(want["se"]), rel=1e-6)


def test_the_plain_error_is_that_of_the_board():
    board = rank(item=[str(k // 3) for k in range(600)])
    (got,) = board.dependence
    assert got.se / got.error_ratio == pytest.approx(board.lead.se, rel=1e-9)
    assert (got.n_votes, got.n_clusters, got.largest) == (600, 200, 3)
    assert got.votes_per_cluster == 3


def test_votes_that_share_nothing_are_not_listed():
    assert rank(item=[str(k) for k in range(600)]).dependence == ()
    assert rank(item=[None] * 600).dependence == ()
    assert rank().dependence == ()


def test_votes_without_a_value_are_clusters_of_their_own():
    (got,) = rank(voter=["v"] * 10 + [None] * 590).dependence
    assert (got.n_clusters, got.largest) == (591, 10)


def test_weights_and_counts_enter():
    item = [str(k // 3) for k in range(600)]
    (plain,) = rank(item=item).dependence
    (doubled,) = rank(item=item, weight=[2.0] * 600).dependence
    (counted,) = rank(item=item, count=[2] * 600).dependence
    assert doubled.se == pytest.approx(plain.se, rel=1e-9)
    assert counted.se == pytest.approx(plain.se, rel=1e-9)
    assert counted.n_votes == 1200
    assert counted.error_ratio == pytest.approx(plain.error_ratio * math.sqrt(2), rel=1e-9)


def test_one_cluster_has_no_error_and_few_keep_the_critical_value():
    board = rank(voter=["v"] * 600)
    (one,) = board.dependence
    assert math.isnan(one.z)
    assert not one.separable
    few = rank(voter=[str(k % 19) for k in range(600)])
    assert few.dependence[0].critical == few.critical
    # at 19 degrees of freedom the tail beyond 2.4 needs more
    many = rank(voter=[str(k % 20) for k in range(600)])
    assert many.dependence[0].critical > many.critical + 0.1


def test_without_a_lead_there_is_nothing_to_judge():
    rows = {"model_a": ["x"] * 4, "model_b": ["y"] * 4, "outcome": ["a"] * 4, "item": list("1122")}
    assert caveat.rank(caveat.read_votes(rows)).dependence == ()


def test_item_is_no_part_of_the_key_that_finds_duplicates():
    assert VOTES.key == ("battle", "turn", "voter", "judge", "model_a", "model_b")
    rows = {"model_a": ["x"] * 2, "model_b": ["y"] * 2, "winner": ["a"] * 2, "question_id": [7, 7]}
    assert len(caveat.read_votes({**rows, "item_id": [1, 2]})) == 1
    assert len(caveat.read_votes({**rows, "question_id": [7, 8], "item_id": [1, 1]})) == 2


@pytest.mark.parametrize("alias", ["item", "item_id", "prompt_id", "instruction_id"])
def test_names_of_the_item_column(alias):
    rows = {"model_a": ["x"], "model_b": ["y"], "winner": ["a"], alias: ["7"]}
    assert "item" in caveat.read_votes(rows).table.column_names


def test_the_critical_value_is_brought_to_students_t_once():
    voter = [str(k % 30) for k in range(600)]
    rows = votes(voter=voter, item=[str(k // 3) for k in range(600)])
    plain = caveat.rank(caveat.read_votes(rows))
    clustered = caveat.rank(caveat.read_votes(rows), options=caveat.Options(cluster="voter"))
    assert clustered.critical > plain.critical
    for one, other in zip(plain.dependence, clustered.dependence, strict=True):
        assert other.critical == pytest.approx(one.critical, abs=0.02)  # simulated anew
        assert other.se == pytest.approx(one.se, rel=1e-9)
    by_voter = next(d for d in clustered.dependence if d.column == "voter")
    assert by_voter.se == pytest.approx(clustered.lead.se, rel=1e-9)


def test_a_leader_of_one_voter_is_not_certain():
    # the slopes of the only voter of `top` add up to nothing; item clusters are many
    rows = votes(voter=[str(k % 60) for k in range(600)])
    top = {"model_a": ["top"] * 60, "model_b": ["x"] * 60, "outcome": ["a"] * 50 + ["b"] * 10,
           "voter": ["0"] * 60}  # fmt: skip
    board = caveat.rank(caveat.read_votes({k: rows[k] + top[k] for k in top}))
    assert board.lead.leader == "top"
    (got,) = board.dependence
    assert got.error_ratio > 0.5


@pytest.mark.shared
def test_real_votes(shared):
    # z by item of the first, and of both orders of each pair of the second, as an independent
    # computation with ties as half wins gave them; by Davidson's model they are nearly the same
    half = caveat.Options(method="bradley-terry")
    vicuna = caveat.rank(shared / "votes" / "vicuna80.parquet", options=half)
    assert vicuna.lead.z == pytest.approx(6.75, abs=0.01)
    assert [(d.column, d.n_clusters) for d in vicuna.dependence] == [("item", 80)]
    for options, plain, clustered in ((half, 4.34, 2.60), (caveat.Options(), 4.34, 2.59)):
        qlora = caveat.rank(shared / "votes" / "qlora_gpt4_judge.parquet", options=options)
        (item,) = qlora.dependence
        assert qlora.lead.z == pytest.approx(plain, abs=0.01)
        assert item.z == pytest.approx(clustered, abs=0.01)
        assert not item.separable
