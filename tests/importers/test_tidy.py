"""Tidy tables in every container; the same rows must give the same evidence."""

import io
import json

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from caveat.errors import CellError, InputError, SourceError, UnrecognisedError

ROWS = [
    {"model_a": "x", "model_b": "y", "winner": "model_a", "n": 2, "question_id": "01", "len_a": 5},
    {"model_a": "y", "model_b": "z", "winner": "tie (bothbad)", "n": 1, "question_id": "1",
     "len_a": 6},
]  # fmt: skip
VOTES = "model_a,model_b,winner\nx,y,model_a\ny,z,tie\n"
ANSWERS = "item,model,prediction,answer\n1,m,A,A\n2,m,,B\n"


def _csv(delimiter):
    lines = [ROWS[0].keys(), *(row.values() for row in ROWS)]
    return "\n".join(delimiter.join(map(str, line)) for line in lines).encode()


def _arrow(write):
    sink = io.BytesIO()
    write(pa.Table.from_pylist(ROWS), sink)
    return sink.getvalue()


def _stream(table, sink):
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


CONTAINERS = {
    "csv": _csv(","),
    "csv with byte-order mark": b"\xef\xbb\xbf" + _csv(","),
    "tsv": _csv("\t"),
    "semicolons": _csv(";"),
    "jsonl": "\n".join(map(json.dumps, ROWS)).encode(),
    "json": json.dumps(ROWS, indent=1).encode(),
    "parquet": _arrow(pq.write_table),
    "feather": _arrow(feather.write_feather),
    "stream": _arrow(_stream),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_gives_the_same_votes(write, read, container):
    evidence = read(write("any.name", CONTAINERS[container]))
    assert evidence.kind == "votes"
    assert evidence.table.select(["model_a", "model_b", "outcome", "count"]).to_pylist() == [
        {"model_a": "x", "model_b": "y", "outcome": "a", "count": 2},
        {"model_a": "y", "model_b": "z", "outcome": "both_bad", "count": 1},
    ]
    # "01" and "1" are two battles: text that would not print the same as a number stays text.
    assert evidence.table.column("battle").to_pylist() == ["01", "1"]
    assert evidence.table.column("len_a").to_pylist() == [5, 6]


def test_source_is_hashed(write, read):
    source = read(write("v.csv", VOTES)).provenance.sources[0]
    assert (source.importer, source.kind, source.size) == ("csv", "votes", len(VOTES))
    assert len(source.sha256) == 64


def test_quotes_and_newlines_in_fields(write, read):
    evidence = read(write("v.csv", 'model_a,model_b,winner\n"a,""1""","b\nc",tie\n'))
    assert evidence.table.column("model_a").to_pylist() == ['a,"1"']
    assert evidence.table.column("model_b").to_pylist() == ["b\nc"]


def test_unparsed_answers_score_zero_and_say_so(write, read):
    evidence = read(write("quiz.csv", ANSWERS))
    rows = evidence.table.select(["benchmark", "score", "status"]).to_pylist()
    assert rows == [
        {"benchmark": "quiz", "score": 1.0, "status": "scored"},
        {"benchmark": "quiz", "score": 0.0, "status": "unparsed"},
    ]
    notices = " ".join(evidence.provenance.notices)
    assert "'quiz'" in notices
    assert "prediction == target" in notices


def test_mapping_wins_and_keeps_what_it_displaces(write, read):
    text = "item,model,prediction,published,answer,correct\n1,m,A,B,A,1\n2,m,C,C,C,1\n"
    evidence = read(write("q.csv", text), mapping={"prediction": "published"})
    table = evidence.table
    assert table.column("prediction").to_pylist() == ["B", "C"]
    assert table.column("prediction_source").to_pylist() == ["A", "C"]
    assert table.column("score").to_pylist() == [0.0, 1.0]
    assert table.column("score_source").to_pylist() == [1, 1]
    assert any("score_source" in text for text in evidence.provenance.notices)


def test_mapping_prediction_to_itself_keeps_the_score(write, read):
    text = "item,model,prediction,answer,score\n1,m,A,B,0.5\n"
    evidence = read(write("q.csv", text), mapping={"prediction": "prediction"})
    assert evidence.table.column("score").to_pylist() == [0.5]


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({"modell": "model"}, "mapping must name one of"),
        ({"model": "system"}, "needs a column 'system', found item, model"),
        ({"model": "item", "task": "item"}, "use each column once"),
    ],
)
def test_wrong_mapping_is_explained(write, read, mapping, words):
    with pytest.raises(InputError, match=words):
        read(write("q.csv", ANSWERS), mapping=mapping)


def test_projection_keeps_required_columns_only(write, read):
    text = "model_a,model_b,winner,language,extra\na,b,tie,en,1\n"
    for name, content in (
        ("v.csv", text),
        ("v.jsonl", json.dumps(dict(model_a="a", model_b="b", winner="tie", extra=1))),
    ):
        evidence = read(write(name, content), columns=frozenset({"judge"}))
        assert evidence.table.column_names == ["model_a", "model_b", "outcome"]


