"""Exports of Braintrust and Langfuse."""

import csv
import io
import json

import pytest

from caveat.errors import UnrecognisedError
from caveat.importers.reading import read_path


def _rows(evidence, *names):
    return [tuple(row.values()) for row in evidence.table.select(list(names)).to_pylist()]


def _row(span="s1", **changes):
    return {
        "id": span, "span_id": span, "root_span_id": span, "is_root": True, "input": "2 + 2?",
        "output": "4", "expected": "4", "scores": {"exact": 1, "style": 0.5}, "error": None,
        "metadata": {"model": "m", "category": "easy"}, "metrics": {"start": 1, "end": 9},
        "created": "2026-12-01", "tags": None, **changes,
    }  # fmt: skip


def _span(kind, purpose=None, *, root="s1", model=None, **metrics):
    return _row(
        f"{root}-{kind}-{purpose}", root_span_id=root, is_root=False, input=None, output=None,
        scores=None, metadata={"model": model} if model else None, metrics=metrics,
        span_attributes={"type": kind, **({"purpose": purpose} if purpose else {})},
    )  # fmt: skip


SPANS = [
    _row(metadata={"category": "easy"}),
    _span("task", start=1, end=3),
    _span("llm", model="gpt-x", prompt_tokens=10, completion_tokens=2, estimated_cost=0.001),
    _span("llm", "scorer", model="judge", prompt_tokens=99, estimated_cost=0.5),
]


@pytest.mark.parametrize("form", ["array", "lines", "api", "csv"])
def test_braintrust(write, read, form):
    if form == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, [*SPANS[0], "span_attributes"])
        writer.writeheader()
        for row in SPANS:
            nested = {k: json.dumps(v) if isinstance(v, dict) else v for k, v in row.items()}
            writer.writerow(nested)
        content = text.getvalue()
    else:
        content = {
            "array": json.dumps(SPANS),
            "lines": "\n".join(map(json.dumps, SPANS)),
            "api": json.dumps({"data": SPANS, "schema": {}}),
        }[form]
    evidence = read(write("e", content))
    assert "braintrust" in evidence.provenance.sources[0].importer
    assert _rows(evidence, "item", "model", "metric", "score", "prediction", "target", "task") == [
        ("2 + 2?", "gpt-x", "exact", 1.0, "4", "4", "easy"),
        ("2 + 2?", "gpt-x", "style", 0.5, "4", "4", "easy"),
    ]
    # the judge's 99 tokens and half a dollar are not the model's; 3 - 1 seconds of the task
    assert _rows(evidence, "input_tokens", "cost_usd", "latency_s", "judge_cost_usd")[0] == (
        10, 0.001, 2, 0.5,
    )  # fmt: skip
    (drop,) = evidence.provenance.account.drops
    assert (drop.reason, drop.count) == ("a span within the trace of another row", 3)


def test_braintrust_errors_repeats_and_models(write, read):
    failed = _row("s2", error={"message": "down"}, output=None, scores={})
    text = json.dumps([_row(), _row("s3"), failed])
    evidence = read(write("e.json", text))
    assert _rows(evidence, "metric", "repeat", "score", "status") == [
        ("exact", "1", 1.0, "scored"),
        ("style", "1", 0.5, "scored"),
        ("exact", "2", 1.0, "scored"),
        ("style", "2", 0.5, "scored"),
        ("exact", "3", None, "error"),
        ("style", "3", None, "error"),
    ]
    nameless = write("n.json", json.dumps([_row(metadata=None)]))
    with pytest.raises(UnrecognisedError, match="names no model"):
        read(nameless)
    assert set(_rows(read(nameless, model_name="mine"), "model")) == {("mine",)}


def _observation(own, trace, kind="GENERATION", parent="", model="", **changes):
    return {
        "id": own, "trace_id": trace, "type": kind, "parent_observation_id": parent,
        "start_time": "2026-12-01 10:00:00.000000", "end_time": "2026-12-01 10:00:01.500000",
        "latency": 1500, "environment": "default", "level": "DEFAULT", "name": own,
        "metadata": {}, "input": "", "output": "", "provided_model_name": model, "model_id": "i",
        "usage_details": {"input": 10, "output": 2} if model else {},
        "total_cost": 0.002 if model else 0, "trace_name": "sums", "prompt_name": "p",
        "prompt_version": 3, **changes,
    }  # fmt: skip


