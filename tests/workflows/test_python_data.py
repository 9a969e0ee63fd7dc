"""Plain Python as a source: columns, records, and what is neither."""

import numpy as np
import pandas as pd
import pytest

import caveat
from caveat.errors import InputError

VOTE = {"model_a": "x", "model_b": "y", "winner": "a"}
COLUMNS = {name: [cell] for name, cell in VOTE.items()}


def test_a_list_of_records_is_one_table():
    votes = caveat.read_votes([VOTE, {**VOTE, "winner": "b", "late": 1}])
    assert len(votes) == 2
    assert len(votes.provenance.sources) == 1
    assert votes.table["late"].to_pylist() == [None, 1]


def test_a_list_of_frames_stays_a_list_of_frames(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("model_a,model_b,winner\nx,y,tie\n")
    votes = caveat.read_votes([COLUMNS, pd.DataFrame(COLUMNS), str(path)])
    assert len(votes.provenance.sources) == len(votes) == 3
    assert len(caveat.read_votes([COLUMNS, COLUMNS])) == 2


def test_columns_of_mixed_types_become_text():
    rows = {"item": [1, "x"], "model": pd.Series(["m", "m"]), "score": [np.float64(1), None]}
    table = caveat.read_responses(rows).table
    assert table["item"].to_pylist() == ["1", "x"]
    assert table["score"].to_pylist() == [1.0, None]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "source must be a path, got ''"),
        ([""], "source must be a path, got ''"),
        (VOTE, "column 'model_a' must be a sequence of cells, got str 'x'"),
        ({**COLUMNS, "winner": None}, "column 'winner' must be a sequence of cells, got NoneType"),
        ({**COLUMNS, "winner": ["a", "b"]}, "columns must be of one length, got 'model_a': 1"),
        ({1: ["x"]}, "column names must be text, got 1"),
        ([{**VOTE, "winner": ["a"]}], "column 'winner': must hold single values"),
    ],
)
def test_what_is_no_table_is_explained(source, words):
    with pytest.raises(InputError, match=words):
        caveat.read(source)
    with pytest.raises(InputError, match=words):
        caveat.rank(source)
