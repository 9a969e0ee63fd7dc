"""Files as other tools write them; what this program writes is tried in tests/exporters."""

import json
import shutil
import zipfile

import pytest

import caveat
from caveat.errors import InputError, SourceError, UnrecognisedError

UUID = "2bdd8698-c188-4abf-9be3-6ef5aa517104"


def sample(item, score, result="match:accuracy", **changed):
    """Return one line as the official converters write it."""
    record = {
        "schema_version": "0.3.0",
        "evaluation_id": "sums/lab_small/1796056399.0",
        "model_id": "lab/small",
        "evaluation_name": "sums",
        "evaluation_result_id": result,
        "sample_id": item,
        "sample_hash": "41d2",
        "interaction_type": "single_turn",
        "input": {"raw": "2 + 2?", "formatted": None, "reference": ["4"], "choices": None},
        "output": {"raw": ["it is 4"], "reasoning_trace": None},
        "messages": None,
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score == 1, "num_turns": 1},
        "token_usage": None,
        "performance": None,
        "error": None,
        "metadata": {"epoch": "1"},
    }
    return record | changed


def results(*ids, library="inspect", name="sums", **changed):
    document = {
        "schema_version": "0.3.0",
        "evaluation_id": "sums/lab_small/1796056399.0",
        "evaluation_timestamp": "1796056399.0",
        "retrieved_timestamp": "1796057238.0",
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": "Test Lab",
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": library, "version": "1"},
        "model_info": {"name": "lab/small", "id": "lab/small"},
        "evaluation_results": [
            {
                "evaluation_result_id": result,
                "evaluation_name": name,
                "source_data": {"dataset_name": name, "source_type": "other"},
                "metric_config": {"metric_name": "accuracy", "lower_is_better": False},
                "score_details": {"score": 0.5, "uncertainty": {"num_samples": 2}},
            }
            for result in ids
        ],
    }
    return document | changed


@pytest.fixture
def run(tmp_path):
    """Write a run of two files and read it."""

    def read(samples, document=None, kind="responses", **options):
        folder = tmp_path / "data" / "sums" / "lab" / "small"
        folder.mkdir(parents=True, exist_ok=True)
        if samples is not None:
            text = "".join(json.dumps(s) + "\n" for s in samples)
            (folder / f"{UUID}_samples.jsonl").write_text(text)
        if document is not None:
            (folder / f"{UUID}.json").write_text(json.dumps(document, indent=1))
        return caveat.read(tmp_path / "data", kind=kind, options=caveat.Options(**options))[kind]

    return read


def rows(evidence, *names):
    return [tuple(row[n] for n in names) for row in evidence.table.to_pylist()]


def notices(evidence):
    return "\n".join(evidence.provenance.notices)


def test_samples_are_responses_and_results_are_published_scores(run, tmp_path):
    lines = [sample("a", 1.0), sample("b", 0.0), sample("b", 0.0, metadata={"epoch": "2"})]
    found = run(lines, results("match:accuracy"))
    names = ("benchmark", "item", "model", "repeat", "metric", "prediction", "target", "score")
    assert rows(found, *names) == [
        ("sums", "a", "lab/small", "1", "match", "it is 4", "4", 1.0),
        ("sums", "b", "lab/small", "1", "match", "it is 4", "4", 0.0),
        ("sums", "b", "lab/small", "2", "match", "it is 4", "4", 0.0),
    ]
    published = caveat.read(tmp_path / "data")["published"]
    assert rows(published, "benchmark", "model", "metric", "value", "n", "source") == [
        ("sums", "lab/small", "match", 0.5, 2.0, "Test Lab")
    ]


@pytest.mark.parametrize("named", [f"{UUID}_samples.jsonl", f"{UUID}.json"])
def test_one_file_of_a_run_brings_the_other(run, tmp_path, named):
    run([sample("a", 1.0)], results("match:accuracy"))
    (path,) = tmp_path.rglob(named)
    found = caveat.read(path)
    assert rows(found["responses"], "metric") == [("match",)]
    assert len(found["published"]) == 1


def test_runs_in_an_archive(run, tmp_path):
    run([sample("a", 1.0)], results("match:accuracy"))
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for path in (tmp_path / "data").rglob("*.json*"):
            archive.write(path, path.relative_to(tmp_path).as_posix())
    shutil.rmtree(tmp_path / "data")
    assert len(caveat.read(tmp_path / "x.zip")["responses"]) == 1


