"""Logs of Inspect: archives of deflate and zstd, JSON, epochs, scorers, broken runs."""

import io
import json
import zipfile

import pytest

from caveat.errors import SourceError
from caveat.importers._base import ReadOptions
from caveat.importers.reading import inspect_path, read_path

MODEL = "openai/gpt-x"
TASK_ID = "AbCdEfGhIjKlMnOpQrStUv"


def header(*, status="success", version=2, **spec):
    """Return the header of a log, its keys in the order of the tool."""
    own = {
        "run_id": "run1",
        "created": "2026-01-02T03:04:05+00:00",
        "task": "suite/add",
        "task_id": TASK_ID,
        "task_args_passed": {},
        "dataset": {"name": "sums", "sample_ids": ["a", "b"]},
        "model": MODEL,
        "config": {"epochs": 1},
        "scorers": [{"name": "match"}],
    }
    return {"version": version, "status": status, "eval": {**own, **spec}}


def sample(item="a", epoch=1, **more):
    """Return one sample with one score."""
    own = {
        "id": item,
        "epoch": epoch,
        "input": "What is 1 + 1?",
        "target": "2",
        "output": {"model": "gpt-x", "completion": "It is 2"},
        "scores": {"match": {"value": "C", "answer": "2"}},
        "metadata": {"category": "easy"},
    }
    return {**own, **more}


def members(head, samples, *, name="header.json"):
    files = {name: json.dumps(head)} if head else {}
    for one in samples:
        files[f"samples/{one['id']}_epoch_{one['epoch']}.json"] = json.dumps(one)
    return files | {"_journal/summaries/1.json": "[]"}


def deflated(files):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return sink.getvalue()


@pytest.fixture
def log(write):
    """Write an `.eval` and return its path."""

    def _log(samples, head=None, *, name="log.eval", pack=deflated):
        return write(name, pack(members(head or header(), samples)))

    return _log


@pytest.fixture(params=["deflate", "zstd"])
def pack(request, zstd_zip):
    """Pack files as old and as new logs are packed."""
    return deflated if request.param == "deflate" else zstd_zip


def column(evidence, name):
    return evidence.table.column(name).to_pylist()


def test_columns(log, read, pack):
    usage = {
        MODEL: {
            "input_tokens": 5,
            "input_tokens_cache_read": 3,
            "output_tokens": 7,
            "total_cost": 0.25,
        },
        "openai/judge": {"input_tokens": 1000, "output_tokens": 1000, "total_cost": 9},
    }
    more = {"model_usage": usage, "total_time": 1.5, "completed_at": "2026-01-02T03:05:00+00:00"}
    head = header(task_args_passed={"cot": True, "name": "x"}, revision={"commit": "abc"})
    path = log([sample(**more), sample("b", choices=["1", "2"])], head, pack=pack)
    evidence = read(path)
    assert evidence.table.to_pylist()[0] == {
        "benchmark": "add",
        "item": "a",
        "model": MODEL,
        "task": "easy",
        "run": TASK_ID,
        "repeat": "1",
        "prompt": "cot=true, name=x",
        "metric": "match",
        "prediction": "2",
        "target": "2",
        "score": 1.0,
        "status": "scored",
        "n_options": None,
        "input_tokens": 8.0,  # 5 and 3 from the cache
        "output_tokens": 7.0,
        "cost_usd": 0.25,  # not the judge's
        "latency_s": 1.5,
        "at": "2026-01-02T03:05:00+00:00",
        "limit": None,
        "dataset": "sums",
        "revision": "abc",
    }
    assert column(evidence, "n_options") == [None, 2.0]
    assert evidence.provenance.sources[0].name == str(path)
    assert evidence.provenance.notices == ()
    assert inspect_path(path).importer == "inspect"


def test_json(write, read):
    log = {**header(), "results": {}, "samples": [sample(), sample("b")], "reductions": []}
    for indent in (None, 2):
        assert column(read(write("log.json", json.dumps(log, indent=indent))), "item") == ["a", "b"]


