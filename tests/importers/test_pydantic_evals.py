"""Reports of pydantic-evals."""

import json

import pytest

from caveat.errors import SourceError


def _result(value):
    return {"name": "x", "value": value, "reason": None}


def _case(name, *, equal=True, length=0.2, source=None, failures=(), **more):
    return {
        "name": name, "inputs": "q", "metadata": {"category": "easy"}, "expected_output": "4",
        "output": 4, "metrics": {"cost": 0.001, "input_tokens": 7}, "attributes": {},
        "scores": {} if length is None else {"length": _result(length)},
        "labels": {"tone": _result("good")}, "assertions": {"equals": _result(equal)},
        "task_duration": 0.5, "total_duration": 0.9, "source_case_name": source,
        "evaluator_failures": [{"name": n, "error_message": "x"} for n in failures], **more,
    }  # fmt: skip


def _report(*cases, failures=(), **more):
    return json.dumps(
        {"name": "task", "cases": list(cases), "failures": list(failures), "analyses": [],
         "experiment_metadata": {"model": "m"}, "dataset_name": "sums", **more},
        indent=1,
    )  # fmt: skip


def _rows(evidence, *names):
    return [tuple(row.values()) for row in evidence.table.select(list(names)).to_pylist()]


def test_assertions_and_scores(write, read):
    evidence = read(write("r.json", _report(_case("c1"), _case("c2", equal=False, length=None))))
    assert evidence.provenance.sources[0].importer == "pydantic_evals"
    assert _rows(evidence, "benchmark", "item", "model", "metric", "score") == [
        ("sums", "c1", "m", "equals", 1.0),
        ("sums", "c1", "m", "length", 0.2),
        ("sums", "c2", "m", "equals", 0.0),
    ]
    assert _rows(evidence, "prediction", "target", "task", "cost_usd", "latency_s")[0] == (
        "4", "4", "easy", 0.001, 0.5,
    )  # fmt: skip


def test_repeats(write, read):
    cases = [_case(f"c [{n}/2]", source="c", length=None) for n in (1, 2)]
    assert _rows(read(write("r.json", _report(*cases))), "item", "repeat") == [
        ("c", "1"), ("c", "2"),
    ]  # fmt: skip


def test_failures_are_missing(write, read):
    down = {"name": "c2", "inputs": "q", "expected_output": "4", "error_message": "down"}
    text = _report(_case("c1"), _case("c3", length=None, failures=["length"]), failures=[down])
    evidence = read(write("r.json", text))
    assert _rows(evidence, "item", "metric", "score", "status")[2:] == [
        ("c3", "equals", 1.0, "scored"),
        ("c3", "length", None, "unscored"),
        ("c2", "equals", None, "error"),
        ("c2", "length", None, "error"),
    ]
    notices = " ".join(evidence.provenance.notices)
    assert "1 cases failed before they were answered" in notices
    assert "1 evaluators failed" in notices


def test_all_failed(write, read):
    down = {"name": "c", "inputs": "q", "error_message": "down", "expected_output": None}
    evidence = read(write("r.json", _report(failures=[down, {**down, "name": "d"}])))
    assert _rows(evidence, "item", "score", "status") == [
        ("c", None, "error"),
        ("d", None, "error"),
    ]


def test_the_model_is_the_report_s_name_if_nothing_else_says(write, read):
    path = write("r.json", _report(_case("c"), experiment_metadata=None))
    evidence = read(path)
    assert set(_rows(evidence, "model")) == {("task",)}
    assert any("the model is the report's name, 'task'" in n for n in evidence.provenance.notices)
    assert set(_rows(read(path, model_name="mine"), "model")) == {("mine",)}


def test_cut_short(write, read):
    with pytest.raises(SourceError, match="is cut short"):
        read(write("r.json", _report(_case("c"))[:-40]))


@pytest.mark.shared
def test_a_real_report(shared, read):
    table = read(shared / "formats/pydantic_evals/report.json").table
    # the task always said 4: one of four right
    assert table.column("score").to_pylist() == [1, 0, 0, 0]
    assert table.column("metric").to_pylist() == ["EqualsExpected"] * 4
