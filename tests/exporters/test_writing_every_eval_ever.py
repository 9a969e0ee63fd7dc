"""Facts of the schema are checked by hand; the official validator is run where it is installed."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from importlib.util import find_spec

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import caveat
from caveat.errors import InputError
from caveat.exporters.eee_results import Writer
from caveat.exporters.every_eval_ever import write_every_eval_ever
from caveat.workflows.exporting import Publisher

PATH = re.compile(
    r"data/[^/]+/[^/]+/[^/]+/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)
IN_RESULTS = {
    "schema_version",
    "evaluation_id",
    "retrieved_timestamp",
    "source_metadata",
    "eval_library",
    "model_info",
    "evaluation_results",
    "detailed_evaluation_results",
}
IN_SAMPLES = {
    "schema_version",
    "evaluation_id",
    "model_id",
    "evaluation_name",
    "evaluation_result_id",
    "sample_id",
    "sample_hash",
    "interaction_type",
    "input",
    "output",
    "answer_attribution",
    "evaluation",
    "token_usage",
    "performance",
    "error",
    "metadata",
}
ANSWERS = {
    "benchmark": ["sums"] * 4,
    "item": ["1", "2", "3", "4"],
    "model": ["lab/small"] * 4,
    "prediction": ["4", "5", None, None],
    "target": ["4", "6", "8", "9"],
    "score": [1.0, 0.0, 0.0, None],
    "status": ["scored", "scored", "unparsed", "error"],
    "metric": ["exact"] * 4,
    "filter": ["strict"] * 4,
    "repeat": ["1"] * 4,
    "task": ["easy", "easy", "hard", None],
    "input_tokens": [10, 11, 12, None],
    "output_tokens": [2, 3, 4, None],
    "cost_usd": [0.1, 0.2, None, None],
    "latency_s": [0.25, 0.5, 1.0, None],
    "difficulty": [1, 2, 3, None],
}


@pytest.fixture
def written(tmp_path):
    """Write evidence and return results and samples of its only file."""

    def write(frame, kind="responses", **writer):
        evidence = caveat.read(frame, kind=kind)[kind]
        (made,) = write_every_eval_ever(
            evidence, tmp_path, models={}, writer=Writer(created="1796000000.0", **writer)
        )
        samples = made.path.with_name(made.path.stem + "_samples.jsonl")
        lines = samples.read_text(encoding="utf-8").splitlines()
        return made.path, json.loads(made.path.read_text()), [json.loads(li) for li in lines]

    return write


def test_files_have_the_keys_and_the_place_that_the_schema_demands(written, tmp_path):
    path, results, samples = written(ANSWERS)
    inside = path.relative_to(tmp_path).as_posix()
    assert PATH.fullmatch(inside.removesuffix(".json"))
    assert inside.startswith("data/sums/lab/small/")
    assert set(results) <= IN_RESULTS
    assert all(set(sample) == IN_SAMPLES for sample in samples)
    detail = results["detailed_evaluation_results"]
    assert detail["file_path"] == inside.removesuffix(".json") + "_samples.jsonl"
    assert detail["total_rows"] == len(samples) == 4
    assert {s["evaluation_id"] for s in samples} == {results["evaluation_id"]}
    assert {s["model_id"] for s in samples} == {results["model_info"]["id"]} == {"lab/small"}
    assert results["model_info"]["developer"] == "lab"


def test_places_left_free_hold_text_only(written):
    _, results, samples = written(ANSWERS)
    free = [sample["metadata"] for sample in samples]
    free += [
        results["source_metadata"]["additional_details"],
        results["model_info"]["additional_details"],
        results["detailed_evaluation_results"]["additional_details"],
        *(r["metric_config"]["additional_details"] for r in results["evaluation_results"]),
        *(r["score_details"]["details"] for r in results["evaluation_results"]),
    ]
    assert all(isinstance(value, str) for place in free for value in place.values())


def test_a_result_is_the_mean_over_items_with_a_score(written):
    _, results, samples = written(ANSWERS)
    (result,) = results["evaluation_results"]
    assert result["evaluation_result_id"] == "exact:strict"
    # (1 + 0 + 0) / 3: the unparsed answer counts as wrong, the error as missing
    assert result["score_details"]["score"] == pytest.approx(1 / 3)
    assert result["score_details"]["uncertainty"]["num_samples"] == 3
    assert result["metric_config"]["score_type"] == "binary"
    assert [s["evaluation_result_id"] for s in samples] == ["exact:strict"] * 3 + [None]


def test_repeats_of_an_item_are_averaged_first(written):
    frame = {
        "benchmark": ["b"] * 4,
        "item": ["1", "1", "1", "2"],
        "repeat": ["1", "2", "3", "1"],
        "model": ["m"] * 4,
        "score": [1.0, 1.0, 1.0, 0.0],
    }
    _, results, _ = written(frame)
    # items 1 and 2 have means 1 and 0; the mean over rows would be 3 / 4
    assert results["evaluation_results"][0]["score_details"]["score"] == 0.5


def test_a_missing_score_is_said_to_be_a_placeholder(written):
    _, _, samples = written(ANSWERS)
    assert samples[3]["evaluation"] == {"score": 0.0, "is_correct": False}
    assert "placeholder" in samples[3]["error"]
    assert samples[3]["metadata"]["caveat.score"] == "null"
    assert samples[2]["error"] is None


def test_fields_of_the_schema_are_used_where_it_has_some(written):
    _, _, samples = written(ANSWERS)
    first = samples[0]
    assert first["input"] == {"raw": "", "reference": ["4"]}
    assert first["output"] == {"raw": ["4"]}
    assert first["answer_attribution"][0]["extracted_value"] == "4"
    assert first["evaluation"] == {"score": 1.0, "is_correct": True}
    assert first["token_usage"] == {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12}
    assert first["performance"] == {"latency_ms": 250.0}
    assert first["metadata"]["epoch"] == "1"
    assert first["metadata"]["caveat.cost_usd"] == "0.1"
    assert first["sample_hash"] is None  # without the question there is nothing to hash
    assert samples[3]["token_usage"] is None


@pytest.mark.parametrize(
    ("scores", "bounds"),
    [
        ([0.0, 1.0], ("binary", 0, 1)),
        ([0.25, 1.0], ("continuous", 0, 1)),
        ([-2.0, 70.0], ("continuous", "-Infinity", "Infinity")),  # as text, the schema says
    ],
)
def test_bounds_are_those_of_known_kinds_of_scores(written, scores, bounds):
    frame = {"benchmark": ["b"] * 2, "item": ["1", "2"], "model": ["m"] * 2, "score": scores}
    config = written(frame)[1]["evaluation_results"][0]["metric_config"]
    assert (config["score_type"], config["min_score"], config["max_score"]) == bounds


def test_signs_that_python_takes_for_ends_of_lines_are_escaped(written):
    # the official validator splits samples with str.splitlines
    frame = dict(ANSWERS, prediction=["a\u2028b", "c\u0085d", "e\u2029f", "g\x1ch\x0b"])
    assert [s["output"]["raw"] for s in written(frame)[2]] == [
        ["a\u2028b"],
        ["c\u0085d"],
        ["e\u2029f"],
        ["g\x1ch\x0b"],
    ]


def test_the_same_evidence_has_the_same_name_whenever_it_is_written(tmp_path):
    for number, day in enumerate((1, 2)):
        publisher = Publisher(created=datetime(2026, 1, day, tzinfo=UTC))
        caveat.export(ANSWERS, tmp_path / str(number), to="every-eval-ever", publisher=publisher)
    names = [sorted(p.name for p in (tmp_path / n).rglob("*.json*")) for n in "01"]
    assert names[0] == names[1]
    other = dict(ANSWERS, score=[1.0, 1.0, 0.0, None])
    caveat.export(other, tmp_path / "2", to="every-eval-ever")
    assert not set(names[0]) & {p.name for p in (tmp_path / "2").rglob("*.json*")}


def test_models_are_filed_under_their_declared_maker(tmp_path):
    answers = dict(ANSWERS, model=["gpt-4o"] * 4)
    models = {"model": ["gpt-4o"], "provider": ["OpenAI"], "open_weights": [False]}
    (made,) = caveat.export([answers, models], tmp_path, to="every-eval-ever")
    assert made.path.relative_to(tmp_path).parts[:4] == ("data", "sums", "OpenAI", "gpt-4o")
    info = json.loads(made.path.read_text())["model_info"]
    assert info["developer"] == "OpenAI"
    assert info["additional_details"]["model_availability"] == "closed_weights"


def test_runs_have_files_of_their_own(tmp_path):
    frame = {
        "benchmark": ["b"] * 4,
        "item": ["1", "2"] * 2,
        "model": ["m"] * 4,
        "run": ["r1", "r1", "r2", "r2"],
        "score": [1.0, 0.0, 1.0, 1.0],
    }
    made = caveat.export(frame, tmp_path, to="every-eval-ever")
    assert len(made) == 2
    ids = {json.loads(one.path.read_text())["evaluation_id"] for one in made}
    assert len(ids) == 2


def test_only_answers_and_votes_have_a_place(tmp_path):
    models = {"model": ["a"], "provider": ["x"]}
    with pytest.raises(InputError, match="must hold responses or votes, got models"):
        caveat.export(models, tmp_path, to="every-eval-ever")
    with pytest.raises(InputError, match="must be one of"):
        caveat.export(ANSWERS, tmp_path, to="csv")


NAMES = st.one_of(
    st.sampled_from(["a", "b/c", "openai-api/x/y", "..", "con", "a:b", "x" * 300, "ab\u2028c"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
)
TEXTS = st.one_of(st.none(), NAMES)
NUMBERS = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False))
COUNTS = st.one_of(st.none(), st.integers(0, 2**53))
STATUSES = st.sampled_from([None, "scored", "unparsed", "refused", "error", "unscored"])
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "benchmark": NAMES,
            "item": NAMES,
            "model": NAMES,
            "task": TEXTS,
            "run": TEXTS,
            "repeat": TEXTS,
            "prompt": TEXTS,
            "metric": TEXTS,
            "filter": TEXTS,
            "prediction": TEXTS,
            "target": TEXTS,
            "score": NUMBERS,
            "status": STATUSES,
            "cluster": TEXTS,
            "n_options": NUMBERS,
            "input_tokens": COUNTS,
            "output_tokens": COUNTS,
            "cost_usd": NUMBERS,
            "latency_s": NUMBERS,
            "sample_hash": TEXTS,
            "reasoning_tokens": COUNTS,
            "num_turns": COUNTS,
            "generation_time_ms": NUMBERS,
            "a text": TEXTS,
            "a number": NUMBERS,
            "a count": st.one_of(st.none(), st.integers(-(2**62), 2**62)),
            "a flag": st.sampled_from([None, True, False]),
            "at": st.one_of(st.none(), st.datetimes(timezones=st.just(UTC))),
            "seen": st.one_of(st.none(), st.dates()),
        }
    ),
    min_size=1,
    max_size=6,
)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=ROWS, number=st.integers(0, 10**9))
def test_every_cell_comes_back(rows, number, there_and_back, same):
    options = caveat.Options(bad_rows="drop")
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    try:
        evidence = caveat.read_responses(columns, options=options)
    except InputError:
        return  # nothing but blank names
    if len(evidence):
        folder = f"{number}-{abs(hash(repr(rows)))}"
        same(evidence.table, there_and_back(evidence, folder).table)


def test_votes_come_back(there_and_back, same):
    frame = pa.table(
        {
            "model_a": ["x", "x", "lab/y"],
            "model_b": ["lab/y", "z", "z"],
            "winner": ["a", "both_bad", "tie"],
            "voter": ["v1", None, "v2"],
            "item": ["p1", "p2", "p2"],
            "judge": [None, "j", None],
            "count": [3, 1, 2],
            "weight": [0.1, 1.0, 2.5],
            "chars_a": [10, 20, 30],
            "battle": [1, 2, 3],
        }
    )
    votes = caveat.read_votes(frame)
    back = there_and_back(votes)
    same(votes.table, back.table)
    assert back.order_known


def test_votes_are_no_result_of_the_model_they_are_filed_under(written):
    frame = {"model_a": ["x"], "model_b": ["y"], "winner": ["a"]}
    _, results, samples = written(frame, kind="votes")
    assert results["evaluation_results"] == []
    assert samples[0]["evaluation"] == {"score": 1.0, "is_correct": True}
    assert samples[0]["metadata"]["caveat.model_b"] == "y"


@pytest.mark.shared
@pytest.mark.parametrize("name", ["gpqa_original_baselines", "simple_evals_ru_mc"])
def test_real_answers_come_back(name, shared, there_and_back, same):
    evidence = caveat.read_responses(shared / "items" / f"{name}.parquet")
    same(evidence.table, there_and_back(evidence).table)


@pytest.mark.shared
def test_real_votes_come_back(shared, there_and_back, same):
    votes = caveat.read_votes(shared / "votes" / "chatbot_arena_20240814_counts.parquet")
    back = there_and_back(votes)
    same(votes.table, back.table)
    assert back.order_known == votes.order_known


@pytest.mark.skipif(
    find_spec("every_eval_ever") is None,
    reason="every_eval_ever (Python 3.12 and later) is not installed here",
)
def test_the_official_validator_accepts_it(tmp_path):
    caveat.export(ANSWERS, tmp_path, to="every-eval-ever")
    done = subprocess.run(
        [sys.executable, "-m", "every_eval_ever", "validate", "--format", "json", "data/*/*/*/*"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    reports = json.loads(done.stdout)
    assert len(reports) == 2
    assert all(report["valid"] and not report["warnings"] for report in reports)