def test_logs_of_version_1(write, read):
    old = sample(score={"value": "I", "answer": "3"})
    del old["scores"]
    log = {**header(version=1), "samples": [old]}
    del log["eval"]["scorers"]
    evidence = read(write("log.json", json.dumps({**log, "eval": log["eval"]})))
    assert column(evidence, "metric") == ["score"]
    assert column(evidence, "score") == [0.0]


def test_epochs_are_repeats_and_scorers_are_metrics(log, read):
    two = {"match": {"value": "C", "answer": "2"}, "includes": {"value": 0, "answer": "2"}}
    samples = [sample(item, epoch, scores=two) for item in "ab" for epoch in (1, 2)]
    evidence = read(log(samples, header(config={"epochs": 2})))
    assert len(evidence) == 8
    assert column(evidence, "repeat") == ["1", "1", "2", "2"] * 2
    assert column(evidence, "metric") == ["match", "includes"] * 4


@pytest.mark.parametrize(
    ("value", "score", "status"),
    [
        ("C", 1.0, "scored"),
        ("I", 0.0, "scored"),
        ("P", 0.5, "scored"),
        ("N", 0.0, "refused"),
        (True, 1.0, "scored"),
        (0.3, 0.3, "scored"),
        ("0.3", 0.3, "scored"),
        ("no", 0.0, "scored"),
        (None, None, "unscored"),
        (float("nan"), None, "unscored"),
    ],
)
def test_values(log, read, value, score, status):
    evidence = read(log([sample(scores={"match": {"value": value, "answer": "2"}}), sample("b")]))
    assert column(evidence, "score")[0] == score
    assert column(evidence, "status")[0] == status


def test_values_that_are_several(log, read):
    scores = {"style": {"value": {"tone": 0.5, "facts": "C"}}, "list": {"value": [1, 0]}}
    evidence = read(log([sample(scores=scores), sample("b", scores=scores)]))
    assert column(evidence, "metric")[:4] == ["style/tone", "style/facts", "list/1", "list/2"]
    assert column(evidence, "score")[:4] == [0.5, 1.0, 1.0, 0.0]


def test_a_word_that_is_no_grade_is_dropped(log, read):
    evidence = read(log([sample(scores={"match": {"value": "good"}}), sample("b")]))
    (drop,) = evidence.provenance.account.drops
    assert drop.reason == "score 'match' is no number and no grade (C, I, P, N)"
    assert drop.examples[0].endswith("log.eval!samples/a_epoch_1.json")


def test_answers(log, read):
    """An empty answer is unparsed; a scorer that names none has none; targets may be several."""
    samples = [
        sample("a", scores={"match": {"value": "I", "answer": ""}}),
        sample("b", scores={"match": {"value": "I"}}, target=["2", "two"]),
        sample("c", target=["2"]),
    ]
    evidence = read(log(samples, header(dataset={"name": "sums"})))
    assert column(evidence, "prediction") == [None, None, "2"]
    assert column(evidence, "status") == ["unparsed", "scored", "scored"]
    assert column(evidence, "target") == ["2", '["2","two"]', "2"]


def test_what_broke_is_missing_and_not_wrong(log, read):
    unscored = sample("b")
    del unscored["scores"]
    broken = sample("c", error={"message": "boom"})
    head = header(status="error", dataset={"name": "sums", "sample_ids": ["a", "b", "c", "d"]})
    head["error"] = {"message": "out of credit\nTraceback"}
    evidence = read(log([sample(), unscored, broken], head))
    assert column(evidence, "status") == ["scored", "error", "error"]
    assert column(evidence, "score") == [1.0, None, None]
    assert column(evidence, "metric") == ["match"] * 3
    failed, samples, missing = evidence.provenance.notices
    assert "status 'error' (out of credit)" in failed
    assert "1 samples ended in an error" in samples
    assert "1 of 4 samples are not in the log" in missing


def test_a_run_that_was_not_to_be_scored(log, read):
    samples = [sample(i, scores=None) for i in "ab"]
    evidence = read(log(samples, header(scorers=None)))
    assert column(evidence, "status") == ["unscored"] * 2


