import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.results._plain import to_plain
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.scale import POINTS
from caveat.stats.voters.electorate import electorate
from caveat.stats.voters.manner import Manner
from caveat.stats.voters.reweight import readings
from caveat.stats.voters.synthetic import synthetic_arena
from caveat.stats.voters.weighting import weigh


def all_readings(arena, **manner):
    who = electorate(arena.votes, arena.voters)
    weights = {"country": weigh(who, arena.margins, name="country")}
    return {r.name: r for r in readings(who, weights, manner=Manner(**manner))}


def truth(arena, method="auto"):
    """Ratings of the population, in points against the mean."""
    board = fit_board(arena.population, method=method)
    return dict(zip(board.names, (POINTS * board.fit.theta).tolist(), strict=True))


def centred(reading):
    mean = np.mean([m.rating for m in reading.models])
    return {m.model: m.rating - mean for m in reading.models}


def test_one_voice_each_by_hand(people):
    # v1: 8 wins of x and 2 of y; v2 and v3: one win of y each. As cast 8 to 4, odds 2. One voice
    # each: 0.8 to 0.2 + 1 + 1, odds 0.8 / 2.2.
    votes = [("v1", "x", "y", "a")] * 8 + [("v1", "y", "x", "a")] * 2
    votes += [(v, "x", "y", "b") for v in ("v2", "v3")]
    cast, voice = readings(people(votes), manner=Manner(method="bradley-terry", anchor="y"))
    rating = {r.name: {m.model: m.rating for m in r.models} for r in (cast, voice)}
    assert rating["as cast"]["x"] - 1000 == pytest.approx(POINTS * math.log(2))
    assert rating["one voice each"]["x"] - 1000 == pytest.approx(POINTS * math.log(0.8 / 2.2))
    assert (cast.effective_voters, voice.effective_voters) == (
        pytest.approx(144 / 102),  # (10 + 1 + 1)^2 / (100 + 1 + 1)
        pytest.approx(3),
    )
    assert voice.tau == -1


def test_equal_voters_collapse_to_the_votes_as_cast(people):
    rng = np.random.default_rng(4)
    votes = [
        (f"v{k}", *(("x", "y", "z")[i] for i in rng.permutation(3)[:2]), rng.choice(["a", "b"]))
        for k in range(40)
        for _ in range(3)
    ]
    cast, voice = readings(people(votes))
    assert [m.rating for m in voice.models] == pytest.approx([m.rating for m in cast.models])
    assert [m.se for m in voice.models] == pytest.approx([m.se for m in cast.models])
    assert (voice.first, voice.gone, voice.joined, voice.tau) == (cast.first, (), (), 1.0)
    assert voice.shift is None  # nothing moved, and nothing could have


def test_margins_of_the_voters_change_nothing():
    arena = synthetic_arena(200, seed=3)
    who = electorate(arena.votes, arena.voters)
    age = who.attribute("age")
    share = np.bincount(age.code) / who.n_voters
    own = type(arena.margins[0])(
        name="age", attributes=("age",), levels=tuple((x,) for x in age.levels), shares=share
    )
    found = {r.name: r for r in readings(who, {"us": weigh(who, [own], threshold=1)})}
    one, other = found["one voice each"], found["us: one voice each"]
    assert [m.rating for m in other.models] == pytest.approx([m.rating for m in one.models])
    # Weights of one, but fitted: what age explains does not vary. The error is no larger.
    assert all(b.se <= a.se * 1.02 for a, b in zip(one.models, other.models, strict=True) if a.se)


def test_readings_say_what_they_count_and_what_they_are_compared_with():
    arena = synthetic_arena(400, missing=0.1, anonymous=0.2, seed=1)
    found = all_readings(arena)
    total = len(arena.votes)
    assert {name: (r.kind, r.unit, r.reference) for name, r in found.items()} == {
        "as cast": ("cast", "vote", None),
        "named voters": ("cast", "vote", "as cast"),
        "one voice each": ("voice", "voice", "named voters"),
        "country: as cast": ("cast", "vote", "named voters"),
        "country: one voice each": ("population", "voice", "country: as cast"),
        "country: every vote": ("population", "vote", "country: as cast"),
    }
    for reading in found.values():
        assert reading.n_votes + reading.n_left_out == total
        assert reading.converged
        assert reading.reason == ""
    assert found["country: as cast"].n_votes == found["country: every vote"].n_votes
    assert found["named voters"].n_votes < total


def test_a_model_of_few_voters_is_not_said_to_move(people):
    rng = np.random.default_rng(2)
    votes = [
        (f"v{k}", "x", "y", rng.choice(["a", "b"], p=[0.6, 0.4]))
        for k in range(60)
        for _ in range(1 + k % 7)
    ]
    votes += [(f"v{k}", "z", "x", o) for k in range(9) for o in "ab" * (1 + 3 * (k == 4))]
    _, voice = readings(people(votes))
    assert {m.model for m in voice.models} == {"x", "y", "z"}
    assert voice.shift.model != "z"


def test_anonymous_votes_have_one_reading(people):
    (only,) = readings(people([("", "x", "y", "a"), ("", "y", "x", "a")] * 20))
    assert only.name == "as cast"
    assert only.n_voters == 0
    assert math.isnan(only.effective_voters)


