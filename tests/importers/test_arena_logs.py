"""Raw logs of FastChat's arena, and arena battles as tables."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from caveat.errors import CellError
from caveat.importers.fastchat_battles import pseudonym


def _event(kind="leftvote", *, models=("", ""), names=("x", "y"), said="4", ip="10.0.0.1", **more):
    states = [
        {"model_name": name, "conv_id": f"c-{name}", "offset": 0,
         "messages": [["user", "2 + 2?"], ["assistant", said]]}
        for name in names
    ]  # fmt: skip
    return {"tstamp": 1.5, "type": kind, "models": list(models), "states": states, "ip": ip, **more}


def _lines(*records):
    return "\n".join(map(json.dumps, records))


def _rows(evidence, *names):
    return [tuple(row.values()) for row in evidence.table.select(list(names)).to_pylist()]


def test_votes_of_a_log(write, read):
    kinds = ("leftvote", "rightvote", "tievote", "bothbad_vote")
    evidence = read(write("log", _lines(*map(_event, kinds))))
    assert evidence.provenance.sources[0].importer == "fastchat_log"
    assert _rows(evidence, "model_a", "model_b", "outcome", "battle", "chars_a", "anony")[:2] == [
        ("x", "y", "a", "c-x", 1, True),
        ("x", "y", "b", "c-x", 1, True),
    ]
    assert [row[0] for row in _rows(evidence, "outcome")] == ["a", "b", "tie", "both_bad"]
    assert "10.0.0.1" not in str(evidence.table.to_pydict())


def test_names_that_were_shown(write, read):
    shown = _event(models=("<h3>Model A: x</h3>\n", "<h3>Model B: y</h3>\n"))
    evidence = read(write("log", _lines(shown)))
    assert _rows(evidence, "model_a", "model_b", "anony") == [("x", "y", False)]


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (_event("chat"), "no vote"),
        (_event("upvote"), "no vote"),
        (_event(models=(None, "")), "does not name two models"),
        (_event(models=("x", "")), "names shown"),
        (_event(models=("z", "y")), "names shown"),
        (_event(said=""), "a message of the conversation is empty"),
        (_event(said="I am Claude"), "names a maker or a model"),
        (_event(said="**API REQUEST ERROR** Reason"), "an error message"),
        (_event(said="so ▌"), "not finished"),
    ],
)
def test_what_fastchat_does_not_count(write, read, event, reason):
    evidence = read(write("log", _lines(_event(), event)))
    (drop,) = evidence.provenance.account.drops
    assert reason in drop.reason
    assert drop.count == 1


def test_an_unknown_kind_of_vote_is_refused(write, read):
    path = write("log", _lines(_event(), _event("bothgood_vote")))
    with pytest.raises(CellError, match="row 2"):
        read(path)


def test_addresses_are_hidden():
    assert pseudonym("arena_user_10.0.0.1") == pseudonym("arena_user_10.0.0.1")
    assert pseudonym("arena_user_::1") != "arena_user_::1"
    assert pseudonym("arena_user_amuN7") == "arena_user_amuN7"


KAGGLE = """id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie
1,x,y,"[""hi""]",a,b,1,0,0
2,x,y,"[""hi""]",a,b,0,0,1
3,y,x,"[""ho""]",a,b,0,1,0
"""


def test_one_column_for_each_winner(write, read):
    evidence = read(write("train.csv", KAGGLE))
    assert evidence.provenance.sources[0].importer == "csv, kaggle_arena"
    assert _rows(evidence, "model_a", "model_b", "outcome") == [
        ("x", "y", "a"), ("x", "y", "tie"), ("y", "x", "b"),
    ]  # fmt: skip
    items = [item for (item,) in _rows(evidence, "item")]
    assert items[0] == items[1] != items[2]
    assert "response_a" not in evidence.table.column_names


@pytest.mark.parametrize("marks", ["1,1,0", "0,0,0", "0.4,0.3,0.3", "yes,0,0", ",0,0"])
def test_no_winner_or_several(write, read, marks):
    path = write("train.csv", KAGGLE.replace("0,1,0", marks))
    with pytest.raises(CellError, match=r"row 3.*exactly one must be 1"):
        read(path)
    assert len(read(path, bad_rows="drop")) == 2


def test_first_releases_as_a_table(tmp_path, read):
    table = pa.table(
        {
            "question_id": ["1", "2"],
            "model_a": ["x", "y"],
            "model_b": ["y", "x"],
            "winner": ["tie (bothbad)", "model_b"],
            "judge": ["arena_user_7", "gpt-4"],
            "conversation_a": [[{"role": "user", "content": "q"}]] * 2,
            "anony": [True, True],
            "tstamp": [1.0, 2.0],
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    evidence = read(tmp_path / "a.parquet")
    assert evidence.provenance.sources[0].importer == "parquet, fastchat_table"
    assert _rows(evidence, "outcome", "voter", "judge") == [
        ("both_bad", "arena_user_7", None),
        ("b", None, "gpt-4"),
    ]


def test_voters_of_the_100k_release(write, read):
    row = {"model_a": "x", "model_b": "y", "winner": "both_bad", "judge_hash": "v1",
           "conv_metadata": {"sum_assistant_a_tokens": 3}, "question_id": "1"}  # fmt: skip
    assert _rows(read(write("a.jsonl", _lines(row))), "voter", "outcome") == [("v1", "both_bad")]


@pytest.mark.shared
def test_a_log_gives_what_fastchat_cleans_it_to(shared, read):
    folder = shared / "formats/fastchat"
    names = ("model_a", "model_b", "outcome", "battle", "turn", "at", "anony")
    raw = _rows(read(folder / "raw_conv_log.jsonl"), *names)
    assert raw == _rows(read(folder / "clean_battle.json"), *names)
    assert len(raw) == 12
