"""AlpacaEval 0.6.6: annotations as it writes them, and tables of items against one baseline."""

import json

import pytest

import caveat
from caveat.data.paired import paired_columns
from caveat.errors import CellError


def _annotation(preference, **changes):
    return {
        "instruction": "Say hello.", "output_1": "Hello.", "generator_1": "reference",
        "dataset": "helpful_base", "output_2": "Hi!", "generator_2": "candidate",
        "annotator": "weighted_alpaca_eval_gpt4_turbo", "preference": preference,
        "preference_date": "2026-11-30T17:10:11", "preference_version": "alpaca_eval==0.6.6",
        "preference_raw_completion": {"text": "M"}, "preference_time_per_example": 0.2,
        "preference_price_per_example": 0.004, **changes,
    }  # fmt: skip


def test_annotations(write, read):
    # 1.466 is 46.6 % for the second answer; 0 and 1.5 are draws; null is unparsed.
    rows = [_annotation(p) for p in (1.466, 1.9, 1.5, 0, None, 1)]
    evidence = read(write("annotations.json", json.dumps(rows, indent=2)))
    assert evidence.provenance.sources[0].importer == "json, alpaca_eval"
    table = evidence.table
    assert set(table.column("model_a").to_pylist()) == {"reference"}
    assert set(table.column("model_b").to_pylist()) == {"candidate"}
    assert table.column("outcome").to_pylist() == ["a", "b", "tie", "tie", "a"]
    assert table.column("win_probability_b").to_pylist() == pytest.approx([0.466, 0.9, 0.5, 0.5, 0])
    assert set(table.column("judge").to_pylist()) == {"weighted_alpaca_eval_gpt4_turbo"}
    assert len(set(table.column("item").to_pylist())) == 1
    (chars,) = paired_columns(table)
    assert (chars.a.tolist(), chars.b.tolist()) == ([6] * 5, [3] * 5)
    assert not evidence.order_known
    # 0.004 dollars is what the judge cost, not the models
    assert set(table.column("judge_cost_usd").to_pylist()) == {0.004}
    assert "cost_usd" not in table.column_names
    assert not {"output_1", "instruction", "preference_date"} & set(table.column_names)
    (drop,) = evidence.provenance.account.drops
    assert (drop.reason, drop.count) == ("the judge's preference could not be read (null)", 1)


@pytest.mark.parametrize("preference", [0.5, 2.1, -1, "much"])
def test_a_preference_outside_its_scale(write, read, preference):
    path = write("a.json", json.dumps([_annotation(1.2), _annotation(preference)]))
    with pytest.raises(CellError, match="row 2, column 'preference': must be 1"):
        read(path)
    assert len(read(path, bad_rows="drop")) == 1


ITEMS = """model,baseline,item,category,preference,chars,chars_baseline,bold
m,base,0,help,0.8,10,20,3
m,base,1,help,0.25,30,20,1
base,base,0,help,0.5,20,20,0
"""


def test_items_against_a_baseline(write, read):
    evidence = read(write("items.csv", ITEMS))
    table = evidence.table
    assert table.select(["model_a", "model_b", "outcome", "item", "task"]).to_pylist() == [
        {"model_a": "base", "model_b": "m", "outcome": "b", "item": "0", "task": "help"},
        {"model_a": "base", "model_b": "m", "outcome": "a", "item": "1", "task": "help"},
    ]
    (chars,) = paired_columns(table)
    assert (chars.name, chars.a.tolist(), chars.b.tolist()) == ("chars", [20, 20], [10, 30])
    (drop,) = evidence.provenance.account.drops
    assert (drop.reason, drop.count) == ("the baseline against itself", 1)
    with pytest.raises(CellError, match=r"must be a probability, from 0 to 1, got '1\.2'"):
        read(write("bad.csv", ITEMS.replace("0.8", "1.2")))


@pytest.mark.shared
def test_real_items(shared):
    import pyarrow.parquet as pq

    path = shared / "votes/alpaca_eval2_items.parquet"
    votes = caveat.read_votes(path)
    # 58 models, the baseline among them, on 805 items of which six models lack one to three
    assert votes.provenance.account.rows_read == 58 * 805 - 10
    assert {d.reason: d.count for d in votes.provenance.account.drops} == {
        "the baseline against itself": 805
    }
    assert [p.name for p in paired_columns(votes.table)] == ["chars", "lists", "headers", "bold"]
    frame = pq.read_table(path).to_pandas()
    rows = votes.table.to_pandas()
    for model in ("phi-2", "minotaur-13b"):
        mine, theirs = rows[rows.model_b == model], frame[frame.model == model]
        assert (mine.outcome == "b").sum() == (theirs.preference > 0.5).sum()
        assert (mine.outcome == "tie").sum() == (theirs.preference == 0.5).sum()
        assert mine.win_probability_b.mean() == pytest.approx(theirs.preference.mean(), rel=1e-6)
