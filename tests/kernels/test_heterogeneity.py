import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.special import expit, ndtr
from scipy.stats import chi2

from caveat.kernels.connectivity import is_connected
from caveat.kernels.heterogeneity import Decisive, left_out, score_test
from caveat.kernels.paired import fit, units_of_wins


def decisive(voter, a, b, won, *, m, g):
    """Decisive votes with common ratings fitted to them; None where they have none."""
    wins = np.zeros((m, m))
    np.add.at(wins, (np.where(won, a, b), np.where(won, b, a)), 1)
    if not is_connected(wins):
        return None
    theta = fit(units_of_wins(wins)).theta
    low, high = np.minimum(a, b), np.maximum(a, b)
    pairs, pair = np.unique(low * m + high, return_inverse=True)
    for_low = won == (a == low)

    def table(where):
        ones = np.ones(int(where.sum()))
        return csr_array((ones, (voter[where], pair[where])), shape=(g, pairs.size))

    first, second = pairs // m, pairs % m
    return Decisive(
        a=first,
        b=second,
        slope=expit(theta[second] - theta[first]),
        wins=table(for_low),
        losses=table(~for_low),
        n_models=m,
    )


def two_models(counts):
    """Voters with (wins, losses) of the first of two models."""
    rows = [(v, w) for v, (wins, losses) in enumerate(counts) for w in [1] * wins + [0] * losses]
    voter, won = np.array(rows).T
    zero = np.zeros_like(voter)
    return decisive(voter, zero, zero + 1, won.astype(bool), m=2, g=len(counts))


def test_two_groups_two_models_by_hand():
    # Group 0 wins 12 of 16, group 1 4 of 16: half in all, p = 1/2. U = 12 - 8 = 4 and -4,
    # information 16 / 4 = 4 each: 16/4 + 16/4 = 8, on one degree of freedom.
    votes = two_models([(1, 0)] * 12 + [(0, 1)] * 4 + [(1, 0)] * 4 + [(0, 1)] * 12)
    got = score_test(votes, np.repeat([0, 1], 16), replicates=999, rng=np.random.default_rng(0))
    assert got.statistic == pytest.approx(8, abs=1e-12)
    assert got.degrees == 1
    # every voter has one vote: the mean is about the degree of freedom, p that of a chi-square;
    # a thousand draws know the mean to 0.05, and 0.0047 to 0.002
    assert got.expected == pytest.approx(1, abs=0.15)
    assert got.p == pytest.approx(chi2.sf(8, 1), abs=0.008)


def test_votes_of_few_voters_are_no_evidence_by_hand():
    # The same votes cast by one voter a side in four equal parts: they could hardly differ less.
    votes = two_models([(12, 4), (4, 12)])
    got = score_test(votes, np.array([0, 1]), replicates=199, rng=np.random.default_rng(0))
    assert got.statistic == pytest.approx(8, abs=1e-12)
    assert got.p > 0.4


def test_leaving_a_voter_out_by_hand():
    # Of 40 votes at p = 1/2 one voter casts 10, 8 of them wins: score 8 - 5 = 3, information 10/4
    # of 40/4. To first order, without it the rating moves and the score becomes 3 / (1 - 1/4) = 4.
    votes = two_models([(8, 2), (12, 18)])
    inverse = np.linalg.pinv(votes.information(np.array([40.0])))
    number = votes.wins + votes.losses
    got = left_out(votes, votes.scores(), number.tocsr(), inverse).toarray()
    assert votes.scores().toarray()[0] == pytest.approx([3, -3])
    assert got[0] == pytest.approx([4, -4], abs=1e-4)  # _ALONE keeps it from being exact


def test_equal_groups_give_nothing():
    votes = two_models([(3, 1), (1, 3), (3, 1), (1, 3)])
    got = score_test(votes, np.array([0, 0, 1, 1]), replicates=99, rng=np.random.default_rng(0))
    assert got.statistic == pytest.approx(0, abs=1e-20)
    assert got.p == 1.0


def arena(rng, *, voters, m, groups, share=0.3, apart=0.0, busy=1.0, mean=15):
    """Votes of voters whose taste is `share` of the variance and leaves the odds as they are."""
    group = rng.integers(0, groups, voters)
    group[:groups] = np.arange(groups)
    number = 1 + rng.poisson(mean * rng.lognormal(0, busy, voters) * (1 + group))
    voter = np.repeat(np.arange(voters), number)
    a = rng.integers(0, m, voter.size)
    b = (a + rng.integers(1, m, voter.size)) % m
    theta = np.linspace(1, -1, m) + apart * rng.standard_normal((groups, m))[group]
    taste = rng.standard_normal((voters, m))
    z = math.sqrt(share / 2) * (taste[voter, a] - taste[voter, b])
    z += math.sqrt(1 - share) * rng.standard_normal(voter.size)
    won = ndtr(z) < expit(theta[voter, a] - theta[voter, b])
    return decisive(voter, a, b, won, m=m, g=voters), group


@given(st.integers(0, 2**32 - 1), st.permutations(range(3)), st.randoms())
@settings(max_examples=25, deadline=None)
def test_names_of_groups_and_order_of_voters_do_not_matter(seed, names, random):
    votes, group = arena(np.random.default_rng(seed), voters=30, m=4, groups=3, mean=4)
    one = score_test(votes, group, replicates=99, rng=np.random.default_rng(1))
    order = list(range(30))
    random.shuffle(order)
    moved = Decisive(
        votes.a, votes.b, votes.slope, votes.wins[order], votes.losses[order], votes.n_models
    )
    renamed = np.array(names)[group][order]
    other = score_test(moved, renamed, replicates=99, rng=np.random.default_rng(1))
    assert other.statistic == pytest.approx(one.statistic, rel=1e-9)
    assert other.degrees == one.degrees


def rejected(reps, seed, **world):
    rng = np.random.default_rng(seed)
    hits = plain = 0
    for _ in range(reps):
        votes, group = arena(rng, **world)
        got = score_test(votes, group, replicates=199, rng=rng)
        hits += got.p <= 0.05
        plain += chi2.sf(got.statistic, got.degrees) <= 0.05
    return hits / reps, plain / reps


@pytest.mark.slow
@pytest.mark.parametrize(
    "world",
    [
        {"voters": 120, "m": 10, "groups": 3, "busy": 0.8},
        {"voters": 400, "m": 10, "groups": 2, "busy": 1.2, "mean": 8},
        {"voters": 120, "m": 20, "groups": 2, "busy": 0.5},
    ],
    ids=["120 voters", "very uneven", "20 models"],
)
def test_the_level_is_kept_where_votes_go_together(world):
    reps = 800
    hits, plain = rejected(reps, 3, **world)
    slack = 4 * math.sqrt(0.05 * 0.95 / reps)  # four binomial standard errors: 0.031
    assert hits < 0.05 + slack
    assert hits > 0.02  # left-out scores are a little too large, never much
    assert plain > 0.15  # what a chi-square would do


@pytest.mark.slow
def test_power_grows_with_the_difference_and_with_voters():
    world = {"m": 10, "groups": 3, "busy": 0.8}
    few, _ = rejected(200, 4, voters=120, apart=0.3, **world)
    more, _ = rejected(200, 5, voters=360, apart=0.3, **world)
    none, _ = rejected(200, 6, voters=360, apart=0.1, **world)
    assert none < few < more
    assert more > 0.9
