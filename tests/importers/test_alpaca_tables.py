"""AlpacaEval's outputs and leaderboards."""

import json

import pytest

COLUMNS = (
    ",win_rate,standard_error,n_wins,n_wins_base,n_draws,n_total,discrete_win_rate,mode,"
    "length_controlled_winrate,lc_standard_error\n"
)
LEADERBOARD = f"""{COLUMNS}m1,46.5,1.7,370,430,5,805,46.3,community,50.1,0.4
m2,5.1,0.7,40,765,0,805,5.0,minimal,,
"""


def _rows(evidence, *names):
    return [tuple(row.values()) for row in evidence.table.select(list(names)).to_pylist()]


def test_outputs(write, read):
    rows = [
        {"instruction": "Say hello.", "output": "Hello.", "generator": m, "dataset": "d"}
        for m in ("m1", "m2")
    ]
    long = {**rows[0], "output": "x" * 5000, "instruction": "Write a book."}
    evidence = read(write("o.json", json.dumps([*rows, long])))
    assert evidence.provenance.sources[0].importer == "json, alpaca_outputs"
    assert _rows(evidence, "benchmark", "model", "task", "prediction", "status")[:2] == [
        ("alpaca_eval", "m1", "d", "Hello.", "unscored"),
        ("alpaca_eval", "m2", "d", "Hello.", "unscored"),
    ]
    items = [item for (item,) in _rows(evidence, "item")]
    assert items[0] == items[1] != items[2]
    assert len(evidence.table.column("prediction")[2].as_py()) < 200


def test_leaderboards_are_published_scores_not_votes(write, read):
    evidence = read(write("leaderboard.csv", LEADERBOARD))
    assert (evidence.kind, evidence.provenance.sources[0].importer) == (
        "published", "csv, alpaca_leaderboard",
    )  # fmt: skip
    assert sorted(_rows(evidence, "model", "metric", "value", "n", "se")) == [
        ("m1", "discrete_win_rate", 46.3, 805, None),
        ("m1", "length_controlled_winrate", 50.1, 805, 0.4),
        ("m1", "win_rate", 46.5, 805, 1.7),
        ("m2", "discrete_win_rate", 5.0, 805, None),
        ("m2", "win_rate", 5.1, 805, 0.7),
    ]
    (drop,) = evidence.provenance.account.drops
    assert (drop.reason, drop.count) == ("no value", 1)


@pytest.mark.shared
def test_its_own_win_rates(shared, read):
    folder = shared / "formats/alpaca_eval/res/weighted_alpaca_eval_gpt4_turbo"
    votes = read(folder / "annotations.json").table
    published = dict(_rows(read(folder / "leaderboard.csv"), "metric", "value"))
    probability = votes.column("win_probability_b").to_pylist()
    assert 100 * sum(probability) / 6 == pytest.approx(published["win_rate"])
    outcomes = votes.column("outcome").to_pylist()
    assert 100 * outcomes.count("b") / 6 == published["discrete_win_rate"]
    # trap: the price in the file is the judge's
    assert "cost_usd" not in votes.column_names
    assert min(votes.column("judge_cost_usd").to_pylist()) > 0
