"""Coverage of every interval of a likelihood board, by simulation; docs/methods/coverage.md.

The allowed gap is four binomial standard errors throughout. Boards are drawn as cells of counts.
"""

import math

import numpy as np
import pytest
from scipy.stats import binom

import caveat.kernels.paired as paired
from caveat.kernels.counts import VoteCounter
from caveat.kernels.ties import chances, decisive
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import Errors, rate
from caveat.stats.ranking.scale import CENTRE, POINTS

pytestmark = pytest.mark.slow

TIES = {"bradley-terry": "half-win", "davidson": "davidson", "rao-kupper": "rao-kupper"}
TIE = {"bradley-terry": math.nan, "davidson": -0.3, "rao-kupper": 0.6}
"""About a quarter of the votes between equals are ties."""
METHODS = list(TIES)
SIX = np.array([0.8, 0.4, 0.1, 0.0, -0.4, -0.9])


def slack(tried, level=0.95):
    return 4 * math.sqrt(level * (1 - level) / tried)


def named(cells):
    return CountedVotes(tuple(f"m{i}" for i in range(cells.n_models)), cells, False, True)


def draw(rng, method, theta, pairs, *, advantage=0.0):
    """Votes of (first, second, number) rows from the model itself."""
    first, second, number = np.array(pairs).T
    p = chances(TIES[method], eta=theta[first] - theta[second] + advantage, tie=TIE[method])
    share = np.stack([p.win, p.loss, p.tie], axis=1)
    count = rng.multinomial(number, share / share.sum(axis=1, keepdims=True)).ravel()
    a, b = np.repeat(first, 3)[count > 0], np.repeat(second, 3)[count > 0]
    counter = VoteCounter(theta.size)
    outcome = np.tile(np.arange(3), first.size)[count > 0]
    counter.add(a, b, outcome, count=count[count > 0].astype(float))
    return named(counter.cells())


def all_pairs(m, n, *, both=False):
    return [(i, j, n) for i in range(m) for j in range(m) if (i != j if both else i < j)]


def covered(board, theta, anchor):
    """Which models' intervals hold their true rating against the anchor."""
    inside = {}
    for model in board.models:
        k = int(model.model[1:])
        if k != anchor and not math.isnan(model.low):
            inside[k] = model.low <= CENTRE + POINTS * (theta[k] - theta[anchor]) <= model.high
    return inside


@pytest.mark.parametrize("bootstrap", [0, 300])
@pytest.mark.parametrize("method", METHODS)
def test_ratings_and_win_chances(method, bootstrap, record_property):
    reps = 300 if bootstrap else 1500
    rng = np.random.default_rng(31)
    hits, chance = np.zeros(6), np.zeros(6)
    truth = decisive(TIES[method], eta=SIX - SIX[2], tie=TIE[method])
    for rep in range(reps):
        votes = draw(rng, method, SIX, all_pairs(6, 80))
        got = rate(votes, method=method, anchor="m2", errors=Errors(bootstrap=bootstrap, seed=rep))
        for k, inside in covered(got, SIX, 2).items():
            hits[k] += inside
        for m in got.models:
            chance[int(m.model[1:])] += m.win_low <= truth[int(m.model[1:])] <= m.win_high
    others = [0, 1, 3, 4, 5]
    for name, found in (("rating", hits), ("win chance", chance)):
        share = found[others] / reps
        record_property(name, f"{share.mean():.3f} ({share.min():.3f}-{share.max():.3f})")
        assert np.abs(share - 0.95).max() < slack(reps)


def test_half_wins_where_a_third_of_the_votes_are_ties(record_property):
    # No model of ties: what is estimated is the rating that fits the expected scores.
    rng, reps = np.random.default_rng(33), 1500
    p = chances("davidson", eta=SIX[:, None] - SIX[None, :], tie=0.0)
    rows = np.array([(i, j, o, s[i, j]) for i in range(6) for j in range(i + 1, 6)
                     for o, s in enumerate((p.win, p.loss, p.tie))])  # fmt: skip
    counter = VoteCounter(6)
    counter.add(*rows[:, :3].astype(int).T, count=rows[:, 3] * 1e6)
    theta = paired.fit(paired.units_of(counter.cells())).theta
    TIE["davidson"], before = 0.0, TIE["davidson"]
    hits = np.zeros(6)
    try:
        for rep in range(reps):
            votes = draw(rng, "davidson", SIX, all_pairs(6, 80))
            got = rate(votes, method="bradley-terry", anchor="m2", errors=Errors(seed=rep))
            for k, inside in covered(got, theta, 2).items():
                hits[k] += inside
    finally:
        TIE["davidson"] = before
    share = hits[[0, 1, 3, 4, 5]] / reps
    record_property("rating", f"{share.mean():.3f} ({share.min():.3f}-{share.max():.3f})")
    assert np.abs(share - 0.95).max() < slack(reps)


