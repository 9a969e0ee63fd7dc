import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.glicko2 import period_of
from caveat.stats.ranking.sequence import sequence_of


def evidence(rows, **columns):
    def coded(k):
        return pa.array([row[k] for row in rows], pa.string()).dictionary_encode()

    table = {"model_a": coded(0), "model_b": coded(1), "outcome": coded(2)}
    table |= {name: pa.array(values) for name, values in columns.items()}
    return Evidence(kind="votes", table=pa.table(table))


ROWS = [("x", "y", "a"), ("y", "z", "b"), ("x", "z", "tie"), ("z", "y", "a")]


def sequence(rows=ROWS, **columns):
    counted = count_votes(evidence(rows, **columns))
    return sequence_of(counted, ("x", "y", "z"))


def test_rows_as_they_stand_without_times():
    got = sequence()
    assert got.a.tolist() == [0, 1, 0, 2]
    assert got.b.tolist() == [1, 2, 2, 1]
    assert got.outcome.tolist() == [0, 1, 2, 0]
    assert (got.at, got.order, got.untimed) == (None, "rows", 0)


def test_times_sort_and_those_without_are_left_out_and_counted():
    got = sequence(at=[30.0, 10.0, None, 10.0])
    # the two votes of time 10 stay in the order of their rows
    assert got.a.tolist() == [1, 2, 0]
    assert got.at.tolist() == [10.0, 10.0, 30.0]
    assert (got.untimed, got.order) == (1, "time (rows were sorted)")
    assert sequence(at=[1.0, 2.0, 2.0, 3.0]).order == "time"


def test_a_column_without_any_time_is_no_time():
    assert sequence(at=[None] * 4).order == "rows"


def test_counts_and_times_keep_together():
    got = sequence(at=[3.0, 2.0, 1.0, None], count=[5, 6, 7, 8])
    assert got.count.tolist() == [7, 6, 5]
    assert got.untimed == 8
    with pytest.raises(InputError, match="elo must have the votes one by one, got counts"):
        got.one_by_one("elo")
    assert sequence(count=[1, 1, 1, 1]).one_by_one("elo").a.size == 4


def test_votes_of_other_models_are_left_out():
    counted = count_votes(evidence(ROWS))
    got = sequence_of(counted, ("z", "y"))
    assert (got.a.tolist(), got.b.tolist()) == ([1, 0], [0, 1])


def test_weights_and_bare_counts_are_refused():
    with pytest.raises(InputError, match="must not be weighted"):
        sequence(weight=[1.0, 2.0, 1.0, 1.0])
    from dataclasses import replace

    with pytest.raises(InputError, match="must be given one by one"):
        sequence_of(replace(count_votes(evidence(ROWS)), source=None), ("x", "y"))


@pytest.mark.parametrize(
    ("period", "expected"),
    [
        ("day", [0, 1, 18, 31]),
        # 2024-01-31 was a Wednesday and 2024-02-01 the day after; 18 Feb is the Sunday of the
        # third week after, 2 March the Saturday of the fifth
        ("week", [0, 0, 2, 4]),
        ("month", [0, 1, 1, 2]),
        ("2", [0, 0, 1, 1]),
        ("3", [0, 0, 0, 1]),
    ],
)
def test_periods(period, expected):
    days = ["2024-01-31", "2024-02-01", "2024-02-18", "2024-03-02"]
    assert period_of(sequence(at=days), period).tolist() == expected


def test_monday_begins_a_week():
    rows = ROWS[:2]
    assert period_of(sequence(rows, at=["2024-08-11", "2024-08-12"]), "week").tolist() == [0, 1]
    assert period_of(sequence(rows, at=["2024-08-12", "2024-08-18"]), "week").tolist() == [0, 0]
    assert period_of(sequence(rows, at=["1969-12-28", "1969-12-29"]), "week").tolist() == [0, 1]


def test_calendar_periods_need_times():
    with pytest.raises(InputError, match=r"periods of a month, got none: .*--map at=COLUMN"):
        period_of(sequence(), "month")
    assert period_of(sequence(), "1").tolist() == [0, 1, 2, 3]
    with pytest.raises(InputError, match="glicko2 without times must have the votes one by one"):
        period_of(sequence(count=[5, 6, 7, 8]), "10")


def test_counts_fill_periods():
    got = period_of(sequence(at=[1.0, 2.0, 3.0, 4.0], count=[5, 6, 7, 8]), "10")
    # votes 1-5, 6-11, 12-18, 19-26: a row belongs to the period of its last vote
    assert got.tolist() == [0, 1, 1, 2]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_order_is_that_of_time(times):
    rows = [("x", "y", "a"), ("y", "z", "a"), ("z", "x", "a")]
    votes = [rows[k % 3] for k in range(len(times))]
    names = sorted({v[0] for v in votes} | {v[1] for v in votes})
    counted = count_votes(evidence(votes, at=[float(t) for t in times]))
    got = sequence_of(counted, tuple(names))
    assert got.at.tolist() == sorted(float(t) for t in times)
    stable = sorted(range(len(times)), key=lambda k: times[k])
    assert [names[a] for a in got.a] == [votes[k][0] for k in stable]
