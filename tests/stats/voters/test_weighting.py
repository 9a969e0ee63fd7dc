import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.data.margins import Margins
from caveat.errors import InputError
from caveat.stats.voters.electorate import electorate
from caveat.stats.voters.synthetic import synthetic_arena
from caveat.stats.voters.weighting import weigh


def margins(name="age", **shares):
    levels = tuple((level,) for level in shares)
    return Margins(name=name, attributes=(name,), levels=levels, shares=list(shares.values()))


def joint(shares):
    return Margins(
        name="both", attributes=("age", "sex"), levels=tuple(shares), shares=list(shares.values())
    )


@pytest.fixture
def crowd(people):
    """Build an electorate of one-vote voters from {(age, sex): number}; None declares nothing."""

    def build(numbers):
        told, votes = {}, []
        for (age, sex), number in numbers.items():
            for _ in range(number):
                name = f"v{len(told)}"
                told[name] = {"age": age, "sex": sex}
                votes.append((name, *(("x", "y") if len(told) % 2 else ("y", "x")), "a"))
        return people(votes, told)

    return build


def weights_of(who, found, **declared):
    where = np.ones(who.n_voters, dtype=bool)
    for name, level in declared.items():
        attribute = who.attribute(name)
        code = attribute.levels.index(level) if level else -1
        where &= attribute.code == code
    return sorted(set(np.round(found.weight[where], 9).tolist()))


def test_post_stratification_by_hand(crowd):
    # 30 young and 10 old, half of the population each: 2/3 and 2; deff = 40 (30*4/9 + 10*4) / 40^2
    who = crowd({("young", "w"): 30, ("old", "w"): 10})
    found = weigh(who, [margins(young=0.5, old=0.5)])
    assert weights_of(who, found, age="young") == pytest.approx([2 / 3])
    assert weights_of(who, found, age="old") == pytest.approx([2])
    told = found.population
    assert (told.how, told.n_voters, told.n_left_out, told.capped) == ("post-stratified", 40, 0, 0)
    assert told.design_effect == pytest.approx(4 / 3)
    assert told.effective_voters == pytest.approx(30)
    assert told.largest == pytest.approx(2)
    young, old = told.targets
    assert (young.level, young.voters, young.votes, young.population) == ("young", 0.75, 0.75, 0.5)
    assert old.weighted == pytest.approx(0.5)


def test_margins_of_the_sample_give_everybody_weight_one(crowd):
    who = crowd({("young", "w"): 30, ("old", "m"): 10, ("old", "w"): 20})
    found = weigh(who, [margins(young=0.5, old=0.5), margins("sex", w=50 / 60, m=10 / 60)])
    assert found.weight == pytest.approx(np.ones(60), abs=1e-9)
    assert found.population.design_effect == pytest.approx(1)


def test_trimming_is_told(crowd):
    # 4% old who are 40% of the population: weight 10, at most 5 leaves them 20%
    who = crowd({("young", "w"): 240, ("old", "w"): 10})
    found = weigh(who, [margins(young=0.6, old=0.4)])
    told = found.population
    assert told.largest == 5.0
    assert told.capped == pytest.approx(0.04)
    old = told.targets[1]
    assert (old.population, old.weighted) == (0.4, pytest.approx(0.2))
    assert not found.free[found.weight == 5.0].any()
    free = weigh(who, [margins(young=0.6, old=0.4)], trim=None)
    assert free.population.largest == pytest.approx(10)


def test_a_level_without_a_voter_is_refused_with_its_share(crowd):
    who = crowd({("young", "w"): 30, ("old", "w"): 10})
    found = weigh(who, [margins(young=0.4, old=0.4, oldest=0.2)])
    assert found.population.reason.startswith(
        "no voter has the age oldest (20.0%) of the population, and nobody can stand for them"
    )
    assert not found.kept.any()
    assert [t.population for t in found.population.targets] == pytest.approx([0.4, 0.4, 0.2])
    assert all(math.isnan(t.weighted) for t in found.population.targets)


