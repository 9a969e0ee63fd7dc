import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.errors import InputError
from caveat.stats.voters.disclosure import disclosure, turnout
from caveat.stats.voters.electorate import electorate
from caveat.stats.voters.synthetic import synthetic_arena


def cast(numbers, attribute=None):
    """Votes of voters who cast so many, and what each declares."""
    votes = [
        (f"v{k}", *(("x", "y") if j % 2 else ("y", "x")), "a")
        for k, number in enumerate(numbers)
        for j in range(number)
    ]
    told = {f"v{k}": {"age": level} for k, level in enumerate(attribute or [])}
    return votes, told or None


def test_turnout_by_hand(people):
    # voters with 1 to 4 votes: mean and median 2.5; Gini (2*(1+4+9+16) - 5*10) / (4*10) = 1/4;
    # effective number 10^2 / 30
    votes, _ = cast([1, 2, 3, 4])
    votes += [("", "x", "y", "a")] * 10
    got = turnout(people(votes), threshold=1)
    assert (got.n_votes, got.n_voters, got.n_anonymous, got.anonymous_share) == (20, 4, 10, 0.5)
    assert (got.mean, got.median) == (2.5, 2.5)
    assert got.gini == pytest.approx(0.25)
    assert got.effective_voters == pytest.approx(100 / 30)
    assert got.top_10 == pytest.approx(0.4)
    assert got.quantiles == ((0.1, 1), (0.25, 1), (0.5, 2), (0.75, 3), (0.9, 4))


def test_the_busiest_are_not_told_of_when_they_are_few(people):
    votes, _ = cast(range(1, 31))
    got = turnout(people(votes), threshold=3)
    assert math.isnan(got.top_1)  # one voter
    assert got.top_10 == pytest.approx((30 + 29 + 28) / 465)


def test_without_voters_there_is_no_turnout(people):
    got = turnout(people([("", "x", "y", "a"), ("", "y", "x", "a")]))
    assert got.n_voters == 0
    assert got.anonymous_share == 1.0
    assert math.isnan(got.mean)
    assert math.isnan(got.gini)
    assert got.quantiles == ()


def test_a_table_by_hand(people):
    # Young: 1, 1, 4 votes; old: 2, 2, 2, 2; nothing declared: 3, 3, 3. All of them: 23 votes.
    levels = ["young"] * 3 + ["old"] * 4 + [None] * 3
    votes, told = cast([1, 1, 4, 2, 2, 2, 2, 3, 3, 3], levels)
    (age,) = disclosure(people(votes, told), threshold=3)
    old, young, nothing = age.levels
    assert [line.level for line in age.levels] == ["old", "young", "not declared"]
    assert (old.n_voters, old.n_votes, old.share, old.gini) == (4, 8, 0.4, 0)
    assert (young.mean, young.median, young.votes_share) == (2, 1, 6 / 23)
    assert young.gini == pytest.approx(1 / 3)  # (2*(1+2+12) - 4*6) / (3*6) = 6/18
    assert (nothing.kind, nothing.n_votes) == ("undeclared", 9)
    assert age.undeclared == pytest.approx(0.3)
    assert age.undeclared_votes == pytest.approx(9 / 23)
    assert age.n_levels == 2


def test_small_levels_are_merged_with_those_who_declare_nothing(people):
    # 12 old, 6 young, 3 middle-aged, 2 silent; threshold 10: 6 + 3 + 2 = 11 are one line
    levels = ["old"] * 12 + ["young"] * 6 + ["middle"] * 3 + [None] * 2
    votes, told = cast([1] * 23, levels)
    (age,) = disclosure(people(votes, told))
    assert [(line.level, line.n_voters) for line in age.levels] == [
        ("old", 12),
        ("other (2 levels and not declared)", 11),
    ]
    assert math.isnan(age.undeclared)
    assert age.undeclared_votes == 0  # what two voters cast is not told either


def test_two_silent_voters_take_the_next_level_with_them(people):
    votes, told = cast([1] * 34, ["old"] * 20 + ["young"] * 12 + [None] * 2)
    (age,) = disclosure(people(votes, told))
    assert [(line.level, line.n_voters) for line in age.levels] == [
        ("old", 20),
        ("other (1 level and not declared)", 14),
    ]


def test_fewer_than_the_threshold_are_not_told_of(people):
    votes, told = cast([1] * 9, ["old"] * 9)
    (age,) = disclosure(people(votes, told))
    assert age.levels == ()
    assert age.reason == "fewer than 10 voters: nothing is told of them"


def test_nobody_declares_anything(people):
    votes, told = cast([1] * 12, [None] * 12)
    (age,) = disclosure(people(votes, told))
    assert [(line.level, line.n_voters) for line in age.levels] == [("not declared", 12)]
    assert age.n_levels == 0


@given(st.integers(10, 120), st.floats(0, 0.5), st.integers(1, 25), st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_no_line_and_no_difference_tells_of_too_few(n, missing, threshold, seed):
    arena = synthetic_arena(n, votes_per_voter=1, missing=missing, seed=seed)
    who = electorate(arena.votes, arena.voters)
    for table, attribute in zip(disclosure(who, threshold=threshold), who.attributes, strict=True):
        if table.reason:
            assert who.n_voters < threshold
            continue
        sizes = [line.n_voters for line in table.levels]
        assert min(sizes) >= threshold
        assert sum(sizes) == who.n_voters
        assert sum(line.n_votes for line in table.levels) == who.cast.sum()
        assert sum(line.votes_share for line in table.levels) == pytest.approx(1)
        true = np.bincount(attribute.code[attribute.code >= 0])
        for line in table.levels:
            if line.kind == "level":
                assert line.n_voters == true[attribute.levels.index(line.level)]


def test_a_threshold_below_one_is_refused(people):
    who = people(cast([1])[0])
    for function in (disclosure, turnout):
        with pytest.raises(InputError, match="threshold must be at least 1, got 0"):
            function(who, threshold=0)
