import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import caveat
from caveat.errors import InputError, TooFewError
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import rate_fitted
from caveat.stats.robustness import fit as module
from caveat.stats.robustness.fit import fit


def board(*pairs, method="auto", position=False, **extra):
    """Pairs (a, b, wins, losses[, ties])."""
    rows = []
    for a, b, *counts in pairs:
        for outcome, count in zip(("a", "b", "tie"), counts, strict=False):
            if count:
                rows.append((a, b, outcome, int(count)))
    names = ("model_a", "model_b", "winner", "count")
    table = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    table |= {name: [value] * len(rows) for name, value in extra.items()}
    fitted = fit_board(count_votes(caveat.read_votes(table)), method=method, position=position)
    return rate_fitted(fitted), fitted


CIRCLE = (("x", "y", 60, 40), ("y", "z", 60, 40), ("x", "z", 40, 60))


def drawn_board(seed, *, m=8, votes=60, tau=0.0, ties=0.4):
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, 0.6, m)
    pairs = []
    for i in range(m):
        for j in range(i + 1, m):
            eta = theta[i] - theta[j] + rng.normal(0, 4 * tau)
            p = np.array([math.exp(eta / 2), math.exp(-eta / 2), ties])
            pairs.append((f"m{i}", f"m{j}", *rng.multinomial(votes, p / p.sum())))
    return pairs


def test_a_circle_by_hand():
    # see tests/kernels/test_misfit.py and test_goodness.py: pearson 12 on 3 - 2 degrees of freedom,
    # tau^2 = 0.0275; each leg has a sign test of 40 of 100, p = 0.0569
    found = fit(*board(*CIRCLE), seed=0)
    assert (found.pearson, found.df, found.n_pairs, found.n_votes) == (
        pytest.approx(12),
        1,
        3,
        300,
    )
    assert found.p_chi2 == pytest.approx(math.erfc(math.sqrt(6)))  # chi-squared with one degree
    assert found.tau == pytest.approx(math.sqrt(0.0275))
    assert found.p == 1 / 500
    assert [m.tau for m in found.models] == pytest.approx([math.sqrt(0.0275)] * 3)
    assert [(p.observed, p.expected, p.n_votes) for p in found.pairs] == [
        (pytest.approx(0.6), pytest.approx(0.5), 100)
    ] * 3
    assert [p.z for p in found.pairs] == pytest.approx([math.sqrt(12)] * 3)
    cycles = found.cycles
    assert (cycles.n_triples, cycles.n_cyclic, cycles.zeta) == (1, 1, 0.0)
    assert cycles.n_beyond_doubt == 0
    assert found.sparse == 0.0
    assert found.deviance == pytest.approx(600 * (0.6 * np.log(1.2) + 0.4 * np.log(0.8)))


def test_a_circle_beyond_doubt_is_named():
    # sign tests of 30 of 100: p = 7.85e-5, times three
    found = fit(*board(("x", "y", 70, 30), ("y", "z", 70, 30), ("x", "z", 30, 70)), seed=0)
    assert found.cycles.n_beyond_doubt == 1
    (one,) = found.cycles.listed
    assert one.models == ("x", "y", "z")
    assert one.shares == pytest.approx((0.7, 0.7, 0.7))
    stats = pytest.importorskip("scipy.stats")
    assert one.p_adjusted == pytest.approx(3 * stats.binomtest(30, 100).pvalue)


def test_ties_do_not_decide_a_circle():
    # 70:30 among decisive votes as before, and as many ties
    pairs = (("x", "y", 70, 30, 100), ("y", "z", 70, 30, 100), ("x", "z", 30, 70, 100))
    found = fit(*board(*pairs), seed=0)
    assert found.cycles.listed[0].shares == pytest.approx((0.6, 0.6, 0.6))
    assert found.cycles.listed[0].p_adjusted < 0.001


def test_votes_that_fit_perfectly():
    # odds 4, 4 and 16
    found = fit(*board(("x", "y", 800, 200), ("y", "z", 800, 200), ("x", "z", 1600, 100)), seed=0)
    assert found.tau == 0.0
    assert found.pearson == pytest.approx(0, abs=1e-9)
    assert found.p == 1.0
    assert all(m.p_adjusted == 1.0 or m.p > 0.5 for m in found.models)
    assert found.lead.z_departing == pytest.approx(found.lead.z)
    assert not found.lead.lost


