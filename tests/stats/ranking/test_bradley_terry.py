import csv
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import root
from scipy.special import expit

from caveat.data.evidence import Evidence
from caveat.errors import InputError, TooFewError
from caveat.stats.ranking.bradley_terry import CENTRE, POINTS, rate
from caveat.stats.ranking.counting import count_votes


def votes(rows, **columns):
    """Evidence from (model_a, model_b, outcome[, count]) rows."""

    def coded(k):
        return pa.array([row[k] for row in rows], pa.string()).dictionary_encode()

    table = {"model_a": coded(0), "model_b": coded(1), "outcome": coded(2)}
    if len(rows[0]) > 3:
        table["count"] = pa.array([float(row[3]) for row in rows])
    table |= {name: pa.array(values) for name, values in columns.items()}
    return Evidence(kind="votes", table=pa.table(table))


def board(rows, **options):
    return rate(count_votes(votes(rows)), **options)


PAIR = [("x", "y", "a", 30), ("x", "y", "b", 10)]


def test_two_models_by_hand():
    # odds 3: 400 log10(3) = 190.85 points apart, around 1000; 40 votes, z = log 3 / sqrt(1 / 7.5)
    got = board(PAIR)
    best, worst = got.models
    assert (best.model, worst.model) == ("x", "y")
    assert best.rating - worst.rating == pytest.approx(400 * math.log10(3), abs=1e-9)
    assert best.rating + worst.rating == pytest.approx(2 * CENTRE)
    assert got.lead.z == pytest.approx(math.log(3) * math.sqrt(7.5), rel=1e-9)
    assert got.lead.win_probability == pytest.approx(0.75)
    assert (best.rank_low, best.rank_high, best.tier) == (1, 1, 1)
    assert (worst.rank_low, worst.rank_high, worst.tier) == (2, 2, 2)
    assert got.n_votes == 40
    assert best.n_votes == 40
    assert got.converged


def test_pair_counts_equal_single_votes():
    single = [row[:3] for row in PAIR for _ in range(row[3])]
    one, other = board(PAIR), board(single)
    assert [m.rating for m in one.models] == pytest.approx([m.rating for m in other.models])
    assert [m.se for m in one.models] == pytest.approx([m.se for m in other.models])


def test_ratings_and_errors_equal_r(oracle):
    folder = oracle / "bradley_terry"
    with (folder / "votes.csv").open() as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    with (folder / "expected.csv").open() as file:
        expected = {row["model"]: row for row in csv.DictReader(file)}
    got = board(rows)
    assert len(got.models) == len(expected) == 6
    for m in got.models:
        want = expected[m.model]
        # R stops at a relative change of the deviance of 1e-14
        assert (m.rating - CENTRE) / POINTS == pytest.approx(float(want["theta"]), abs=1e-8)
        assert (m.rating - CENTRE) / POINTS == pytest.approx(float(want["theta_bt2"]), abs=1e-8)
        assert m.se / POINTS == pytest.approx(float(want["se"]), rel=1e-7)


def test_an_unbeaten_model_is_unrated_and_never_certain():
    got = board([*PAIR, ("top", "x", "a", 5)])
    assert [m.model for m in got.models] == ["x", "y", "top"]
    top = got.models[-1]
    assert math.isnan(top.rating)
    assert (top.rank_low, top.rank_high, top.tier) == (1, 3, None)
    assert "no upper bound" in top.reason
    assert [(g.models, g.relation) for g in got.groups] == [
        (("x", "y"), "main"),
        (("top",), "unbeaten"),
    ]
    # whoever is unrated may stand above the leader
    assert (got.models[0].rank_low, got.models[0].rank_high) == (1, 2)


def test_two_islands_are_never_put_on_one_scale():
    got = board([*PAIR, ("u", "v", "a", 3), ("u", "v", "b", 2)])
    assert [g.relation for g in got.groups] == ["main", "isolated"]
    assert [m.tier for m in got.models] == [1, 2, None, None]


def test_nothing_to_rate_when_nobody_beats_back():
    got = board([("x", "y", "a", 10)])
    assert got.lead is None
    assert all(math.isnan(m.rating) for m in got.models)
    assert all((m.rank_low, m.rank_high) == (1, 2) for m in got.models)


def test_only_ties_leave_no_standard_error_and_no_order():
    got = board([("x", "y", "tie", 50)])
    assert [m.rating for m in got.models] == pytest.approx([1000, 1000])
    assert all(math.isnan(m.se) for m in got.models)
    assert all("no variation" in m.reason for m in got.models)
    assert all((m.rank_low, m.rank_high, m.tier) == (1, 2, 1) for m in got.models)
    assert not got.lead.separable


