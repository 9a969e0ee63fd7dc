import csv
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from caveat.data.evidence import Evidence
from caveat.errors import InputError, TooFewError
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import Errors, rate, rate_fitted
from caveat.stats.ranking.scale import CENTRE, POINTS

LIKELIHOODS = ["bradley-terry", "davidson", "rao-kupper"]


def votes(rows, **columns):
    """Evidence from (model_a, model_b, outcome[, count]) rows."""

    def coded(values):
        return pa.array(values, pa.string()).dictionary_encode()

    sides = [coded([row[k] for row in rows]) for k in range(3)]
    table = dict(zip(("model_a", "model_b", "outcome"), sides, strict=True))
    if len(rows[0]) > 3:
        table["count"] = pa.array([float(row[3]) for row in rows])
    for name, values in columns.items():
        text = isinstance(values[0], str)
        table[name] = coded(values) if text else pa.array(values)
    return Evidence(kind="votes", table=pa.table(table))


def board(rows, *, method="auto", position=False, anchor=None, columns=None, **errors):
    counted = count_votes(votes(rows, **(columns or {})))
    return rate(counted, method=method, position=position, anchor=anchor, errors=Errors(**errors))


def by_name(got):
    return {m.model: m for m in got.models}


PAIR = [("x", "y", "a", 30), ("x", "y", "b", 10)]
TIED = [*PAIR, ("x", "y", "tie", 15), ("x", "y", "both_bad", 5)]
RING = [*PAIR, ("y", "z", "a", 9), ("z", "y", "a", 7), ("z", "x", "a", 6)]


def test_two_models_by_hand():
    # odds 3: 400 log10(3) = 190.85 points apart; both have 40 votes, so x, first by name, is the
    # anchor at 1000; z = log 3 / sqrt(1 / 7.5)
    got = board(PAIR)
    best, worst = got.models
    assert (best.model, worst.model, got.anchor) == ("x", "y", "x")
    assert best.rating == CENTRE
    assert worst.rating == pytest.approx(1000 - 400 * math.log10(3), abs=1e-9)
    assert (best.se, best.low, best.high) == (0, CENTRE, CENTRE)
    assert worst.se == pytest.approx(POINTS / math.sqrt(7.5), rel=1e-9)
    assert worst.high - worst.rating == pytest.approx(1.959964 * worst.se, rel=1e-6)
    assert got.lead.z == pytest.approx(math.log(3) * math.sqrt(7.5), rel=1e-9)
    assert got.lead.win_probability == pytest.approx(0.75)
    assert (best.win_probability, best.win_low, best.win_high) == (0.5, 0.5, 0.5)
    assert worst.win_probability == pytest.approx(0.25)
    assert (best.rank_low, best.rank_high, best.tier) == (1, 1, 1)
    assert (worst.rank_low, worst.rank_high, worst.tier) == (2, 2, 2)
    assert got.n_votes == 40
    assert best.n_votes == 40
    assert got.converged
    assert (got.method, got.unit, got.order_dependent) == ("bradley-terry", "points", False)


def test_two_models_with_ties_by_hand():
    # 30 wins, 10 losses, 20 ties. Davidson: odds of decisive votes 3, variance 1/30 + 1/10.
    # Rao and Kupper: log(5) / 2 apart, c the same; of decisive votes 3 in 4 are wins all the same.
    davidson = board(TIED)
    assert davidson.method == "davidson"
    assert davidson.lead.difference == pytest.approx(400 * math.log10(3), abs=1e-8)
    assert davidson.lead.se == pytest.approx(POINTS * math.sqrt(1 / 30 + 1 / 10), rel=1e-8)
    assert davidson.tie_parameter == pytest.approx(math.log(20 / math.sqrt(300)), abs=1e-10)
    assert davidson.n_ties == 20
    rao_kupper = board(TIED, method="rao-kupper")
    assert rao_kupper.lead.difference == pytest.approx(POINTS * math.log(5) / 2, abs=1e-8)
    assert rao_kupper.tie_parameter == pytest.approx(math.log(5) / 2, abs=1e-10)
    for got in (davidson, rao_kupper):
        assert got.lead.win_probability == pytest.approx(3 / 4, rel=1e-9)
        assert by_name(got)["y"].win_probability == pytest.approx(1 / 4, rel=1e-9)
        assert got.comparisons.win_probability[0, 1] == pytest.approx(3 / 4, rel=1e-9)
    # half-win: 40 of 60
    half = board(TIED, method="bradley-terry")
    assert half.lead.win_probability == pytest.approx(2 / 3, rel=1e-9)
    assert math.isnan(half.tie_parameter)


