"""JSON lines are read in blocks; where a block ends changes nothing."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat._files import Limits
from caveat.errors import SourceError
from caveat.importers import json_lines
from caveat.importers._base import ReadOptions
from caveat.importers.json_lines import line_records
from caveat.importers.opening import members

OBJECTS = st.lists(
    st.dictionaries(
        st.text(max_size=3), st.integers(-(2**63), 2**63 - 1) | st.text(max_size=9), max_size=3
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture
def records(write):
    """Read lines; rows that were dropped come back as their places."""

    def _records(content, bad_rows="error", **limits):
        (member,) = members(write("r.jsonl", content), limits=Limits(**limits))
        dropped = []
        options = ReadOptions(bad_rows=bad_rows)
        found = list(line_records(member, options, lambda *told: dropped.append(told[2])))
        return found, [place.rsplit(" ", 1)[-1] for place in dropped]

    return _records


@pytest.fixture
def block(monkeypatch):
    """Set the bytes that are read at once."""
    return lambda size: monkeypatch.setattr(json_lines, "_BLOCK", size)


@pytest.mark.parametrize("size", [3, 7, 64, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n  \n"])
@pytest.mark.parametrize("last", [True, False])
def test_where_a_block_ends_changes_nothing(records, block, size, end, last):
    block(size)
    rows = [{"item": i, "text": "\u00e9" * (i % 5)} for i in range(20)]
    content = "\ufeff" + end.join(map(json.dumps, rows)) + (end if last else "")
    assert records(content) == ([(i + 1, row) for i, row in enumerate(rows)], [])


@pytest.mark.parametrize("size", [1, 16, 1000])
def test_bad_lines_are_counted_where_they_stand(records, block, size):
    block(size)
    content = '{"a": 1}\n[2]\n\n{"a": 3\n{"a": 4}\nnone'
    assert records(content, "drop") == ([(1, {"a": 1}), (4, {"a": 4})], ["2", "3", "5"])
    with pytest.raises(
        SourceError, match=r"row 2: must be one JSON object a line, got '\[2\]'; drop"
    ):
        records(content)


@pytest.mark.parametrize("size", [1, 16, 1000])
def test_only_the_last_line_may_be_cut_short(records, block, size):
    block(size)
    with pytest.raises(SourceError, match=r"row 2: .* \(the file may be cut short\)"):
        records('{"a": 1}\n{"a": ')
    with pytest.raises(SourceError, match=r"row 1: [^(]*; drop"):
        records('{"a": \n{"a": 1}')


@pytest.mark.parametrize("size", [1, 16, 1000])
@pytest.mark.parametrize("bad_rows", ["error", "drop"])
def test_a_line_past_the_limit_stops(records, block, size, bad_rows):
    block(size)
    content = '{"a": 1}\n' + json.dumps({"a": "x" * 60}) + '\n{"a": 3}\n'
    with pytest.raises(SourceError, match="row 2: a line is longer than 50 bytes"):
        records(content, bad_rows, line=50)


def test_numbers_that_are_no_json(records):
    (first, second), _ = records('{"a": NaN, "b": "NaN"}\n{"a": -Infinity}')
    assert math.isnan(first[1]["a"])
    assert first[1]["b"] == "NaN"
    assert second[1]["a"] == -math.inf
    assert records('{"a": NaN\n{"a": "Infinity}', "drop") == ([], ["1", "2"])


@settings(max_examples=60, deadline=None)
@given(OBJECTS, st.integers(1, 40))
def test_round_trip(tmp_path_factory, rows, size):
    path = tmp_path_factory.mktemp("lines") / "r.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (member,) = members(path, limits=Limits())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_lines, "_BLOCK", size)
        found = list(line_records(member, ReadOptions(), lambda *_: None))
    assert found == list(enumerate(rows, 1))