def test_both_bad_is_half_a_win_like_a_tie():
    assert [m.rating for m in board([*PAIR, ("x", "y", "tie", 8)]).models] == pytest.approx(
        [m.rating for m in board([*PAIR, ("x", "y", "both_bad", 8)]).models]
    )


def test_weights_enter_the_meat_squared():
    # each vote weighs 2: ratings as before, variance as if by 40 votes, not 80
    plain = rate(count_votes(votes([row[:3] for row in PAIR], count=[30.0, 10.0])))
    double = rate(
        count_votes(votes([row[:3] for row in PAIR], count=[30.0, 10.0], weight=[2.0, 2.0]))
    )
    assert [m.rating for m in double.models] == pytest.approx([m.rating for m in plain.models])
    assert [m.se for m in double.models] == pytest.approx([m.se for m in plain.models])


def test_bad_options_are_refused():
    with pytest.raises(InputError, match="level must be strictly between 0 and 1, got 95"):
        board(PAIR, level=95)
    with pytest.raises(InputError, match="bootstrap must be at least 100, got 5"):
        board(PAIR, bootstrap=5)
    weighted = count_votes(votes([row[:3] for row in PAIR], weight=[1.0, 2.0]))
    with pytest.raises(InputError, match="weighted"):
        rate(weighted, bootstrap=100)
    with pytest.raises(InputError, match="negative"):
        count_votes(votes([row[:3] for row in PAIR], weight=[1.0, -2.0]))


def test_one_model_is_too_few():
    with pytest.raises(TooFewError):
        count_votes(votes([("x", "x", "a", 1)]))


def test_the_bootstrap_moves_no_rank():
    rows = [*PAIR, ("y", "z", "a", 9), ("z", "y", "a", 7), ("z", "x", "a", 6)]
    one, other = board(rows), board(rows, bootstrap=100)
    assert one.critical == other.critical
    assert [m.rank_high for m in one.models] == [m.rank_high for m in other.models]


def test_too_many_boards_that_fall_apart_leave_no_interval():
    # y won once in 1,001: a third of the resampled boards lose that vote
    got = board([("x", "y", "a", 1000), ("y", "x", "a", 1)], bootstrap=100)
    assert 15 < got.n_bootstrap_failed < 60
    assert all(math.isnan(m.low) for m in got.models)
    assert all("fell apart: use the sandwich interval" in m.reason for m in got.models)
    assert all(math.isfinite(m.rating) for m in got.models)


def test_seed_is_in_the_result_and_repeats_it():
    rows = [*PAIR, ("y", "z", "a", 9), ("z", "y", "a", 7), ("z", "x", "a", 6)]
    one, other = board(rows, bootstrap=100, seed=4), board(rows, bootstrap=100, seed=4)
    assert one.seed == 4
    assert one.models == other.models
    assert one.interval == "bootstrap"


rows_of_votes = st.lists(
    st.tuples(
        st.sampled_from("pqrs"),
        st.sampled_from("pqrs"),
        st.sampled_from(["a", "b", "tie", "both_bad"]),
        st.integers(1, 20),
    ),
    min_size=3,
    max_size=25,
).map(lambda rows: [r for r in rows if r[0] != r[1]] or [("p", "q", "tie", 1)])


@given(rows_of_votes, st.randoms())
def test_row_order_does_not_matter(rows, random):
    mixed = rows.copy()
    random.shuffle(mixed)
    one, other = board(rows), board(mixed)
    assert {m.model for m in one.models} == {m.model for m in other.models}
    ratings = {m.model: m.rating for m in other.models}
    for m in one.models:
        assert ratings[m.model] == pytest.approx(m.rating, nan_ok=True, abs=1e-6)


@given(rows_of_votes)
def test_every_rank_interval_is_possible(rows):
    got = board(rows)
    n = len(got.models)
    assert all(1 <= m.rank_low <= m.rank_high <= n for m in got.models)
    assert sum(m.n_votes for m in got.models) == 2 * got.n_votes
    assert {m for g in got.groups for m in g.models} == {m.model for m in got.models}


@pytest.mark.shared
def test_chatbot_arena_first_place(shared):
    # Counts of 1,670,250 Chatbot Arena votes up to 2024-08-14, from the PyPI package leaderbot
    # 0.4.3 (BSD-3-Clause). An independent search reports z = 5.6 for the lead.
    import pyarrow.parquet as pq

    columns = pq.read_table(shared / "votes" / "chatbot_arena_20240814_counts.parquet").to_pydict()
    rows = [
        (a, b, outcome, n)
        for a, b, *ns in zip(*columns.values(), strict=True)
        for outcome, n in zip(("a", "b", "tie", "both_bad"), ns, strict=True)
        if n
    ]
    counted = count_votes(votes(rows))
    got = rate(counted)
    assert got.n_votes == 1_670_250
    assert len(got.models) == 129
    assert got.lead.leader == "chatgpt-4o-latest"
    assert got.lead.runner_up == "gemini-1.5-pro-exp-0801"
    assert got.lead.z == pytest.approx(5.6, abs=0.05)
    assert got.converged

    # an independent solver: SciPy's root finder on the score equations, from zero
    wins = got.wins

    def score(free):
        theta = np.r_[free, -free.sum()]
        p = expit(theta[:, None] - theta[None, :])
        return (wins - (wins + wins.T) * p).sum(axis=1)[:-1]

    solved = root(score, np.zeros(128), method="krylov", options={"fatol": 1e-7})
    theta = np.r_[solved.x, -solved.x.sum()]
    ours = (np.array([m.rating for m in got.models]) - CENTRE) / POINTS
    assert ours == pytest.approx(theta, abs=1e-8)


