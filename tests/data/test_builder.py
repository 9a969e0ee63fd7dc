import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.data.builder import TableBuilder, benchmark_name, show
from caveat.data.schema import RESPONSES, VOTES
from caveat.errors import CellError, InputError
from caveat.results.provenance import Source

SOURCE = Source(name="f", importer="test", kind="votes")


def _votes(chunks, **options):
    builder = TableBuilder(VOTES, file="f.csv", **options)
    row = 1
    for chunk in chunks:
        builder.add(pa.table(chunk), first_row=row, shown={"outcome": "winner"})
        row += len(next(iter(chunk.values())))
    return builder.finish(SOURCE)


def test_both_sides_share_one_dictionary():
    table = _votes([{"model_a": ["x"], "model_b": ["y"], "outcome": ["a"]}]).table
    first, second = (table.column(n).chunk(0).dictionary for n in ("model_a", "model_b"))
    assert first.equals(second)


def test_columns_that_come_and_go():
    table = _votes(
        [
            {"model_a": ["x"], "model_b": ["y"], "outcome": ["a"]},
            {"model_a": ["x"], "model_b": ["y"], "outcome": ["b"], "count": [3], "late": ["z"]},
            {"model_a": ["x"], "model_b": ["y"], "outcome": ["tie"]},
        ]
    ).table
    assert table.column("count").to_pylist() == [1, 3, 1]
    assert table.column("late").to_pylist() == [None, "z", None]


def test_first_bad_cell_is_named_by_the_name_in_the_source():
    chunk = {"model_a": ["x", "x"], "model_b": ["y", "x"], "outcome": ["a", "draw"]}
    good = {"model_a": ["x"] * 3, "model_b": ["y"] * 3, "outcome": ["a"] * 3}
    with pytest.raises(CellError) as caught:
        _votes([good, chunk])
    assert (caught.value.row, caught.value.column) == (5, "winner")
    assert caught.value.value == "'draw'"


def test_places_follow_the_rows_kept():
    chunk = {"model_a": ["x", "", "x", "x"], "model_b": ["y", "y", "x", "y"], "outcome": ["a"] * 4}
    evidence = _votes([chunk, chunk], bad_rows="drop")
    assert [evidence.places.of(i) for i in range(4)] == [("f.csv", n) for n in (1, 4, 5, 8)]


@given(st.lists(st.sampled_from(["x", "y", ""]), min_size=1, max_size=40), st.integers(1, 7))
def test_chunks_make_no_difference(names, size):
    def chunk(part):
        return {"model_a": part, "model_b": ["z"] * len(part), "outcome": ["a"] * len(part)}

    whole = _votes([chunk(names)])
    parts = _votes([chunk(names[i : i + size]) for i in range(0, len(names), size)])
    assert whole.table.to_pylist() == parts.table.to_pylist()
    assert whole.provenance.account == parts.provenance.account


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        (pa.array([1, 2]), ["1", "2"]),
        (pa.array([1.0, 2.5]), ["1", "2.5"]),
        (pa.array([True, False]), ["True", "False"]),
        (pa.array([" A", ""]), [" A", None]),
        (pa.array(["1.0", "a"]), ["1.0", "a"]),
        (pa.array([1, None], pa.int8()).dictionary_encode(), ["1", None]),
        (pa.array([None, None]), [None, None]),
        (pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
        (pa.array([b"a", b"b"]), ["a", "b"]),
    ],
)
def test_predictions_as_text(cells, text):
    builder = TableBuilder(RESPONSES, file="f.csv")
    table = {"item": ["1", "2"], "model": ["m", "m"], "prediction": cells, "score": [1, 0]}
    builder.add(pa.table(table), first_row=1)
    column = builder.finish(SOURCE).table.column("prediction")
    assert column.to_pylist() == text
    assert column.type == pa.dictionary(pa.int32(), pa.string())


def test_a_benchmark_without_any_prediction_is_scored_not_unparsed():
    # Code is run, not parsed: no answer text is kept, and a failed test is a scored answer.
    builder = TableBuilder(RESPONSES, file="f.csv")
    builder.add(
        pa.table(
            {
                "benchmark": ["code", "code", "quiz", "quiz", "quiz"],
                "item": list("12345"),
                "model": ["m"] * 5,
                "prediction": [None, None, "A", None, None],
                "score": [1, 0, 1, 0, 1],
            }
        ),
        first_row=1,
    )
    status = builder.finish(SOURCE).table.column("status").to_pylist()
    assert status == ["scored", "scored", "scored", "unparsed", "scored"]


def test_nothing_read():
    with pytest.raises(InputError, match="at least one row"):
        TableBuilder(VOTES, file="f.csv").finish(SOURCE)


@pytest.mark.parametrize(
    ("file", "name"),
    [("a/b.csv.gz", "b"), ("x.zip!in/side.json", "side"), ("<frame>", "<frame>"), (".csv", ".csv")],
)
def test_benchmark_names(file, name):
    assert benchmark_name(file) == name


def test_shown_values_are_short_and_printable():
    assert show("a\u202eb\n") == "'a\\u202eb\\n'"
    assert len(show("x" * 500)) == 80
    assert show(float("inf")) == "inf"
