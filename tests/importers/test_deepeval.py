"""Test runs of DeepEval."""

import json

import pytest

from caveat.errors import SourceError, UnrecognisedError


def _metric(name, score, *, passed=True, threshold=0.5, **more):
    return {"name": name, "score": score, "success": passed, "threshold": threshold, **more}


def _case(name, *metrics, asked="q", **more):
    return {
        "name": name, "input": asked, "actualOutput": "4", "expectedOutput": "4",
        "tokenCost": 0.001, "completionTime": 0.2, "metricsData": list(metrics),
        "metadata": {"category": "easy"}, **more,
    }  # fmt: skip


def _run(*cases, settings=None, **more):
    return json.dumps(
        {
            "testCases": list(cases),
            "conversationalTestCases": [],
            "metricsScores": [],
            "hyperparameters": {"model": "m", "prompt": "v1"} if settings is None else settings,
            **more,
        }
    )


def _rows(evidence, *names):
    return [tuple(row.values()) for row in evidence.table.select(list(names)).to_pylist()]


def test_metrics(write, read):
    judged = _metric("Faithful", 0.7, evaluationCost=0.02, evaluationModel="judge")
    evidence = read(write("t.json", _run(_case("c1", _metric("Exact", 1.0), judged))))
    assert evidence.provenance.sources[0].importer == "deepeval"
    assert _rows(evidence, "item", "model", "prompt", "task", "metric", "score", "status") == [
        ("c1", "m", "v1", "easy", "Exact", 1.0, "scored"),
        ("c1", "m", "v1", "easy", "Faithful", 0.7, "scored"),
    ]
    # 0.001 dollars for the model, 0.02 for the judge
    assert _rows(evidence, "cost_usd", "latency_s", "judge", "judge_cost_usd") == [
        (0.001, 0.2, None, None),
        (0.001, 0.2, "judge", 0.02),
    ]


def test_metrics_that_failed_are_no_zeros(write, read):
    failed = {"name": "Exact", "success": False, "threshold": 1.0, "error": "down"}
    evidence = read(write("t.json", _run(_case("c1", failed), _case("c2"))))
    assert _rows(evidence, "item", "metric", "score", "status") == [
        ("c1", "Exact", None, "unscored"),
        ("c2", None, None, "unscored"),
    ]


def test_metrics_where_less_is_better(write, read):
    evidence = read(write("t.json", _run(_case("c1", _metric("Bias", 0.1), _metric("Fit", 0.9)))))
    notices = " ".join(evidence.provenance.notices)
    assert "metric 'Bias' passes low scores" in notices
    assert "'Fit'" not in notices
    assert _rows(evidence, "score") == [(0.1,), (0.9,)]


def test_names_shared_by_several_cases_and_repeats(write, read):
    case = _case("c", _metric("Exact", 1.0))
    evidence = read(write("t.json", _run(case, case, _case("c", _metric("Exact", 0.0), asked="r"))))
    items = [item for (item,) in _rows(evidence, "item")]
    assert items[0] == items[1] != items[2]
    assert _rows(evidence, "repeat") == [("1",), ("2",), ("1",)]


def test_conversations(write, read):
    turns = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    talk = {"name": "t", "turns": turns, "metricsData": [_metric("Kind", 1.0)]}
    text = _run(conversationalTestCases=[talk])
    assert _rows(read(write("t.json", text)), "item", "prediction") == [("t", "ho")]


def test_a_run_that_names_no_model(write, read):
    path = write("t.json", _run(_case("c", _metric("Exact", 1.0)), settings={}))
    with pytest.raises(UnrecognisedError, match=r"names no model .* name it with --model-name"):
        read(path)
    assert _rows(read(path, model_name="mine"), "model") == [("mine",)]


def test_cut_short(write, read):
    text = _run(_case("c", _metric("Exact", 1.0)))
    with pytest.raises(SourceError, match="is cut short"):
        read(write("t.json", text[: text.index('"conversational')]))


@pytest.mark.shared
def test_its_own_figures(shared, read):
    (path,) = (shared / "formats/deepeval").glob("test_run_*.json")
    run = json.loads(path.read_text())
    rows = read(path).table.to_pylist()
    (metric,) = run["metricsScores"]
    assert [row["score"] for row in rows] == metric["scores"]
    assert sum(row["passed"] for row in rows) == metric["passes"] == run["testPassed"]