@pytest.mark.parametrize(
    ("library", "name", "result", "reading"),
    [
        # lm-eval: metric:filter, and task/filter as the name of the evaluation
        (
            "lm_eval",
            "sums/strict-match",
            "exact_match:strict-match",
            ("exact_match", "strict-match"),
        ),
        ("lm_eval", "sums", "acc", ("acc", "none")),
        ("inspect", "sums", "match:accuracy", ("match", None)),  # scorer:metric
        ("helm", "sums", "exact_match:test", ("exact_match", None)),  # metric:split
        ("other", "sums", "x:y", ("x:y", None)),  # taken as it stands
    ],
)
def test_what_a_result_is_of_follows_the_library(run, library, name, result, reading):
    line = sample("a", 1.0, result, evaluation_name=name)
    found = run([line], results(result, library=library, name=name))
    assert rows(found, "benchmark", "metric") == [("sums", reading[0])]
    columns = found.table.column_names
    assert (found.table["filter"][0].as_py() if "filter" in columns else None) == reading[1]


def test_two_metrics_of_one_scorer_stay_two(run):
    ids = ("match:accuracy", "match:mean")
    found = run([sample("a", 1.0, one) for one in ids], results(*ids))
    assert rows(found, "metric") == [("match:accuracy",), ("match:mean",)]


def test_samples_without_results_are_read_and_told(run):
    found = run([sample("a", 1.0)])
    assert rows(found, "metric") == [("match:accuracy",)]
    assert "no file of results lies beside it" in notices(found)


def test_results_without_samples_are_no_responses(run, tmp_path):
    found = run(None, results("match:accuracy"), kind="published")
    assert len(found) == 1
    with pytest.raises(SourceError, match="none of the 1 files in it holds evidence"):
        run(None, kind="responses")
    (path,) = tmp_path.rglob("*.json")
    with pytest.raises(UnrecognisedError, match=r"must hold responses, got published"):
        caveat.agree(path)


def test_an_error_is_missing_and_not_wrong(run):
    lines = [sample("a", 0.0, error="API timeout"), sample("b", 0.0, error="refusal")]
    found = run(lines, results("match:accuracy"))
    assert rows(found, "score", "status") == [(None, "error"), (0.0, "refused")]
    assert "1 rows carry an error" in notices(found)


def test_a_row_that_points_at_no_result_is_not_scored(run):
    # lm-eval's converter writes score 0 for samples whose metrics are no numbers
    found = run([sample("a", 1.0), sample("b", 0.0, None)], results("match:accuracy"))
    assert rows(found, "item", "score", "status") == [("a", 1.0, "scored"), ("b", None, "unscored")]
    assert "1 rows point at no result" in notices(found)


def test_contradictions_of_score_and_is_correct_are_kept_and_told(run):
    line = sample("a", 0.0, evaluation={"score": 0.0, "is_correct": True})
    found = run([line, sample("b", 1.0)], results("match:accuracy"))
    assert rows(found, "score", "is_correct") == [(0.0, True), (1.0, None)]
    assert "in 1 rows is_correct contradicts" in notices(found)


def test_tokens_times_choices_and_metadata(run):
    usage = {
        "input_tokens": 10,
        "output_tokens": 5,
        "total_tokens": 15,
        "input_tokens_cache_read": 4,
        "reasoning_tokens": 2,
    }
    line = sample(
        "a",
        1.0,
        token_usage=usage,
        performance={"latency_ms": 828.0, "generation_time_ms": 5},
        input={"raw": "?", "reference": ["4", "four"], "choices": ["3", "4"]},
        metadata={"subject": "easy", "stop_reason": "stop", "score": "9"},
    )
    found = run([line], results("match:accuracy"))
    (row,) = found.table.to_pylist()
    assert (row["input_tokens"], row["output_tokens"], row["latency_s"]) == (10, 5, 0.828)
    assert (row["input_tokens_cache_read"], row["reasoning_tokens"]) == (4, 2)
    assert (row["n_options"], row["target"], row["task"]) == (2, '["4","four"]', "easy")
    assert (row["stop_reason"], row["score"], row["metadata_score"]) == ("stop", 1.0, "9")
    assert row["at"] == 1796056399.0


def test_the_last_terminal_value_is_the_answer(run):
    steps = [
        {"extracted_value": "3", "is_terminal": False},
        {"extracted_value": "4", "is_terminal": True},
    ]
    said = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "it is 5"}]
    lines = [
        sample("a", 1.0, answer_attribution=steps),
        sample("b", 1.0, output={"raw": ["6", "7"]}),
        sample("c", 1.0, output=None, messages=said, interaction_type="multi_turn"),
        sample("d", 0.0, output={"raw": []}),
    ]
    found = run(lines, results("match:accuracy"))
    answers = [("4", "scored"), ("6", "scored"), ("it is 5", "scored"), (None, "unparsed")]
    assert rows(found, "prediction", "status") == answers
    assert "1 rows hold several outputs" in notices(found)


