import numpy as np
import pytest
from scipy.optimize import minimize

from caveat.kernels.counts import VoteCells
from caveat.kernels.paired import evaluate, fit, units_of
from caveat.kernels.vote_kinds import sort_votes
from caveat.kernels.warm_refit import Refit, inverse_information, islands, refit

TIES = ("half-win", "davidson", "rao-kupper")


def kinds_of(seed, m=5, position=False):
    rng = np.random.default_rng(seed)
    a, b, o = (x.ravel() for x in np.meshgrid(range(m), range(m), range(3), indexing="ij"))
    keep = a != b
    n = rng.integers(3, 20, keep.sum()).astype(float)
    cells = VoteCells(m, a[keep], b[keep], o[keep], n, n, n)
    return sort_votes(cells, position=position).kinds


def start_of(kinds, ties):
    x = fit(kinds.pairs, ties=ties).parameters
    return Refit(x, inverse_information(kinds.pairs, x, ties=ties), converged=True)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("position", [False, True])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.9])
def test_it_ends_where_a_generic_optimiser_does(ties, position, share):
    kinds = kinds_of(3, position=position)
    rng = np.random.default_rng(4)
    left = kinds.with_counts(rng.binomial(kinds.count.astype(int), 1 - share) + 0.0)
    assert not islands(left).any()
    got = refit(left, ties=ties, start=start_of(kinds, ties))
    assert got.converged

    def value(x):
        return -float(evaluate(left, x, ties=ties).value.sum())

    exact = {"maxiter": 20_000, "maxfev": 40_000, "xatol": 1e-7, "fatol": 1e-10}
    begin = start_of(kinds, ties).parameters
    best = minimize(value, begin, method="Nelder-Mead", options=exact)
    # the likelihood is flat at the top: a difference of 1e-9 in it is one of 1e-5 in ratings
    assert value(got.parameters) <= best.fun + 1e-9
    m = 5
    assert got.parameters[:m] - got.parameters[:m].mean() == pytest.approx(
        best.x[:m] - best.x[:m].mean(), abs=2e-4
    )


@pytest.mark.parametrize("ties", TIES)
def test_it_is_the_fit_from_nothing_to_the_last_digits(ties):
    kinds = kinds_of(7)
    count = kinds.count.copy()
    count[:12] = 1.0
    left = kinds.with_counts(count)
    got = refit(left, ties=ties, start=start_of(kinds, ties))
    assert got.parameters == pytest.approx(fit(left, ties=ties).parameters, abs=1e-9)


def test_no_finite_maximum_is_not_converged():
    # without a tie the tie parameter has no estimate
    kinds = kinds_of(8)
    count = np.where(kinds.result == 2, 0.0, kinds.count)
    got = refit(kinds.with_counts(count), ties="davidson", start=start_of(kinds, "davidson"))
    assert not got.converged
    assert np.isnan(got.parameters).all()


def test_islands_are_told_apart():
    rows = [(0, 1, 0), (1, 0, 0), (2, 3, 2), (0, 2, 0)]
    a, b, o = np.array(rows).T
    one = np.ones(4)
    label = islands(units_of(VoteCells(4, a, b, o, one, one, one)))
    assert label[0] == label[1] != label[2] == label[3]


def test_an_advantage_that_cannot_be_told_from_ratings_is_no_estimate():
    # with 0 always shown first there is no telling its strength from the advantage of the first
    rows = [(0, 1, 0, 9), (0, 1, 1, 5), (1, 0, 0, 6), (1, 0, 1, 7)]
    a, b, o, n = np.array(rows).T
    n = n.astype(float)
    kinds = sort_votes(VoteCells(2, a, b, o, n, n, n), position=True).kinds
    shown_first = kinds.pairs.a[kinds.pair] == 0
    start = start_of(kinds, "half-win")
    assert refit(kinds.pairs, ties="half-win", start=start).converged
    got = refit(
        kinds.with_counts(np.where(shown_first, kinds.count, 0.0)), ties="half-win", start=start
    )
    assert not got.converged


def test_a_tie_parameter_that_rises_for_ever_is_no_estimate():
    # three wins in a row and ties between neighbours: put the models at equal distances, c apart
    rows = [(0, 2, 0, 5), (0, 1, 2, 4), (1, 2, 2, 4), (2, 0, 0, 2)]
    a, b, o, n = np.array(rows).T
    n = n.astype(float)
    kinds = sort_votes(VoteCells(3, a, b, o, n, n, n)).kinds
    start = start_of(kinds, "davidson")
    back = (kinds.pairs.a[kinds.pair] == 0) & (kinds.result == 1)
    left = kinds.with_counts(np.where(back, 0.0, kinds.count))
    assert not islands(left).any()
    assert not refit(left, ties="davidson", start=start).converged
