import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
import vl_convert

from caveat.data.evidence import Evidence
from caveat.data.matrix import response_matrix
from caveat.reports.agree import crowd as crowd_section
from caveat.reports.agree import items as items_section
from caveat.reports.plots.crowd import majority_plot, votes_plot
from caveat.reports.plots.item_map import item_map
from caveat.reports.tables.items import items_table
from caveat.stats.comparison.crowd import crowd
from caveat.stats.comparison.items import items

HERE = Path(__file__).parents[2]


def load(path):
    found = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def answers(rows):
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    table = {
        name: pa.array(
            [float(v) for v in values] if name == "n_options" else [str(v) for v in values]
        )
        for name, values in columns.items()
    }
    table["benchmark"] = pa.array(["quiz"] * len(rows))
    table["status"] = pa.array(["scored"] * len(rows))
    table["score"] = pa.array(
        [float(p == t) for p, t in zip(columns["prediction"], columns["target"], strict=True)]
    )
    coded = {
        name: values.dictionary_encode() if pa.types.is_string(values.type) else values
        for name, values in table.items()
    }
    return response_matrix(Evidence(kind="responses", table=pa.table(coded)), "quiz")


class Bench:
    """What a section reads of the findings of a benchmark."""

    def __init__(self, *parts):
        self.parts = parts

    def part(self, kind):
        return next((part for part in self.parts if isinstance(part, kind)), None)


@pytest.fixture(name="matrix", scope="module")
def _matrix():
    simulated = load(HERE / "stats" / "comparison" / "test_items.py").simulated
    return answers(simulated(m=12, wrong_keys=2))


@pytest.fixture(name="found", scope="module")
def _found(matrix):
    return items(matrix)


@pytest.fixture(name="votes", scope="module")
def _votes(matrix):
    return crowd(matrix)


def everything(section):
    cells = [cell.text for table in section.tables for row in table.rows for cell in row]
    return " ".join([*section.sentences, *cells, section.finding])


def test_the_section_on_items_names_the_wrong_keys(found):
    section = items_section.section(Bench(found))
    assert "2 keys of 1" in section.finding
    assert "q000" in everything(section)
    assert all(sentence.endswith(".") for sentence in section.sentences)
    assert not section.finding.endswith(".")
    assert "nan" not in everything(section)
    first = section.tables[0].rows[0]
    assert [cell.text for cell in first][:3] == ["q000", "", "A"]


def test_the_table_of_items_says_who_was_wrong(found):
    table = items_table(found)
    assert table.live
    row = next(row for row in table.rows if row[0].text == "q000")
    assert row[-1].text == "7 of 12"
    assert row[-1].title == "m5, m6, m7, m8, m9, m10, m11"


def test_the_section_on_crowds_sets_the_vote_against_the_best(votes):
    section = crowd_section.section(Bench(votes))
    assert f"{100 * votes.best_single:.1f}%" in section.finding
    assert all(sentence.endswith(".") for sentence in section.sentences)
    assert "nan" not in everything(section)
    assert section.tables[1].rows[0][3].text == "\u2013"  # the best alone against itself


def test_plots_draw_and_hold_only_what_json_can(found, votes):
    for plot in (item_map(found), votes_plot(votes), majority_plot(votes)):
        json.dumps(plot.spec, allow_nan=False)
        svg = vl_convert.vegalite_to_svg(plot.spec | {"width": 500})
        assert svg.startswith("<svg")
        altair = pytest.importorskip("altair")
        altair.Chart.from_dict(plot.spec, validate=True)


def test_the_map_has_every_model_and_every_item(found):
    plot = item_map(found)
    assert len(plot.spec["data"]["values"]) == plot.n_rows == 12
    bars = plot.spec["layer"][0]["data"]["values"]
    assert sum(bar["items"] for bar in bars) == 120


def test_without_difficulties_there_is_no_map_but_a_section():
    rows = [
        {"item": f"q{i}", "model": m, "prediction": "A", "target": "A", "n_options": 4}
        for i in range(20)
        for m in "xyz"
    ]
    matrix = answers(rows)
    found, votes = items(matrix), crowd(matrix)
    assert item_map(found) is None
    section = items_section.section(Bench(found))
    assert section.plots == ()
    assert "Difficulty and ability are not estimated" in " ".join(section.sentences)
    assert "nothing tells them apart" in section.sentences[0]
    crowded = crowd_section.section(Bench(votes))
    assert "nan" not in everything(section) + everything(crowded)


def test_one_item_leaves_nothing_to_hold_out():
    rows = [
        {"item": "q", "model": m, "prediction": p, "target": "A", "n_options": 4}
        for m, p in zip("xyz", "ABB", strict=True)
    ]
    votes = crowd(answers(rows))
    assert votes_plot(votes) is None
    assert "nan" not in everything(crowd_section.section(Bench(votes)))


def test_sections_are_silent_without_their_results():
    assert items_section.section(Bench()) is None
    assert crowd_section.section(Bench()) is None


def test_no_wrong_key_is_said(found):
    sound = replace(found, suspected=0)
    said = " ".join(items_section.section(Bench(sound)).sentences)
    assert "not enough evidence against any" in said


def test_errors_that_avoid_each_other_are_not_counted_in_models():
    rows = [
        {"item": f"q{i}", "model": m, "prediction": p, "target": "A", "n_options": 4}
        for m, letters in (("x", "AABB"), ("y", "BBAA"))
        for i, p in enumerate(letters)
    ]
    section = crowd_section.section(Bench(crowd(answers(rows))))
    said = everything(section)
    assert section.finding.endswith("; errors avoid each other")
    assert "correlate by \u22121.00 on average: they avoid each other" in said
    assert "are worth" not in said


def test_items_that_all_get_right_split_nobody_and_are_not_listed():
    rows = [
        {"item": f"q{i}", "model": m, "prediction": "A", "target": "A", "n_options": 4}
        for i in range(20)
        for m in "xyz"
    ]
    section = items_section.section(Bench(items(answers(rows))))
    assert "splits" not in " ".join(section.sentences)
    (table,) = section.tables
    assert table.caption == "Abilities of the models"
    assert table.footnote.startswith("Ability, Interval \u2013: ")