def test_another_version_is_named_and_tried(run, tmp_path):
    changed = results("match:accuracy", schema_version="0.9.0")
    found = run([sample("a", 1.0, schema_version="0.9.0")], changed)
    assert "1 rows are of schema version '0.9.0', which was not tested here" in notices(found)
    published = caveat.read(tmp_path / "data")["published"]
    assert "schema version '0.9.0' was not tested here (tested: 0.3.0)" in notices(published)
    broken = sample("a", 1.0, schema_version="0.9.0")
    del broken["evaluation"]
    with pytest.raises(SourceError, match=r"row 1: not a sample .* version '0.9.0'; lacks 'evalu"):
        run([broken])


@pytest.mark.parametrize(
    "broken",
    [
        {"evaluation": {"score": "high", "is_correct": True}},
        {"input": None},
        {"answer_attribution": "none"},
        {"evaluation": []},
        {"output": {"raw": "4"}, "input": {"reference": 4}},
    ],
)
def test_a_broken_row_is_an_error_or_dropped_and_counted(run, broken):
    lines = [sample("a", 1.0), sample("b", 1.0, **broken)]
    with pytest.raises((SourceError, InputError), match="row 2"):
        run(lines)
    found = run(lines, bad_rows="drop")
    account = found.provenance.account
    assert (len(found), account.rows_read, account.dropped) == (1, 2, 1)


def test_damaged_and_oversized_results_are_refused(run, tmp_path):
    run([sample("a", 1.0)], results("match:accuracy"))
    (path,) = tmp_path.rglob(f"{UUID}.json")
    path.write_text(path.read_text()[:-20])
    with pytest.raises(SourceError, match="not valid JSON or cut short"):
        caveat.read(tmp_path / "data")


def test_a_folder_of_other_files_and_of_runs(run, write, tmp_path):
    write("data/votes.csv", "model_a,model_b,winner\nx,y,a\n")
    write("data/notes.txt", "nothing to read here\n")
    found = run([sample("a", 1.0)], results("match:accuracy"))
    assert "passed over, not responses" in notices(found)
    assert set(caveat.read(tmp_path / "data")) == {"responses", "published", "votes"}


@pytest.mark.shared
def test_files_of_the_official_converters(shared):
    found = caveat.read(shared / "formats" / "every_eval_ever")
    responses, published = found["responses"], found["published"]
    # 12 items x 2 epochs x 2 scorers of Inspect, 5 items x 8 metrics of HELM
    assert len(responses) == 48 + 40
    assert len(published) == 2 + 24 + 3 * 2
    account = responses.provenance.account
    assert account.rows_read == account.kept
    inspect = [r for r in responses.table.to_pylist() if r["benchmark"] == "tiny_add"]
    assert {r["metric"] for r in inspect} == {"match", "includes"}
    assert {r["repeat"] for r in inspect} == {"1", "2"}
    assert inspect[0]["latency_s"] == 0.828
    # 0.75 was published for both scorers, and the rows give the same
    for metric in ("match", "includes"):
        scores = [r["score"] for r in inspect if r["metric"] == metric]
        assert sum(scores) / len(scores) == 0.75
    values = {
        (r["model"], r["metric"], r["filter"]): r["value"] for r in published.table.to_pylist()
    }
    assert values["mocklab/mock-mid", "exact_match", "strict-match"] == pytest.approx(2 / 3)


OWN = {"caveat.status": "scored"}


def test_tampered_cells_of_ours_are_errors(run):
    kept = {"additional_details": {"caveat.columns": '{"seen":"timestamp[us]","n":"int64"}'}}
    document = results("match:accuracy", detailed_evaluation_results=kept)
    with pytest.raises(SourceError, match=r"caveat\.seen: must be a time"):
        run([sample("a", 1.0, metadata=OWN | {"caveat.seen": "yesterday"})], document)
    with pytest.raises(SourceError, match=r"row 1: not a sample .*invalid literal for int"):
        run([sample("a", 1.0, metadata=OWN | {"caveat.n": "many"})], document)


def test_cells_of_ours_do_not_replace_what_the_schema_says(run):
    (row,) = run([sample("a", 1.0, metadata=OWN | {"caveat.model": "x"})]).table.to_pylist()
    assert row["model"] == "lab/small"


def test_a_file_cannot_bring_columns_without_end(run):
    many = OWN | {f"caveat.c{i}": "1" for i in range(2000)}
    found = run([sample("a", 1.0, metadata=many)])
    assert len(found.table.column_names) < 520
    assert "columns were left out, for there are too many" in notices(found)