@pytest.mark.parametrize("name", ["v.csv", "v.jsonl"])
def test_empty_file(write, read, name):
    with pytest.raises(UnrecognisedError, match="the file is empty"):
        read(write(name, ""))


def test_header_only(write, read):
    with pytest.raises(InputError, match="at least one row, got none"):
        read(write("v.csv", "model_a,model_b,winner\n"))


def test_missing_file(tmp_path, read):
    with pytest.raises(SourceError, match="no such file"):
        read(tmp_path / "none.csv")


def test_unknown_columns_are_listed_with_the_remedy(write, read):
    with pytest.raises(InputError) as caught:
        read(write("v.csv", "foo,bar\n1,2\n"))
    for words in ("foo, bar", "model_a (", "item (", "--map model=COLUMN"):
        assert words in str(caught.value)


def test_double_column_names(write, read):
    with pytest.raises(InputError, match="found twice: model_a"):
        read(write("v.csv", "model_a,model_a,winner\na,b,tie\n"))


def test_unknown_label_is_never_a_tie(write, read):
    path = write("v.csv", VOTES + "x,z,draw\n")
    with pytest.raises(CellError, match="row 3, column 'winner': must be one of a, model_a"):
        read(path)
    evidence = read(path, bad_rows="drop")
    (drop,) = evidence.provenance.account.drops
    assert (drop.count, drop.examples) == (1, (f"{path}, row 3",))


def test_self_votes(write, read):
    path = write("v.csv", VOTES + "z,z,tie\n")
    with pytest.raises(CellError, match="a model cannot meet itself"):
        read(path)
    assert len(read(path, bad_rows="drop")) == 2


@pytest.mark.parametrize("score", ["inf", "-Infinity", "much", "1,5"])
def test_what_is_no_number(write, read, score):
    with pytest.raises(CellError, match="must be a finite number"):
        read(write("r.csv", f'item,model,score\n1,m,"{score}"\n'))


@pytest.mark.parametrize("score", ["nan", "NaN", "NA", "", "null", "None"])
def test_missing_scores_are_unscored_not_zero(write, read, score):
    evidence = read(write("r.csv", f"item,model,score\n1,m,{score}\n2,m,1\n"))
    assert evidence.table.column("score").to_pylist() == [None, 1.0]
    assert evidence.table.column("status").to_pylist() == ["unscored", "scored"]


@pytest.mark.parametrize("count", ["-1", "1.5", "1e400", "9007199254740994", "many"])
def test_bad_counts(write, read, count):
    with pytest.raises(CellError, match=r"whole number from 0 to 2\*\*53"):
        read(write("v.csv", f"model_a,model_b,winner,n\na,b,tie,{count}\n"))


def test_counts_that_add_up_to_too_many(write, read):
    text = "model_a,model_b,winner,n\n" + "a,b,tie,9007199254740992\n" * 2
    with pytest.raises(InputError, match="together must not exceed"):
        read(write("v.csv", text))


def test_a_count_of_zero_is_no_vote(write, read):
    evidence = read(write("v.csv", "model_a,model_b,winner,n\na,b,tie,0\na,b,tie,2\n"))
    assert evidence.provenance.account.drops[0].reason == "count is 0"


def test_mixed_types_in_json_become_text(write, read):
    rows = [
        {"item": 1, "model": "m", "prediction": True, "gold": "A"},
        {"item": "x", "model": "m", "prediction": 2, "gold": "2"},
        {"item": 2.0, "model": "m", "prediction": None, "gold": "2", "late": 1},
    ]
    table = read(write("r.jsonl", "\n".join(map(json.dumps, rows)))).table
    assert table.column("item").to_pylist() == ["1", "x", "2.0"]
    assert table.column("prediction").to_pylist() == ["True", "2", None]
    assert table.column("late").to_pylist() == [None, None, 1]


def test_nested_values(write, read):
    row = {"item": 1, "model": "m", "score": 1, "trace": [1]}
    evidence = read(write("r.jsonl", json.dumps(row)))
    assert any("nested values were left out: trace" in n for n in evidence.provenance.notices)
    with pytest.raises(InputError, match="'item': must hold single values"):
        read(write("r.jsonl", json.dumps({**row, "item": [1]})))


def test_invalid_utf8_names_line_and_byte(write, read):
    # "item,model,score\n1,m" is 20 bytes, so the bad byte is at offset 20 of line 2.
    with pytest.raises(SourceError, match="line 2: must be UTF-8, got byte 0xff at offset 20"):
        read(write("r.csv", b"item,model,score\n1,m\xff,1\n"))
    with pytest.raises(SourceError, match="line 1: must be UTF-8"):
        read(write("r.jsonl", b'{"item": 1, "model": "m\xff", "score": 1}\n'))
    with pytest.raises(SourceError, match="UTF-16"):
        read(write("r.csv", "item,model,score\n1,m,1\n".encode("utf-16")))


