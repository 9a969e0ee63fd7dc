import json

import pytest

from caveat.errors import CellError


def _battle(**changes):
    turns = [
        {"role": "user", "content": "q", "num_tokens": 100},
        {"role": "assistant", "content": "a", "num_tokens": 4},
        {"role": "assistant", "content": "b", "num_tokens": 5},
    ]
    return {
        "question_id": "c1", "model_a": "x", "model_b": "y", "winner": "model_a",
        "judge": "arena_user_1", "conversation_a": turns, "conversation_b": turns[:2],
        "turn": 2, "anony": True, "language": "English", "tstamp": 1.5, **changes,
    }  # fmt: skip


BATTLES = [
    _battle(),
    _battle(question_id="c2", winner="tie (bothbad)", judge=["gpt-4", "pair-v2"]),
    _battle(question_id="c3", winner="model_b", judge="gpt-4", conversation_b=[]),
    _battle(question_id="c4", winner="tie"),
]


@pytest.mark.parametrize(
    "content",
    [json.dumps(BATTLES, indent=1), "\n".join(map(json.dumps, BATTLES))],
    ids=["array", "lines"],
)
def test_battles(write, read, content):
    evidence = read(write("battles", content))
    assert evidence.provenance.sources[0].importer == "fastchat"
    table = evidence.table
    assert table.column("outcome").to_pylist() == ["a", "both_bad", "b", "tie"]
    assert table.column("voter").to_pylist() == ["arena_user_1", None, None, "arena_user_1"]
    assert table.column("judge").to_pylist() == [None, "gpt-4/pair-v2", "gpt-4", None]
    # 4 + 5 tokens of the assistant's turns; the user's 100 do not count.
    assert table.column("tokens_a").to_pylist() == [9, 9, 9, 9]
    assert table.column("tokens_b").to_pylist() == [4, 4, None, 4]
    assert table.column("battle").to_pylist() == ["c1", "c2", "c3", "c4"]
    assert "conversation_a" not in table.column_names
    assert table.column("anony").to_pylist() == [True] * 4


def test_unknown_winner(write, read):
    path = write("b.json", json.dumps([_battle(), _battle(winner="error")]))
    with pytest.raises(CellError, match="row 2, column 'winner'"):
        read(path)
    assert len(read(path, bad_rows="drop")) == 1


def test_more_than_one_block(write, read):
    many = [_battle(question_id=f"c{n}", note="é" * 200) for n in range(5000)]
    assert len(read(write("b.json", json.dumps(many, ensure_ascii=False)))) == 5000
