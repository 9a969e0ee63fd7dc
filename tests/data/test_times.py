import math
from datetime import UTC, date, datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.data.times import read_times
from caveat.errors import InputError

DAY = datetime(2024, 8, 14, 9, 30, tzinfo=UTC)
SECONDS = 1_723_627_800.0  # date -u -d 2024-08-14T09:30Z +%s


def seconds(values, kind=None):
    return read_times(pa.chunked_array([pa.array(values, kind)])).seconds.tolist()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([SECONDS], None),
        ([int(SECONDS)], pa.int64()),
        ([int(SECONDS * 1e3)], pa.int64()),
        ([SECONDS * 1e6], pa.float64()),
        ([int(SECONDS * 1e9)], pa.int64()),
        ([DAY], pa.timestamp("ns", tz="UTC")),
        ([DAY.replace(tzinfo=None)], pa.timestamp("ms")),
        (["2024-08-14T09:30:00Z"], None),
        (["2024-08-14T11:30:00+02:00"], None),
        (["2024-08-14 09:30:00"], None),
        (["2024-08-14 09:30:00.000"], None),
        (["2024-08-14 09:30 UTC"], None),
        ([" 2024-08-14T09:30:00Z "], None),
        (["1723627800"], None),
        (["1723627800000.0"], None),
    ],
)
def test_one_moment_in_many_forms(values, kind):
    assert seconds(values, kind) == [SECONDS]


def test_dates_are_midnight_in_utc():
    assert seconds([date(1970, 1, 2)]) == [86400.0]
    assert seconds([date(1872, 11, 30)], pa.date32()) == [-3_063_744_000.0]  # date -u +%s
    assert seconds(["1872-11-30"]) == [-3_063_744_000.0]


def test_forms_may_be_mixed():
    got = seconds(["2024-08-14T09:30:00Z", "2024-08-14 09:30:00", "2024-08-14"])
    assert got == [SECONDS, SECONDS, SECONDS - 9.5 * 3600]


@pytest.mark.parametrize(
    "values",
    [["2024-08-14", None, "", "NaN"], [SECONDS, None, math.nan, None], ["5", "", None, "na"]],
)
def test_missing_is_counted(values):
    got = read_times(pa.chunked_array([pa.array(values)]))
    assert got.missing == 3
    assert [math.isnan(s) for s in got.seconds] == [False, True, True, True]


def test_no_values_at_all():
    assert read_times(pa.chunked_array([pa.nulls(3)])).missing == 3
    assert read_times(pa.chunked_array([pa.array([None], pa.float64())])).missing == 1
    assert read_times(pa.chunked_array([], pa.string())).seconds.size == 0


def test_dictionaries_and_chunks():
    column = pa.chunked_array([pa.array(["1970-01-02"]), pa.array(["1970-01-01", "1970-01-02"])])
    assert read_times(column.dictionary_encode()).seconds.tolist() == [86400.0, 0.0, 86400.0]


def test_what_is_no_time_is_refused_with_its_value():
    with pytest.raises(InputError, match=r"column 'at' must hold dates, .* got '14/08/2024'"):
        seconds(["2024-08-14", "14/08/2024"])
    with pytest.raises(InputError, match="got bool"):
        seconds([True])
    with pytest.raises(InputError, match="got years from 1990 to 2024: write them as dates"):
        seconds([1990, 2024])


@given(st.lists(st.datetimes(), min_size=1, max_size=9))
def test_texts_and_timestamps_agree(moments):
    texts = [moment.isoformat() for moment in moments]
    # seconds up to 2.5e11 as floats are exact to 3e-5
    assert seconds(texts) == pytest.approx(seconds(moments, pa.timestamp("us")), abs=1e-4)
