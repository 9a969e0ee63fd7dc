"""Record logs of OpenAI evals."""

import json

import pytest

from caveat.errors import SourceError

SPEC = {
    "completion_fns": ["strong"], "eval_name": "sums.dev.v0", "base_eval": "sums",
    "split": "dev", "run_id": "r1",
}  # fmt: skip
REPORT = {"final_report": {"accuracy": 0.5, "boostrap_std": 0.1}, "run_id": "r1"}


def _event(kind, sample, **data):
    return {"run_id": "r1", "event_id": 0, "sample_id": f"sums.dev.{sample}", "type": kind,
            "data": data, "created_at": "2026-12-01"}  # fmt: skip


def _said(sample, text, model="strong", tokens=3):
    usage = {"prompt_tokens": 9, "completion_tokens": tokens}
    return _event("sampling", sample, sampled=[text], model=model, usage=usage, prompt="?")


def _match(sample, correct, **data):
    return _event("match", sample, correct=correct, **data)


def _log(*events, spec=SPEC):
    return "\n".join(map(json.dumps, [{"spec": spec}, *events])) + "\n"


def _rows(evidence, *names):
    return [tuple(row.values()) for row in evidence.table.select(list(names)).to_pylist()]


def test_matches(write, read):
    log = _log(
        REPORT,
        _said(0, "4"),
        _match(0, True, expected="4", picked="4", sampled="4"),
        _said(1, "It is 9"),
        _match(1, False, expected=["7", "seven"], picked=None, sampled="It is 9"),
    )
    evidence = read(write("log", log))
    assert evidence.provenance.sources[0].importer == "openai_evals"
    assert _rows(
        evidence, "benchmark", "item", "model", "run", "metric", "prediction", "target", "score"
    ) == [
        ("sums", "sums.dev.0", "strong", "r1", "match", "4", "4", 1.0),
        ("sums", "sums.dev.1", "strong", "r1", "match", "It is 9", '["7","seven"]', 0.0),
    ]
    assert _rows(evidence, "input_tokens", "output_tokens") == [(9, 3), (9, 3)]
    assert not any("final report" in n for n in evidence.provenance.notices)


def test_metrics_and_the_judge(write, read):
    spec = {**SPEC, "completion_fns": ["strong", "judge"]}
    log = _log(
        REPORT,
        _said(0, "4"),
        _said(0, "A", model="judge", tokens=99),
        _event("metrics", 0, choice="A", score=1.0),
        _said(1, "5"),
        _said(1, "?", model="judge", tokens=99),
        _event("metrics", 1, choice="__invalid__", score=0.0),
        spec=spec,
    )
    evidence = read(write("log", log))
    # the judge's 99 tokens are not the model's; a verdict that nobody could read is no 0
    assert _rows(evidence, "metric", "prediction", "score", "status", "output_tokens") == [
        ("score", "4", 1.0, "scored", 3),
        ("score", "5", None, "unparsed", 3),
    ]
    assert _rows(evidence, "judge", "judge_choice") == [("judge", "A"), ("judge", "__invalid__")]


def test_a_model_that_judges_itself(write, read):
    log = _log(REPORT, _said(0, "4"), _said(0, "A"), _event("metrics", 0, accuracy=True, f1=0.5))
    evidence = read(write("log", log))
    assert _rows(evidence, "metric", "score") == [("accuracy", 1.0), ("f1", 0.5)]
    assert "output_tokens" not in evidence.table.column_names
    assert any("1 samples called one model several times" in n for n in evidence.provenance.notices)


def test_unfinished_runs_and_failures(write, read):
    log = _log(
        _said(0, "4"),
        _match(0, True, expected="4", picked="4"),
        _said(1, "5"),
        _event("error", 2, type="Timeout", message="down"),
    )
    evidence = read(write("log", log))
    assert _rows(evidence, "item", "score", "status") == [
        ("sums.dev.0", 1.0, "scored"),
        ("sums.dev.2", None, "error"),
        ("sums.dev.1", None, "unscored"),
    ]
    notices = " ".join(evidence.provenance.notices)
    assert "1 runs have no final report" in notices
    assert "1 answers were sampled and never scored" in notices


def test_several_runs_in_one_log_and_repeats(write, read):
    again = {**SPEC, "completion_fns": ["weak"], "run_id": "r2"}
    one = [_match(0, True, expected="4", picked="4"), REPORT]
    log = _log(*one, one[0]) + _log(*one, spec=again)
    assert _rows(read(write("log", log)), "model", "run", "repeat") == [
        ("strong", "r1", "1"), ("strong", "r1", "2"), ("weak", "r2", "1"),
    ]  # fmt: skip


def test_damage(write, read):
    log = _log(_match(0, True), REPORT)
    with pytest.raises(SourceError, match="may be cut short"):
        read(write("log", log[:-20]))


def test_long_logs_forget_what_was_scored(write, read, monkeypatch):
    monkeypatch.setattr("caveat.importers.openai_evals._REMEMBERED", 4)
    events = [_said(99, "never scored")]
    for n in range(30):
        events += [_said(n, str(n)), _match(n, n % 2 == 0, expected="4", picked=None)]
    evidence = read(write("log", _log(*events, REPORT)))
    assert evidence.table.column("prediction").to_pylist() == [*map(str, range(30)), "never scored"]
    assert sum(filter(None, evidence.table.column("score").to_pylist())) == 15


@pytest.mark.shared
def test_its_own_report(shared, read):
    path = shared / "formats/openai_evals/rec.jsonl"
    report = json.loads(path.read_text().splitlines()[1])["final_report"]
    scores = read(path).table.column("score").to_pylist()
    assert len(scores) == 12
    assert sum(scores) / 12 == report["accuracy"]
