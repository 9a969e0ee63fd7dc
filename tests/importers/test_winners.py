"""Winners written as the name of a model, and what to do about other words."""

import json

import pytest

from caveat.data.schema import OUTCOMES
from caveat.errors import CellError, InputError

HEAD = "model_a,model_b,winner\n"


def test_a_winner_named_by_its_model_is_its_side(write, read):
    evidence = read(write("v.csv", HEAD + "x,y,x\nx,y,y\ny,x,x\ny,x,model_a\nx,y,tie\n"))
    assert evidence.table["outcome"].to_pylist() == ["a", "b", "b", "a", "tie"]
    assert any("3 rows name the winning model" in n for n in evidence.provenance.notices)


def test_names_are_matched_as_ids_are(write, read):
    rows = [{"model_a": "caf\u00e9", "model_b": 7, "winner": w} for w in ("cafe\u0301", 7)]
    evidence = read(write("v.jsonl", "\n".join(map(json.dumps, rows))))
    assert evidence.table["outcome"].to_pylist() == ["a", "b"]


def test_a_model_of_another_row_is_no_winner(write, read):
    path = write("v.csv", HEAD + "y,z,y\nx,y,z\n")
    with pytest.raises(CellError, match="row 2, column 'winner'"):
        read(path)
    evidence = read(path, bad_rows="drop")
    assert (len(evidence), evidence.provenance.account.dropped) == (1, 1)
    assert "z" in evidence.table["model_b"].to_pylist()


@pytest.mark.parametrize("name", ["tie", "Model_A", *OUTCOMES])
def test_a_model_called_like_an_outcome_is_refused_beside_names(write, read, name):
    path = write("v.csv", HEAD + f"x,y,x\nx,{name},tie\n")
    with pytest.raises(InputError, match=r"a model is called .*, like an outcome; write a, b"):
        read(path)
    assert len(read(write("w.csv", HEAD + f"x,y,a\nx,{name},tie\n"))) == 2


def test_an_unknown_outcome_says_what_to_do(write, read):
    words = "write a or b: whether model_a or model_b won; bad_rows='drop' .--bad-rows drop."
    with pytest.raises(CellError, match=words):
        read(write("v.csv", HEAD + "x,y,draw\n"))


@pytest.mark.parametrize("text", ["item,model,score\n1,m,much\n", "item,model,score\n1,m\n"])
def test_a_bad_cell_says_how_to_leave_it_out(write, read, text):
    with pytest.raises(CellError, match="--bad-rows drop"):
        read(write("r.csv", text))


def test_an_empty_array_holds_no_rows(write, read):
    with pytest.raises(InputError, match="holds no rows"):
        read(write("v.json", " [ ]\n"))
