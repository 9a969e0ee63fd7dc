"""Answers in bad shapes: what the figures, the sections and the caveats then say.

The same through the commands, and bad files: `tests/cli/test_bad_answers.py`.
"""

import json
import math

import pytest

import caveat
from caveat.reports.agree.sections import agree_sections
from caveat.reports.html.render import render_html
from caveat.workflows.agree import agree_all


def table(cells, *, models="xyz", **columns):
    """CSV-like columns: `cells[model]` is a list of (prediction, target)."""
    made = {name: [] for name in ("benchmark", "item", "model", "prediction", "target")}
    for model in models:
        for k, (prediction, target) in enumerate(cells[model]):
            for name, value in zip(made, ("b", str(k), model, prediction, target), strict=True):
                made[name].append(value)
    return {**made, **columns}


def whole(rows):
    """Everything that is made of some responses; no section may fail."""
    (found,) = agree_all(rows)
    for section in agree_sections(found):
        assert section.sentences
        assert not any("nan" in sentence.split() for sentence in section.sentences)
    report = caveat.report(rows)
    assert "<html" in render_html(report)
    json.dumps(report.to_dict(), allow_nan=False)
    return found, {one.code for one in report.caveats}


RIGHT, WRONG, NONE = ("A", "A"), ("B", "A"), (None, "A")


def test_all_models_right():
    found, codes = whole(table(dict.fromkeys("xyz", [RIGHT] * 40)))
    assert [m.overall.score for m in found.scores.models] == [1.0] * 3
    assert "DAT107" in codes
    assert not codes & {"AGR301", "AGR303", "AGR320"}


def test_all_models_wrong():
    found, codes = whole(table(dict.fromkeys("xyz", [WRONG] * 40)))
    assert [m.overall.score for m in found.scores.models] == [0.0] * 3
    assert "DAT107" in codes
    assert "DAT117" not in codes  # one letter to everything is no copy


def test_one_item():
    found, codes = whole(table({"x": [RIGHT], "y": [WRONG], "z": [RIGHT]}))
    assert found.scores.n_items == 1
    assert all(math.isnan(m.overall.se) for m in found.scores.models)
    assert not codes & {"AGR301", "AGR311", "AGR320"}


@pytest.mark.parametrize("policy", ["drop", "as-disagreement", "as-option"])
def test_every_answer_unparsed_for_one_model_and_for_all(policy):
    options = caveat.Options(policy=policy)
    (found,) = agree_all(
        table({"x": [RIGHT] * 40, "y": [WRONG, RIGHT] * 20, "z": [NONE] * 40}), options=options
    )
    assert {m.model: m.unparsed for m in found.scores.models}["z"] == 40
    rows = table(dict.fromkeys("xyz", [NONE] * 40))
    rows["status"] = ["unparsed"] * 120
    (found,) = agree_all(rows, options=options)
    assert [m.unparsed for m in found.scores.models] == [40] * 3
    assert agree_sections(found) is not None


def test_scores_outside_0_to_1():
    rows = table(dict.fromkeys("xyz", [RIGHT, WRONG] * 20))
    rows["score"] = [float(k % 100) for k in range(120)]
    _, codes = whole(rows)
    assert "DAT109" in codes
    assert not codes & {"AGR315", "AGR317"}


def test_several_golds():
    rows = table({"x": [RIGHT] * 40, "y": [("B", "B")] * 40}, models="xy")
    _, codes = whole(rows)
    assert "DAT105" in codes


def test_nan_as_text():
    rows = table({"x": [("NaN", "A")] * 40, "y": [RIGHT] * 40}, models="xy")
    (found,) = agree_all(rows)
    assert {m.model: m.unparsed for m in found.scores.models} == {"y": 0, "x": 40}
