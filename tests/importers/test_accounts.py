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
VOTER = st.fixed_dictionaries({"voter": NAMES, "age": CELLS, "gender": NAMES})
COMPARIA = st.fixed_dictionaries(
    {
        "model_a_name": NAMES,
        "model_b_name": NAMES,
        "chosen_model_name": NAMES | st.none(),
        "both_equal": st.sampled_from([True, False, None, "maybe"]),
        "archived": st.sampled_from([True, False]),
        "conversation_pair_id": NAMES,
        "visitor_id": NAMES,
    }
)
REPLY = st.fixed_dictionaries(
    {
        "utterance_id": NAMES,
        "conversation_id": NAMES | st.none(),
        "user_id": NAMES,
        "turn": st.sampled_from([0, 1, None]),
        "model_name": NAMES,
        "score": st.sampled_from([1, 40, 45, 46, 100, 0, None, "50", "x"]),
    }
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
    rows=st.one_of(
        st.lists(row, min_size=1, max_size=30) for row in (VOTE, RESPONSE, VOTER, COMPARIA)
    ),
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
@given(rows=st.lists(REPLY, min_size=1, max_size=30))
def test_every_pair_of_replies_is_accounted_for(tmp_path, rows):
    path = tmp_path / "rows"
    path.write_bytes(_lines(rows).encode())
    (evidence,) = read_path(path, options=ReadOptions(bad_rows="drop"))
    account = evidence.provenance.account
    assert account.rows_read == account.kept + account.dropped
    assert account.kept == len(evidence)
    good: dict[tuple, list] = {}
    for row in rows:
        known = row["conversation_id"] is not None and row["turn"] is not None
        if known and row["model_name"] and row["score"] not in (None, 0, "x"):
            good.setdefault((row["conversation_id"], row["turn"]), []).append(row["model_name"])
    # votes and self-meetings of the rows as they are; blank names are dropped by the builder
    pairs = [len(set(models)) * (len(set(models)) - 1) // 2 for models in good.values()]
    assert account.kept <= sum(pairs)


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
