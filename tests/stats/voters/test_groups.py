import math

import numpy as np
import pytest

from caveat.results._plain import to_plain
from caveat.stats.voters.electorate import electorate
from caveat.stats.voters.groups import groups
from caveat.stats.voters.manner import Manner
from caveat.stats.voters.synthetic import synthetic_arena

QUICK = Manner(replicates=199)


def by_group(n, sign, *, start=0):
    """Voters with four votes each, `n` in three of whom one is for the worse model."""
    for k in range(n):
        for j in range(4):
            better = ("x", "y") if sign > 0 else ("y", "x")
            yield (f"v{start + k}", *better, "b" if j == 0 and k % 3 else "a")


def test_statistics_equal_those_of_r(oracle_electorate, oracle_rows):
    found = groups(oracle_electorate, manner=Manner(replicates=99, threshold=1))
    got = {test.attribute: test for test in found}
    for row in oracle_rows("groups.csv"):
        test = got[row["attribute"]]
        assert test.statistic == pytest.approx(float(row["statistic"]), rel=1e-8)
        assert test.degrees == int(row["degrees"])


def test_groups_of_opposite_taste_by_hand(people):
    # Each 15 voters with 4 votes, all for their own favourite but one in 10 of 15 voters.
    votes = [*by_group(15, 1), *by_group(15, -1, start=15)]
    told = {f"v{k}": {"team": "red" if k < 15 else "blue"} for k in range(30)}
    (team,) = groups(people(votes, told), manner=QUICK)
    red, blue = sorted(team.groups, key=lambda g: g.level, reverse=True)
    # 60 votes, 10 against: log odds of 5 in points
    odds = 400 * math.log10(5)
    assert red.lead.leader == "x"
    assert red.lead.difference == pytest.approx(odds)
    assert blue.lead.leader == "y"
    assert blue.lead.difference == pytest.approx(odds)
    # p = 1/2 in all: U = 50 - 30 = 20, information 60/4: 400/15 for each group
    assert team.statistic == pytest.approx(2 * 400 / 15)
    assert team.n_votes == 120
    assert team.p == team.p_adjusted == 1 / 200
    # x stands odds/2 above the mean in one group and below it in the other
    assert team.apart.points == pytest.approx(odds)
    assert team.apart.z > 5
    assert {team.apart.above, team.apart.below} == {"red", "blue"}


def test_groups_that_are_alike_collapse_to_nothing(people):
    votes = [*by_group(15, 1), *by_group(15, 1, start=15)]
    told = {f"v{k}": {"team": "red" if k < 15 else "blue"} for k in range(30)}
    (team,) = groups(people(votes, told), manner=QUICK)
    assert team.statistic == pytest.approx(0, abs=1e-18)
    assert team.p == 1.0
    assert team.apart is None or team.apart.z < 1e-6


def test_more_ties_are_no_other_opinion(people):
    votes = [*by_group(15, 1), *by_group(15, 1, start=15)]
    told = {f"v{k}": {"team": "red" if k < 15 else "blue"} for k in range(30)}
    tied = [(f"v{k}", "x", "y", "tie") for k in range(15, 30) for _ in range(6)]
    (team,) = groups(people(votes + tied, told), manner=QUICK)
    assert team.statistic == pytest.approx(0, abs=1e-18)
    assert team.n_votes == 120
    assert {g.n_votes for g in team.groups} == {60, 150}


def test_groups_below_the_threshold_are_not_told_of(people):
    # 9 blue: their size could be found from that of red and the total, so red is merged with them
    votes = [*by_group(15, 1), *by_group(9, -1, start=15)]
    told = {f"v{k}": {"team": "red" if k < 15 else "blue"} for k in range(24)}
    (team,) = groups(people(votes, told), manner=QUICK)
    assert team.groups == ()
    assert math.isnan(team.p)
    assert math.isnan(team.p_adjusted)
    assert team.reason == "fewer than two groups of at least 10 voters"


def test_a_group_without_a_board_says_why_and_is_still_tested(people):
    # blue always prefers x: no finite rating, but a score
    votes = [*by_group(15, -1)]
    votes += [(f"v{k}", "x", "y", "a") for k in range(15, 30) for _ in range(3)]
    told = {f"v{k}": {"team": "red" if k < 15 else "blue"} for k in range(30)}
    (team,) = groups(people(votes, told), manner=QUICK)
    blue = next(g for g in team.groups if g.level == "blue")
    assert blue.models == ()
    assert blue.reason == "models that these votes rate: needs at least 2, got 0"
    assert team.p == 1 / 200
    assert team.apart is None


def test_votes_that_decide_nothing_cannot_be_tested(people):
    votes = [(f"v{k}", "x", "y", "tie") for k in range(30)]
    told = {f"v{k}": {"team": "red" if k < 15 else "blue"} for k in range(30)}
    (team,) = groups(people(votes, told), manner=QUICK)
    assert math.isnan(team.p)
    assert team.reason.startswith("no two models beat each other")


def test_without_attributes_there_is_no_test(people):
    assert groups(people([*by_group(15, 1)]), manner=QUICK) == ()


def test_the_difference_is_found_and_no_other():
    arena = synthetic_arena(500, by_age=0.6, seed=2)
    found = {t.attribute: t for t in groups(electorate(arena.votes, arena.voters), manner=QUICK)}
    assert found["age"].p_adjusted == pytest.approx(3 / 200)
    assert found["sex"].p_adjusted > 0.05
    assert found["region"].p_adjusted > 0.05
    # the statistic is far above what a chi-square of its degrees would be, also where nothing is
    assert found["region"].expected > 1.3 * found["region"].degrees


def test_the_seed_decides_and_adjusted_p_are_holms():
    arena = synthetic_arena(150, by_age=0.0, seed=2)
    who = electorate(arena.votes, arena.voters)
    one, again = groups(who, manner=QUICK), groups(who, manner=QUICK)
    other = groups(who, manner=Manner(replicates=199, seed=1))
    assert to_plain(one) == to_plain(again)
    assert [t.statistic for t in one] == [t.statistic for t in other]
    assert [t.p for t in one] != [t.p for t in other]
    p = np.array([t.p for t in one])
    want = np.maximum.accumulate(np.minimum(1, np.sort(p) * [3, 2, 1]))[np.argsort(np.argsort(p))]
    assert [t.p_adjusted for t in one] == pytest.approx(want)


@pytest.mark.slow
def test_no_attribute_is_called_more_often_than_the_level_where_groups_rank_alike():
    reps, any_called, each = 200, 0, 0
    for rep in range(reps):
        arena = synthetic_arena(250, n_models=6, by_age=0.0, seed=70_000 + rep)
        found = groups(electorate(arena.votes, arena.voters), manner=QUICK)
        any_called += min(t.p_adjusted for t in found) <= 0.05
        each += sum(t.p <= 0.05 for t in found)
    slack = 4 * math.sqrt(0.05 * 0.95 / reps)
    assert any_called / reps < 0.05 + slack
    assert each / (3 * reps) < 0.05 + slack