@pytest.mark.parametrize("method", ["davidson", "rao-kupper"])
def test_limits_of_a_win_chance_by_hand(method):
    # saturated: the log-odds of decisive votes are log(30 / 10) with variance 1/30 + 1/10,
    # whatever the model of ties makes of the ties
    got = by_name(board(TIED, method=method))["y"]
    half = 1.959964 * math.sqrt(1 / 30 + 1 / 10)
    low, high = (1 / (1 + math.exp(math.log(3) + side * half)) for side in (1, -1))
    assert (got.win_low, got.win_high) == pytest.approx((low, high), rel=1e-5)


def test_an_advantage_of_the_first_answer_by_hand():
    # x first: 30 to 10; y first: 20 to 20. Ratings and advantage are log(3) / 2 each.
    rows = [*PAIR, ("y", "x", "a", 20), ("y", "x", "b", 20)]
    got = board(rows, position=True)
    assert got.lead.difference == pytest.approx(200 * math.log10(3), abs=1e-8)
    assert got.position.advantage == pytest.approx(200 * math.log10(3), abs=1e-8)
    # saturated: eta of each order has variance 1/wins + 1/losses; the advantage is their mean
    variance = (1 / 30 + 1 / 10 + 1 / 20 + 1 / 20) / 4
    assert got.position.se == pytest.approx(POINTS * math.sqrt(variance), rel=1e-8)
    assert got.position.win_probability == pytest.approx(math.sqrt(3) / (1 + math.sqrt(3)))
    assert got.position.low < got.position.advantage < got.position.high
    # side by side, without the advantage
    assert got.lead.win_probability == pytest.approx(math.sqrt(3) / (1 + math.sqrt(3)))
    assert board(rows).position is None


# --- anchor --------------------------------------------------------------------------------


def test_the_model_with_most_votes_is_the_anchor():
    got = board([*RING, ("y", "z", "a", 9)])
    assert got.anchor == "y"
    assert by_name(got)["y"].rating == CENTRE


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_another_anchor_moves_ratings_and_nothing_else(method):
    rows = [*RING, ("z", "x", "tie", 12)]
    one, other = board(rows, method=method), board(rows, method=method, anchor="z")
    shift = CENTRE - by_name(one)["z"].rating
    for m in one.models:
        there = by_name(other)[m.model]
        assert there.rating == pytest.approx(m.rating + shift, abs=1e-9)
        assert (there.rank_low, there.rank_high, there.tier) == (m.rank_low, m.rank_high, m.tier)
    assert other.critical == pytest.approx(one.critical, abs=1e-5)
    assert other.lead.se == pytest.approx(one.lead.se, rel=1e-9)
    assert other.comparisons.p == pytest.approx(one.comparisons.p, rel=1e-6, nan_ok=True)
    assert by_name(other)["z"].se == 0
    # the error of x against z is the same from both ends
    assert by_name(other)["x"].se == pytest.approx(by_name(board(rows, method=method, anchor="x"))[
        "z"].se, rel=1e-9)  # fmt: skip
    # and so is the chance of x against z
    chance = by_name(board(rows, method=method, anchor="x"))["z"].win_probability
    assert by_name(other)["x"].win_probability == pytest.approx(1 - chance, rel=1e-9)