def test_a_level_of_nobody_anywhere_does_not_matter(crowd):
    who = crowd({("young", "w"): 30, ("old", "w"): 10})
    found = weigh(who, [margins(young=0.5, old=0.5, oldest=0.0)])
    assert found.population.reason == ""


def test_voters_of_a_level_that_the_margin_does_not_name_keep_their_share(crowd):
    # 10 of 50 are nonbinary: they keep weight 1; the others are brought to halves of 40
    who = crowd({("young", "w"): 30, ("young", "m"): 10, ("young", "nonbinary"): 10})
    found = weigh(who, [margins("sex", w=0.5, m=0.5)])
    assert weights_of(who, found, sex="nonbinary") == pytest.approx([1])
    assert weights_of(who, found, sex="w") == pytest.approx([2 / 3])
    assert weights_of(who, found, sex="m") == pytest.approx([2])
    assert found.population.unnamed == pytest.approx(0.2)
    assert found.population.n_voters == 50


def test_voters_of_a_level_that_the_population_lacks_are_left_out(crowd):
    who = crowd({("young", "w"): 30, ("old", "w"): 20, ("oldest", "w"): 10})
    found = weigh(who, [margins(young=0.5, old=0.5, oldest=0.0)])
    assert found.population.n_left_out == 10
    assert weights_of(who, found, age="oldest") == [0]
    assert found.weight[found.kept].mean() == pytest.approx(1)


def test_voters_who_declare_nothing_are_left_out(crowd):
    who = crowd({("young", "w"): 30, ("old", "w"): 10, (None, "w"): 15})
    found = weigh(who, [margins(young=0.5, old=0.5)])
    assert (found.population.n_voters, found.population.n_left_out) == (40, 15)
    assert weights_of(who, found, age=None) == [0]


def test_fewer_than_the_threshold_keep_their_share_so_that_nobody_can_count_them(crowd):
    who = crowd({("young", "w"): 30, ("old", "w"): 10, (None, "w"): 4})
    found = weigh(who, [margins(young=0.5, old=0.5)])
    assert (found.population.n_voters, found.population.n_left_out) == (44, 0)
    assert weights_of(who, found, age=None) == pytest.approx([1])
    assert math.isnan(found.population.unnamed)
    assert "fewer than 10 voters outside the margins keep their share" in found.population.notes


def test_small_levels_are_merged_before_they_are_weighted(crowd):
    # 7 old and 5 oldest are 12 of 52 voters and 60% of the population
    who = crowd({("young", "w"): 40, ("old", "w"): 7, ("oldest", "w"): 5})
    found = weigh(who, [margins(young=0.4, old=0.3, oldest=0.3)])
    assert weights_of(who, found, age="old") == pytest.approx([0.6 * 52 / 12])
    assert weights_of(who, found, age="oldest") == pytest.approx([0.6 * 52 / 12])
    assert found.population.notes[0].startswith("2 levels of age are merged")
    assert [t.level for t in found.population.targets] == ["young", "other (2 levels)"]


def test_a_joint_margin_is_post_stratified(crowd):
    numbers = {("young", "w"): 30, ("young", "m"): 10, ("old", "w"): 20, ("old", "m"): 40}
    who = crowd(numbers)
    found = weigh(who, [joint(dict.fromkeys(numbers, 0.25))])
    assert found.population.how == "post-stratified"
    for (age, sex), number in numbers.items():
        assert weights_of(who, found, age=age, sex=sex) == pytest.approx([25 / number])


def test_a_joint_margin_with_a_thin_cell_is_raked_by_its_attributes(crowd):
    numbers = {("young", "w"): 30, ("young", "m"): 10, ("old", "w"): 20, ("old", "m"): 3}
    who = crowd(numbers)
    found = weigh(who, [joint(dict.fromkeys(numbers, 0.25))])
    apart = weigh(who, [margins(young=0.5, old=0.5), margins("sex", w=0.5, m=0.5)])
    assert found.population.how == "raked"
    assert found.weight == pytest.approx(apart.weight)
    assert found.population.notes[0].startswith(
        "some cells of age by sex have fewer than 10 voters"
    )


