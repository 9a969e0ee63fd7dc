import csv
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import caveat
from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.kernels.means import wilson_share
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.rate import Errors, rate
from caveat.stats.ranking.sequence import order_notices
from caveat.stats.ranking.system import SystemSettings, board_votes, resamples
from caveat.stats.ranking.systems import LIKELIHOODS, SYSTEMS, rate_by

NAMES = SYSTEMS.names()
BY_VOTES = SystemSettings(period="25", shuffles=5)


def evidence(rows, **columns):
    """Votes from (model_a, model_b, outcome[, count]) rows."""

    def coded(k):
        return pa.array([row[k] for row in rows], pa.string()).dictionary_encode()

    table = {"model_a": coded(0), "model_b": coded(1), "outcome": coded(2)}
    if len(rows[0]) > 3:
        table["count"] = pa.array([row[3] for row in rows])
    table |= {name: pa.array(values) for name, values in columns.items()}
    return Evidence(kind="votes", table=pa.table(table))


def counted(rows, **columns):
    return count_votes(evidence(rows, **columns))


def board(name, rows, *, options=BY_VOTES, **more):
    return rate_by(name, counted(rows), settings=options, **more)


LADDER = [
    (a, b, o)
    for k in range(12)
    for a, b in ("ab", "bc", "cd", "ac", "bd", "ad")
    for o in (("a",) * 3 if k % 2 else ("a", "tie", "b"))
]
"""Six pairs of four models, 36 votes each: 24 for the better one, 6 ties, 6 for the worse one."""


def ratings(found):
    return {m.model: m.rating for m in found.models}


@pytest.mark.parametrize("name", [*LIKELIHOODS, *NAMES])
def test_every_system_ranks_a_ladder_with_intervals(name):
    got = board(name, LADDER)
    assert [m.model for m in got.models] == list("abcd")
    assert got.method == name
    assert got.n_votes == len(LADDER)
    for model in got.models:
        assert model.low <= model.rating <= model.high
        assert model.rank_low <= model.rank_high
    assert got.lead.leader == "a"
    assert got.models[0].rank_low == 1
    assert got.order_dependent == (name in ("elo", "glicko2", "trueskill"))


def test_likelihoods_are_those_of_rate():
    one, other = board("davidson", LADDER), rate(counted(LADDER), method="davidson")
    assert ratings(one) == ratings(other)
    assert [m.rank_high for m in one.models] == [m.rank_high for m in other.models]


def test_win_rate_by_hand():
    # b: 24 + 3 of 36 against c and d each, 6 + 3 of 36 against a: (27 + 27 + 9) / 108
    got = board("win-rate", LADDER)
    assert ratings(got)["b"] == pytest.approx(63 / 108)
    assert got.unit == "share"
    assert got.settings == {"average_over": "opponents met"}


def test_baseline_by_hand():
    rows = [("x", "y", "a", 30), ("x", "y", "b", 10), ("z", "x", "a", 5), ("z", "x", "b", 5)]
    got = board("baseline", rows, options=SystemSettings(baseline="y"))
    assert [(m.model, m.rating) for m in got.models[:2]] == [("x", 0.75), ("y", 0.5)]
    # without ties the interval is Wilson's at 40 votes, up to the simulated error and t
    low, high = wilson_share(np.array([0.75]), np.array([40.0]), level=0.95)
    assert got.models[0].low == pytest.approx(low[0], abs=0.02)
    assert got.models[0].high == pytest.approx(high[0], abs=0.02)
    baseline, apart = got.models[1:]
    assert (baseline.se, baseline.low, baseline.high) == (0.0, 0.5, 0.5)
    assert math.isnan(apart.rating)
    assert apart.reason == "it never met the baseline, y"
    assert (apart.rank_low, apart.rank_high) == (1, 3)
    assert got.settings["baseline"] == "y"


def test_the_usual_baseline_is_the_model_that_met_most():
    rows = [("x", "y", "a", 3), ("y", "x", "a", 3), ("x", "z", "a", 9), ("x", "z", "b", 9)]
    assert board("baseline", rows).settings["baseline"] == "x"


