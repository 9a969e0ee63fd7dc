"""Sections on noise, interchangeability, families and variants: words, tables and plots."""

import json
import runpy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import vl_convert

from caveat.reports.agree import families, interchange, noise, sensitivity
from caveat.reports.plots.dendrogram import branches
from caveat.reports.plots.disagreement_map import disagreement_map
from caveat.reports.tables.pairs import pair_table
from caveat.reports.tables.relatives import p_value
from caveat.results.comparison.interchange import Cluster, Interchange
from caveat.results.comparison.noise import NoiseFloor
from caveat.results.comparison.relatives import Relatives
from caveat.results.comparison.sensitivity import Sensitivity

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_noise.py"))


def found(part, kind, agreement=None):
    return SimpleNamespace(part={kind: part}.get, agreement=agreement)


def drawing(spec):
    wide = {"width": 500} if spec.get("width") == "container" else {}
    return vl_convert.vegalite_to_svg(spec | wide)


def check(plot):
    altair = pytest.importorskip("altair")
    altair.Chart.from_dict(plot.spec, validate=True)
    json.dumps(plot.spec, allow_nan=False)
    return drawing(plot.spec)


def test_without_the_part_there_is_no_section():
    nothing = SimpleNamespace(part={}.get)
    assert [m.section(nothing) for m in (noise, interchange, families, sensitivity)] == [None] * 4


def test_noise_is_said_with_its_source_and_what_is_borrowed():
    part = BUILD["noise"](2, 4, left_out={"prediction_x": "no text"})
    made = noise.section(found(part, NoiseFloor))
    assert made.sentences == (
        "A model (mean of 2), run again with other repeats, disagrees with itself on 20.0% of the "
        "items (15.0% to 26.0%): from 10.0% for B to 20.0% for A.",
        "Pairs are set against repeats. The noise of both models is known for 1 of 2 pairs; for "
        "the others, the mean of what is known stands in.",
        "Of 4 pairs within 5 points of score, 2 disagree no more than one model does with itself, "
        "as far as these items tell.",
        "The column prediction_x is not taken for a second reading: no text.",
    )
    assert made.finding.endswith("disagrees with itself on 20.0%; 2 of 4 matched pairs no more")
    svg = check(made.plots[0])
    assert "Within the floor" in svg
    assert "Beyond the floor" in svg


def test_pairs_of_a_borrowed_floor_are_counted_apart():
    part = replace(BUILD["noise"](3, 7), borrowed=5, borrowed_within=2)
    made = noise.section(found(part, NoiseFloor))
    assert made.sentences[2:] == (
        "Of 2 pairs within 5 points of score, the noise of both being known, 1 disagrees no more "
        "than one model does with itself, as far as these items tell.",
        "Of 5 other pairs within 5 points of score, 2 disagree no more than a floor borrowed from "
        "other models; how often these models disagree with themselves is not known.",
    )
    assert made.finding.endswith("; 1 of 2 matched pairs no more")
    all_borrowed = replace(BUILD["noise"](1, 3), borrowed=3, borrowed_within=1)
    made = noise.section(found(all_borrowed, NoiseFloor))
    assert "than one model does with itself" not in " ".join(made.sentences)
    assert made.finding.endswith("; no matched pair has a floor of its own")


def test_the_two_excesses_have_two_names():
    excess = [
        column.name
        for part, section, kind in (
            (BUILD["noise"](2, 4), noise, NoiseFloor),
            (BUILD["interchange"](BUILD["verdict"]()), interchange, Interchange),
        )
        for column in section.section(found(part, kind)).tables[-1].columns
        if column.name.startswith("Excess")
    ]
    assert excess == ["Excess over the mean floor", "Excess over the least floor"]


def test_two_readings_are_not_called_a_second_run():
    made = noise.section(found(BUILD["noise"](0, 4, kind="filter"), NoiseFloor))
    words = " ".join(made.sentences)
    assert "Another reading of the same text changes 20.0% of a model's answers" in words
    assert "Two readings of one text are no second run" in words
    assert "within 5 points" not in words


def test_verdicts_are_counted_and_the_nearest_named():
    verdict = BUILD["verdict"]
    part = BUILD["interchange"](
        verdict(answers="met"),
        verdict("A", "C", answers="open", items=900),
        verdict("B", "C", tasks="failed", spread=0.09),
        clusters=(Cluster(models=("A", "B"), most_disagree=0.3),),
    )
    made = interchange.section(found(part, Interchange))
    assert made.sentences[0] == (
        "Of 3 pairs of models, 1 are interchangeable, 1 are different and 1 are undecided, each "
        "judged by itself at 95%."
    )
    assert (
        "differ by at most 1 point, their answers differ on at most 5 points more than"
        in made.sentences[1]
    )
    assert made.sentences[2].startswith("A and B may stand for each other; they still disagree")
    assert made.sentences[3] == "What fails: profile over tasks in 1 pair."
    assert made.sentences[4].endswith(
        "open: answers; about 900 items would decide, if the estimates stayed."
    )
    assert [table.rows[0][0].text for table in made.tables] == ["A, B", "A"]
    assert "interchangeable" in check(made.plots[0])