def test_an_anchor_that_has_no_rating_is_refused():
    rows = [*PAIR, ("top", "x", "a", 5)]
    with pytest.raises(InputError, match="anchor must be a rated model, got 'top': it has no rat"):
        board(rows, anchor="top")
    with pytest.raises(InputError, match="got 'nobody': no vote names it"):
        board(rows, anchor="nobody")
    with pytest.raises(InputError, match="got 'x': it has no rating"):
        board([("x", "y", "a", 10)], anchor="x")


# --- which model of ties -------------------------------------------------------------------


def test_ties_are_modelled_where_there_are_any():
    assert board(PAIR).method == "bradley-terry"
    assert board([*PAIR, ("x", "y", "tie", 1)]).method == "davidson"
    assert board([*PAIR, ("x", "y", "both_bad", 1)]).method == "davidson"


def test_a_model_of_ties_that_cannot_be_fitted_is_refused():
    for method in ("davidson", "rao-kupper"):
        with pytest.raises(InputError, match=f"bradley-terry for these votes, got '{method}': no "):
            board(PAIR, method=method)
        # one win, two ties round the circle: the likelihood rises for ever
        rows = [("x", "y", "a", 1), ("y", "z", "tie", 4), ("z", "x", "tie", 4)]
        with pytest.raises(InputError, match="no finite tie parameter fits among them"):
            board(rows, method=method)
        assert board(rows).method == "bradley-terry"


def test_all_ties_leave_no_standard_error_and_no_order():
    for rows in ([("x", "y", "tie", 50)], [("x", "y", "both_bad", 1)]):
        got = board(rows)
        assert got.method == "bradley-terry"
        assert [m.rating for m in got.models] == pytest.approx([1000, 1000])
        assert all(math.isnan(m.se) for m in got.models)
        assert all("no variation" in m.reason for m in got.models)
        assert all((m.rank_low, m.rank_high, m.tier) == (1, 2, 1) for m in got.models)
        assert all(math.isnan(m.best) for m in got.models)
        assert not got.lead.separable
        assert not got.comparisons.separable.any()
        assert np.isnan(got.comparisons.p).all()
        with pytest.raises(InputError, match="must be bradley-terry"):
            board(rows, method="davidson")


def test_an_unknown_method_is_refused():
    with pytest.raises(InputError, match=r"method must be one of .*davidson.*, got 'elo2'"):
        board(PAIR, method="elo2")


def test_an_advantage_that_the_votes_cannot_tell_is_refused():
    with pytest.raises(InputError, match="position must be off: these votes cannot tell"):
        board(PAIR, position=True)  # x is always first
    unknown = count_votes(votes(PAIR))
    unknown = type(unknown)(unknown.models, unknown.cells, False, False)
    with pytest.raises(InputError, match="the source does not say which answer came first"):
        rate(unknown, position=True)


# --- boards that hang together only in part -------------------------------------------------


@pytest.mark.parametrize("method", ["auto", *LIKELIHOODS])
def test_an_unbeaten_model_is_unrated_and_never_certain(method):
    got = board([*TIED, ("top", "x", "a", 5)], method=method)
    assert [m.model for m in got.models] == ["x", "y", "top"]
    top = got.models[-1]
    assert all(math.isnan(v) for v in (top.rating, top.best, top.win_probability))
    assert (top.rank_low, top.rank_high, top.tier) == (1, 3, None)
    assert "no upper bound" in top.reason
    assert [(g.models, g.relation) for g in got.groups] == [
        (("x", "y"), "main"),
        (("top",), "unbeaten"),
    ]
    # whoever is unrated may stand above the leader
    assert (got.models[0].rank_low, got.models[0].rank_high) == (1, 2)
    # an unbeaten model changes nothing for the others
    assert got.lead == board(TIED, method=method).lead


