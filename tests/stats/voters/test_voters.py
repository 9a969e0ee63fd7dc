import json

import pytest

import caveat
from caveat.errors import InputError
from caveat.stats.voters.manner import Manner
from caveat.stats.voters.synthetic import LEVELS, synthetic_arena
from caveat.stats.voters.voters import voter_readings

QUICK = Manner(replicates=99)


def test_everything_about_voters_is_plain_data():
    arena = synthetic_arena(200, missing=0.1, anonymous=0.1, seed=1)
    found = voter_readings(
        arena.votes,
        arena.voters,
        {"country": arena.margins, "by cell": [arena.joint]},
        manner=QUICK,
    )
    made = found.to_dict()["voters"]
    json.dumps(made, allow_nan=False)
    assert [t["attribute"] for t in made["declared"]] == list(LEVELS)
    assert [p["name"] for p in made["populations"]] == ["country", "by cell"]
    assert made["readings"][0]["name"] == "as cast"
    assert found.reading("country: one voice each").population == "country"
    assert found.reading("nowhere") is None
    assert made["settings"]["trim"] == 5.0
    assert made["seed"] == 0


def test_without_a_table_there_is_turnout_and_two_readings():
    arena = synthetic_arena(60, seed=1)
    found = voter_readings(arena.votes, manner=QUICK)
    assert not found.has_table
    assert found.n_unknown == 60
    assert found.declared == found.groups == found.populations == ()
    assert [r.name for r in found.readings] == ["as cast", "one voice each"]


def test_few_voters_without_a_row_are_not_counted_out():
    arena = synthetic_arena(60, seed=1)
    some = type(arena.voters)(kind="voters", table=arena.voters.table.slice(3))
    assert voter_readings(arena.votes, some, manner=QUICK).n_unknown is None
    fewer = type(arena.voters)(kind="voters", table=arena.voters.table.slice(12))
    assert voter_readings(arena.votes, fewer, manner=QUICK).n_unknown == 12


def test_bad_settings_are_errors():
    for change, message in (
        ({"threshold": 0}, "disclosure must be at least 1, got 0"),
        ({"trim": 1.0}, "trim must be above 1, the mean weight, got 1.0"),
        ({"trim": float("nan")}, "trim must be above 1"),
        ({"level": 1.0}, "level must be strictly between 0 and 1"),
        ({"replicates": 10}, "replicates must be at least 99, got 10"),
    ):
        with pytest.raises(InputError, match=message):
            Manner(**change)


def test_a_population_of_what_nobody_declares_costs_only_itself():
    arena = synthetic_arena(60, seed=1)
    found = voter_readings(arena.votes, None, {"country": arena.margins}, manner=QUICK)
    (population,) = found.populations
    assert population.reason == (
        "margins of country must be of attributes that voters declare (they declare none), got "
        "age, sex, region"
    )
    assert found.reading("country: every vote").reason == population.reason
    assert found.reading("one voice each").models


def test_a_weight_of_zero_or_below_never_gets_this_far():
    rows = {"model_a": ["x"], "model_b": ["y"], "winner": ["a"], "voter": ["v"]}
    for weight in (0, -1, float("inf")):
        with pytest.raises(InputError, match="weight"):
            caveat.read_votes({**rows, "weight": [weight]})


def test_synthetic_people_are_what_they_are_said_to_be():
    import numpy as np

    arena = synthetic_arena(20_000, votes_per_voter=1.0, missing=0.2, anonymous=0.3, seed=5)
    table = arena.voters.table
    # 20,000 people: shares are known to about 0.004
    silent = table["age"].null_count / 20_000
    assert silent == pytest.approx(0.2, abs=0.012)
    votes = arena.votes.table
    assert votes["voter"].null_count / len(votes) == pytest.approx(0.3, abs=0.015)
    assert len(votes) == 20_000  # one vote each
    cells = arena.population.cells
    pairs = np.bincount(cells.a * 8 + cells.b, weights=cells.count)
    assert pairs[pairs > 0] == pytest.approx(1e6)
    assert arena.strength.shape == (24, 8)
    assert sum(m.shares.sum() for m in arena.margins) == pytest.approx(3)


def test_the_same_seed_gives_the_same_people():
    one, other = synthetic_arena(50, seed=9), synthetic_arena(50, seed=9)
    assert one.votes.table.equals(other.votes.table)
    assert one.voters.table.equals(other.voters.table)
    assert not one.votes.table.equals(synthetic_arena(50, seed=10).votes.table)


def test_a_synthetic_arena_of_nobody_is_refused():
    for change in ({"n_voters": 0}, {"n_models": 1}, {"missing": 1.0}, {"anonymous": -0.1}):
        with pytest.raises(InputError, match=next(iter(change))):
            synthetic_arena(**change)
