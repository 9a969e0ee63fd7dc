import numpy as np
import pyarrow as pa
import pytest

import caveat
from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.stats.ranking.counting import count_votes
from caveat.stats.voters.electorate import electorate

VOTES = [
    ("v1", "x", "y", "a"),
    ("v1", "y", "x", "tie"),
    ("v2", "x", "y", "a"),
    ("", "x", "y", "b"),
    ("v3", "x", "z", "b"),
]


def test_votes_are_gathered_by_voter_by_hand(people):
    who = people(VOTES)
    assert who.n_voters == 3
    assert who.n_anonymous == 1
    assert who.cast.tolist() == [2, 1, 1]
    cells = who.votes.cells
    key = list(zip(cells.a.tolist(), cells.b.tolist(), cells.outcome.tolist(), strict=True))
    place = {name: k for k, name in enumerate(who.votes.models)}
    x_beats_y = key.index((place["x"], place["y"], 0))
    assert who.ballots.count.toarray()[:, x_beats_y].tolist() == [1, 1, 0]
    assert who.ballots.single[key.index((place["x"], place["y"], 1))] == 1


def test_gathered_votes_add_up_to_the_counts(people):
    who = people(VOTES * 3)
    total = np.asarray(who.ballots.count.sum(axis=0)) + who.ballots.single
    assert total == pytest.approx(who.votes.cells.count)


def test_counts_and_weights_are_those_of_the_votes():
    votes = caveat.read_votes(
        {
            "model_a": ["x", "y", "x"],
            "model_b": ["y", "x", "y"],
            "winner": ["a", "a", "tie"],
            "voter": ["v", "v", None],
            "count": [3, 1, 2],
            "weight": [0.5, 2.0, 4.0],
        }
    )
    who = electorate(votes, None)
    assert who.cast.tolist() == [4]
    assert who.ballots.weight.sum() == pytest.approx(3 * 0.5 + 2)
    assert who.ballots.weight2.sum() == pytest.approx(3 * 0.25 + 4)
    assert who.ballots.single_weight2.sum() == pytest.approx(2 * 16)
    cells = count_votes(votes).cells
    assert cells.weight2.sum() == pytest.approx(3 * 0.25 + 4 + 32)


def test_attributes_are_joined_and_silence_is_no_level(people):
    who = people(
        VOTES,
        {
            "v1": {"age": "18-29", "sex": "woman"},
            "v2": {"age": "Prefer not to say", "sex": None},
            "v9": {"age": "65+", "sex": "man"},
        },
    )
    age, sex = who.attributes
    assert age.levels == ("18-29",)  # nobody of 65+ voted
    assert age.code.tolist() == [0, -1, -1]
    assert sex.code.tolist() == [0, -1, -1]
    assert (who.n_unknown, who.n_silent) == (1, 1)


def test_numbers_and_flags_are_levels_and_names_are_not():
    n = 60
    votes = caveat.read_votes(
        {
            "model_a": ["x", "y"] * 30,
            "model_b": ["y", "x"] * 30,
            "winner": ["a"] * n,
            "voter": [f"v{k}" for k in range(n)],
        }
    )
    voters = caveat.read_voters(
        {
            "voter": [f"v{k}" for k in range(n)],
            "degree": [k % 2 == 0 for k in range(n)],
            "years": [k % 3 for k in range(n)],
            "self_description": [f"about me {k}" for k in range(n)],
        }
    )
    who = electorate(votes, voters)
    assert [(a.name, a.levels) for a in who.attributes] == [
        ("degree", ("false", "true")),
        ("years", ("0", "1", "2")),
    ]
    assert who.skipped == (("self_description", "60 different values: group them first"),)
    wanted = electorate(votes, voters, wanted=["self_description"])
    assert wanted.attribute("self_description") is not None


def test_without_a_table_nothing_is_declared(people):
    who = people(VOTES)
    assert who.attributes == ()
    assert who.n_unknown == 3


def test_a_voter_twice_is_refused():
    votes = caveat.read_votes({"model_a": ["x"], "model_b": ["y"], "winner": ["a"], "voter": ["v"]})
    twice = Evidence(kind="voters", table=pa.table({"voter": ["v", "v"], "age": ["1", "2"]}))
    with pytest.raises(InputError, match="voters must hold each voter once"):
        electorate(votes, twice)