@pytest.mark.parametrize("method", ["auto", *LIKELIHOODS])
def test_two_islands_are_never_put_on_one_scale(method):
    got = board([*TIED, ("u", "v", "a", 3), ("u", "v", "b", 2)], method=method)
    assert [g.relation for g in got.groups] == ["main", "isolated"]
    assert [m.tier for m in got.models] == [1, 2, None, None]
    assert got.comparisons.models == ("x", "y")


@pytest.mark.parametrize("position", [False, True])
def test_nothing_to_rate_when_nobody_beats_back(position):
    got = board([("x", "y", "a", 10)], position=position)
    assert got.lead is None
    assert got.anchor is None
    assert got.position is None
    assert got.comparisons is None
    assert all(math.isnan(m.rating) for m in got.models)
    assert all((m.rank_low, m.rank_high) == (1, 2) for m in got.models)


def test_one_model_is_too_few():
    with pytest.raises(TooFewError):
        count_votes(votes([("x", "x", "a", 1)]))


# --- counts and weights --------------------------------------------------------------------


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_pair_counts_equal_single_votes(method):
    single = [row[:3] for row in TIED for _ in range(row[3])]
    one, other = board(TIED, method=method), board(single, method=method)
    assert [m.rating for m in one.models] == pytest.approx([m.rating for m in other.models])
    assert [m.se for m in one.models] == pytest.approx([m.se for m in other.models])


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_both_bad_is_a_tie(method):
    one = board([*TIED, ("x", "y", "tie", 8)], method=method)
    other = board([*TIED, ("x", "y", "both_bad", 8)], method=method)
    assert [m.rating for m in one.models] == pytest.approx([m.rating for m in other.models])
    assert [m.se for m in one.models] == pytest.approx([m.se for m in other.models])


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_equal_weights_change_nothing(method):
    # ratings as before, and errors too: by 60 votes, not 120
    plain = board(TIED, method=method)
    double = board(TIED, method=method, columns={"weight": [2.0] * 4})
    assert [m.rating for m in double.models] == pytest.approx([m.rating for m in plain.models])
    assert [m.se for m in double.models] == pytest.approx([m.se for m in plain.models])
    assert double.lead.z == pytest.approx(plain.lead.z)
    assert double.counts is None
    assert double.n_votes == plain.n_votes == 60


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_a_vote_of_weight_two_rates_as_two_votes_but_is_one(method):
    weighted = board(TIED, method=method, columns={"weight": [2.0, 1.0, 1.0, 1.0]})
    more = board([("x", "y", "a", 60), *TIED[1:]], method=method)
    assert weighted.lead.difference == pytest.approx(more.lead.difference)
    assert weighted.lead.se > more.lead.se


def test_weights_cannot_be_resampled():
    with pytest.raises(InputError, match="bootstrap must be 0 for weighted votes"):
        board(TIED, columns={"weight": [1.0, 2.0, 1.0, 1.0]}, bootstrap=100)


# --- options -------------------------------------------------------------------------------


def test_bad_options_are_refused():
    with pytest.raises(InputError, match="level must be strictly between 0 and 1, got 95"):
        board(PAIR, level=95)
    with pytest.raises(InputError, match="bootstrap must be at least 100, got 5"):
        board(PAIR, bootstrap=5)
    with pytest.raises(InputError, match="negative"):
        count_votes(votes([row[:3] for row in PAIR], weight=[1.0, -2.0]))
    with pytest.raises(InputError, match="cluster must name a column that the votes have, got 'u'"):
        board(PAIR, cluster="u")


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_the_bootstrap_moves_no_rank(method):
    rows = [*RING, ("z", "x", "tie", 12)]
    one, other = board(rows, method=method), board(rows, method=method, bootstrap=100)
    assert one.critical == other.critical
    assert [m.rank_high for m in one.models] == [m.rank_high for m in other.models]
    assert [m.best for m in one.models] == [m.best for m in other.models]
    anchor = by_name(other)[other.anchor]
    assert (anchor.se, anchor.low, anchor.high) == (0, CENTRE, CENTRE)


