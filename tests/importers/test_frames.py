import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from caveat.errors import CellError, InputError, SourceError
from caveat.importers._base import ReadOptions
from caveat.importers.frames import read_frame
from caveat.importers.reading import read_path
from caveat.importers.writing import write_evidence

DATA = {
    "item": [1, 2, None],
    "model": ["a", "b", "c"],
    "prediction": ["A", None, "B"],
    "target": ["A", "A", "B"],
}


@pytest.mark.parametrize(
    "make", [pa.table, pd.DataFrame, pl.DataFrame, pl.LazyFrame], ids=lambda m: m.__module__
)
def test_frames(make):
    evidence = read_frame(make(DATA), kind="responses", name="mine")
    assert evidence.table.column("item").to_pylist() == ["1", "2"]
    assert evidence.table.column("score").to_pylist() == [1.0, 0.0]
    assert evidence.provenance.sources[0].name == "mine"
    assert evidence.provenance.account.dropped == 1


def test_mixed_pandas_column():
    frame = pd.DataFrame({**DATA, "item": [1, "x", None], "extra": [1, "y", 2.5]})
    evidence = read_frame(frame, kind=None)
    assert evidence.table.column("item").to_pylist() == ["1", "x"]


def test_frame_with_mapping_is_not_changed():
    frame = pd.DataFrame(DATA).rename(columns={"model": "who"})
    before = frame.copy()
    read_frame(frame, kind="responses", options=ReadOptions(mapping={"model": "who"}))
    pd.testing.assert_frame_equal(frame, before)


def test_infinite_score():
    frame = pa.table({"item": ["1"], "model": ["m"], "score": [float("inf")]})
    with pytest.raises(CellError, match="<frame>, row 1, column 'score'"):
        read_frame(frame, kind="responses")


def test_not_a_frame():
    with pytest.raises(InputError, match="got dict"):
        read_frame({"item": [1]}, kind=None)


def test_written_evidence_reads_back(tmp_path):
    votes = pa.table({"model_a": ["x"], "model_b": ["y"], "n_a": [2], "n_b": [1]})
    evidence = read_frame(votes, kind="votes")
    (path,) = write_evidence(evidence, tmp_path)
    assert path == tmp_path / "evidence" / "votes.parquet"
    (again,) = read_path(path)
    assert again.table.equals(evidence.table)
    assert not again.order_known
    assert [p.name for p in path.parent.iterdir()] == ["votes.parquet"]
    assert any("imported before from <frame>" in n for n in again.provenance.notices)


def test_written_evidence_remembers_what_was_dropped(tmp_path):
    write_evidence(read_frame(pa.table(DATA), kind="responses"), tmp_path)
    (again,) = read_path(tmp_path)
    assert again.provenance.account.dropped == 0
    assert any("3 rows read, 1 dropped (no item: 1)" in n for n in again.provenance.notices)


def test_unwritable_folder_leaves_nothing(tmp_path):
    (tmp_path / "evidence").write_text("in the way")
    evidence = read_frame(pa.table(DATA), kind="responses")
    with pytest.raises(SourceError, match="cannot be written"):
        write_evidence(evidence, tmp_path)
    assert (tmp_path / "evidence").read_text() == "in the way"