def test_attributes_that_voters_do_not_declare_are_added_up(people, crowd):
    who = crowd({("young", "w"): 30, ("old", "w"): 10})
    table = Margins(
        name="census",
        attributes=("age", "income"),
        levels=(("young", "low"), ("young", "high"), ("old", "low"), ("old", "high")),
        shares=[0.1, 0.4, 0.3, 0.2],
    )
    found = weigh(who, [table])
    assert weights_of(who, found, age="old") == pytest.approx([2])
    assert found.population.attributes == ("age",)
    assert "income is not declared by voters" in found.population.notes[0]


def test_margins_that_contradict_each_other_are_refused(crowd):
    numbers = {("young", "w"): 20, ("young", "m"): 20, ("old", "w"): 20, ("old", "m"): 20}
    who = crowd(numbers)
    both = joint(dict(zip(numbers, [0.4, 0.1, 0.4, 0.1], strict=True)))  # 80% women
    found = weigh(who, [both, margins("sex", w=0.5, m=0.5)])
    assert found.population.reason.startswith("the margins contradict each other")
    # raked to the sexes last: a cell of 40% ends at 25%
    assert "15.0 points off" in found.population.reason
    assert not found.population.converged


def test_a_limit_that_no_weights_can_keep_is_told_apart(crowd):
    numbers = {("young", "w"): 100, ("young", "m"): 10, ("old", "w"): 10, ("old", "m"): 100}
    who = crowd(numbers)
    asked = [margins(young=0.58, old=0.42), margins("sex", w=0.42, m=0.58)]
    assert weigh(who, asked, trim=None).population.converged
    found = weigh(who, asked, trim=1.2)
    assert found.population.reason.startswith("no weights of at most 1.2 times the mean hold")


def test_too_few_declared_voters_are_refused(crowd):
    who = crowd({("young", "w"): 5, ("old", "w"): 4, (None, "w"): 20})
    found = weigh(who, [margins(young=0.5, old=0.5)])
    assert found.population.reason == "fewer than 10 voters declare what the margins ask for"


def test_what_cannot_be_asked_is_an_error(crowd):
    who = crowd({("young", "w"): 12, ("old", "w"): 12})
    with pytest.raises(InputError, match=r"voters declare \(age, sex\), got income"):
        weigh(who, [margins("income", low=0.5, high=0.5)])
    with pytest.raises(InputError, match="at least one margin, got none"):
        weigh(who, [])
    with pytest.raises(InputError, match="trim must be above 1"):
        weigh(who, [margins(young=0.5, old=0.5)], trim=1.0)
    with pytest.raises(InputError, match=r"shares must sum to 1 .* got 1.1"):
        margins(young=0.5, old=0.6)
    with pytest.raises(InputError, match=r"a share must be a number from 0 to 1, got -0\.1"):
        margins(young=1.1, old=-0.1)


@given(st.integers(60, 400), st.floats(0, 0.3), st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_weights_never_rest_on_fewer_voters_than_the_threshold(n, missing, seed):
    arena = synthetic_arena(n, votes_per_voter=1, missing=missing, seed=seed)
    who = electorate(arena.votes, arena.voters)
    found = weigh(who, arena.margins)
    if found.population.reason:
        assert not found.kept.any()
        return
    assert found.weight[found.kept].mean() == pytest.approx(1)
    assert found.weight.max() <= 5 + 1e-9
    left = int((~found.kept).sum())
    assert left == 0 or left >= 10
    for level in found.margins:
        sizes = np.bincount(level)
        # the last one may be those few who declare nothing; they keep their share
        assert sizes[:-1].min(initial=10) >= 10
        assert sizes[-1] >= 10 or found.population.notes


def test_order_of_voters_and_of_margins_does_not_matter():
    arena = synthetic_arena(300, votes_per_voter=2, seed=7)
    who = electorate(arena.votes, arena.voters)
    one = weigh(who, arena.margins)
    other = weigh(who, arena.margins[::-1])
    assert other.weight == pytest.approx(one.weight, abs=1e-6)
