"""Whatever a table holds, every row is kept or dropped with a reason."""

import csv
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caveat.data.dedupe import deduplicate
from caveat.errors import InputError
from caveat.importers._base import ReadOptions
from caveat.importers.reading import read_path

NAMES = st.sampled_from(["x", "y", "z", "", " ", "é", "e\u0301", "01", "1"])
CELLS = st.sampled_from(["A", "B", "", "nan", "inf", "1", "0.5", "-3", "x\ny", "\u202e"])
VOTE = st.fixed_dictionaries(
    {"model_a": NAMES, "model_b": NAMES, "winner": CELLS | st.sampled_from(["a", "b", "tie"]),
     "count": CELLS, "battle": NAMES}
)  # fmt: skip
RESPONSE = st.fixed_dictionaries(
    {"item": NAMES, "model": NAMES, "prediction": CELLS, "target": CELLS, "score": CELLS}
)
ANYTHING = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def _csv(rows):
    sink = io.StringIO()
    writer = csv.DictWriter(sink, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return sink.getvalue()


def _lines(rows):
    return "\n".join(map(json.dumps, rows))


@ANYTHING
@given(
    rows=st.lists(VOTE, min_size=1, max_size=30) | st.lists(RESPONSE, min_size=1, max_size=30),
    form=st.sampled_from([_csv, _lines]),
)
def test_every_row_is_accounted_for(tmp_path, rows, form):
    path = tmp_path / "rows"
    path.write_bytes(form(rows).encode())
    (evidence,) = read_path(path, options=ReadOptions(bad_rows="drop"))
    account = evidence.provenance.account
    assert account.rows_read == len(rows)
    assert account.rows_read == account.kept + account.dropped
    assert account.kept == len(evidence)
    once = deduplicate(evidence, bad_rows="drop")
    account = once.provenance.account
    assert account.rows_read == len(rows)
    assert account.rows_read == account.kept + account.dropped
    assert account.kept == len(once) == once.places.length
    assert len(deduplicate(once)) == len(once)


@ANYTHING
@given(rows=st.lists(VOTE, min_size=1, max_size=20))
def test_the_first_bad_row_is_named(tmp_path, rows):
    path = tmp_path / "rows"
    path.write_bytes(_lines(rows).encode())
    (dropped,) = read_path(path, options=ReadOptions(bad_rows="drop"))
    bad = [
        d for d in dropped.provenance.account.drops if "must" in d.reason or "itself" in d.reason
    ]
    if not bad:
        read_path(path)
        return
    first = min(int(d.examples[0].rsplit(" ", 1)[1]) for d in bad)
    with pytest.raises(InputError, match=rf"row {first},"):
        read_path(path)