def test_elo_in_the_order_of_rows_and_of_time():
    rows = [("x", "y", "a"), ("x", "y", "b"), ("y", "z", "a"), ("z", "x", "tie")]
    got = board("elo", rows)
    assert got.settings["order"] == "rows"
    # 16 points, then 32 * 0.545923 back (see tests/kernels/test_elo.py): y stands above x
    assert got.models[0].model == "y"
    timed = rate_by("elo", counted(rows, at=[2.0, 1.0, 3.0, None]))
    assert timed.settings["order"] == "time (rows were sorted)"
    assert timed.settings["votes_without_time"] == 1
    # the other way round: y wins first, then x, which then gains more
    assert ratings(timed)["x"] > 1000


def test_notices_say_in_what_order_votes_were_taken():
    rows = [("x", "y", "a"), ("x", "y", "b"), ("y", "z", "a"), ("z", "x", "tie")]
    assert order_notices(board("elo", rows)) == (
        "no vote has a time: elo took the votes in the order of their rows",
    )
    timed = rate_by("elo", counted(rows, at=[2.0, 1.0, 3.0, None]))
    assert order_notices(timed) == (
        "rows were not in the order of their times: elo took them sorted",
        "elo left out 1 vote without a time",
    )
    assert order_notices(rate_by("elo", counted(rows, at=[1.0, 2.0, 3.0, 4.0]))) == ()
    assert order_notices(board("win-rate", rows)) == ()


def test_an_anchor_stands_at_1000_without_an_error():
    got = board("elo", LADDER, anchor="c")
    plain = board("elo", LADDER)
    anchor = next(m for m in got.models if m.model == "c")
    assert (anchor.rating, anchor.se) == (1000.0, 0.0)
    moved = 1000 - ratings(plain)["c"]
    assert ratings(got)["a"] == pytest.approx(ratings(plain)["a"] + moved)
    assert got.lead.z == pytest.approx(plain.lead.z)
    assert [m.rank_high for m in got.models] == [m.rank_high for m in plain.models]


def test_one_order_of_equal_votes_is_every_order():
    rows = [("x", "y", "a")] * 20
    one, other = board("elo", rows), board("elo-shuffled", rows)
    assert ratings(one) == pytest.approx(ratings(other), abs=1e-9)
    assert other.settings["spread_of_one_order"] == pytest.approx(0, abs=1e-9)


def test_elo_shuffled_takes_counts():
    rows = [("x", "y", "a", 30), ("x", "y", "b", 10)]
    single = [row[:3] for row in rows for _ in range(row[3])]
    one, other = board("elo-shuffled", rows), board("elo-shuffled", single)
    assert ratings(one) == ratings(other)


def test_many_votes_get_fewer_resamples_and_wider_quantiles(monkeypatch):
    from caveat.stats.ranking import elo

    monkeypatch.setattr(elo, "UPDATES", len(LADDER) * 5 * 30)
    got = board("elo-shuffled", LADDER)
    assert got.n_bootstrap == 30
    monkeypatch.setattr(elo, "UPDATES", 1)
    assert board("elo-shuffled", LADDER).n_bootstrap == 20


@pytest.mark.parametrize(
    ("asked", "plays", "number"),
    [(0, 10**6, 200), (0, 4 * 10**6, 100), (0, 10**9, 20), (500, 10**9, 500), (0, 0, 200)],
)
def test_how_many_resamples(asked, plays, number):
    assert resamples(asked, plays=plays) == number


def test_five_wins_are_not_certain():
    # resampled, they are always wins; the deviation that the system itself keeps says more
    rows = [*LADDER, *(("new", "a", "a"),) * 5]
    for name in ("elo", "elo-shuffled", "glicko2", "trueskill"):
        got = board(name, rows)
        new = next(m for m in got.models if m.model == "new")
        settled = next(m for m in got.models if m.model == "a")
        assert new.se > settled.se
        assert new.rank_high > 1


def test_a_newcomer_to_elo_may_belong_anywhere_by_hand():
    # one vote leaves 1 - 32 / 4 * ln(10) / 400 = 95.4% of the start, so the error is 0.954 of the
    # spread of the four settled models
    got = board("elo-shuffled", [*LADDER, ("new", "a", "tie")])
    settled = np.array([m.rating for m in got.models if m.model != "new"])
    new = next(m for m in got.models if m.model == "new")
    assert new.se == pytest.approx((1 - 8 * math.log(10) / 400) * settled.std())