def test_a_population_out_of_reach_has_a_reason_and_no_board():
    arena = synthetic_arena(12, seed=3)
    found = all_readings(arena)
    for name in ("country: one voice each", "country: every vote"):
        assert found[name].models == ()
        assert found[name].lead is None
        assert found[name].reason.startswith("no voter has the age 65+ (22.0%)")


def test_one_voter_has_no_board_but_a_reason(people):
    cast, voice = readings(people([("v", "x", "y", "a"), ("v", "y", "x", "a")] * 5))
    for reading in (cast, voice):
        assert reading.models == ()
        assert reading.reason == "voters whose votes count: needs at least 2, got 1"


def test_a_voter_with_one_vote_among_others_is_no_trouble(people):
    votes = [("v1", "x", "y", "a"), ("v1", "y", "x", "a"), ("v2", "x", "y", "a")]
    _, voice = readings(people(votes))
    assert [m.model for m in voice.models] == ["x", "y"]
    assert voice.n_voters == 2


def test_a_reading_more_does_not_change_the_others():
    arena = synthetic_arena(150, seed=8)
    who = electorate(arena.votes, arena.voters)
    alone = readings(who)
    with_population = readings(who, {"country": weigh(who, arena.margins)})
    assert to_plain(with_population[: len(alone)]) == to_plain(alone)


@given(st.integers(0, 1000), st.randoms())
@settings(max_examples=10, deadline=None)
def test_order_of_votes_and_sides_do_not_matter(seed, random):
    import pyarrow as pa

    arena = synthetic_arena(40, n_models=4, votes_per_voter=6, seed=seed)
    order = list(range(len(arena.votes)))
    random.shuffle(order)
    moved = type(arena.votes)(kind="votes", table=arena.votes.table.take(pa.array(order)))
    one, other = (
        readings(electorate(votes, None), manner=Manner(method="bradley-terry", anchor="m01"))
        for votes in (arena.votes, moved)
    )
    for a, b in zip(one, other, strict=True):
        got = {m.model: (m.rating, m.se) for m in b.models}
        for model in a.models:
            assert got[model.model][0] == pytest.approx(model.rating, abs=1e-5, nan_ok=True)
            assert got[model.model][1] == pytest.approx(model.se, rel=1e-5, nan_ok=True)


def test_weighting_recovers_the_population_that_the_votes_do_not_show():
    # The young vote most, and prefer other models. In the population m02 stands before m03.
    arena = synthetic_arena(4000, seed=3)
    true = truth(arena)
    found = all_readings(arena)

    def distance(name):
        got = centred(found[name])
        return math.sqrt(np.mean([(got[m] - true[m]) ** 2 for m in true]))

    assert true["m02"] > true["m03"]
    assert centred(found["as cast"])["m02"] < centred(found["as cast"])["m03"]
    weighted = centred(found["country: one voice each"])
    assert weighted["m02"] > weighted["m03"]
    assert distance("country: one voice each") < 12 < 30 < distance("as cast")
    assert distance("one voice each") > 20  # equal voices of the wrong people
    assert found["country: one voice each"].shift.p < 0.001


def test_post_stratification_by_age_alone_recovers_it_as_well():
    arena = synthetic_arena(4000, seed=4)
    who = electorate(arena.votes, arena.voters)
    found = weigh(who, [arena.joint])
    assert found.population.how == "post-stratified"
    (*_, voice, _) = readings(who, {"joint": found})
    true = truth(arena)
    got = centred(voice)
    assert math.sqrt(np.mean([(got[m] - true[m]) ** 2 for m in true])) < 15


def covered(reps, n_voters, seed, *, naive=False):
    """How often intervals of the weighted board hold the population's difference of two models."""
    hits = total = 0
    for rep in range(reps):
        arena = synthetic_arena(n_voters, n_models=5, votes_per_voter=8, seed=seed + rep)
        true = truth(arena, "davidson")
        who = electorate(arena.votes, arena.voters)
        weights = {"country": weigh(who, arena.margins, trim=None, threshold=1)}
        if weights["country"].population.reason:
            continue
        found = readings(who, weights, manner=Manner(method="davidson", anchor="m03"))
        reading = found[0] if naive else found[2]
        for model in reading.models:
            if model.model != "m03":
                want = 1000 + true[model.model] - true["m03"]
                hits += model.low <= want <= model.high
                total += 1
    return hits / total, total


@pytest.mark.slow
def test_intervals_of_the_weighted_board_cover_the_population():
    share, total = covered(300, 600, 10_000)
    # Four intervals of a board go together: as many trials as boards, not as intervals.
    slack = 4 * math.sqrt(0.95 * 0.05 / (total / 4))
    assert abs(share - 0.95) < slack
    as_cast, _ = covered(40, 600, 20_000, naive=True)
    assert as_cast < 0.6  # these are intervals of another population


@pytest.mark.slow
def test_a_shift_is_called_at_its_level_where_groups_rank_alike():
    hits, reps = 0, 300
    for rep in range(reps):
        arena = synthetic_arena(300, n_models=6, votes_per_voter=8, by_age=0.0, seed=30_000 + rep)
        who = electorate(arena.votes, arena.voters)
        weights = {"country": weigh(who, arena.margins)}
        found = readings(who, weights, manner=Manner(method="davidson"))
        hits += found[2].shift.p <= 0.05
    assert hits / reps < 0.05 + 4 * math.sqrt(0.05 * 0.95 / reps)