def _score(trace, value=1, *, name="correct", observation=None, **changes):
    return {
        "id": f"{trace}-{name}", "timestamp": "2026-12-01 11:00:00", "trace_id": trace,
        "observation_id": observation, "name": name, "value": value, "source": "API",
        "data_type": "NUMERIC", "string_value": None, "comment": "x", **changes,
    }  # fmt: skip


OBSERVATIONS = [
    _observation("r1", "t1", "SPAN", input="2 + 2?"),
    _observation("g1", "t1", parent="r1", model="m", input="Prompt: 2 + 2?", output="4"),
    _observation("e1", "t1", "EVALUATOR", parent="r1"),
    _observation("j1", "t1", parent="e1", model="judge", total_cost=9),
    _observation("g2", "t2", model="own", input="2 + 2?", output="5", total_cost=0, model_id=""),
    _observation("g3", "t3", model="m", input="3 + 3?", output="6"),
    _observation("g4", "t4", model="m", input="4 + 4?", level="ERROR"),
    _observation("g5", "t5", model="m", input="5 + 5?"),
    _observation("g6", "t5", model="other", input="5 + 5?"),
    _observation("g7", "t7", model="judge", environment="langfuse-llm-as-a-judge"),
]
SCORES = [
    _score("t1"),
    _score("t1", 0, source="ANNOTATION"),
    _score("t2", 0, observation="g2"),
    _score("t4", 0),
    _score("t5"),
    _score("t9"),
    _score(None),
    _score("t1", 2, name="tone", data_type="CATEGORICAL", string_value="warm"),
]


def _tables(write, form):
    for name, rows in (("observations_v2", OBSERVATIONS), ("scores", SCORES)):
        if form == "csv":
            text = io.StringIO()
            writer = csv.DictWriter(text, list(rows[0]))
            writer.writeheader()
            writer.writerows(
                {k: json.dumps(v) if isinstance(v, dict) else v for k, v in row.items()}
                for row in rows
            )
            content = text.getvalue()
        else:
            content = json.dumps(rows) if form == "json" else "\n".join(map(json.dumps, rows))
        path = write(f"export/{name}/2026.{form}", content)
    return path.parent.parent


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_langfuse(write, read, form):
    evidence = read(_tables(write, form))
    assert evidence.provenance.sources[0].importer == "langfuse"
    assert _rows(evidence, "item", "model", "metric", "prediction", "score", "status") == [
        ("2 + 2?", "m", "correct", "4", 1.0, "scored"),
        ("2 + 2?", "m", "correct (annotation)", "4", 0.0, "scored"),
        ("2 + 2?", "own", "correct", "5", 0.0, "scored"),
        ("4 + 4?", "m", "correct", None, None, "error"),
        ("3 + 3?", "m", None, "6", None, "unscored"),
    ]
    # 1.5 seconds whatever the unit of `latency`; a cost of 0 without a price is unknown
    assert _rows(evidence, "benchmark", "prompt", "cost_usd", "latency_s", "input_tokens")[:3] == [
        ("sums", "p 3", 0.002, 1.5, 10),
        ("sums", "p 3", 0.002, 1.5, 10),
        ("sums", "p 3", None, 1.5, 10),
    ]
    assert {d.reason.split(",")[0]: d.count for d in evidence.provenance.account.drops} == {
        "several models worked on the trace": 1,
        "the trace of the score is not in the export": 1,
        "the score belongs to no trace": 1,
        "the score is a label or a text": 1,
    }
    notices = " ".join(evidence.provenance.notices)
    assert "2 calls of judging models" in notices
    assert "1 calls have cost 0" in notices


def test_langfuse_scores_alone_name_no_model(write):
    path = write("s.json", json.dumps(SCORES))
    with pytest.raises(UnrecognisedError, match="without the observations they are about"):
        read_path(path)


@pytest.mark.shared
def test_results_of_braintrust_s_sdk(shared, read):
    path = shared / "formats/braintrust/eval_results.json"
    with pytest.raises(UnrecognisedError, match="names no model"):
        read(path)
    table = read(path, model_name="mock-strong").table
    assert table.column("score").to_pylist() == [1, 0, 0, 0]
    assert table.column("item").to_pylist()[0] == "What is 3 + 1?"
