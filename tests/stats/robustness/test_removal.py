import math

import pytest

import caveat
from caveat.errors import InputError
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import rate_fitted
from caveat.stats.robustness.removal import removal

MONTHS = [f"2024-{m:02d}-{d:02d}" for m in range(1, 13) for d in (1, 15)]


def board(rows):
    """Rows (model_a, model_b, outcome, day, count)."""
    names = ("model_a", "model_b", "winner", "at", "count")
    table = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    if all(row[3] is None for row in rows):
        del table["at"]
    fitted = fit_board(count_votes(caveat.read_votes(table)))
    return rate_fitted(fitted), fitted


def pair(a, b, wins, losses, days):
    return [row for day in days for row in ((a, b, "a", day, wins), (a, b, "b", day, losses))]


def steady(extra=()):
    rows = pair("A", "B", 6, 4, MONTHS) + pair("B", "C", 6, 4, MONTHS)
    return [*rows, *pair("A", "C", 7, 3, MONTHS), *extra]


def test_a_model_that_stops_is_found():
    # D: 3 opponents, 10 votes each on each of 6 days of 24, 180 votes; the last on 15 March. On its
    # days 360 votes were cast, so its share of the votes is 179 / 360 (one less: its last vote is
    # where its time was cut), and 18 days with 30 votes each came after: 268.5 missed
    extra = [r for m in "ABC" for r in pair(m, "D", 6, 4, MONTHS[:6])]
    found = removal(*board(steady(extra)), models={})
    (one,) = found.gone
    assert (one.model, one.last, one.days_silent) == ("D", "2024-03-15", 275)
    assert one.expected == pytest.approx(179 / 360 * 540)
    assert (one.n_votes, one.rank, one.status, one.silent) == (180, 4, None, True)
    assert (found.start, found.end, found.n_models) == ("2024-01-01", "2024-12-15", 4)
    assert not found.declared
    assert found.silent == found.gone
    assert (found.refit.n_models, found.refit.n_votes, found.refit.n_lost) == (3, 720, 0)


def test_nothing_is_gone_where_all_go_on():
    found = removal(*board(steady()), models={})
    assert found.gone == ()
    assert found.refit is None


def test_a_declared_model_went_with_a_word():
    extra = [r for m in "ABC" for r in pair(m, "D", 6, 4, MONTHS[:6])]
    for row in ({"status": "Retired"}, {"retired": "2024-03-20"}, {"retired": True}):
        found = removal(*board(steady(extra)), models={"D": row, "A": {"status": "active"}})
        assert [one.model for one in found.gone] == ["D"]
        assert found.silent == ()
        assert found.declared
        assert found.refit is not None


@pytest.mark.parametrize(
    "row", [{"status": "active"}, {"status": "not retired"}, {"retired": False}]
)
def test_a_model_said_to_be_there_that_is_not_went_silently(row):
    extra = [r for m in "ABC" for r in pair(m, "D", 6, 4, MONTHS[:6])]
    found = removal(*board(steady(extra)), models={"D": row})
    assert [one.model for one in found.silent] == ["D"]


def test_a_short_silence_is_none():
    # the last vote 30 days before the end, or 5% of a long time: not yet gone
    extra = [r for m in "ABC" for r in pair(m, "D", 6, 4, MONTHS[:-2])]
    assert removal(*board(steady(extra)), models={}).gone == ()


def test_a_model_that_was_hardly_ever_shown_is_not_called_gone():
    # 4 votes in a year of 720: none are missed in four months
    extra = pair("A", "D", 1, 1, [MONTHS[0], MONTHS[15]])
    assert removal(*board(steady(extra)), models={}).gone == ()


def test_a_board_that_fits_perfectly_does_not_change_without_a_model():
    # shares 2/3 and 4/5 are odds 2 and 4: theta is log 2 apart everywhere, with or without D
    days = MONTHS
    rows = pair("A", "B", 20, 10, days) + pair("B", "C", 20, 10, days) + pair("A", "C", 24, 6, days)
    rows += [r for m, w in (("A", 24), ("B", 20)) for r in pair(m, "D", w, 30 - w, days[:6])]
    found = removal(*board(rows), models={})
    refit = found.refit
    assert (refit.tau, refit.swapped, refit.swapped_separable, refit.moves) == (1.0, 0, 0, ())
    assert refit.leader_before == refit.leader_after == "A"


