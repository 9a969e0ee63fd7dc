import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from caveat.kernels.ties import (
    TIE_MODELS,
    chances,
    decisive,
    decisive_odds,
    first_guess,
    likelihood,
    slopes,
    vote_slopes,
)

MODELLED = ("davidson", "rao-kupper")
etas = st.floats(-6, 6)
ties = st.floats(0.05, 4)
counts = st.tuples(*[st.floats(0, 40)] * 3)


def at(model, eta, tie, wins, losses, even):
    won, lost, tied = (np.array([float(x)]) for x in (wins, losses, even))
    return likelihood(model, eta=np.array([eta]), tie=tie, wins=won, losses=lost, ties=tied)


def test_davidson_by_hand():
    # 30 wins, 10 losses, 20 ties are shares 1/2, 1/6, 1/3: exp(eta) = 3, exp(c) = 20 / sqrt(300)
    got = chances("davidson", eta=np.array([math.log(3)]), tie=math.log(20 / math.sqrt(300)))
    assert [got.win[0], got.loss[0], got.tie[0]] == pytest.approx([1 / 2, 1 / 6, 1 / 3], abs=1e-15)
    assert decisive("davidson", eta=np.array([math.log(3)]), tie=0.2)[0] == pytest.approx(3 / 4)


def test_rao_kupper_by_hand():
    # the same shares: logit(1/2) = 0 = eta - c and logit(1/6) = -log 5 = -eta - c, so
    # eta = c = log(5) / 2; of decisive votes, 3 in 4 are wins
    half = math.log(5) / 2
    got = chances("rao-kupper", eta=np.array([half]), tie=half)
    assert [got.win[0], got.loss[0], got.tie[0]] == pytest.approx([1 / 2, 1 / 6, 1 / 3], abs=1e-15)
    assert decisive("rao-kupper", eta=np.array([half]), tie=half)[0] == pytest.approx(3 / 4)


def test_rao_kupper_is_a_difference_that_people_cannot_see():
    # worths e^eta : 1 and threshold e^c, as in the paper: pi_a / (pi_a + theta pi_b)
    eta, c = 0.7, 0.4
    got = chances("rao-kupper", eta=np.array([eta]), tie=c)
    pi, theta = math.exp(eta), math.exp(c)
    assert got.win[0] == pytest.approx(pi / (pi + theta), rel=1e-14)
    assert got.loss[0] == pytest.approx(1 / (theta * pi + 1), rel=1e-14)
    tied = pi * (theta**2 - 1) / ((pi + theta) * (theta * pi + 1))
    assert got.tie[0] == pytest.approx(tied, rel=1e-14)


def test_half_win_counts_a_tie_as_half_a_win_of_each():
    one = at("half-win", 0.3, math.nan, 2, 1, 4)
    other = at("half-win", 0.3, math.nan, 4, 3, 0)
    assert one.value[0] == pytest.approx(other.value[0], rel=1e-14)
    assert one.eta[0] == pytest.approx(other.eta[0], rel=1e-14)


@given(etas, ties)
def test_chances_add_up_and_turn_round(eta, tie):
    for model in TIE_MODELS:
        here = chances(model, eta=np.array([eta]), tie=tie)
        there = chances(model, eta=np.array([-eta]), tie=tie)
        assert here.win + here.loss + here.tie == pytest.approx(1, abs=1e-14)
        assert min(here.win[0], here.loss[0], here.tie[0]) >= 0
        assert here.win == pytest.approx(there.loss, rel=1e-12)
        assert here.tie == pytest.approx(there.tie, rel=1e-12, abs=1e-300)


@given(etas)
def test_without_ties_both_models_are_bradley_terry(eta):
    p = expit(eta)
    for model, none in (("davidson", -800.0), ("rao-kupper", 1e-12)):
        got = chances(model, eta=np.array([eta]), tie=none)
        assert got.win[0] == pytest.approx(p, rel=1e-11)
        assert got.tie[0] == pytest.approx(0, abs=1e-11)
        assert decisive(model, eta=np.array([eta]), tie=none)[0] == pytest.approx(p, rel=1e-11)


@given(etas, ties, counts)
def test_the_value_is_the_log_of_the_chances(eta, tie, number):
    wins, losses, even = number
    for model in MODELLED:
        p = chances(model, eta=np.array([eta]), tie=tie)
        want = wins * np.log(p.win) + losses * np.log(p.loss) + even * np.log(p.tie)
        got = at(model, eta, tie, *number).value
        assert got == pytest.approx(want, rel=1e-10, abs=1e-10)
    p = expit(eta)
    want = (wins + even / 2) * math.log(p) + (losses + even / 2) * math.log1p(-p)
    assert at("half-win", eta, tie, *number).value[0] == pytest.approx(want, rel=1e-9, abs=1e-10)


