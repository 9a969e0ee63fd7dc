"""Run folders of HELM: states, scores, trials, perturbed copies."""

import json
import zipfile

import pytest

from caveat.errors import SourceError
from caveat.importers._base import ReadOptions
from caveat.importers.reading import inspect_path, read_path

NAME = "mmlu:subject=law,method=multiple_choice_joint,model=org_m"


def spec(name=NAME, *, model="org/m", method="multiple_choice_joint"):
    return {
        "name": name,
        "scenario_spec": {"class_name": "x", "args": {"subject": "law"}},
        "adapter_spec": {"method": method, "model": model, "model_deployment": "host/m"},
    }


def state(item="id1", text=" B", trial=0, **more):
    references = [
        {"output": {"text": "yes"}, "tags": []},
        {"output": {"text": "no"}, "tags": ["correct"]},
    ]
    result = {
        "success": True,
        "completions": [{"text": text}],
        "cached": False,
        "request_time": 1.5,
        "request_datetime": 1767323045,
    }
    own = {
        "instance": {"input": {"text": "Q"}, "references": references, "split": "test", "id": item},
        "train_trial_index": trial,
        "output_mapping": {"A": "yes", "B": "no"},
        "request": {"prompt": "Q"},
        "result": result,
    }
    return {**own, **more}


def stats(item="id1", trial=0, *, perturbation=None, **values):
    """Return the scores of one instance in one trial."""
    entry = {"instance_id": item, "train_trial_index": trial}
    if perturbation:
        entry["perturbation"] = {"name": perturbation}
    entry["stats"] = [
        {"name": {"name": name.replace("_at_", "@"), "split": "test"}, "count": 1, "mean": value}
        for name, value in values.items()
    ]
    return entry


@pytest.fixture
def run(write):
    """Write a run folder and return its path."""

    def _run(states, scores, told=None, *, folder="runs/mmlu:subject=law,model=org_m"):
        told = told or spec()
        adapter = {"adapter_spec": told["adapter_spec"], "request_states": states}
        files = {"run_spec": told, "scenario_state": adapter, "per_instance_stats": scores}
        for name, content in {**files, "stats": [], "scenario": {"name": "mmlu"}}.items():
            path = write(f"{folder}/{name}.json", json.dumps(content, indent=2))
        return path.parent

    return _run


def column(evidence, name):
    return evidence.table.column(name).to_pylist()


def test_columns(run, read):
    scores = stats(
        exact_match=1.0, exact_match_at_5=1.0, num_prompt_tokens=30, num_output_tokens=1, logprob=-2
    )
    folder = run([state()], [scores])
    evidence = read(folder)
    assert evidence.table.to_pylist() == [
        {
            "benchmark": "mmlu",
            "item": "law/id1",
            "model": "org/m",
            "task": "law",
            "repeat": "0",
            "prompt": "method=multiple_choice_joint",
            "metric": "exact_match",
            "prediction": "B",
            "target": "B",
            "score": 1.0,
            "status": "scored",
            "n_options": 2.0,
            "input_tokens": 30.0,
            "output_tokens": 1.0,
            "latency_s": 1.5,
            "at": "2026-01-02T03:04:05+00:00",
            "split": "test",
        }
    ]
    (notice,) = evidence.provenance.notices
    assert notice.endswith("metrics read: exact_match; left out: exact_match@5")
    (part,) = inspect_path(folder).parts
    assert part.importer == "helm"


def test_ids_are_unique_only_within_a_scenario(run, tmp_path):
    other = spec("mmlu:subject=art,model=org_m")
    other["scenario_spec"]["args"] = {"subject": "art"}
    run([state()], [stats(exact_match=1.0)])
    run([state()], [stats(exact_match=0.0)], other, folder="runs/art")
    found = read_path(tmp_path / "runs")
    assert sorted(column(e, "item")[0] for e in found) == ["art/id1", "law/id1"]


def test_trials_are_repeats(run, read):
    states = [state(trial=0), state(trial=1)]
    evidence = read(run(states, [stats(trial=t, exact_match=1.0 - t) for t in (0, 1)]))
    assert column(evidence, "repeat") == ["0", "1"]
    assert column(evidence, "score") == [1.0, 0.0]


def test_perturbed_copies_are_left_out_and_counted(run, read):
    typos = state()
    typos["instance"]["perturbation"] = {"name": "typos"}
    scores = [stats(exact_match=1.0), stats(exact_match=0.0, perturbation="typos")]
    evidence = read(run([state(), typos], scores))
    assert column(evidence, "score") == [1.0]
    (drop,) = evidence.provenance.account.drops
    assert (drop.reason, drop.count) == ("a perturbed copy of an instance", 1)