def test_too_many_boards_that_fall_apart_leave_no_interval():
    # y won once in 1,001: a third of the resampled boards lose that vote
    got = board([("x", "y", "a", 1000), ("y", "x", "a", 1)], bootstrap=100)
    assert 15 < got.n_bootstrap_failed < 60
    assert all(math.isnan(m.low) for m in got.models)
    assert all("fell apart: use the sandwich interval" in m.reason for m in got.models)
    assert all(math.isfinite(m.rating) for m in got.models)
    assert math.isnan(got.models[1].win_low)


def test_seed_is_in_the_result_and_repeats_it():
    one, other = board(RING, bootstrap=100, seed=4), board(RING, bootstrap=100, seed=4)
    assert one.seed == 4
    assert one.models == other.models
    assert one.interval == "bootstrap"


# --- clusters ------------------------------------------------------------------------------


def clustered(n=400, groups=40, seed=0):
    """Votes of four models by voters with tastes of their own."""
    rng = np.random.default_rng(seed)
    taste = rng.normal(0, 1, (groups, 4)) + np.array([0.5, 0.2, 0.0, -0.6])
    a = rng.integers(0, 4, n)
    b = (a + rng.integers(1, 4, n)) % 4
    voter = rng.integers(0, groups, n)
    p = 1 / (1 + np.exp(taste[voter, b] - taste[voter, a]))
    outcome = np.where(rng.random(n) < 0.2, "tie", np.where(rng.random(n) < p, "a", "b"))
    rows = [(f"m{i}", f"m{j}", o) for i, j, o in zip(a, b, outcome, strict=True)]
    return rows, {"voter": [f"v{v}" for v in voter]}


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_votes_of_one_voter_count_together(method):
    rows, columns = clustered()
    got = board(rows, method=method, columns=columns, cluster="voter")
    plain = board(rows, method=method, columns=columns)
    assert (got.interval, plain.interval) == ("clustered sandwich", "sandwich")
    assert (got.cluster, got.n_clusters) == ("voter", 40)
    assert (plain.cluster, plain.n_clusters) == (None, None)
    assert [m.rating for m in got.models] == [m.rating for m in plain.models]
    assert got.lead.se > 1.03 * plain.lead.se
    rated = [m for m in got.models if m.model != got.anchor]
    # Student's t with 39 degrees of freedom: 2.0227
    assert (rated[0].high - rated[0].rating) / rated[0].se == pytest.approx(2.022691, rel=1e-6)
    drawn = board(rows, method=method, columns=columns, cluster="voter", bootstrap=200)
    assert drawn.interval == "cluster bootstrap"
    assert drawn.critical == got.critical
    for m in rated:
        # a standard deviation of 200 replicates is known to 5%
        assert by_name(drawn)[m.model].se == pytest.approx(m.se, rel=4 / math.sqrt(400))


def test_one_cluster_has_no_error_and_separates_nothing():
    rows, _ = clustered()
    got = board(rows, columns={"voter": ["v"] * 400}, cluster="voter")
    assert all(math.isnan(m.se) for m in got.models)
    assert all((m.rank_low, m.rank_high, m.tier) == (1, 4, 1) for m in got.models)
    assert all("all votes share one voter" in m.reason for m in got.models)


def test_a_model_of_one_voter_is_not_certain():
    """The slopes of one voter's votes on a model add up to nothing, whatever its taste."""
    rows, columns = clustered(2000)
    rng = np.random.default_rng(1)
    mine = [("new", f"m{rng.integers(4)}", "a" if rng.random() < 0.5 else "b") for _ in range(40)]
    voters = {"voter": [*columns["voter"], *["v0"] * 40]}
    got = by_name(board([*rows, *mine], columns=voters, cluster="voter"))["new"]
    plain = by_name(board([*rows, *mine], columns=voters))["new"]
    assert got.se > 1.5 * plain.se
    # as certain as one voter's taste, of a standard deviation of 1 logit on either side
    assert got.se > 0.6 * POINTS