@given(etas, ties, counts)
def test_derivatives_equal_numerical_ones(eta, tie, number):
    step, scale = 1e-4, 1 + sum(number)
    for model in TIE_MODELS:
        here = at(model, eta, tie, *number)

        def moved(by_eta, by_tie, model=model):
            return at(model, eta + by_eta * step, tie + by_tie * step, *number)

        def slope(name, by_eta, by_tie):
            up, down = moved(by_eta, by_tie), moved(-by_eta, -by_tie)
            return (getattr(up, name) - getattr(down, name)) / (2 * step)

        # central differences err by step^2 / 6 times a third derivative: at c = 0.05 that of
        # Rao-Kupper's log(exp(2 c) - 1) is 2 / c^3, and the fourth 6 / c^4
        slack = scale * (1e-6 + step**2 * 2 / tie**4)
        assert slope("value", 1, 0) == pytest.approx(here.eta, abs=slack)
        assert slope("eta", 1, 0) == pytest.approx(-here.eta_eta, abs=slack)
        if model == "half-win":
            assert not here.tie.any()
            continue
        assert slope("value", 0, 1) == pytest.approx(here.tie, abs=slack)
        assert slope("eta", 0, 1) == pytest.approx(-here.eta_tie, abs=slack)
        assert slope("tie", 1, 0) == pytest.approx(-here.eta_tie, abs=slack)
        assert slope("tie", 0, 1) == pytest.approx(-here.tie_tie, abs=slack)


@given(etas, ties)
def test_information_is_the_spread_of_the_slopes(eta, tie):
    """On average over outcomes, slopes vanish and their squares are the information."""
    for model in MODELLED:
        p = chances(model, eta=np.array([eta]), tie=tie)
        share = np.array([p.win[0], p.loss[0], p.tie[0]])
        by_eta, by_tie = vote_slopes(
            model, eta=np.full(3, eta), tie=tie, outcome=np.array([0, 1, 2])
        )
        here = at(model, eta, tie, *share)
        assert share @ by_eta == pytest.approx(0, abs=1e-12)
        assert share @ by_tie == pytest.approx(0, abs=1e-12)
        assert share @ by_eta**2 == pytest.approx(here.eta_eta[0], abs=1e-12)
        assert share @ (by_eta * by_tie) == pytest.approx(here.eta_tie[0], abs=1e-12)
        assert share @ by_tie**2 == pytest.approx(here.tie_tie[0], rel=1e-9, abs=1e-12)


@given(etas, ties, counts)
def test_swapping_the_two_models_turns_the_slopes_round(eta, tie, number):
    wins, losses, even = number
    for model in TIE_MODELS:
        here, there = at(model, eta, tie, *number), at(model, -eta, tie, losses, wins, even)
        slack = 1e-11 * (1 + sum(number))
        assert there.value == pytest.approx(here.value, rel=1e-10, abs=slack)
        assert there.eta == pytest.approx(-here.eta, abs=slack)
        assert there.tie == pytest.approx(here.tie, abs=slack)
        assert there.eta_tie == pytest.approx(-here.eta_tie, abs=slack)


@given(etas, ties)
def test_odds_of_a_decisive_vote_and_their_slopes(eta, tie):
    step = 1e-6
    for model in TIE_MODELS:
        here = decisive_odds(model, eta=np.array([eta]), tie=tie)
        p = chances(model, eta=np.array([eta]), tie=tie)
        assert here.value == pytest.approx(np.log(p.win / p.loss), rel=1e-9, abs=1e-9)
        for name, by_eta, by_tie in (("by_eta", step, 0.0), ("by_tie", 0.0, step)):
            up = decisive_odds(model, eta=np.array([eta + by_eta]), tie=tie + by_tie).value
            down = decisive_odds(model, eta=np.array([eta - by_eta]), tie=tie - by_tie).value
            assert getattr(here, name) == pytest.approx((up - down) / (2 * step), abs=1e-8)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=20), etas, ties)
def test_slopes_of_votes_add_up_to_slopes_of_counts(outcomes, eta, tie):
    outcome = np.array(outcomes)
    for model in TIE_MODELS:
        one = vote_slopes(model, eta=np.full(outcome.size, eta), tie=tie, outcome=outcome)
        number = [np.array([float(np.isin(outcome, o).sum())]) for o in ([0], [1], [2, 3])]
        both = dict(zip(("wins", "losses", "ties"), number, strict=True))
        whole = slopes(model, eta=np.array([eta]), tie=tie, **both)
        assert one[0].sum() == pytest.approx(whole[0][0], abs=1e-10)
        assert one[1].sum() == pytest.approx(whole[1][0], rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("share", [0.001, 0.3, 0.999])
def test_the_first_guess_ties_equals_as_often(share):
    for model in MODELLED:
        got = chances(model, eta=np.zeros(1), tie=first_guess(model, share))
        assert got.tie[0] == pytest.approx(share, rel=1e-9)
    assert math.isnan(first_guess("half-win", share))


def test_outside_of_rao_kupper_there_is_no_likelihood():
    # c = 0 means that nothing is ever tied; below that the chances are not chances
    for tie in (0.0, -0.5):
        assert at("rao-kupper", 0.3, tie, 3, 2, 1).value[0] == -math.inf


@pytest.mark.parametrize("eta", [-900.0, -40.0, 40.0, 900.0])
@pytest.mark.parametrize("tie", [1e-6, 3.0, 300.0, 900.0])
def test_far_out_nothing_overflows(eta, tie):
    for model in TIE_MODELS:
        got = chances(model, eta=np.array([eta]), tie=tie)
        assert got.win + got.loss + got.tie == pytest.approx(1, abs=1e-12)
        here = at(model, eta, tie, 3, 2, 1)
        assert np.isfinite([here.value, here.eta, here.tie, here.eta_eta, here.tie_tie]).all()
        assert 0 <= decisive(model, eta=np.array([eta]), tie=tie)[0] <= 1