def test_an_unbeaten_model_has_a_rating_but_not_by_eigenvector():
    rows = [*LADDER, *(("top", "a", "a"),) * 40]
    for name in NAMES:
        got = board(name, rows)
        top = next(m for m in got.models if m.model == "top")
        if name == "eigenvector":
            assert math.isnan(top.rating)
            assert "no upper bound" in top.reason
        else:
            assert math.isfinite(top.rating) or name == "baseline"


@pytest.mark.parametrize("name", NAMES)
def test_islands_are_never_put_on_one_scale(name):
    got = board(name, [*LADDER, ("u", "v", "a"), ("u", "v", "b")])
    assert [m.tier is None for m in got.models] == [False] * 4 + [True] * 2
    assert got.models[-1].reason == "it never met the rated models"
    assert [g.relation for g in got.groups] == ["main", "isolated"]
    assert (got.models[-1].rank_low, got.models[-1].rank_high) == (1, 6)


@pytest.mark.parametrize("name", NAMES)
def test_only_ties_leave_no_error_and_no_order(name):
    got = board(name, [("x", "y", "tie"), ("y", "x", "both_bad")] * 20)
    assert [m.model for m in got.models] == ["x", "y"]
    assert not got.lead.separable
    assert all((m.rank_low, m.rank_high) == (1, 2) for m in got.models)
    if name != "baseline":
        assert all(math.isnan(m.se) for m in got.models)
        assert all("no variation" in m.reason for m in got.models)


@pytest.mark.parametrize("name", NAMES)
def test_a_single_vote_says_nothing_certain(name):
    got = board(name, [("x", "y", "a")])
    assert all((m.rank_low, m.rank_high) == (1, 2) for m in got.models)


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_is_kept_and_decides(name):
    one, other = (board(name, LADDER, errors=Errors(seed=4)) for _ in range(2))
    assert one.to_dict() == other.to_dict()
    assert one.seed == 4


def test_a_bootstrap_of_a_stated_size():
    got = board("win-rate", LADDER, errors=Errors(bootstrap=150))
    assert got.n_bootstrap == 150
    assert board("win-rate", LADDER).n_bootstrap == 200


def test_bad_input_is_refused_with_what_to_do():
    counts = [("x", "y", "a", 30), ("x", "y", "b", 10)]
    for name in ("elo", "trueskill"):
        with pytest.raises(InputError, match=f"{name} must have the votes one by one.*shuffled"):
            board(name, counts)
    with pytest.raises(InputError, match="glicko2 must have the time of each vote"):
        board("glicko2", LADDER, options=SystemSettings())
    with pytest.raises(InputError, match=r"column 'at' must hold dates.*got 'soon'"):
        rate_by("elo", counted(LADDER, at=["soon"] * len(LADDER)))
    with pytest.raises(InputError, match=r"method must be one of .*win-rate, got 'elos'"):
        board("elos", LADDER)
    with pytest.raises(InputError, match=r"baseline must be a model.*no vote names it"):
        board("baseline", LADDER, options=SystemSettings(baseline="q"))
    with pytest.raises(InputError, match="anchor must be left out for win-rate"):
        board("win-rate", LADDER, anchor="a")
    with pytest.raises(InputError, match="anchor must be a rated model, got 'q'"):
        board("elo", LADDER, anchor="q")
    with pytest.raises(InputError, match="cluster must be left out for elo, got 'voter'"):
        board("elo", LADDER, errors=Errors(cluster="voter"))
    with pytest.raises(InputError, match="bootstrap must be at least 100"):
        board("elo", LADDER, errors=Errors(bootstrap=5))
    with pytest.raises(InputError, match="draw_probability must be above 0 where votes are tied"):
        board("trueskill", LADDER, options=SystemSettings(draw_probability=0.0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0.0}, "k must be a number above 0, got 0.0"),
        ({"k": math.nan}, "k must be a number above 0, got nan"),
        ({"shuffles": 1}, "shuffles must be at least 2, got 1"),
        ({"period": "year"}, "period must be day, week, month or a number of votes, got 'year'"),
        ({"period": "0"}, "period must be day, week, month or a number of votes, got '0'"),
        ({"damping": 1.0}, "damping must be strictly between 0 and 1"),
        ({"draw_probability": 1.0}, "draw_probability must be at least 0 and below 1, got 1.0"),
    ],
)
def test_settings_out_of_range(options, message):
    with pytest.raises(InputError, match=message):
        SystemSettings(**options)