def simulate(rng, theta, n_pair, ties):
    rows = []
    for i in range(theta.size):
        for j in range(i + 1, theta.size):
            tied = rng.binomial(n_pair, ties)
            won = rng.binomial(n_pair - tied, expit(theta[i] - theta[j]))
            lost = n_pair - tied - won
            rows += [(f"m{i}", f"m{j}", "a", won), (f"m{i}", f"m{j}", "b", lost)]
            rows += [(f"m{i}", f"m{j}", "tie", tied)]
    return [row for row in rows if row[3]]


@pytest.mark.slow
@pytest.mark.parametrize("bootstrap", [0, 300])
def test_rating_intervals_cover(bootstrap):
    # without ties the model is true, so centred ratings have a known value
    rng, reps = np.random.default_rng(31), 2000 if not bootstrap else 600
    theta = np.array([0.8, 0.4, 0.1, 0.0, -0.4, -0.9])
    theta -= theta.mean()
    hits = np.zeros(theta.size)
    for rep in range(reps):
        got = board(simulate(rng, theta, 80, 0.0), bootstrap=bootstrap, seed=rep)
        for m in got.models:
            k = int(m.model[1:])
            hits[k] += m.low <= CENTRE + POINTS * theta[k] <= m.high
    slack = 4 * math.sqrt(0.95 * 0.05 / reps)  # four binomial standard errors
    assert np.abs(hits / reps - 0.95).max() < slack


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 5, 10, 20, 100])
def test_a_newcomer_is_covered_and_spoils_nobodys_rank(n):
    # a model with n votes on a board of 60 votes a pair, where votes tie it to the board at all
    rng, reps = np.random.default_rng(34), 600
    theta = np.r_[np.linspace(0.8, -0.8, 10), 0.3]
    true, ranks = theta - theta.mean(), 1 + (theta[None, :] > theta[:, None]).sum(1)
    rated = hits = joint = 0
    for rep in range(reps):
        rows = simulate(rng, theta[:10], 60, 0.0)
        for other in rng.integers(0, 10, n):
            won = rng.random() < expit(theta[10] - theta[other])
            rows.append(("m10", f"m{other}", "a" if won else "b", 1))
        found = {int(m.model[1:]): m for m in board(rows, seed=rep).models}
        if math.isnan(found[10].rating):
            continue
        rated += 1
        hits += found[10].low <= CENTRE + POINTS * true[10] <= found[10].high
        joint += all(m.rank_low <= ranks[k] <= m.rank_high for k, m in found.items())
    slack = 4 * math.sqrt(0.95 * 0.05 / rated)
    assert hits / rated > 0.95 - slack
    assert joint / rated > 0.95 - slack


@pytest.mark.slow
def test_rank_intervals_cover_jointly():
    # at least nominal for distinct strengths; close to nominal where several are equal
    rng, reps = np.random.default_rng(32), 1500
    theta = np.array([0.5, 0.2, 0.2, 0.0, -0.3, -0.6])
    best = 1 + (theta[None, :] > theta[:, None]).sum(1)
    worst = theta.size - (theta[None, :] < theta[:, None]).sum(1)
    hits = 0
    for rep in range(reps):
        got = board(simulate(rng, theta, 60, 0.1), seed=rep)
        hits += all(
            m.rank_low <= best[int(m.model[1:])] and worst[int(m.model[1:])] <= m.rank_high
            for m in got.models
        )
    assert hits / reps > 0.95 - 4 * math.sqrt(0.95 * 0.05 / reps)


@pytest.mark.slow
def test_rank_intervals_of_equal_models_cover_exactly():
    # all equal: an interval fails exactly when some pair is wrongly separated, at the joint level
    rng, reps = np.random.default_rng(33), 3000
    hits = 0
    for rep in range(reps):
        got = board(simulate(rng, np.zeros(6), 200, 0.0), seed=rep)
        hits += all((m.rank_low, m.rank_high) == (1, 6) for m in got.models)
    assert abs(hits / reps - 0.95) < 4 * math.sqrt(0.95 * 0.05 / reps)
