"""Judgments of MT-bench: ratings of 1 to 10, and two orders of each pair."""

import json

import pytest

from caveat.errors import CellError


def _rating(question, turn, score, model="m", judge=("gpt-4", "single-v1")):
    return {"question_id": question, "model": model, "judge": list(judge), "user_prompt": "?",
            "judgment": "Rating", "score": score, "turn": turn, "tstamp": 1.5}  # fmt: skip


def _pair(question, first, second, turn=1, **more):
    return {"question_id": question, "model_1": "x", "model_2": "y", "g1_winner": first,
            "g2_winner": second, "judge": ["gpt-4", "pair-v2"], "g1_judgment": "[[A]]",
            "turn": turn, "tstamp": 1.5, **more}  # fmt: skip


def _lines(*records):
    return "\n".join(map(json.dumps, records))


def _rows(evidence, *names):
    return [tuple(row.values()) for row in evidence.table.select(list(names)).to_pylist()]


RATINGS = [_rating(81, 1, 7), _rating(81, 2, 9.5), _rating(82, 1, -1), _rating(82, 2, 10)]


@pytest.mark.parametrize("text", [_lines(*RATINGS), json.dumps(RATINGS)], ids=["lines", "array"])
def test_ratings_keep_their_scale_and_both_turns(write, read, text):
    evidence = read(write("gpt-4_single.jsonl", text))
    assert evidence.provenance.sources[0].importer == "mt_bench_single"
    assert _rows(evidence, "item", "cluster", "metric", "score", "status") == [
        ("81, turn 1", "81", "gpt-4", 7.0, "scored"),
        ("81, turn 2", "81", "gpt-4", 9.5, "scored"),
        ("82, turn 1", "82", "gpt-4", None, "unparsed"),
        ("82, turn 2", "82", "gpt-4", 10.0, "scored"),
    ]
    assert any("1 ratings could not be read" in n for n in evidence.provenance.notices)
    assert "judgment" not in evidence.table.column_names


def test_two_judges_are_two_metrics(write, read):
    other = _rating(81, 1, 3, judge=("claude", "single-v1"))
    evidence = read(write("s.jsonl", _lines(RATINGS[0], other)))
    assert _rows(evidence, "metric", "judge_template") == [
        ("gpt-4", "single-v1"),
        ("claude", "single-v1"),
    ]


@pytest.mark.parametrize("score", [0, 11, -2])
def test_ratings_off_the_scale(write, read, score):
    path = write("s.jsonl", _lines(RATINGS[0], _rating(83, 1, score)))
    with pytest.raises(CellError, match="row 2, column 'score': must be a rating from 1 to 10"):
        read(path)
    assert len(read(path, bad_rows="drop")) == 1


def test_two_orders_are_two_votes_of_one_battle(write, read):
    # 81: x wins whatever the order; 82: whoever is shown first wins; 83: tie, and one unread
    lines = _lines(
        _pair(81, "model_1", "model_1"), _pair(82, "model_1", "model_2"), _pair(83, "tie", "error")
    )
    evidence = read(write("gpt-4_pair.jsonl", lines))
    assert evidence.provenance.sources[0].importer == "mt_bench_pair"
    assert _rows(evidence, "model_a", "model_b", "outcome", "item") == [
        ("x", "y", "a", "81"),
        ("y", "x", "b", "81"),
        ("x", "y", "a", "82"),
        ("y", "x", "a", "82"),
        ("x", "y", "tie", "83"),
    ]
    battles = [battle for (battle,) in _rows(evidence, "battle")]
    assert battles[0] == battles[1] != battles[2]
    assert evidence.order_known
    (drop,) = evidence.provenance.account.drops
    assert (drop.reason, drop.count) == ("the judge's verdict could not be read (error)", 1)


def test_verdicts_made_of_two_ratings_are_one_vote(write, read):
    rated = _pair(81, "model_2", "model_2", m1_score=3, m2_score=8)
    evidence = read(write("p.jsonl", _lines(rated)))
    assert _rows(evidence, "model_a", "model_b", "outcome") == [("x", "y", "b")]
    assert any("1 verdicts were made out of two ratings" in n for n in evidence.provenance.notices)


@pytest.mark.parametrize("winner", ["A", None, [], {}])
def test_unknown_winners(write, read, winner):
    path = write("p.jsonl", _lines(_pair(81, "model_1", winner)))
    with pytest.raises(CellError, match=r"g2_winner.*must be model_1, model_2, tie or error"):
        read(path)
    assert len(read(path, bad_rows="drop")) == 1


@pytest.mark.shared
def test_real_judgments(shared, read):
    folder = shared / "formats/fastchat/mtb"
    assert read(folder / "gpt-4_single.jsonl").table.column("score").to_pylist() == [7, 7]
    # show_result.py calls a verdict that turns with the order a tie: 0.5 for either
    pair = read(folder / "gpt-4_pair.jsonl")
    assert _rows(pair, "model_a", "outcome") == [("mock-strong", "a"), ("mock-weak", "a")]