def test_a_model_that_always_tied_the_anchor_has_no_error():
    rows = [("x", "y", "a", 300), ("x", "y", "b", 200), ("x", "z", "tie", 40)]
    got = by_name(board(rows, method="bradley-terry"))
    assert got["z"].rating == pytest.approx(got["x"].rating)
    assert math.isnan(got["z"].se)
    assert "no variation" in got["z"].reason
    assert math.isfinite(got["y"].se)
    assert (got["z"].rank_low, got["x"].rank_low) == (1, 1)


def test_a_column_without_a_value_names_no_clusters():
    rows, _ = clustered()
    evidence = votes(rows)
    empty = pa.array([None] * 400, pa.string()).dictionary_encode()
    table = evidence.table.append_column("voter", empty)
    with pytest.raises(InputError, match="cluster must name a column"):
        rate(count_votes(Evidence(kind="votes", table=table)), errors=Errors(cluster="voter"))


# --- comparisons ---------------------------------------------------------------------------


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_comparisons_say_what_board_and_lead_say(method):
    rows, columns = clustered()
    got = board(rows, method=method, columns=columns, cluster="voter")
    c = got.comparisons
    assert c.models == tuple(m.model for m in got.models)
    first = next(c.rows())
    assert (first["above"], first["below"]) == (got.lead.leader, got.lead.runner_up)
    for name in ("difference", "se", "separable", "win_probability"):
        assert first[name] == pytest.approx(getattr(got.lead, name), rel=1e-9)
    rating = np.array([m.rating for m in got.models])
    assert c.difference == pytest.approx(rating[:, None] - rating[None, :])
    assert len(list(c.rows())) == 6
    # p by Student's t, adjusted over the six pairs
    size = np.abs(c.difference) / c.se
    from scipy.stats import t
    from statsmodels.stats.multitest import multipletests

    upper = np.triu_indices(4, k=1)
    assert c.p[upper] == pytest.approx(2 * t.sf(size[upper], 39), rel=1e-9)
    adjusted = multipletests(c.p[upper], method="holm")[1]
    assert c.p_adjusted[upper] == pytest.approx(adjusted, rel=1e-9)
    assert c.p_adjusted.T[upper] == pytest.approx(adjusted, rel=1e-9)
    # ranks are counted on the same comparisons
    for k, m in enumerate(got.models):
        assert m.rank_low == 1 + sum(c.separable[:k, k])
        assert m.rank_high == 4 - sum(c.separable[k, k + 1 :])


def test_the_better_model_stands_first_in_every_comparison():
    got = board(RING)
    assert all(row["difference"] >= 0 for row in got.comparisons.rows())
    chance = got.comparisons.win_probability
    assert chance + chance.T == pytest.approx(1)


# --- counts, and more votes ----------------------------------------------------------------


def split(rows, share=0.6):
    cut = int(len(rows) * share)
    return rows[:cut], rows[cut:]


@pytest.mark.parametrize("position", [False, True])
@pytest.mark.parametrize("method", LIKELIHOODS)
def test_new_votes_are_added_to_counts(method, position):
    import caveat

    rows, _ = clustered()
    old, new = split(rows)
    known = rate(count_votes(votes(old)), method=method, position=position).counts
    assert known.column_names == ["model_a", "model_b", "outcome", "count"]
    assert sum(known["count"].to_pylist()) == len(old)
    fresh = {"model_a": [r[0] for r in new], "model_b": [r[1] for r in new],
             "outcome": [r[2] for r in new]}  # fmt: skip
    options = caveat.Options(method=method, position=position)
    both = caveat.rank([known, fresh], options=options)
    at_once = board(rows, method=method, position=position)
    assert both.n_votes == 400
    for one, other in zip(both.models, at_once.models, strict=True):
        assert one.model == other.model
        assert one.rating == pytest.approx(other.rating, abs=1e-9)
        assert one.se == pytest.approx(other.se, rel=1e-9)