def test_the_lead_with_departures_by_hand():
    # the circle again, with one win more for x, who is first. With three pairs alike the lead of x
    # over y is (2 d_xy + d_xz - d_yz) / 3 of the departures, 4 logits a unit: 16 * 6 / 9 tau^2
    both, fitted = board(("x", "y", 61, 39), ("y", "z", 60, 40), ("x", "z", 40, 60))
    found = fit(both, fitted, seed=0)
    lead = found.lead
    extra = (400 / math.log(10)) ** 2 * 16 * 6 / 9 * found.tau**2
    assert lead.se_departing == pytest.approx(math.sqrt(lead.se**2 + extra), rel=2e-3)
    assert lead.z_departing == pytest.approx(lead.z * lead.se / lead.se_departing)


def test_a_lead_is_lost_when_departures_outweigh_it():
    pairs = drawn_board(3, votes=4000, tau=0.06)
    found = fit(*board(*pairs), seed=0)
    assert found.lead.z_departing < found.lead.z / 2
    assert found.lead.lost == (found.lead.z > found.lead.critical > found.lead.z_departing)


def test_half_win_with_ties_has_no_deviance():
    found = fit(*board(*drawn_board(1), method="bradley-terry"), seed=0)
    assert math.isnan(found.deviance)
    assert math.isnan(found.deviance_p)
    assert "half wins" in found.reason
    assert found.to_dict()["fit"]["deviance"] is None
    modelled = fit(*board(*drawn_board(1), method="davidson"), seed=0)
    assert (modelled.df, modelled.deviance_df) == (21, 48)  # 28 pairs, 56 cells; 7 and 8 parameters
    assert modelled.reason == ""


def test_position_counts_both_orders_apart():
    rows = [(a, b, w, x) for a, b, w, x in CIRCLE] + [(b, a, x + 5, w - 5) for a, b, w, x in CIRCLE]
    found = fit(*board(*rows, method="bradley-terry", position=True), seed=0)
    assert found.n_pairs == 6
    assert found.df == 6 - 2 - 1
    assert found.cycles.n_triples == 1


def test_as_many_ratings_as_pairs_leave_nothing_to_judge():
    with pytest.raises(TooFewError):
        fit(*board(("x", "y", 6, 4), ("y", "z", 5, 5)))


def test_ties_alone_say_nothing_of_fit():
    pairs = [(a, b, 0, 0, 50) for a, b in ("xy", "yz", "xz")]
    with pytest.raises(TooFewError, match="votes that are no ties"):
        fit(*board(*pairs))


def test_weighted_votes_are_refused():
    with pytest.raises(InputError, match="weights"):
        fit(*board(*CIRCLE, weight=2.0))


def test_the_json_holds_what_it_should():
    made = fit(*board(*CIRCLE), seed=0).to_dict()
    assert set(made) == {"fit", "cycles"}
    assert "all_pairs" not in made["fit"]
    assert made["cycles"]["n_cyclic"] == 1


def test_every_pair_is_there_to_be_drawn():
    found = fit(*board(*drawn_board(2)), seed=0)
    every = found.all_pairs
    assert every.a.size == 28
    worst = found.pairs[0]
    k = int(np.argmax(np.abs(every.z)))
    assert {every.names[every.a[k]], every.names[every.b[k]]} == {worst.a, worst.b}
    assert found.n_pairs_off == every.off.sum()


def test_large_boards_draw_fewer():
    units = fit_board(
        count_votes(caveat.read_votes({"model_a": ["x"], "model_b": ["y"], "winner": ["tie"]}))
    ).units
    assert module._replicates(units) == module.REPLICATES

    class Large:
        n_models = 400

    assert module.LEAST_REPLICATES < module._replicates(Large()) < module.REPLICATES
    Large.n_models = 5000
    assert module._replicates(Large()) == module.LEAST_REPLICATES


@given(seed=st.integers(0, 1000))
@settings(max_examples=8, deadline=None)
def test_names_and_sides_do_not_matter(seed):
    pairs = drawn_board(seed, m=5, tau=0.03)
    one = fit(*board(*pairs), seed=1)
    other = fit(*board(*((f"z{b}", f"z{a}", x, w, t) for a, b, w, x, t in reversed(pairs))), seed=1)
    assert other.pearson == pytest.approx(one.pearson, rel=1e-7)
    assert other.tau == pytest.approx(one.tau, abs=1e-7)
    assert other.cycles.n_cyclic == one.cycles.n_cyclic
    named = {m.model: m.pearson for m in one.models}
    assert {m.model[1:]: pytest.approx(m.pearson, rel=1e-6) for m in other.models} == named
    assert [p.z for p in other.pairs] == pytest.approx([p.z for p in one.pairs], rel=1e-6)