@pytest.mark.parametrize("method", METHODS)
def test_advantage_of_the_first_answer(method, record_property):
    rng, reps = np.random.default_rng(35), 1200
    hits, ratings = 0, np.zeros(6)
    for rep in range(reps):
        votes = draw(rng, method, SIX, all_pairs(6, 25, both=True), advantage=0.3)
        got = rate(votes, method=method, position=True, anchor="m0", errors=Errors(seed=rep))
        hits += got.position.low <= 0.3 * POINTS <= got.position.high
        for k, inside in covered(got, SIX, 0).items():
            ratings[k] += inside
    record_property("advantage", f"{hits / reps:.3f}")
    record_property("rating", f"{ratings[1:].mean() / reps:.3f}")
    assert abs(hits / reps - 0.95) < slack(reps)
    assert np.abs(ratings[1:] / reps - 0.95).max() < slack(reps)


@pytest.mark.parametrize("bootstrap", [0, 200])
@pytest.mark.parametrize("method", METHODS)
def test_a_hundred_votes_among_ten_million(method, bootstrap, record_property):
    """The case in which other packages' intervals cover a third of what they promise."""
    m, reps = 30, 200 if bootstrap else 800
    rng = np.random.default_rng(36)
    theta = np.r_[np.linspace(1, -1, m), 0.2]
    others = m * (m - 1) // 2
    hits = old = 0
    for rep in range(reps):
        met = np.bincount(rng.integers(0, m, 100), minlength=m)
        pairs = all_pairs(m, 10_000_000 // others)
        pairs += [(m, j, n) for j, n in enumerate(met) if n]
        got = rate(
            draw(rng, method, theta, pairs), method=method, anchor="m0",
            errors=Errors(bootstrap=bootstrap, seed=rep),
        )  # fmt: skip
        inside = covered(got, theta, 0)
        hits, old = hits + inside[m], old + inside[7]
    record_property("newcomer", f"{hits / reps:.3f}")
    record_property("another", f"{old / reps:.3f}")
    assert abs(hits / reps - 0.95) < slack(reps)
    assert abs(old / reps - 0.95) < slack(reps)


@pytest.mark.parametrize("n", [2, 5, 10, 20, 100])
@pytest.mark.parametrize("method", METHODS)
def test_a_newcomer_is_covered_and_spoils_nobodys_rank(method, n, record_property):
    # a model with n votes on a board of 60 votes a pair, where votes tie it to the board at all
    rng, reps = np.random.default_rng(34), 500
    theta = np.r_[np.linspace(0.8, -0.8, 10), 0.3]
    ranks = 1 + (theta[None, :] > theta[:, None]).sum(1)
    rated = hits = joint = 0
    for rep in range(reps):
        met = np.bincount(rng.integers(0, 10, n), minlength=10)
        pairs = all_pairs(10, 60) + [(10, j, k) for j, k in enumerate(met) if k]
        got = rate(draw(rng, method, theta, pairs), method=method, anchor="m0",
                   errors=Errors(seed=rep))  # fmt: skip
        inside = covered(got, theta, 0)
        if 10 not in inside:
            continue
        rated += 1
        hits += inside[10]
        joint += all(m.rank_low <= ranks[int(m.model[1:])] <= m.rank_high for m in got.models)
    record_property("newcomer", f"{hits / rated:.3f} of {rated}")
    record_property("ranks", f"{joint / rated:.3f}")
    assert hits / rated > 0.95 - slack(rated)
    assert joint / rated > 0.95 - slack(rated)


def test_two_models_by_enumeration(record_property):
    """Every outcome of n votes: no luck in it. Given that either won at all."""
    found = {}
    for n in (5, 10, 20, 29, 30, 50, 100):
        won = np.arange(1, n)
        limits = []
        for k in won:
            counter = VoteCounter(2)
            counter.add(np.zeros(2, dtype=int), np.ones(2, dtype=int), np.arange(2),
                        count=np.array([k, n - k], dtype=float))  # fmt: skip
            got = rate(named(counter.cells()), anchor="m1")
            m = next(m for m in got.models if m.model == "m0")
            limits.append(((m.low - CENTRE) / POINTS, (m.high - CENTRE) / POINTS))
        low, high = np.array(limits).T
        for p in (0.5, 0.6, 0.7, 0.8, 0.9):
            weight, truth = binom.pmf(won, n, p), math.log(p / (1 - p))
            inside = weight[(low <= truth) & (truth <= high)].sum()
            # below, the many boards that are not rated at all decide which are looked at
            if weight.sum() > 0.85:
                found[n, p] = inside / weight.sum()
    record_property("least", f"{min(found.values()):.3f}")
    record_property("largest", f"{max(found.values()):.3f}")
    # discrete counts: 0.939 at 29 votes and p = 0.5 is the least; exact, so no slack
    assert min(found.values()) > 0.93


@pytest.mark.parametrize("method", METHODS)
def test_rank_intervals_of_distinct_models(method, record_property):
    # at least nominal for distinct strengths; close to nominal where several are equal
    rng, reps = np.random.default_rng(32), 1000
    theta = np.array([0.5, 0.2, 0.2, 0.0, -0.3, -0.6])
    best = 1 + (theta[None, :] > theta[:, None]).sum(1)
    worst = theta.size - (theta[None, :] < theta[:, None]).sum(1)
    hits = first = 0
    for rep in range(reps):
        got = rate(draw(rng, method, theta, all_pairs(6, 60)), method=method,
                   errors=Errors(seed=rep))  # fmt: skip
        hits += all(
            m.rank_low <= best[int(m.model[1:])] and worst[int(m.model[1:])] <= m.rank_high
            for m in got.models
        )
        # the leader's tier holds the truly best model
        first += next(m for m in got.models if m.model == "m0").tier == 1
    record_property("ranks", f"{hits / reps:.3f}")
    record_property("best in first tier", f"{first / reps:.3f}")
    assert hits / reps > 0.95 - slack(reps)
    assert first / reps > 0.95 - slack(reps)


@pytest.mark.parametrize("method", METHODS)
def test_rank_intervals_of_equal_models_cover_exactly(method, record_property):
    # all equal: an interval fails exactly when some pair is wrongly separated, at the joint level;
    # pairs called different by Holm's p values are at most so many
    rng, reps = np.random.default_rng(33), 1500
    hits = holm = 0
    for rep in range(reps):
        got = rate(draw(rng, method, np.zeros(6), all_pairs(6, 200)), method=method,
                   errors=Errors(seed=rep))  # fmt: skip
        hits += all((m.rank_low, m.rank_high) == (1, 6) for m in got.models)
        holm += np.nanmin(got.comparisons.p_adjusted) > 0.05
    record_property("ranks", f"{hits / reps:.3f}")
    record_property("no pair by Holm", f"{holm / reps:.3f}")
    assert abs(hits / reps - 0.95) < slack(reps)
    assert holm / reps > 0.95 - slack(reps)


def test_the_chance_of_being_best_is_kept(record_property):
    """Among boards on which the leader is best with chance near q, it is best about that often.

    The share of simulated boards is a posterior under a flat prior: right on average where true
    ratings are spread widely against their errors. Six models, ratings normal, sd 0.3.
    """
    rng, reps = np.random.default_rng(38), 2500
    said, right = [], []
    for rep in range(reps):
        theta = rng.normal(0, 0.6, 6)
        got = rate(draw(rng, "davidson", theta, all_pairs(6, 60)), method="davidson",
                   errors=Errors(seed=rep))  # fmt: skip
        said.append(got.models[0].best)
        right.append(got.models[0].model == f"m{theta.argmax()}")
    said, right = np.array(said), np.array(right)
    for low, high in ((0.4, 0.6), (0.6, 0.8), (0.8, 0.95), (0.95, 1.01)):
        chosen = (said >= low) & (said < high)
        n, mean = chosen.sum(), said[chosen].mean()
        record_property(f"said {mean:.2f}", f"{right[chosen].mean():.3f} of {n}")
        assert abs(right[chosen].mean() - mean) < 4 * math.sqrt(mean * (1 - mean) / n) + 0.02


# --- clusters ------------------------------------------------------------------------------


class Tastes:
    """Votes of voters with tastes, nine each, as a table that names the voters."""

    def __init__(self, method, groups, *, theta, spread=0.7, votes=9):
        self.method, self.groups, self.theta = method, groups, theta
        self.spread, self.votes = spread, votes
        m, rng = theta.size, np.random.default_rng(40)
        apart = rng.normal(0, spread * math.sqrt(2), 200_000)
        rows = []
        for i in range(m):
            for j in range(i + 1, m):
                p = chances(TIES[method], eta=theta[i] - theta[j] + apart, tie=TIE[method])
                rows += [(i, j, o, s.mean()) for o, s in enumerate((p.win, p.loss, p.tie))]
        rows = np.array([row for row in rows if row[3] > 0])
        counter = VoteCounter(m)
        counter.add(*rows[:, :3].astype(int).T, count=rows[:, 3] * 1e6)
        limit = fit_board(named(counter.cells()), method=method)
        self.truth = limit.fit.theta

    def draw(self, rng):
        import pyarrow as pa

        from caveat.data.evidence import Evidence
        from caveat.stats.ranking.counting import count_votes

        m, n = self.theta.size, self.groups * self.votes
        taste = rng.normal(0, self.spread, (self.groups, m)) + self.theta
        voter = np.repeat(np.arange(self.groups), self.votes)
        a = rng.integers(0, m, n)
        b = (a + rng.integers(1, m, n)) % m
        p = chances(TIES[self.method], eta=taste[voter, a] - taste[voter, b], tie=TIE[self.method])
        u = rng.random(n)
        outcome = np.where(u < p.win, 0, np.where(u < p.win + p.loss, 1, 2))
        names = pa.array([f"m{i}" for i in range(m)])

        def coded(codes, labels):
            return pa.DictionaryArray.from_arrays(codes.astype(np.int32), labels)

        table = pa.table(
            {
                "model_a": coded(a, names),
                "model_b": coded(b, names),
                "outcome": coded(outcome, pa.array(["a", "b", "tie"])),
                "voter": coded(voter, pa.array([f"v{k}" for k in range(self.groups)])),
            }
        )
        return count_votes(Evidence(kind="votes", table=table))


@pytest.mark.parametrize("bootstrap", [0, 200])
@pytest.mark.parametrize("groups", [40, 200])
@pytest.mark.parametrize("method", METHODS)
def test_clustered_ratings(method, groups, bootstrap, record_property):
    reps = 300 if bootstrap else 800
    design = Tastes(method, groups, theta=np.array([0.5, 0.0, -0.5]))
    rng = np.random.default_rng(42)
    hits, plain, tried = np.zeros(3), np.zeros(3), 0
    for rep in range(reps):
        votes = design.draw(rng)
        errors = Errors(cluster="voter", bootstrap=bootstrap, seed=rep)
        got = rate(votes, method=method, anchor="m0", errors=errors)
        tried += not math.isnan(got.models[-1].low)
        for k, inside in covered(got, design.truth, 0).items():
            hits[k] += inside
        if not bootstrap:
            unaware = rate(votes, method=method, anchor="m0", errors=Errors(seed=rep))
            for k, inside in covered(unaware, design.truth, 0).items():
                plain[k] += inside
    record_property("rating", f"{hits[1:].mean() / tried:.3f} of {tried}")
    record_property("plain", f"{plain[1:].mean() / tried:.3f}")
    assert tried == reps
    assert np.abs(hits[1:] / tried - 0.95).max() < slack(tried)
    if not bootstrap:
        assert plain[1:].mean() / tried < 0.95 - slack(tried)


@pytest.mark.parametrize("groups", [40, 200])
def test_clustered_ranks_of_equal_models(groups, record_property):
    reps = 800
    design = Tastes("davidson", groups, theta=np.zeros(5), votes=20)
    rng = np.random.default_rng(44)
    hits = 0
    for rep in range(reps):
        got = rate(design.draw(rng), method="davidson",
                   errors=Errors(cluster="voter", seed=rep))  # fmt: skip
        hits += all((m.rank_low, m.rank_high) == (1, 5) for m in got.models)
    record_property("ranks", f"{hits / reps:.3f}")
    assert abs(hits / reps - 0.95) < slack(reps)


def test_weighted_votes(record_property):
    """Weights that have nothing to do with the votes cost precision, and the errors say so."""
    rng, reps = np.random.default_rng(45), 1000
    hits = np.zeros(4)
    theta = np.array([0.5, 0.2, 0.0, -0.5])
    for rep in range(reps):
        a = rng.integers(0, 4, 600)
        b = (a + rng.integers(1, 4, 600)) % 4
        p = chances("davidson", eta=theta[a] - theta[b], tie=-0.3)
        u = rng.random(600)
        outcome = np.where(u < p.win, 0, np.where(u < p.win + p.loss, 1, 2))
        counter = VoteCounter(4)
        counter.add(a, b, outcome, weight=rng.exponential(1.0, 600) + 0.05)
        votes = CountedVotes(("m0", "m1", "m2", "m3"), counter.cells(), True, True)
        got = rate(votes, method="davidson", anchor="m0", errors=Errors(seed=rep))
        for k, inside in covered(got, theta, 0).items():
            hits[k] += inside
    record_property("rating", f"{hits[1:].mean() / reps:.3f}")
    assert np.abs(hits[1:] / reps - 0.95).max() < slack(reps)
