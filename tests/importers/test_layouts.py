"""Pair counts, leaderbot's JSON and wide tables."""

import json

import pytest

from caveat.errors import CellError, InputError, SourceError, UnrecognisedError
from caveat.importers.reading import read_path

PAIRS = "model_a,model_b,n_a,n_b,n_tie,n_both_bad\nx,y,3,1,0,2\ny,z,0,0,5,0\n"
COUNTS = {"models": ["x", "y", "z"], "X": [[0, 1], [1, 2]], "Y": [[3, 1, 0, 2], [0, 0, 5, 0]]}
EXPECTED = {("x", "y", "a"): 3, ("x", "y", "b"): 1, ("x", "y", "both_bad"): 2, ("y", "z", "tie"): 5}


def _counts(evidence):
    rows = evidence.table.to_pylist()
    return {(r["model_a"], r["model_b"], r["outcome"]): r["count"] for r in rows}


@pytest.mark.parametrize("content", [PAIRS, json.dumps(COUNTS), json.dumps(COUNTS, indent=2)])
def test_pair_counts(write, read, content):
    evidence = read(write("c", content))
    assert _counts(evidence) == EXPECTED
    assert not evidence.order_known
    # 2 pairs x 4 outcomes are 8 cells, 4 of them 0.
    account = evidence.provenance.account
    assert (account.rows_read, account.kept) == (8, 4)
    assert [d.reason for d in account.drops] == ["count is 0"]


def test_pair_counts_without_both_bad(write, read):
    evidence = read(write("c.csv", "model_a,model_b,n_a,n_b\nx,y,3,1\n"))
    assert len(evidence) == 2


def test_negative_pair_count_names_the_cell(write, read):
    with pytest.raises(CellError, match="row 2, column 'n_b'"):
        read(write("c.csv", PAIRS.replace("y,z,0,0", "y,z,0,-4")))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"X": [[0, 1], [1, 9]]}, "places in models"),
        ({"X": [[0, 1]]}, "as many rows"),
        ({"Y": [[1, 2], [3, 4]]}, "3 or 4 columns"),
        ({"Y": [["a", 1, 1, 1]]}, "rows of numbers"),
        ({"Y": [[-1, 1, 1, 1], [1, 1, 1, 1]]}, "whole number"),
        ({"X": [[0, 0], [1, 2]]}, "a model cannot meet itself"),
    ],
)
def test_damaged_leaderbot_counts(write, read, change, words):
    with pytest.raises(InputError, match=words):
        read(write("c.json", json.dumps({**COUNTS, **change})))


def test_cut_leaderbot_counts(write, read):
    with pytest.raises(SourceError, match="cut short"):
        read(write("c.json", json.dumps(COUNTS)[:-4]))


def test_wide_predictions(write, read):
    evidence = read(write("w.csv", "item,task,gold,m1,m2\n1,t,A,A,B\n2,t,B,,B\n"))
    rows = {
        (r["item"], r["model"]): (r["prediction"], r["score"]) for r in evidence.table.to_pylist()
    }
    assert rows == {("1", "m1"): ("A", 1.0), ("1", "m2"): ("B", 0.0), ("2", "m2"): ("B", 1.0)}
    # The empty cell may be an unreadable answer or none: it is missing, not wrong.
    assert evidence.provenance.account.rows_read == 4
    assert evidence.provenance.account.drops[0].reason == "no prediction"


def test_wide_scores(write, read):
    evidence = read(write("w.csv", "question_id,m1,m2\n1,0.5,1\n2,0,0\n"))
    assert evidence.table.column("score").to_pylist() == [0.5, 0.0, 1.0, 0.0]
    assert any("as scores" in n for n in evidence.provenance.notices)


def test_a_table_about_items_is_not_wide(write, read):
    with pytest.raises(UnrecognisedError):
        read(write("w.csv", "id,title,length\n1,foo,30\n2,bar,51\n"))


def test_wide_with_kind_given(write):
    path = write("w.csv", "item,m1,m2\n1,A,B\n")
    (evidence,) = read_path(path, kind="responses")
    assert len(evidence) == 2
    with pytest.raises(InputError):
        read_path(path, kind="votes")