@pytest.mark.parametrize("text", ["Answer: B", "C", ""])
def test_a_text_that_is_no_letter_is_unparsed(run, read, text):
    evidence = read(run([state(text=text)], [stats(exact_match=0.0)]))
    assert (column(evidence, "prediction"), column(evidence, "status")) == ([None], ["unparsed"])


def test_free_answers(run, read):
    free = state(text=" No. ")
    del free["output_mapping"]
    free["instance"]["references"].append({"output": {"text": "nope"}, "tags": ["correct"]})
    scores = [stats(exact_match=0.0, quasi_exact_match=1.0)]
    evidence = read(run([free], scores, spec(method="generation")))
    assert column(evidence, "metric") == ["exact_match", "quasi_exact_match"]
    assert column(evidence, "prediction") == ["No."] * 2
    assert column(evidence, "target") == ['["no","nope"]'] * 2


def test_other_metrics_where_there_is_no_main_one(run, read):
    evidence = read(run([state()], [stats(toxicity=0.25, num_bytes=7)]))
    assert (column(evidence, "metric"), column(evidence, "score")) == (["toxicity"], [0.25])


def test_separate_choices_are_one_answer(run, read):
    states = [state(reference_index=i, output_mapping=None) for i in (0, 1)]
    told = spec(method="multiple_choice_separate_original")
    evidence = read(run(states, [stats(exact_match=0.0)], told))
    assert (column(evidence, "prediction"), column(evidence, "status")) == ([None], ["scored"])
    assert column(evidence, "n_options") == [2.0]


def test_failed_requests_are_missing(run, read):
    failed = state(result={"success": False, "error": "boom"})
    evidence = read(run([failed, state("id2")], [stats("id2", exact_match=1.0)]))
    assert column(evidence, "status") == ["error", "scored"]
    assert column(evidence, "score") == [None, 1.0]


def test_one_file_of_a_run_finds_the_others(run, read):
    folder = run([state()], [stats(exact_match=1.0)])
    for name in ("scenario_state", "per_instance_stats", "run_spec"):
        assert column(read(folder / f"{name}.json"), "prediction") == ["B"]


def test_files_that_are_missing(run, read):
    folder = run([state()], [stats(exact_match=1.0)])
    (folder / "scenario_state.json").unlink()
    evidence = read(folder)
    assert (column(evidence, "score"), column(evidence, "prediction")) == ([1.0], [None])
    assert "they are read without answers" in evidence.provenance.notices[-1]
    (folder / "run_spec.json").unlink()
    with pytest.raises(SourceError, match=r"adapter_spec\.model"):
        read(folder)
    folder = run([state()], [stats(exact_match=1.0)], folder="runs/b")
    (folder / "per_instance_stats.json").unlink()
    with pytest.raises(SourceError, match=r"needs per_instance_stats\.json beside it"):
        read(folder / "scenario_state.json")
    folder = run([state()], [stats(exact_match=1.0)], folder="runs/c")
    (folder / "run_spec.json").unlink()
    with pytest.raises(SourceError, match=r"named in run_spec\.json"):
        read(folder)


def test_a_suite_in_an_archive(run, tmp_path):
    """Names of run folders hold `:` and `=`, which Windows cannot unpack."""
    folder = run([state()], [stats(exact_match=1.0)])
    archive = tmp_path / "suite.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for name in ("mmlu:subject=law,model=a", "mmlu:subject=law,model=b"):
            for part in folder.iterdir():
                file.write(part, f"suite/{name}/{part.name}")
    found = read_path(archive)
    assert [len(e) for e in found] == [1, 1]


def test_damage(run, tmp_path):
    run([state()], [stats(exact_match=1.0)], spec(model="org/good"), folder="runs/good")
    folder = run([state()], [stats(exact_match=1.0)], folder="runs/bad")
    path = folder / "scenario_state.json"
    path.write_text(path.read_text()[:-60])
    with pytest.raises(SourceError, match=r"bad/scenario_state\.json"):
        read_path(tmp_path / "runs")
    (evidence,) = read_path(tmp_path / "runs", options=ReadOptions(bad_rows="drop"))
    assert column(evidence, "model") == ["org/good"]
    assert evidence.provenance.account.drops[0].count == 1


@pytest.mark.shared
def test_real_runs(shared):
    found = read_path(shared / "formats" / "helm")
    assert [column(e, "benchmark")[0] for e in found] == ["simple_classification", "simple_mcqa"]
    assert [len(e) for e in found] == [20, 20]  # 5 instances, 4 metrics
