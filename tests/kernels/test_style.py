import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from caveat.kernels import paired
from caveat.kernels.connectivity import is_connected
from caveat.kernels.counts import VoteCounter, win_matrix
from caveat.kernels.paired import FEW_VOTES, Units
from caveat.kernels.style import fit
from caveat.kernels.style_errors import clustered, sandwich
from caveat.kernels.tie_limits import tie_parameter_exists
from caveat.kernels.ties import TIE_MODELS, chances, likelihood
from caveat.kernels.vote_rows import units_of_rows, vote_rows

M = 4


def drawn(seed, *, n=300, k=2, m=M, share_of_ties=0.2):
    """Votes between m models with k covariates, every outcome frequent."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, m, n)
    b = (a + rng.integers(1, m, n)) % m
    z = rng.normal(size=(k, n))
    eta = 0.4 * (b - a) + 0.5 * z.sum(axis=0)
    won = rng.random(n) < 1 / (1 + np.exp(-eta))
    outcome = np.where(
        rng.random(n) < share_of_ties, 2 + (rng.random(n) < 0.3), np.where(won, 0, 1)
    )
    return a, b, outcome, z


def as_units(rows, z):
    """Each row a unit of its own."""
    weight = np.ones(rows.n_rows) if rows.weight is None else rows.weight
    won, lost, tied = ((rows.outcome == o) * weight for o in (0, 1, None))
    tied = (rows.outcome >= 2) * weight
    a, b = rows.first[rows.pair], rows.second[rows.pair]
    return Units(rows.n_models, a, b, won, lost, tied, z.T)


def naive_covariance(rows, z, fitted, cluster=None):
    """The same from the general functions of `paired`, vote by vote."""
    units = as_units(rows, z)
    one = paired.slopes(units.a, units.b, rows.outcome, fitted=fitted, covariates=z.T)
    weight = np.ones(rows.n_rows) if rows.weight is None else rows.weight
    weight2 = np.ones(rows.n_rows) if rows.weight2 is None else rows.weight2
    inverse = paired.bread(units, fitted)
    if cluster is not None:
        return inverse @ naive_clusters(rows, one, fitted, weight, weight2, cluster) @ inverse
    number = rows.votes_of_models
    trust = np.minimum(1, np.minimum(number[units.a], number[units.b]) / FEW_VOTES)
    eta, tie = paired.linear(
        units.a, units.b, z.T, fitted.parameters, ties=fitted.ties, n_models=rows.n_models
    )
    p = chances(fitted.ties, eta=eta, tie=tie)
    want = likelihood(fitted.ties, eta=eta, tie=tie, wins=p.win, losses=p.loss, ties=p.tie)
    seen = (one.eta**2, one.eta * one.tie, one.tie**2)
    model = (want.eta_eta, want.eta_tie, want.tie_tie)
    scale = (weight2 @ seen[0]) / (weight2 @ model[0])
    mixed = [
        weight2 * (trust * s + (1 - trust) * scale * e) for s, e in zip(seen, model, strict=True)
    ]
    meat = paired.assemble(units, *mixed, ties=fitted.ties)
    return inverse @ meat @ inverse


def naive_clusters(rows, one, fitted, weight, weight2, cluster):
    m, has_tie = rows.n_models, int(fitted.has_tie)
    by_vote = np.zeros((rows.n_rows, m + has_tie + one.covariates.shape[1]))
    index = np.arange(rows.n_rows)
    by_vote[index, one.a] += one.eta
    by_vote[index, one.b] -= one.eta
    if has_tie:
        by_vote[:, m] = one.tie
    by_vote[:, m + has_tie :] = one.eta[:, None] * one.covariates
    total, number = np.zeros((by_vote.shape[1],) * 2), 0.0
    for code in np.unique(cluster):
        own = cluster == code
        if code < 0:
            total += (by_vote[own] * weight2[own, None]).T @ by_vote[own]
            number += own.sum() if rows.count is None else rows.count[own].sum()
        else:
            summed = weight[own] @ by_vote[own]
            total += np.outer(summed, summed)
            number += 1
    return total * number / (number - 1)


def close(got, want, rtol=1e-6):
    scale = np.abs(want).max()
    np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol * scale)


# ---- by hand -----------------------------------------------------------------------


def test_by_hand_two_models_and_a_covariate_of_two_values():
    # z = +1: 30 wins of 40, log-odds ln 3; z = -1: 20 of 40, log-odds 0. So half the difference of
    # ratings ... theta_a - theta_b = (ln 3 + 0) / 2 and the coefficient (ln 3 - 0) / 2. Information
    # of the two log-odds: 40 * 3/16 = 7.5 and 40 * 1/4 = 10, so both have the variance
    # (1/7.5 + 1/10) / 4 = 7/120.
    outcome = np.array([0] * 30 + [1] * 10 + [0] * 20 + [1] * 20)
    z = np.repeat([1.0, -1.0], 40)[None, :]
    rows = vote_rows(np.zeros(80, int), np.ones(80, int), outcome, n_models=2, covariates=z)
    got = fit(rows)
    assert got.fitted.converged
    assert got.fitted.coefficients[0] == pytest.approx(math.log(3) / 2, abs=1e-10)
    assert got.fitted.theta == pytest.approx([math.log(3) / 4, -math.log(3) / 4], abs=1e-10)
    covariance = sandwich(rows, got.fitted)
    assert covariance[2, 2] == pytest.approx(7 / 120, rel=1e-9)
    assert 4 * covariance[0, 0] == pytest.approx(7 / 120, rel=1e-9)


def test_by_hand_clusters_of_alike_votes():
    # Every vote stands twice in its cluster: the variance doubles, times G / (G - 1) = 80 / 79.
    outcome = np.array([0] * 30 + [1] * 10 + [0] * 20 + [1] * 20)
    z = np.repeat([1.0, -1.0], 40)
    rows = vote_rows(
        np.zeros(160, int), np.ones(160, int), np.tile(outcome, 2), n_models=2,
        covariates=np.tile(z, 2)[None, :],
    )  # fmt: skip
    fitted = fit(rows).fitted
    plain, together = sandwich(rows, fitted), clustered(rows, fitted, np.tile(np.arange(80), 2))
    close(together, 2 * plain * 80 / 79, rtol=1e-9)


# ---- collapse ----------------------------------------------------------------------


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_without_covariates_it_is_the_fit_on_counts(ties):
    a, b, outcome, _ = drawn(1)
    rows = vote_rows(a, b, outcome, n_models=M, covariates=np.zeros((0, a.size)))
    got = fit(rows, ties=ties).fitted
    counter = VoteCounter(M)
    counter.add(a, b, outcome)
    cells = counter.cells()
    want = paired.fit(paired.units_of(cells), ties=ties)
    close(got.parameters, want.parameters, rtol=1e-9)
    close(sandwich(rows, got), paired.sandwich(cells, want))


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_a_column_of_ones_is_the_first_shown_position(ties):
    a, b, outcome, _ = drawn(2)
    rows = vote_rows(a, b, outcome, n_models=M, covariates=np.ones((1, a.size)))
    got = fit(rows, ties=ties).fitted
    counter = VoteCounter(M)
    counter.add(a, b, outcome)
    cells = counter.cells()
    want = paired.fit(paired.units_of(cells, position=True), ties=ties)
    close(got.parameters, want.parameters, rtol=1e-9)
    close(sandwich(rows, got), paired.sandwich(cells, want))


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_singleton_clusters_collapse_to_the_plain_error(ties):
    a, b, outcome, z = drawn(3)
    rows = vote_rows(a, b, outcome, n_models=M, covariates=z)
    fitted = fit(rows, ties=ties).fitted
    plain = sandwich(rows, fitted)
    n = a.size
    for cluster in (np.arange(n), np.full(n, -1)):
        close(clustered(rows, fitted, cluster), plain * n / (n - 1), rtol=1e-9)


def test_one_cluster_has_no_error():
    a, b, outcome, z = drawn(3)
    rows = vote_rows(a, b, outcome, n_models=M, covariates=z)
    assert np.isnan(clustered(rows, fit(rows).fitted, np.zeros(a.size, int))).all()


# ---- the naive twin ----------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(TIE_MODELS), st.integers(0, 3), st.booleans())
def test_fast_equals_naive(seed, ties, k, counted):
    rng = np.random.default_rng(seed)
    a, b, outcome, z = drawn(seed, n=int(rng.integers(60, 150)), k=k)
    extra = {}
    if counted:
        extra = {
            "count": rng.integers(1, 4, a.size).astype(float),
            "weight": rng.random(a.size) + 0.1,
        }
    rows = vote_rows(a, b, outcome, n_models=M, covariates=z, **extra)
    wins = np.zeros((M, M))
    for i, j, o in zip(a, b, outcome, strict=True):
        wins[i, j] += o != 1
        wins[j, i] += o != 0
    assume(is_connected(wins))
    got = fit(rows, ties=ties)
    want = paired.fit(as_units(rows, z), ties=ties)
    assume(want.converged)
    assert got.fitted.converged
    close(got.fitted.parameters, want.parameters, rtol=1e-8)
    assert got.fitted.value == pytest.approx(want.value, rel=1e-9)
    close(sandwich(rows, want), naive_covariance(rows, z, want))
    cluster = rng.integers(-1, 12, a.size)
    close(clustered(rows, want, cluster), naive_covariance(rows, z, want, cluster))


def test_the_sparse_and_the_dense_product_agree(monkeypatch):
    from caveat.kernels import style_errors

    a, b, outcome, z = drawn(5)
    rows = vote_rows(a, b, outcome, n_models=M, covariates=z)
    fitted, cluster = fit(rows).fitted, np.arange(a.size) // 7
    dense = clustered(rows, fitted, cluster)
    monkeypatch.setattr(style_errors, "_DENSE_MODELS", 1)
    close(clustered(rows, fitted, cluster), dense, rtol=1e-12)


# ---- invariance --------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(TIE_MODELS))
def test_order_of_rows_sides_and_units_do_not_matter(seed, ties):
    a, b, outcome, z = drawn(seed, n=200)
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, 20, a.size)
    one = vote_rows(a, b, outcome, n_models=M, covariates=z)
    order, turned = rng.permutation(a.size), rng.random(a.size) < 0.5
    swapped = np.where(turned, np.array([1, 0, 2, 3])[outcome], outcome)
    scale = np.array([[2.0], [0.5]])
    other = vote_rows(
        np.where(turned, b, a)[order],
        np.where(turned, a, b)[order],
        swapped[order],
        n_models=M,
        covariates=(scale * np.where(turned, -z, z))[:, order],
    )
    fit_one, fit_other = fit(one, ties=ties).fitted, fit(other, ties=ties).fitted
    close(fit_other.theta, fit_one.theta, rtol=1e-8)
    close(fit_other.coefficients * scale[:, 0], fit_one.coefficients, rtol=1e-8)
    tail = slice(-2, None)
    for got, want in (
        (sandwich(other, fit_other), sandwich(one, fit_one)),
        (clustered(other, fit_other, cluster[order]), clustered(one, fit_one, cluster)),
    ):
        close(got[:M, :M], want[:M, :M])
        close(got[tail, tail] * np.outer(scale, scale), want[tail, tail])


def test_a_count_is_so_many_votes_of_one_cluster():
    a, b, outcome, z = drawn(7, n=100)
    count = np.random.default_rng(0).integers(1, 4, 100)
    cluster = np.arange(100) // 5
    short = vote_rows(a, b, outcome, n_models=M, covariates=z, count=count.astype(float))
    long = vote_rows(
        *(np.repeat(x, count) for x in (a, b, outcome)), n_models=M,
        covariates=np.repeat(z, count, axis=1),
    )  # fmt: skip
    one, other = fit(short).fitted, fit(long).fitted
    close(one.parameters, other.parameters, rtol=1e-9)
    close(sandwich(short, one), sandwich(long, other), rtol=1e-8)
    close(
        clustered(short, one, cluster), clustered(long, other, np.repeat(cluster, count)), rtol=1e-8
    )


# ---- edges -------------------------------------------------------------------------


def test_a_covariate_that_belongs_to_the_models_is_indistinct():
    a, b, outcome, z = drawn(8)
    size = np.array([0.3, 1.0, -2.0, 0.5])
    z = np.vstack([z[0], size[a] - size[b]])
    got = fit(vote_rows(a, b, outcome, n_models=M, covariates=z))
    assert got.indistinct.tolist() == [False, True]
    assert not got.fitted.converged


def test_a_covariate_that_is_the_sum_of_others_is_indistinct():
    a, b, outcome, z = drawn(9)
    z = np.vstack([z, np.random.default_rng(0).normal(size=a.size), 0.5 * z[0] - 2 * z[1]])
    got = fit(vote_rows(a, b, outcome, n_models=M, covariates=z))
    assert got.indistinct.tolist() == [True, True, False, True]


def test_a_covariate_that_never_varies_is_indistinct():
    a, b, outcome, z = drawn(9)
    got = fit(vote_rows(a, b, outcome, n_models=M, covariates=np.vstack([z[0], 0 * z[0]])))
    assert got.indistinct.tolist() == [False, True]


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_a_covariate_that_decides_every_vote_does_not_converge(ties):
    a, b, outcome, z = drawn(10, k=1)
    z = np.where(outcome == 0, 1.0, np.where(outcome == 1, -1.0, 0.0))[None, :]
    got = fit(vote_rows(a, b, outcome, n_models=M, covariates=z), ties=ties)
    assert not got.indistinct.any()
    assert not got.fitted.converged


def test_ratings_and_a_covariate_that_run_away_together_do_not_converge():
    # the longer answer of x always wins, the shorter one three times of four: x and the covariate
    # grow without end, and their difference stays
    outcome = np.array([0] * 40 + [1] * 30 + [0] * 10)
    z = np.repeat([1.0, -1.0], 40)[None, :]
    got = fit(vote_rows(np.zeros(80, int), np.ones(80, int), outcome, n_models=2, covariates=z))
    assert not got.indistinct.any()
    assert not got.fitted.converged


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(TIE_MODELS))
def test_tiny_boards_converge_or_say_so(seed, ties):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(4, 14)), int(rng.integers(2, 4))
    a = rng.integers(0, m, n)
    b = (a + rng.integers(1, m, n)) % m
    outcome = rng.integers(0, 3, n)
    counter = VoteCounter(m)
    counter.add(a, b, outcome)
    cells = counter.cells()
    assume(is_connected(win_matrix(cells, cells.weight)))
    assume(ties == "half-win" or tie_parameter_exists(cells))
    z = rng.integers(-2, 3, (2, n)).astype(float)
    got = fit(vote_rows(a, b, outcome, n_models=m, covariates=z), ties=ties)
    if got.fitted.converged:
        assert np.isfinite(got.fitted.parameters).all()


def test_units_of_rows_are_the_counts():
    a, b, outcome, z = drawn(11)
    rows = vote_rows(a, b, outcome, n_models=M, covariates=z)
    units = units_of_rows(rows)
    assert units.n_votes.sum() == a.size
    counter = VoteCounter(M)
    counter.add(a, b, outcome)
    wins = np.zeros((M, M))
    np.add.at(wins, (units.a, units.b), units.wins + units.ties / 2)
    np.add.at(wins, (units.b, units.a), units.losses + units.ties / 2)
    close(wins, win_matrix(counter.cells(), counter.cells().weight), rtol=1e-12)


def test_few_scans():
    # the cost of style control is the number of scans: 4 on a large board
    a, b, outcome, z = drawn(12, n=20_000)
    assert all(
        fit(vote_rows(a, b, outcome, n_models=M, covariates=0.3 * z), ties=t).scans <= 6
        for t in TIE_MODELS
    )


# ---- other software ----------------------------------------------------------------


def test_half_wins_against_statsmodels():
    sm = pytest.importorskip("statsmodels.api")
    a, b, outcome, z = drawn(13, n=400)
    cluster = np.random.default_rng(0).integers(0, 40, a.size)
    rows = vote_rows(a, b, outcome, n_models=M, covariates=z)
    got = fit(rows).fitted
    design = np.zeros((a.size, M))
    design[np.arange(a.size), a] += 1
    design[np.arange(a.size), b] -= 1
    x = np.hstack([design[:, 1:] - 0 * design[:, :1], z.T])
    x[:, : M - 1] = design[:, 1:]
    y = np.array([1.0, 0.0, 0.5, 0.5])[outcome]
    model = sm.GLM(y, x, family=sm.families.Binomial())
    want = model.fit(tol=1e-14, maxiter=100, cov_type="HC0")
    theta = got.theta - got.theta[0]
    close(np.r_[theta[1:], got.coefficients], want.params, rtol=1e-8)
    to = np.hstack([-np.ones((M - 1, 1)), np.eye(M - 1), np.zeros((M - 1, 2))])
    to = np.vstack([to, np.hstack([np.zeros((2, M)), np.eye(2)])])
    close(to @ sandwich(rows, got) @ to.T, want.cov_params())
    grouped = model.fit(
        tol=1e-14, maxiter=100, cov_type="cluster",
        cov_kwds={"groups": cluster, "use_correction": False},
    )  # fmt: skip
    close(to @ clustered(rows, got, cluster) @ to.T, grouped.cov_params() * 40 / 39)


def test_davidson_against_the_poisson_form_of_statsmodels():
    # A multinomial likelihood is that of Poisson counts with a mean of its own for each vote.
    sm = pytest.importorskip("statsmodels.api")
    a, b, outcome, z = drawn(14, n=120)
    got = fit(vote_rows(a, b, outcome, n_models=M, covariates=z), ties="davidson").fitted
    n = a.size
    tall = np.zeros((n, 3, M - 1 + 1 + 2))
    for column, sign in ((0, 0.5), (1, -0.5)):
        for models, turn in ((a, 1.0), (b, -1.0)):
            inner = models > 0
            tall[np.flatnonzero(inner), column, models[inner] - 1] += sign * turn
        tall[:, column, M:] = sign * z.T
    tall[:, 2, M - 1] = 1.0
    x = np.hstack([tall.reshape(3 * n, -1), np.repeat(np.eye(n), 3, axis=0)])
    y = (np.minimum(outcome, 2)[:, None] == np.arange(3)).astype(float).ravel()
    want = sm.GLM(y, x, family=sm.families.Poisson()).fit(tol=1e-14, maxiter=200).params
    theta = got.theta - got.theta[0]
    close(np.r_[theta[1:], got.tie, got.coefficients], want[: M + 2], rtol=1e-7)


def test_rao_kupper_with_position_is_the_proportional_odds_model_of_statsmodels():
    # Thresholds -c and c moved by a constant are two free thresholds.
    ordinal = pytest.importorskip("statsmodels.miscmodels.ordinal_model")
    a, b, outcome, z = drawn(15, n=400)
    z = np.vstack([z, np.ones(a.size)])
    got = fit(vote_rows(a, b, outcome, n_models=M, covariates=z), ties="rao-kupper").fitted
    design = np.zeros((a.size, M))
    design[np.arange(a.size), a] += 1
    design[np.arange(a.size), b] -= 1
    level = np.array([2, 0, 1, 1])[outcome]
    model = ordinal.OrderedModel(level, np.hstack([design[:, 1:], z[:2].T]), distr="logit")
    found = model.fit(method="newton", disp=False, maxiter=100)
    low, high = model.transform_threshold_params(found.params[-2:])[1:-1]
    theta = got.theta - got.theta[0]
    want = np.r_[found.params[: M + 1], -(low + high) / 2, (high - low) / 2]
    close(np.r_[theta[1:], got.coefficients, got.tie], want, rtol=1e-6)
