"""Chunks: long texts are shortened, small chunks put together, constants cost nothing."""

import pyarrow as pa
import pytest

from caveat.data.schema import RESPONSES
from caveat.importers.answer_texts import LONGEST, answer_text
from caveat.importers.gathering import gathered
from caveat.importers.long_texts import with_short_texts
from caveat.importers.own_ids import own_id
from caveat.importers.record_batches import ROWS
from caveat.importers.row_columns import row_batches

LONG = "x" * (LONGEST + 1)


@pytest.mark.parametrize("coded", [False, True])
def test_long_texts_of_answers_and_extra_columns(coded):
    texts = pa.array(["a", LONG, None, LONG, "x" * LONGEST])
    column = texts.dictionary_encode() if coded else texts
    batch = pa.RecordBatch.from_arrays([column] * 3, names=["prediction", "item", "note"])
    short, names = with_short_texts(batch, RESPONSES)
    assert names == ["prediction", "note"]
    expected = ["a", answer_text(LONG), None, answer_text(LONG), "x" * LONGEST]
    assert short.column("note").to_pylist() == expected
    assert short.column("item").to_pylist() == texts.to_pylist()
    assert with_short_texts(short, RESPONSES)[1] == []


def test_a_table_with_long_texts_says_so(write, read):
    row = f'{{"item": 1, "model": "m", "score": 1, "text": "{LONG}"}}'
    evidence = read(write("r.jsonl", row))
    told = f"column 'text': texts of more than {LONGEST} characters"
    assert any(notice.startswith(told) for notice in evidence.provenance.notices)


def _batch(values, name="a"):
    return pa.RecordBatch.from_arrays([pa.array(values)], names=[name])


def test_neighbours_are_put_together():
    chunks = [(1, _batch([1, 2])), (3, _batch([3])), (5, _batch([5])), (6, _batch(["6"]))]
    found = [(first, batch.to_pydict()["a"]) for first, batch in gathered(chunks)]
    assert found == [(1, [1, 2, 3]), (5, [5]), (6, ["6"])]
    assert list(gathered([])) == []


def test_chunks_do_not_grow_past_what_went_before():
    chunks = [(1 + i * ROWS, _batch([0] * ROWS)) for i in range(5)]
    # after three chunks of n rows half of what was seen is 1.5 n, so two do not fit yet
    assert [batch.num_rows // ROWS for _, batch in gathered(chunks)] == [1, 1, 1, 1, 1]
    more = [(1 + i * ROWS, _batch([0] * ROWS)) for i in range(8)]
    assert [batch.num_rows // ROWS for _, batch in gathered(more)] == [1, 1, 1, 1, 2, 2]


def test_rows_with_constant_columns():
    rows = iter([(1, "x"), (2, None)])
    ((first, batch),) = row_batches(rows, names=("a", "b"), constants={"c": "k", "d": None})
    assert first == 1
    assert batch.to_pydict() == {"a": [1, 2], "b": ["x", None], "c": ["k", "k"]}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"id": 7}, "7"),
        ({"idx": 3, "question_id": " q "}, "q"),
        ({"id": None, "key": "k"}, "k"),
        ({"id": True}, None),
        ({"id": 1.5}, None),
        ({"id": ""}, None),
        ({"id": "e\u0301"}, "\u00e9"),
        ({"question": "?"}, None),
        ("text", None),
    ],
)
def test_own_ids(record, expected):
    assert own_id(record) == expected
