"""Answers in every bad shape, from the file to the report: an error that helps, or true figures."""

import json
import math
import zipfile

import pytest

import caveat
from caveat.errors import CaveatError, InputError, SourceError
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


def test_no_common_items():
    rows = table({"x": [RIGHT] * 5, "y": [WRONG] * 5}, models="xy")
    rows["item"] = [str(k) for k in range(10)]
    found, codes = whole(rows)
    assert found.agreement is None
    assert "AGR302" in codes


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


def test_lists_as_targets(tmp_path):
    path = tmp_path / "answers.jsonl"
    row = {"benchmark": "b", "item": "1", "model": "x", "prediction": "A", "target": ["A", "B"]}
    path.write_text(json.dumps(row))
    with pytest.raises(InputError, match="leave the column out and give a score"):
        caveat.read_responses(path)


def test_nan_as_text():
    rows = table({"x": [("NaN", "A")] * 40, "y": [RIGHT] * 40}, models="xy")
    (found,) = agree_all(rows)
    assert {m.model: m.unparsed for m in found.scores.models} == {"y": 0, "x": 40}


def test_a_key_twice():
    rows = table({"x": [RIGHT] * 3, "y": [WRONG] * 3}, models="xy")
    twice = {name: [*values, values[0]] for name, values in rows.items()}
    evidence = caveat.read_responses(twice)
    assert evidence.provenance.account.dropped == 1
    twice["prediction"][-1] = "C"
    with pytest.raises(InputError, match="must have one answer"):
        caveat.read_responses(twice)


def test_two_benchmarks_with_the_same_ids():
    one = table({"x": [RIGHT] * 30, "y": [WRONG] * 30}, models="xy")
    both = {name: [*values, *values] for name, values in one.items()}
    both["benchmark"] = ["b"] * 60 + ["c"] * 60
    assert [found.scores.n_items for found in agree_all(both)] == [30, 30]


def test_ids_as_numbers_and_as_text(tmp_path):
    lines = [f"b,{k},x,A,A" for k in range(30)]
    (tmp_path / "one.csv").write_text("benchmark,item,model,prediction,target\n" + "\n".join(lines))
    rows = [
        {"benchmark": "b", "item": str(k), "model": "y", "prediction": "B", "target": "A"}
        for k in range(30)
    ]
    (tmp_path / "two.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (found,) = agree_all([tmp_path / "one.csv", tmp_path / "two.jsonl"])
    assert found.agreement.n[0, 1] == 30


def test_a_damaged_member_of_an_archive_is_named(tmp_path):
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("good.csv", "benchmark,item,model,prediction,target\nb,1,x,A,A\n" * 50)
        archive.writestr(
            "bad.csv", "benchmark,item,model,prediction,target\n" + "b,1,y,A,A\n" * 500
        )
    data = bytearray(path.read_bytes())
    start = data.find(b"bad.csv") + len("bad.csv")
    data[start + 4 : start + 14] = b"\xff" * 10
    path.write_bytes(bytes(data))
    with pytest.raises(SourceError, match=r"logs\.zip!bad\.csv"):
        caveat.read(path)


def test_a_log_cut_short_is_an_error(tmp_path):
    path = tmp_path / "answers.json"
    path.write_text('[{"benchmark": "b", "item": "1", "model": "x", "prediction": "A"}, {"bench')
    with pytest.raises(CaveatError, match=r"record 2: .* get the file again"):
        caveat.read(path)