def test_weights_count_where_order_does_not():
    rows = [("x", "y", "a", 10), ("x", "y", "b", 10)]
    got = rate_by("win-rate", counted(rows, weight=[3.0, 1.0]))
    assert ratings(got) == {"x": 0.75, "y": 0.25}
    for name in ("elo", "elo-shuffled", "glicko2", "trueskill"):
        with pytest.raises(InputError, match="must not be weighted"):
            rate_by(name, counted(rows, weight=[3.0, 1.0]), settings=BY_VOTES)


pairs = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda p: p[0] != p[1])
votes = st.lists(st.tuples(pairs, st.sampled_from(["a", "b", "tie", "both_bad"])), max_size=40)


@settings(deadline=None, max_examples=8)
@given(votes, st.permutations("abcd"))
@pytest.mark.parametrize("name", NAMES)
def test_relabelling_and_swapping_sides(name, rows, renamed):
    swap = {"a": "b", "b": "a", "tie": "both_bad", "both_bad": "tie"}
    rows = [*LADDER[:18], *(("abcd"[a], "abcd"[b], o) for (a, b), o in rows)]
    new = dict(zip("abcd", renamed, strict=True))
    other = [(new[b], new[a], swap[o]) for a, b, o in rows]
    options = SystemSettings(period="25", shuffles=5, baseline="a")
    turned = SystemSettings(period="25", shuffles=5, baseline=new["a"])
    one = ratings(board(name, rows, options=options))
    two = ratings(board(name, other, options=turned))
    near = 1e-7 if name != "elo-shuffled" else 60  # other cells, other random orders
    assert {new[m]: r for m, r in one.items()} == pytest.approx(two, abs=near, nan_ok=True)


def test_the_oracle_through_the_door(oracle):
    folder = oracle / "rating_systems"
    with (folder / "votes.csv").open() as file:
        rows = list(csv.DictReader(file))
    with (folder / "expected.csv").open() as file:
        expected = {row["model"]: row for row in csv.DictReader(file)}
    with (folder / "expected_glicko2.csv").open() as file:
        by_period = {row["model"]: float(row["rating"]) for row in csv.DictReader(file)}
    read = counted([(r["model_a"], r["model_b"], r["outcome"]) for r in rows])
    options = SystemSettings(period="50", draw_probability=0.2)
    for name, column in (("elo", "elo"), ("trueskill", "trueskill_mu"), ("pagerank", "pagerank")):
        want = {model: float(row[column]) for model, row in expected.items()}
        assert ratings(rate_by(name, read, settings=options)) == pytest.approx(want, abs=1e-6)
    # the 50 votes of a period are those of the oracle
    assert ratings(rate_by("glicko2", read, settings=options)) == pytest.approx(by_period)


# ---- coverage ----------------------------------------------------------------------

STRENGTH = np.array([1.0, 0.6, 0.3, 0.0, -0.4, -1.0])
MODELS = "abcdef"
SIMULATED = SystemSettings(period="100", baseline="b", shuffles=5)
RUNS = 400
GAP = 4 * math.sqrt(0.95 * 0.05 / RUNS)  # four binomial standard errors


def meetings():
    """100 votes of each pair, 20 where the last model takes part: it has 100 votes."""
    met = [(i, j, 20 if i == 5 else 100) for i in range(6) for j in range(i)]
    return tuple(np.repeat([m[k] for m in met], [m[2] for m in met]) for k in (0, 1))


def simulated(rng):
    """1,100 votes of random pairs in random order, 20% ties."""
    first, second = meetings()
    drawn = rng.integers(0, first.size, first.size)
    a, b = first[drawn], second[drawn]
    p = 1 / (1 + np.exp(STRENGTH[b] - STRENGTH[a]))
    tied = rng.random(a.size) < 0.2
    outcome = np.where(tied, 2, np.where(rng.random(a.size) < p, 0, 1))

    def coded(codes, labels):
        return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(labels))

    columns = {
        "model_a": coded(a, list(MODELS)),
        "model_b": coded(b, list(MODELS)),
        "outcome": coded(outcome, ["a", "b", "tie"]),
    }
    return count_votes(Evidence(kind="votes", table=pa.table(columns)))


