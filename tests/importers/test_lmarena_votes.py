"""LMArena: features as the card of `arena-human-preference-140k` lists them."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import caveat
from caveat.data.paired import paired_columns
from caveat.errors import CellError


def _metadata(**changes):
    return {
        "sum_assistant_a_tokens": 10, "sum_assistant_b_tokens": 25, "sum_user_tokens": 4,
        "context_a_tokens": 4, "context_b_tokens": 4, "turns": 1,
        "header_count_a": {"h1": 1, "h2": 2, "h3": 0, "h4": 0, "h5": 0, "h6": 0},
        "header_count_b": {"h1": 0, "h2": 0, "h3": 0, "h4": 0, "h5": 0, "h6": 0},
        "list_count_a": {"ordered": 1, "unordered": 4},
        "list_count_b": {"ordered": 0, "unordered": 0},
        "bold_count_a": {"**": 2, "__": 1}, "bold_count_b": {"**": 0, "__": 0}, **changes,
    }  # fmt: skip


def _battle(number, winner, **changes):
    return {
        "id": f"b{number}", "model_a": "x", "model_b": "y", "winner": winner,
        "evaluation_session_id": "e1", "evaluation_order": number,
        "conversation_a": [{"role": "user", "content": "q"}], "conversation_b": [],
        "full_conversation": [{"user": "q"}], "conv_metadata": _metadata(), "language": "en",
        "is_code": False, "timestamp": "2025-05-01", **changes,
    }  # fmt: skip


BATTLES = [
    _battle(1, "model_a"),
    _battle(2, "both_bad", conv_metadata=_metadata(list_count_a=None, turns=2)),
    _battle(3, "tie", conv_metadata=None),
]


def _parquet(rows):
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    ("content", "importer"),
    [
        (_parquet(BATTLES), "parquet, lmarena"),
        ("\n".join(map(json.dumps, BATTLES)), "fastchat"),
        (json.dumps(BATTLES), "fastchat"),
    ],
    ids=["parquet", "lines", "array"],
)
def test_counts_of_style_are_pairs(write, read, content, importer):
    evidence = read(write("battles", content))
    assert evidence.provenance.sources[0].importer == importer
    table = evidence.table
    assert table.column("outcome").to_pylist() == ["a", "both_bad", "tie"]
    assert table.column("battle").to_pylist() == ["b1", "b2", "b3"]
    # 1 + 2 headers, 1 + 4 list items, 2 + 1 bold; the third battle has no counts at all
    assert table.column("tokens_a").to_pylist() == [10, 10, None]
    assert table.column("headers_a").to_pylist() == [3, 3, None]
    assert table.column("lists_a").to_pylist() == [5, None, None]
    assert table.column("bold_b").to_pylist() == [0, 0, None]
    names = [pair.name for pair in paired_columns(table)]
    assert names == ["tokens", "context_tokens", "headers", "lists", "bold"]
    assert "full_conversation" not in table.column_names


def test_an_unknown_winner(write, read):
    path = write("b.parquet", _parquet([BATTLES[0], _battle(2, "nobody")]))
    with pytest.raises(CellError, match="row 2, column 'winner'"):
        read(path)
    assert len(read(path, bad_rows="drop")) == 1


def test_votes_without_counts_are_tidy(write, read):
    rows = [{k: v for k, v in BATTLES[0].items() if k in ("model_a", "model_b", "winner")}]
    assert read(write("b.parquet", _parquet(rows))).provenance.sources[0].importer == "parquet"


def test_only_what_is_needed_is_read(write):
    path = write("b.parquet", _parquet(BATTLES))
    votes = caveat.read(path, columns=frozenset({"battle"}))["votes"]
    assert votes.table.column_names == ["model_a", "model_b", "outcome", "battle"]