def test_counts_remember_that_the_order_is_lost():
    import caveat

    counted = count_votes(votes(TIED))
    for known in (True, False):
        board = rate(type(counted)(counted.models, counted.cells, False, known))
        assert caveat.rank(board.counts).order_known is known


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_a_warm_start_reaches_the_same_in_fewer_steps(method):
    rows, _ = clustered(4000)
    old, _ = split(rows, 0.95)
    before = fit_board(count_votes(votes(old)), method=method)
    cold = fit_board(count_votes(votes(rows)), method=method)
    warm = fit_board(count_votes(votes(rows)), method=method, start=before)
    assert warm.fit.iterations < cold.fit.iterations
    assert warm.fit.parameters == pytest.approx(cold.fit.parameters, abs=1e-9)
    # a model that the earlier board did not have starts at the mean
    rows = [*rows, *[("new", "m0", o) for o in ("a", "b", "tie") for _ in range(20)]]
    cold = fit_board(count_votes(votes(rows)), method=method)
    warm = fit_board(count_votes(votes(rows)), method=method, start=before)
    assert warm.fit.iterations <= cold.fit.iterations
    assert warm.fit.parameters == pytest.approx(cold.fit.parameters, abs=1e-9)
    assert warm.names == cold.names


def test_a_start_of_another_kind_is_not_used():
    rows, _ = clustered()
    counted = count_votes(votes(rows))
    start = fit_board(counted, method="rao-kupper")
    cold, warm = (
        fit_board(counted, method="davidson"),
        fit_board(counted, method="davidson", start=start),
    )
    assert warm.fit.iterations == cold.fit.iterations
    nobody = fit_board(count_votes(votes([("m0", "m1", "a")])))
    assert fit_board(counted, method="bradley-terry", start=nobody).fit.converged


# --- whatever the votes --------------------------------------------------------------------

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


@settings(deadline=None, max_examples=40)
@given(rows_of_votes, st.randoms())
def test_row_order_does_not_matter(rows, random):
    mixed = rows.copy()
    random.shuffle(mixed)
    one, other = board(rows), board(mixed)
    assert one.method == other.method
    assert {m.model for m in one.models} == {m.model for m in other.models}
    for m in one.models:
        there = by_name(other)[m.model]
        assert there.rating == pytest.approx(m.rating, nan_ok=True, abs=1e-6)
        assert (there.rank_low, there.rank_high, there.tier) == (m.rank_low, m.rank_high, m.tier)
        assert there.best == pytest.approx(m.best, nan_ok=True, abs=1e-3)
    assert other.critical == pytest.approx(one.critical, nan_ok=True, abs=1e-3)


@settings(deadline=None, max_examples=60)
@given(rows_of_votes, st.sampled_from([0, 100]), st.booleans())
def test_every_board_is_a_possible_one(rows, bootstrap, clustered):
    columns = {"voter": [f"v{k % 4}" for k in range(len(rows))]}
    got = board(rows, columns=columns, bootstrap=bootstrap, cluster="voter" if clustered else None)
    n = len(got.models)
    assert all(1 <= m.rank_low <= m.rank_high <= n for m in got.models)
    assert sum(m.n_votes for m in got.models) == 2 * got.n_votes
    assert {m for g in got.groups for m in g.models} == {m.model for m in got.models}
    rated = [m for m in got.models if m.tier is not None]
    best = sum(m.best for m in rated)
    assert math.isnan(best) or not rated or best == pytest.approx(1)
    for m in got.models:
        undefined = any(math.isnan(x) for x in (m.rating, m.se, m.low, m.high))
        assert bool(m.reason) == undefined
        if not undefined:
            assert m.low <= m.rating <= m.high or bootstrap
            assert 0 <= m.win_low <= m.win_high <= 1
    assert got.converged