def test_without_a_floor_the_reader_is_told_what_to_do():
    part = BUILD["interchange"](BUILD["verdict"](), floor="")
    words = " ".join(interchange.section(found(part, Interchange)).sentences)
    assert "no pair can be more than undecided on its answers" in words
    assert "--same" in words
    assert not interchange.section(found(part, Interchange)).plots  # one pair makes no map


def test_families_are_said_with_points_and_p():
    made = families.section(found(BUILD["kinship"](), Relatives))
    assert made.sentences[0].endswith(
        "after what their scores explain, relatives disagree 4.0 points less."
    )
    assert "(p = 0.002, one-sided, 9,999 shuffles" in made.sentences[1]
    assert made.sentences[2].startswith("More alike than unrelated models, by themselves: x (p")
    assert made.sentences[3] == "2 models without a family count as nobody's kin."
    assert made.finding == "Relatives disagree 4.0 points less than scores explain (p = 0.002)"


def test_a_proposal_is_shown_as_one():
    part = Relatives(column="", unplaced=0, test=None, proposal={"llama-1": "llama"})
    made = families.section(found(part, Relatives))
    assert made.sentences[0].startswith("No families are declared, so nothing was compared.")
    assert [cell.text for cell in made.tables[0].rows[0]] == ["llama-1", "llama"]


def test_variants_are_said_with_first_places_and_movers():
    made = sensitivity.section(found(BUILD["sensitivity"](0.002, first="B"), Sensitivity))
    words = " ".join(made.sentences)
    assert "A is first under plain, B under polite (prompt)" in words
    assert "That differences between models are the same under each prompt: p = 0.002." in words
    assert "A moves most: from 55.0% to 70.0%, place 1 to 2." in words
    assert "50.0% the prompt in each model differently (3.0), which changes orders" in words
    assert "polite" in check(made.plots[0])
    steady = sensitivity.section(found(BUILD["sensitivity"](), Sensitivity))
    assert steady.sentences[0] == "A is first under all 2 variants of the prompt."
    assert "always place 1" in " ".join(steady.sentences)


def test_p_values_are_never_written_as_nothing():
    written = [p_value(p) for p in (0.0001, 0.0012, 0.049, 0.3)]
    assert written == ["< 0.001", "0.001", "0.049", "0.30"]
    assert p_value(float("nan")) == "\u2013"


# ---- the tree beside the map ------------------------------------------------------------


def tree(make):
    """Models 0 and 1 join at 0.1, 2 and 3 at 0.2, both groups at 0.5."""
    agreement = make.agreement(["a", "b", "c", "d"])
    return replace(agreement, order=(0, 1, 2, 3), merges=((0, 1, 0.1), (2, 3, 0.2), (4, 5, 0.5)))


def test_branches_by_hand(make):
    lines = [
        (line["y"], line["y2"], line["low"], line["high"])
        for line in branches(tree(make), [0, 1, 2, 3])
    ]
    assert lines == [
        (0.5, 0.5, 0.0, 0.1),
        (1.5, 1.5, 0.0, 0.1),
        (0.5, 1.5, 0.1, 0.1),
        (2.5, 2.5, 0.0, 0.2),
        (3.5, 3.5, 0.0, 0.2),
        (2.5, 3.5, 0.2, 0.2),
        (1.0, 1.0, 0.1, 0.5),
        (3.0, 3.0, 0.2, 0.5),
        (1.0, 3.0, 0.5, 0.5),
    ]


def test_branches_to_models_that_are_not_drawn_are_left_out(make):
    lines = branches(tree(make), [0, 2, 3])
    assert [(line["y"], line["low"], line["high"]) for line in lines[3:5]] == [
        (0.5, 0.0, 0.5),  # 0 goes on alone to the last join
        (2.0, 0.2, 0.5),
    ]
    assert branches(replace(tree(make), merges=()), [0, 1, 2, 3]) == []


def test_the_tree_stands_beside_the_map_row_by_row(make):
    agreement = tree(make)
    plot = disagreement_map(agreement, name="heat", table=pair_table(agreement))
    square, beside = plot.spec["hconcat"]
    assert beside["height"] == square["height"]["step"] * 4
    assert np.isclose(beside["encoding"]["x"]["scale"]["domain"][1], 0.5)
    assert "where they join" in plot.description
    check(plot)