@pytest.mark.shared
def test_the_real_board(shared):
    found = fit(*_real(shared / "votes/chatbot_arena_20240814_counts.parquet"), seed=0)
    assert found.tau == pytest.approx(0.0112, abs=1e-4)
    assert found.low == pytest.approx(0.0100, abs=1e-4)
    assert found.high == pytest.approx(0.0124, abs=1e-4)
    assert found.df == 3332
    assert (found.cycles.n_triples, found.cycles.n_cyclic) == (47_694, 848)
    assert found.cycles.low < 848 < found.cycles.high
    assert found.lead.z == pytest.approx(5.61, abs=0.01)
    assert found.lead.z_departing == pytest.approx(4.51, abs=0.02)
    assert {m.model for m in found.models[:2]} == {"llama-2-13b-chat", "llama-2-70b-chat"}


def _real(path):
    fitted = fit_board(count_votes(caveat.read_votes(path)))
    return rate_fitted(fitted), fitted


@pytest.mark.slow
def test_models_that_fit_are_named_as_seldom_as_the_level_says(monkeypatch):
    # 200 boards of 8 models that fit, few votes: at least one model named at 0.05 in no more than
    # 0.05 of them, within 4 binomial standard errors (0.062)
    monkeypatch.setattr(module, "REPLICATES", 199)
    named = {votes: 0 for votes in (8, 60)}
    off = dict(named)
    for votes in named:
        for seed in range(200):
            found = fit(*board(*drawn_board(seed, votes=votes)), seed=seed)
            named[votes] += any(m.p_adjusted < 0.05 for m in found.models)
            off[votes] += found.n_pairs_off > 0
    assert max(named.values()) / 200 <= 0.112
    assert max(off.values()) / 200 <= 0.112


@pytest.mark.slow
def test_circles_of_equals_are_named_as_seldom_as_the_level_says(monkeypatch):
    # all models equal: any circle named is chance; Holm keeps 0.05 within 4 standard errors (0.05)
    monkeypatch.setattr(module, "REPLICATES", 99)
    rng = np.random.default_rng(1)
    named = 0
    for _ in range(300):
        pairs = [
            (f"m{i}", f"m{j}", w, 100 - w)
            for i in range(8)
            for j in range(i)
            for w in [int(rng.binomial(100, 0.5))]
        ]
        named += fit(*board(*pairs), seed=0).cycles.n_beyond_doubt > 0
    assert named / 300 <= 0.1


def shared_board(seed, *, m=10, items=3, votes=5, spread=1.0):
    """A board that fits, each pair asked a few items of its own that sway all votes on them."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, 0.7, m)
    rows, item = [], 0
    for i in range(m):
        for j in range(i):
            for _ in range(items):
                item += 1
                eta = theta[i] - theta[j] + rng.normal(0, spread)
                p = np.array([math.exp(eta / 2), math.exp(-eta / 2), 0.5])
                for k in rng.choice(3, votes, p=p / p.sum()):
                    rows.append((f"m{i}", f"m{j}", ("a", "b", "tie")[k], f"i{item}"))
    names = ("model_a", "model_b", "winner", "item")
    fitted = fit_board(
        count_votes(caveat.read_votes({n: [row[k] for row in rows] for k, n in enumerate(names)}))
    )
    return rate_fitted(fitted), fitted


def test_votes_on_one_item_are_not_taken_for_independent():
    both, fitted = shared_board(1)
    found = fit(both, fitted, seed=0)
    assert found.shared.column == "item"
    assert 1.3 < found.shared.inflation < 2.2  # 1 + 4 * 0.17
    assert found.n_votes == 45 * 15
    blind = fit(rate_fitted(_without_source(fitted)), _without_source(fitted), seed=0)
    assert blind.shared is None
    assert blind.pearson > 1.3 * found.pearson


def _without_source(fitted):
    return replace(fitted, votes=replace(fitted.votes, source=None))


def test_votes_that_share_nothing_keep_their_number():
    assert fit(*board(*CIRCLE), seed=0).shared is None


@pytest.mark.slow
def test_the_level_holds_when_votes_share_items(monkeypatch):
    # 200 boards that fit, votes swayed by their items: at 0.05, 4 binomial standard errors are
    # 0.062. Taken for independent, most of them are rejected
    monkeypatch.setattr(module, "REPLICATES", 99)
    rejected = blind = rounds = 0
    for seed in range(200):
        both, fitted = shared_board(seed)
        found = fit(both, fitted, seed=seed)
        rejected += found.p <= 0.05
        rounds += found.cycles.p <= 0.05
        if seed < 50:
            blind += fit(both, _without_source(fitted), seed=seed).p <= 0.05
    assert rejected / 200 <= 0.112
    assert rounds / 200 <= 0.112
    assert blind / 50 > 0.5
