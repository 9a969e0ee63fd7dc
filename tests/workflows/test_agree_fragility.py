"""Comparisons about how firm an order is, from responses to parts."""

import random

import pyarrow as pa
import pytest

from caveat.data.evidence import Evidence
from caveat.reports.agree import choices as choices_section
from caveat.reports.agree import item_ranks, item_removal
from caveat.results.comparison.choices import Choices
from caveat.results.comparison.item_removal import ItemRemoval
from caveat.results.comparison.rank_intervals import RankIntervals
from caveat.results.comparison.winner import WinnersCurse
from caveat.workflows.agree import agree_all
from caveat.workflows.options import Options

LETTERS = "ABCD"


def rows(shares, *, items=60, seed=0):
    rng = random.Random(seed)
    return [
        {
            "benchmark": "quiz",
            "item": f"q{k:03d}",
            "model": model,
            "task": f"t{k % 3}",
            "target": LETTERS[k % 4],
            "prediction": LETTERS[k % 4] if rng.random() < share else LETTERS[(k + 1) % 4],
        }
        for model, share in shares.items()
        for k in range(items)
    ]


def evidence(listed):
    for row in listed:
        row.setdefault("score", float(row["prediction"] == row["target"]))
        row.setdefault("status", "scored" if row["prediction"] else "unparsed")
    names = list(dict.fromkeys(name for row in listed for name in row))
    columns = {}
    for name in names:
        values = [row.get(name) for row in listed]
        kind = pa.float64() if name in ("score", "n_options") else pa.string()
        column = pa.array(values, kind)
        columns[name] = column if kind == pa.float64() else column.dictionary_encode()
    return Evidence(kind="responses", table=pa.table(columns))


def found(listed, **options):
    (bench,) = agree_all(evidence(listed), options=Options(**options))
    return bench


def test_all_parts_are_made_and_shown():
    bench = found(rows({"a": 0.9, "b": 0.6, "c": 0.3}), pairs=(("c", "b"), ("a", "elsewhere")))
    removal = bench.part(ItemRemoval)
    assert [(pair.a, pair.b) for pair in removal.pairs] == [("b", "c")]
    assert [flip.above for flip in bench.part(Choices).pairs] == ["b"]
    assert bench.part(RankIntervals).best == ("a",)
    assert bench.part(WinnersCurse).model == "a"
    for module in (item_ranks, item_removal, choices_section):
        section = module.section(bench)
        assert section.tables
        assert section.plots
        assert all(sentence.endswith(".") for sentence in section.sentences)
        assert "nan" not in " ".join(section.sentences)


def test_another_column_of_predictions_is_a_reading():
    listed = rows({"a": 0.8, "b": 0.6})
    for row in listed:
        row["prediction_strict"] = None if row["model"] == "a" else row["prediction"]
    listed[0]["prediction_strict"] = listed[0]["prediction"]
    part = found(listed).part(Choices)
    reading = next(one for one in part.choices if one.name == "reading")
    assert reading.levels == ("as read", "strict")
    assert reading.firsts == ("a", "b")
    assert (("reading", "strict"),) in [one.changes for one in part.first_place.sets]


def test_metrics_and_filters_of_one_answer_are_readings():
    listed = []
    for row in rows({"a": 0.8, "b": 0.6}):
        right = float(row["prediction"] == row["target"])
        listed += [
            {**row, "metric": "exact", "filter": "none", "score": right},
            {**row, "metric": "kind", "filter": "none", "score": float(row["model"] == "b")},
            {**row, "metric": "exact", "filter": "other", "score": 1.0 - right},
        ]
    part = found(listed, metric="exact", filter="none").part(Choices)
    reading = next(one for one in part.choices if one.name == "reading")
    assert set(reading.levels[1:]) == {"other", "kind"}
    assert reading.firsts == ("a", "b", "b")


def test_items_of_several_golds_can_be_left_out():
    listed = rows({"a": 0.8, "b": 0.6})
    listed[0]["target"] = "D"
    items = next(one for one in found(listed).part(Choices).choices if one.name == "items")
    assert "without gold conflicts" in items.levels


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_models_alike_are_said_to_be(share):
    bench = found(rows({"a": share, "b": share, "c": share}))
    assert len(bench.part(RankIntervals).best) == 3
    assert bench.part(WinnersCurse).reason
    assert item_removal.section(bench) is not None
    assert item_ranks.section(bench) is not None


def test_what_cannot_be_compared_is_untested_with_a_reason():
    alone = found(rows({"a": 0.5}))
    assert alone.part(ItemRemoval) is None
    apart = [
        row for row in rows({"a": 0.5, "b": 0.5}) if (row["item"] < "q030") == (row["model"] == "a")
    ]
    told = {one.part: one.why for one in found(apart).untested}
    assert {"item_removal", "rank_intervals", "winner"} <= set(told)
    assert all(told.values())
    one_item = found(rows({"a": 1.0, "b": 0.0}, items=1))
    assert one_item.part(RankIntervals) is None
    assert one_item.part(ItemRemoval).first_place().number is None


def test_many_level_models_have_a_section_too():
    bench = found(rows({f"m{k}": 0.5 for k in range(12)}, items=30))
    section = item_ranks.section(bench)
    assert "12 models" in section.sentences[0]