def test_a_killed_run_has_no_header(write, read):
    files = members(header(), [sample()], name="_journal/start.json")
    evidence = read(write("log.eval", deflated(files)))
    assert column(evidence, "score") == [1.0]
    assert any("status 'started'" in n for n in evidence.provenance.notices)
    empty = write("empty.eval", deflated(members(header(), [], name="_journal/start.json")))
    with pytest.raises(SourceError, match=r"empty\.eval: a log of Inspect without samples"):
        read(empty)


def test_a_broken_run_that_was_tried_again_is_passed_over(log, read, tmp_path):
    broken = header(status="error")
    first = log([sample()], broken, name=f"d/2026-01-01T00-00-00-00-00_add_{TASK_ID}.eval")
    assert len(read(first)) == 1
    log([sample(), sample("b")], name=f"d/2026-01-01T01-00-00-00-00_add_{TASK_ID}.eval")
    (evidence,) = read_path(tmp_path / "d")
    assert column(evidence, "item") == ["a", "b"]
    assert any(f"{first}" in n for n in evidence.provenance.notices)
    with pytest.raises(SourceError, match="was tried again in 2026-01-01T01"):
        read(first)


def test_void_samples_are_dropped(log, read):
    evidence = read(log([sample(), sample("b", invalidation={"author": "x"})]))
    assert column(evidence, "item") == ["a"]
    assert evidence.provenance.account.drops[0].reason == "declared void in the log (invalidated)"


def test_the_same_model_as_judge_does_not_count(log, read):
    usage = {"input_tokens": 10, "output_tokens": 10}
    judged = sample(
        model_usage={MODEL: usage}, role_usage={"grader": {"input_tokens": 4, "output_tokens": 3}}
    )
    head = header(model_roles={"grader": {"model": MODEL}}, dataset={"name": "sums"})
    evidence = read(log([judged], head))
    assert (column(evidence, "input_tokens"), column(evidence, "output_tokens")) == ([6.0], [7.0])


def test_ids_are_text(log, read):
    assert column(read(log([sample(1), sample("01")])), "item") == ["01", "1"]


def test_damage(write, read, pack):
    good = pack(members(header(), [sample(), sample("b")]))
    with pytest.raises(SourceError, match=r"cut\.eval: .*cut short"):
        read(write("cut.eval", good[:-40]))
    files = members(header(), [sample(), sample("b")])
    files["samples/b_epoch_1.json"] = files["samples/b_epoch_1.json"][:-9]
    path = write("bad.eval", pack(files))
    with pytest.raises(SourceError, match=r"bad\.eval!samples/b_epoch_1\.json: .*damaged"):
        read(path)
    evidence = read(path, bad_rows="drop")
    assert column(evidence, "item") == ["a"]
    assert evidence.provenance.account.drops[0].reason == "a sample that cannot be read"


def test_a_damaged_log_of_a_folder(write, tmp_path):
    good = deflated(members(header(), [sample(), sample("b")]))
    write("d/good.eval", good)
    path = write("d/bad.eval", good[:-40])
    with pytest.raises(SourceError, match=r"bad\.eval"):
        read_path(tmp_path / "d")
    (evidence,) = read_path(tmp_path / "d", options=ReadOptions(bad_rows="drop"))
    assert evidence.provenance.account.drops[0].examples == (str(path),)


def test_versions(log, read):
    evidence = read(log([sample(), sample("b")], header(version=3)))
    assert "log version 3 is not among those tested here (1, 2)" in evidence.provenance.notices[0]
    with pytest.raises(SourceError, match=r"must name eval\.model .* its version is 3"):
        read(log([sample()], header(version=3, model=None)))
    with pytest.raises(SourceError, match=r"status of a log must be one of .* got 'paused'"):
        read(log([sample()], header(status="paused")))


@pytest.mark.shared
def test_real_logs(shared):
    folder = shared / "formats" / "inspect_ai"
    (sums,) = read_path(next(folder.glob("*tiny-add*.eval")))
    assert len(sums) == 48  # 12 items, 2 epochs, 2 scorers
    match = [r["score"] for r in sums.table.to_pylist() if r["metric"] == "match"]
    assert sum(match) / len(match) == 0.75  # accuracy in the header of the log
    (choice,) = read_path(next(folder.glob("*tiny-mc*.json")))
    assert column(choice, "status") == ["unparsed"] * 12