def centred(rows, name):
    """Ratings against their mean: a common shift says nothing where only differences do."""
    form = SYSTEMS.get(name).form
    return rows - rows.mean(axis=-1, keepdims=True) if form == "normal" else rows


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_coverage_of_intervals_and_ranks(name):
    rng = np.random.default_rng(7)
    system = SYSTEMS.get(name)

    def score():
        found = board_votes(simulated(rng), tied=system.tied)
        by_name = dict(zip(found.names, system.score(found, SIMULATED, rng).rating, strict=True))
        return [by_name[m] for m in MODELS]

    # what the system gives on average is what its intervals are to hold
    truth = centred(np.array([score() for _ in range(800)]), name).mean(axis=0)
    order = np.argsort(np.argsort(-truth)) + 1
    hits, joint = np.zeros(6), 0
    for _ in range(RUNS):
        got = rate_by(name, simulated(rng), settings=SIMULATED, errors=Errors(seed=rng))
        rows = {m.model: m for m in got.models}
        shift = 0.0
        if system.form == "normal":
            shift = np.mean([m.rating for m in got.models]) - truth.mean()
        hits += [rows[m].low <= truth[k] + shift <= rows[m].high for k, m in enumerate(MODELS)]
        joint += all(
            rows[m].rank_low <= order[k] <= rows[m].rank_high for k, m in enumerate(MODELS)
        )
    share = hits / RUNS
    if name == "baseline":
        assert share[1] == 1.0  # the baseline itself, a half by definition
        share = np.delete(share, 1)
    assert share == pytest.approx(np.full(share.size, 0.95), abs=GAP)
    assert joint / RUNS >= 0.95 - GAP


@pytest.mark.slow
@pytest.mark.parametrize("name", ["win-rate", "baseline", "eigenvector"])
def test_coverage_for_a_model_of_100_votes_among_10_million(name):
    rng = np.random.default_rng(8)
    m = 30
    theta = np.linspace(1, -1, m)
    i, j = np.triu_indices(m, 1)
    expected = np.full(i.size, 10_000_000 / i.size)
    few = (i == 10) | (j == 10)
    expected[few] = 100 / (m - 1)
    won = 0.8 / (1 + np.exp(theta[j] - theta[i]))
    chance = np.stack([won, 0.8 - won, np.full(i.size, 0.2)], axis=1)
    system, options = SYSTEMS.get(name), SystemSettings(baseline="m0")
    labels = [f"m{k}" for k in range(m)]

    def votes_of(met):
        drawn = rng.multinomial(met, chance) if met.dtype == np.int64 else met[:, None] * chance
        rows = [
            (labels[a], labels[b], o, n)
            for a, b, counts in zip(i, j, drawn, strict=True)
            for o, n in zip(("a", "b", "tie"), counts, strict=True)
            if n
        ]
        return counted(rows)

    def rating(read):
        found = board_votes(read, tied=system.tied)
        values = system.score(found, options, rng).rating
        return dict(zip(found.names, values, strict=True))["m10"]

    kept = expected.astype(np.int64)
    kept[few] = np.where(np.arange(few.sum()) < 100 - 3 * (m - 1), 4, 3)
    truth = np.mean([rating(votes_of(kept)) for _ in range(300)])
    hits = 0
    for _ in range(RUNS // 4):
        got = rate_by(name, votes_of(kept), settings=options, errors=Errors(seed=rng))
        row = next(x for x in got.models if x.model == "m10")
        hits += row.low <= truth <= row.high
    assert hits / (RUNS // 4) == pytest.approx(0.95, abs=2 * GAP)


def test_counts_of_more_votes_than_can_be_played_are_refused():
    rows = {"model_a": ["x", "x"], "model_b": ["y", "y"], "outcome": ["a", "b"]}
    counted = count_votes(caveat.read_votes({**rows, "count": [2 * 10**8, 10]}))
    with pytest.raises(InputError, match="to play one by one, got 200,000,010"):
        rate_by("elo-shuffled", counted)
