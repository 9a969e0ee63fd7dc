"""Wide tables: which columns are models, and scores are never read as answers."""

import pandas as pd
import pytest

from caveat.errors import CellError, InputError, UnrecognisedError
from caveat.importers import wide_columns
from caveat.importers.frames import read_frame
from caveat.importers.reading import inspect_path

SCORES = {"item": ["q1", "q2", "q3"], "claude": [1, 0, 1], "gpt": [0, 1, 1]}


def _cells(evidence, cell="score"):
    rows = evidence.table.select(["item", "model", cell]).to_pylist()
    return {(r["item"], r["model"]): r[cell] for r in rows}


EXPECTED = {
    ("q1", "claude"): 1.0, ("q2", "claude"): 0.0, ("q3", "claude"): 1.0,
    ("q1", "gpt"): 0.0, ("q2", "gpt"): 1.0, ("q3", "gpt"): 1.0,
}  # fmt: skip


def _saved(frame, path, **options):
    frame.to_csv(path, **options)
    return path


@pytest.mark.parametrize("how", ["plain", "index", "index twice", "filtered"])
def test_an_index_that_pandas_saved_is_no_model(tmp_path, read, how):
    frame = pd.DataFrame(SCORES)
    path = _saved(frame, tmp_path / "t.csv", index=how != "plain")
    if how == "index twice":
        path = _saved(pd.read_csv(path), tmp_path / "t.csv")
    if how == "filtered":
        frame.index = [3, 5, 9]
        path = tmp_path / "t.parquet"
        frame.to_parquet(path)
    evidence = read(path)
    assert _cells(evidence) == EXPECTED
    left = [n for n in evidence.provenance.notices if "left out" in n]
    assert len(left) == (how != "plain")
    told = "2 columns were read as models: claude, gpt; their cells as scores"
    assert any(told in n for n in evidence.provenance.notices)


@pytest.mark.parametrize(
    "columns",
    [
        {"a1": [100, 0, 100], "b1": [0, 100, 100]},
        {"a1": [5, 3, 1], "b1": [4, 3, 2]},
        {"a1": [71.3, 64.2, 55.0], "b1": [11.1, 12.2, 13.3]},
        {"a1": [1, 0, 1], "b1": [0, 1, 1], "n_words": [120, 80, 95], "difficulty": [0.3, 0.5, 1]},
        {"a1": [1, 0, 1], "b1": [0, -1, 1]},
    ],
)
def test_numbers_on_another_scale_are_refused(columns):
    frame = pd.DataFrame({"item": [1, 2, 3], **columns})
    with pytest.raises(InputError) as caught:
        read_frame(frame, kind=None)
    outside = [n for n, cells in columns.items() if min(cells) < 0 or max(cells) > 1]
    assert f"numbers outside in {', '.join(outside)} (" in str(caught.value)
    assert "divide percentages by 100" in str(caught.value)


def test_a_column_that_is_mapped_is_no_model():
    frame = pd.DataFrame({**SCORES, "n_words": [120, 80, 95]})
    options = wide_options(mapping={"output_tokens": "n_words"})
    assert _cells(read_frame(frame, kind=None, options=options)) == EXPECTED


def wide_options(**given):
    from caveat.importers._base import ReadOptions

    return ReadOptions(**given)


def test_columns_known_elsewhere_and_texts_are_kept_as_extras():
    frame = pd.DataFrame(
        {
            **SCORES,
            "id": [11, 12, 13],
            "question": ["how?", "why?", "when?"],
            "stem": ["p", "q", "r"],
            "language": ["en", "de", "en"],
            "cost": [7, 8, 9],
            "n_options": [4, 4, 10],
        }
    )
    evidence = read_frame(frame, kind=None)
    assert _cells(evidence) == EXPECTED
    assert set(evidence.table.column_names) >= {
        "id",
        "question",
        "stem",
        "language",
        "cost_usd",
        "n_options",
    }


def test_numbers_beside_answers_are_extras_unless_they_agree(write, read):
    text = "item,target,gpt,claude,n_words\n1,A,A,B,120\n2,B,B,B,90\n"
    evidence = read(write("t.csv", text))
    assert set(evidence.table["model"].to_pylist()) == {"gpt", "claude"}
    assert evidence.table["n_words"].to_pylist() == [120, 90, 120, 90]
    text = "item,target,gpt,claude\n1,42,42,unknown\n2,17,17,17\n"
    evidence = read(write("t.csv", text))
    assert _cells(evidence, "prediction")["1", "claude"] == "unknown"
    assert _cells(evidence)["1", "gpt"] == 1.0


def test_numeric_answers_are_answers_where_they_agree_with_the_target(write, read):
    evidence = read(write("t.csv", "item,target,gpt,claude\n1,42,42,41\n2,17,17,17\n"))
    assert _cells(evidence)["1", "claude"] == 0.0
    assert any("their cells as answers" in n for n in evidence.provenance.notices)


def test_long_texts_are_no_answers(write, read):
    text = (
        "item,stem,target,gpt,claude\n"
        "1,what is the capital of this large country,A,A,B\n"
        "2,and which city is its second largest one,B,B,B\n"
    )
    evidence = read(write("t.csv", text))
    assert set(evidence.table["model"].to_pylist()) == {"gpt", "claude"}


@pytest.mark.parametrize("bad", ["inf", "error"])
def test_a_bad_cell_does_not_turn_scores_into_answers(write, read, bad):
    path = write("t.csv", f"item,gpt,claude\n1,1,0\n2,0,{bad}\n3,1,1\n")
    with pytest.raises(CellError, match="row 2, column 'claude': must be a finite number"):
        read(path)
    assert len(read(path, bad_rows="drop")) == 5


def test_a_table_about_items_is_still_unrecognised(write, read):
    with pytest.raises(UnrecognisedError):
        read(write("t.csv", "id,title,length,year\n1,foo,30,2000\n2,bar,51,2001\n"))


def test_a_later_chunk_outside_is_refused(read, tmp_path):
    import pyarrow as pa

    batches = [
        pa.record_batch({"item": [str(n)], "gpt": [1.0], "claude": [value]})
        for n, value in enumerate([0.0, 7.0])
    ]
    with pytest.raises(InputError, match="numbers outside in claude"):
        read_frame(pa.Table.from_batches(batches), kind=None)


def test_doctor_shows_which_columns_are_models(write):
    found = inspect_path(write("t.csv", ",item,gpt,claude,language\n0,1,1,0,en\n1,2,0,1,de\n"))
    assert dict(found.columns) == {
        "": "", "item": "item", "gpt": "a model", "claude": "a model", "language": "",
    }  # fmt: skip


def test_many_names_are_cut():
    models = wide_columns.Models(names=tuple(f"m{n}" for n in range(25)), cell="score")
    assert "m19 and 5 more; their cells as scores" in wide_columns.notice(models)
