"""The doctor says what a command would stop at and what would be dropped."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import caveat
from caveat.cli import main
from caveat.cli.doctor import SHOWN_PROBLEMS, _lines
from caveat.errors import CaveatError
from caveat.importers.inspecting import Inspection
from caveat.workflows.doctor import doctor

VOTES = "model_a,model_b,winner\nx,y,a\ny,x,a\n"


def _parquet():
    sink = io.BytesIO()
    table = pa.table({"item": [str(n) for n in range(9)], "model": ["m"] * 9, "score": [1.0] * 9})
    pq.write_table(table, sink, compression="none")
    data = bytearray(sink.getvalue())
    data[4:60] = bytes(56)
    return bytes(data)


def _examined(path):
    (found,) = doctor([path])
    return found


def test_nothing_wrong(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text(VOTES)
    found = _examined(path)
    assert (found.problems, found.refused, found.supports) == ((), "", ("rank",))


@pytest.mark.parametrize(
    "content",
    [
        VOTES + "x,z,draw\n",
        VOTES + "x,x,tie\n",
        "model_a,model_b,winner,n\nx,y,a,-1\n",
        "item,model,score\n1,m,inf\n",
        "item,model,score\n1,m,much\n",
        "item,model,score\n1,m,1\n1,m,0\n",
        VOTES + "x,y\n",
        VOTES + "x,\xff,tie\n",
        '{"model_a": "x", "model_b": "y", "winner": "a"}\n{"model_a"',
        _parquet(),
        "",
        "[]",
        "model_a,model_b,winner\n",
        "foo,bar\n1,2\n",
        "item,gpt,claude\n1,100,0\n2,0,100\n",
    ],
)
def test_it_tells_the_error_that_the_next_command_stops_at(tmp_path, content):
    path = tmp_path / "source"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("latin-1"))
    found = _examined(path)
    with pytest.raises(CaveatError) as caught:
        caveat.read(path)
    assert found.refused == found.problems[0] == str(caught.value)


def test_it_counts_what_would_be_dropped(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text(VOTES + "x,z,draw\n,x,a\nx,x,a\n,y,a\n")
    found = _examined(path)
    assert "row 3, column 'winner'" in found.refused
    assert len(found.problems) == 4
    assert f"2 of 6 rows cannot be used: no first model (first: {path}, row 4; {path}, row 6)" in (
        found.problems
    )


def test_dropped_rows_alone_are_told_but_not_refused(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text(VOTES + ",x,a\n")
    found = _examined(path)
    assert not found.refused
    assert len(found.problems) == 1


def test_cells_of_zero_are_no_problem(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text("model_a,model_b,n_a,n_b\nx,y,3,0\n")
    assert _examined(path).problems == ()


def test_a_folder_is_read_as_commands_read_it(tmp_path):
    (tmp_path / "v.csv").write_text(VOTES)
    (tmp_path / "notes.txt").write_text("nothing\n")
    found = _examined(tmp_path)
    assert not found.refused
    assert any("passed over" in n for n in found.notices)
    (tmp_path / "copy.csv").write_text(VOTES)
    assert "holds the same bytes" in _examined(tmp_path).refused


def test_exit_codes_and_json(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.csv").write_text(VOTES)
    (tmp_path / "bad.csv").write_text(VOTES + "x,z,draw\n")
    codes = []
    for name in ("good.csv", "bad.csv"):
        codes.append(main(["doctor", name, "--json"]))
        (inspection,) = json.loads(capsys.readouterr().out)["inspections"]
        assert bool(inspection["refused"]) == (name == "bad.csv")
    assert codes == [0, 2]


def test_many_problems_are_cut():
    found = Inspection(name="x", size=1, problems=tuple(map(str, range(SHOWN_PROBLEMS + 3))))
    lines = list(_lines(found))
    assert sum("problem: " in line for line in lines) == SHOWN_PROBLEMS
    assert lines[-1] == "  and 3 more kinds of problem"


def test_progress_is_told(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text(VOTES)
    told = []
    doctor([path], progress=lambda *step: told.append(step))
    assert told[-1] == (f"reading {path}", len(VOTES), len(VOTES))