@settings(deadline=None, max_examples=30)
@given(rows_of_votes, st.sampled_from(LIKELIHOODS))
def test_swapping_sides_turns_the_advantage_round(rows, method):
    rows = [*rows, *[(a, b, o, 100) for a, b in ("pq", "qp") for o in ("a", "b", "tie")]]
    swapped = [(b, a, {"a": "b", "b": "a"}.get(o, o), n) for a, b, o, n in rows]
    one = board(rows, method=method, position=True)
    other = board(swapped, method=method, position=True)
    assume(one.converged)
    assert other.position.advantage == pytest.approx(-one.position.advantage, abs=1e-6)
    assert other.position.se == pytest.approx(one.position.se, rel=1e-6)
    for m in one.models:
        assert by_name(other)[m.model].rating == pytest.approx(m.rating, abs=1e-6, nan_ok=True)


# --- R -------------------------------------------------------------------------------------


def test_ratings_and_errors_equal_r(oracle):
    folder = oracle / "bradley_terry"
    with (folder / "votes.csv").open() as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    with (folder / "expected.csv").open() as file:
        expected = {row["model"]: row for row in csv.DictReader(file)}
    got = board(rows, method="bradley-terry", anchor="A")
    assert len(got.models) == len(expected) == 6
    zero = {name: float(expected["A"][name]) for name in ("theta", "theta_bt2")}
    for m in got.models:
        want = expected[m.model]
        # R stops at a relative change of the deviance of 1e-14
        for name in ("theta", "theta_bt2"):
            theta = float(want[name]) - zero[name]
            assert (m.rating - CENTRE) / POINTS == pytest.approx(theta, abs=1e-8)
        assert m.se / POINTS == pytest.approx(float(want["se_to_a"]), rel=1e-7)


@pytest.mark.parametrize("method", LIKELIHOODS)
def test_boards_equal_r(oracle, method):
    """The same figures as in tests/kernels/test_paired_oracle.py, from votes to a board."""
    import caveat

    with (oracle / "paired" / "expected.csv").open() as file:
        expected = list(csv.DictReader(file))
    ties = "half-win" if method == "bradley-terry" else method
    table = caveat.read_votes(oracle / "paired" / "votes.csv")
    plain = Evidence(kind="votes", table=table.table.drop_columns(["weight"]))
    for errors, evidence in (("plain", plain), ("voter", plain), ("weight", table)):
        for position in (False, True):
            got = rate(
                count_votes(evidence),
                method=method,
                position=position,
                anchor="A",
                errors=Errors(cluster="voter" if errors == "voter" else None),
            )
            found = {m.model: (m.rating - CENTRE, m.se) for m in got.models}
            found["tie"] = (POINTS * got.tie_parameter, math.nan)
            if position:
                found["position"] = (got.position.advantage, got.position.se)
            kind = (ties, str(position).upper(), errors)
            wanted = [r for r in expected if (r["method"], r["position"], r["errors"]) == kind]
            assert wanted
            for row in wanted:
                value, se = found[row["parameter"]]
                assert value / POINTS == pytest.approx(float(row["estimate"]), abs=1e-6)
                if row["se"].strip() != "NA" and row["parameter"] != "tie":
                    # scores of polr are differences of the likelihood
                    assert se / POINTS == pytest.approx(float(row["se"]), rel=2e-5)


def test_a_fitted_board_checks_its_options_too():
    fitted = fit_board(count_votes(votes(TIED, weight=[1.0, 2.0, 1.0, 1.0])))
    with pytest.raises(InputError, match="bootstrap must be 0 for weighted votes"):
        rate_fitted(fitted, errors=Errors(bootstrap=100))
    with pytest.raises(InputError, match="bootstrap must be at least 100, got 5"):
        rate_fitted(fitted, errors=Errors(bootstrap=5))
    with pytest.raises(InputError, match="level must be strictly between 0 and 1, got 0"):
        rate_fitted(fitted, errors=Errors(level=0))