def test_rows_of_wrong_width(write, read):
    path = write("v.csv", "model_a,model_b,winner\na,b,tie\na,b\na,c,tie\nb,c,ties\n")
    with pytest.raises(CellError, match=r"row 2.*must have 3 fields"):
        read(path)
    evidence = read(path, bad_rows="drop")
    assert [d.examples[0] for d in evidence.provenance.account.drops] == [
        f"{path}, row 2",
        f"{path}, row 4",
    ]
    assert evidence.places.of(1) == (str(path), 3)


@pytest.mark.parametrize("cut", [10, 60, 200])
def test_truncated_parquet(write, read, cut):
    with pytest.raises(SourceError, match="damaged or cut short"):
        read(write("v.parquet", CONTAINERS["parquet"][:-cut]))


def test_truncated_json(write, read):
    whole = CONTAINERS["jsonl"]
    with pytest.raises(SourceError, match=r"row 2: must be one JSON object a line.*cut short"):
        read(write("v.jsonl", whole[:-5]))
    assert len(read(write("v.jsonl", whole[:-5]), bad_rows="drop")) == 1
    with pytest.raises(SourceError, match="record 2: is cut short"):
        read(write("v.json", CONTAINERS["json"][:-5]))


def test_deep_json(write, read):
    with pytest.raises((SourceError, InputError)):
        read(write("v.json", '[{"a":' + "[" * 100_000))


def test_ids_by_zeros_marks_and_normal_forms(write, read):
    text = "item,model,score\n01,caf\u00e9,1\n1,cafe\u0301,1\n\ufeff1,b,0\n2,b,0\n"
    evidence = read(write("r.csv", text))
    assert evidence.table.column("item").to_pylist() == ["01", "1", "1", "2"]
    assert evidence.table.column("model").unique().to_pylist() == ["caf\u00e9", "b"]
    notices = [n for n in evidence.provenance.notices if "NFC" in n]
    assert len(notices) == 2


def test_odd_names_survive(write, read):
    names = ['"quoted"', "two\nlines", "\u202eright to left", "<script>alert(1)</script>", "a|b"]
    rows = [{"item": 1, "model": name, "score": 1} for name in names]
    table = read(write("r.jsonl", "\n".join(map(json.dumps, rows)))).table
    assert table.column("model").to_pylist() == names


def test_hostile_values_are_escaped_and_short_in_messages(write, read):
    bad = "\u202e\x1b[31m" + "x" * 1000
    row = {"model_a": "a", "model_b": "b", "winner": bad}
    with pytest.raises(CellError) as caught:
        read(write("v.jsonl", json.dumps(row)))
    assert len(caught.value.value) <= 80
    assert caught.value.value.isprintable()


def test_blank_ids_are_dropped_and_counted(write, read):
    evidence = read(write("r.csv", "item,model,score\n1,,1\n,m,1\n2,m,1\n"))
    reasons = {d.reason: d.count for d in evidence.provenance.account.drops}
    assert reasons == {"no model name": 1, "no item": 1}


def test_whole_floats_as_ids(read, tmp_path):
    table = pa.table({"item": [1.0, None, 3.0], "model": ["m"] * 3, "score": [1, 1, 0]})
    pq.write_table(table, tmp_path / "r.parquet")
    evidence = read(tmp_path / "r.parquet")
    assert evidence.table.column("item").to_pylist() == ["1", "3"]
    assert any("3.0 as 3" in n for n in evidence.provenance.notices)


def test_unused_dictionary_entries_are_forgotten(read, tmp_path):
    names = pa.DictionaryArray.from_arrays([0, 2], ["x", "never", "y"])
    table = pa.table({"item": ["1", "2"], "model": names, "score": [1, 0]})
    pq.write_table(table, tmp_path / "r.parquet")
    model = read(tmp_path / "r.parquet").table.column("model")
    assert model.chunk(0).dictionary.to_pylist() == ["x", "y"]


def test_models_table(write, read):
    text = "model,organization,license,price_input,open_weights\nm,o,mit,0.5,yes\n"
    evidence = read(write("m.csv", text))
    assert evidence.kind == "models"
    assert evidence.table.to_pylist() == [
        {"model": "m", "provider": "o", "open_weights": True, "licence": "mit", "price_input": 0.5}
    ]


def test_no_prediction_and_no_score(write, read):
    with pytest.raises(InputError, match="prediction"):
        read(write("r.csv", "item,model,answer\n1,m,A\n"))


def test_status_error_has_no_score(write, read):
    text = "item,model,score,status\n1,m,0,error\n2,m,0,refused\n3,m,1,\n"
    table = read(write("r.csv", text)).table
    assert table.column("score").to_pylist() == [None, 0.0, 1.0]
    assert table.column("status").to_pylist() == ["error", "refused", "scored"]