def test_an_order_that_hangs_on_the_removed_model():
    # A and B drew against each other and C; A alone beat D, who lost to nobody else so clearly:
    # with D, A is first; without D, B is, by its two votes against C
    days = MONTHS
    rows = (
        pair("A", "B", 10, 10, days) + pair("A", "C", 20, 20, days) + pair("B", "C", 21, 19, days)
    )
    rows += pair("A", "D", 38, 2, days[:6]) + pair("B", "D", 20, 20, days[:6])
    found = removal(*board(rows), models={})
    assert [one.model for one in found.gone] == ["D"]
    refit = found.refit
    assert (refit.leader_before, refit.leader_after) == ("A", "B")
    assert refit.swapped >= 1
    assert refit.tau == pytest.approx(1 - 2 * refit.swapped / 3)
    assert {move.model for move in refit.moves} >= {"A", "B"}


def test_a_pair_that_seemed_certain_and_turns_round():
    days = MONTHS
    rows = (
        pair("A", "B", 45, 55, days) + pair("C", "B", 10, 90, days) + pair("A", "C", 88, 12, days)
    )
    rows += pair("A", "D", 900, 100, days[:6]) + pair("D", "B", 900, 100, days[:6])
    refit = removal(*board(rows), models={}).refit
    assert (refit.leader_before, refit.leader_after) == ("A", "B")
    assert refit.swapped_separable >= 1


def test_models_that_only_the_gone_held_are_lost():
    extra = pair("D", "A", 6, 4, MONTHS[:6]) + pair("D", "E", 6, 4, MONTHS)
    rows = steady(extra)
    found = removal(*board(rows), models={"D": {"status": "removed"}})
    assert found.refit.n_lost == 1
    assert found.refit.n_models == 3


def test_too_little_left_to_rate():
    rows = pair("A", "B", 6, 4, [None])
    models = {"B": {"status": "deprecated"}}
    found = removal(*board(rows), models=models)
    assert found.refit is None
    assert found.gone[0].model == "B"


def test_without_times_what_is_declared_is_still_left_out():
    rows = (
        pair("A", "B", 6, 4, [None]) + pair("B", "C", 6, 4, [None]) + pair("A", "C", 7, 3, [None])
    )
    found = removal(*board(rows), models={"C": {"status": "retired"}})
    (one,) = found.gone
    assert (one.last, one.days_silent, found.end) == (None, None, None)
    assert math.isnan(one.expected)
    assert found.refit.n_models == 2


def test_neither_times_nor_status_is_an_error():
    with pytest.raises(InputError, match="votes must hold times"):
        removal(*board(pair("A", "B", 6, 4, [None])), models={"A": {"status": "active"}})


def test_tau_is_that_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    days = MONTHS
    rows = []
    shares = {("A", "B"): 52, ("A", "C"): 49, ("B", "C"): 53, ("A", "E"): 60, ("B", "E"): 48}
    for (a, b), wins in shares.items():
        rows += pair(a, b, wins, 100 - wins, days)
    rows += [
        r for m, w in (("A", 30), ("B", 70), ("C", 80)) for r in pair(m, "D", w, 100 - w, days[:6])
    ]
    both, fitted = board(rows)
    found = removal(both, fitted, models={})
    before = {name: theta for name, theta in zip(fitted.names, fitted.fit.theta, strict=True)}
    left = [r for r in rows if "D" not in r[:2]]
    again = board(left)[1]
    after = dict(zip(again.names, again.fit.theta, strict=True))
    names = sorted(after)
    want = stats.kendalltau([before[n] for n in names], [after[n] for n in names]).statistic
    assert found.refit.tau == pytest.approx(want)


@pytest.mark.shared
def test_states_that_are_no_more(shared):
    votes = caveat.read_votes(shared / "votes/football_international.parquet")
    fitted = fit_board(count_votes(votes))
    found = removal(rate_fitted(fitted), fitted, models={})
    gone = {one.model: one.last for one in found.gone}
    assert gone["Czechoslovakia"] == "1993-11-17"
    assert gone["German DR"] == "1990-09-12"
    assert {"Yugoslavia", "Yemen DPR", "Vietnam Republic"} <= set(gone)
    assert not {"Brazil", "San Marino", "Bhutan", "Germany"} & set(gone)
    assert found.refit.leader_after == "Brazil"
