"""Real voters: the workers and the model judges of llmfao; real margins: two censuses."""

import math

import numpy as np
import pyarrow.parquet as pq
import pytest

import caveat
from caveat.data.margins import collapsed, recoded
from caveat.data.margins_file import read_margins
from caveat.stats.voters.electorate import electorate
from caveat.stats.voters.manner import Manner
from caveat.stats.voters.voters import voter_readings
from caveat.stats.voters.weighting import weigh

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def table(shared):
    return pq.read_table(shared / "votes" / "llmfao.parquet").to_pandas()


def people(table):
    """Which of the two kinds of judges each voter is."""
    kind = ["people" if judge == "human" else "models" for judge in table["judge"]]
    return caveat.read_voters(
        table.assign(kind=kind)[["voter_id", "kind"]].drop_duplicates("voter_id")
    )


def test_a_voice_for_each_worker_of_llmfao_is_another_board(table):
    votes = caveat.read_votes(table[table["judge"] == "human"])
    found = voter_readings(votes, manner=Manner(method="bradley-terry"))
    turnout = found.turnout
    assert (turnout.n_votes, turnout.n_voters, turnout.median) == (8931, 124, 21)
    assert turnout.gini == pytest.approx(0.651, abs=0.001)
    assert turnout.effective_voters == pytest.approx(39.6, abs=0.1)
    assert math.isnan(turnout.top_1)  # two workers
    assert turnout.top_10 == pytest.approx(0.495, abs=0.001)  # thirteen
    cast, voice = found.readings
    assert cast.lead.leader == "GPT 4"
    assert not cast.lead.separable
    assert voice.lead.leader != "GPT 4"
    assert 0.6 < voice.tau < 0.8
    assert voice.shift.p > 0.05  # 124 voters cannot tell the two apart


def test_two_models_that_judge_are_two_voters_however_many_votes_they_cast(table):
    votes, voters = caveat.read_votes(table), people(table)
    found = voter_readings(votes, voters, manner=Manner(threshold=1, replicates=499))
    (kinds,) = found.groups
    assert {g.level: g.n_voters for g in kinds.groups} == {"people": 124, "models": 2}
    # 6,472 votes of two voters: a chi-square would be sure, and must not be
    assert kinds.statistic > 5 * kinds.degrees
    assert kinds.p > 0.05
    hidden = voter_readings(votes, voters, manner=Manner(replicates=99))
    assert hidden.groups[0].reason == "fewer than two groups of at least 10 voters"
    (line,) = hidden.declared[0].levels
    assert (line.level, line.n_voters) == ("other (2 levels)", 126)


def census_voters(margins, n, seed):
    """People drawn from a census in which the young answer three times as often."""
    rng = np.random.default_rng(seed)
    young = margins.levels[0][0]
    weight = margins.shares * np.where([cell[0] == young for cell in margins.levels], 3.0, 1.0)
    drawn = rng.choice(len(margins.levels), n, p=weight / weight.sum())
    told = {
        name: [margins.levels[k][j] for k in drawn] for j, name in enumerate(margins.attributes)
    }
    names = [f"v{k:04d}" for k in range(n)]
    votes = caveat.read_votes(
        {
            "voter": names,
            "model_a": ["x", "y"] * (n // 2),
            "model_b": ["y", "x"] * (n // 2),
            "winner": rng.choice(["a", "b"], n).tolist(),
        }
    )
    return electorate(votes, caveat.read_voters({"voter": names, **told}))


@pytest.mark.parametrize("name", ["census_us_census_aggregate.csv", "census_uk.csv"])
def test_voters_are_raked_to_a_census(shared, name):
    (margins,) = read_margins(shared / "votes" / name)
    assert margins.attributes == ("age", "ethnicity", "sex")
    who = census_voters(margins, 1000, seed=1)
    found = weigh(who, [margins], name="census")
    # hundreds of joint cells, many of them without a voter: the margins of each attribute hold
    assert found.population.how == "raked"
    assert found.population.notes[0].startswith("some cells of age by ethnicity by sex")
    for target in found.population.targets:
        assert target.weighted == pytest.approx(target.population, abs=1e-8)
    youngest = found.population.targets[0]
    assert youngest.voters > 1.5 * youngest.population
    assert found.population.largest < 5


def test_a_joint_census_is_post_stratified_where_there_are_voters_enough(shared):
    (margins,) = read_margins(shared / "votes" / "census_us_census_aggregate.csv")
    both = collapsed(margins, ("age", "sex"))
    who = census_voters(margins, 2000, seed=2)
    found = weigh(who, [both])
    assert found.population.how == "post-stratified"
    other = recoded(both, "sex", {"Male": "M"})
    assert weigh(who, [other]).population.reason.startswith("no voter has the sex M (49.3%)")
