"""Runs of lm-evaluation-harness: samples with the results beside them, and the traps of both."""

import json
import zipfile

import pytest

from caveat.errors import InputError, SourceError
from caveat.importers._base import ReadOptions
from caveat.importers.reading import inspect_path, read_path

STAMP = "2026-01-02T03-04-05.678901"
LOW, HIGH = ["-2.0", "False"], ["-1.0", "True"]


def generated(doc_id, text, target, score, *, strict="strict-match", **doc):
    """Return a sample of a task that generates, asked as a chat: the argument is a list."""
    return {
        "doc_id": doc_id,
        "doc": {"question": "What is 1 + 1?", **doc},
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": ['[{"role": "user", "content": "Q"}]'], "arg_1": {}}},
        "resps": [[text]],
        "filtered_resps": [text],
        "filter": strict,
        "metrics": ["exact_match"],
        "doc_hash": f"{doc_id:064x}",
        "prompt_hash": "p" * 64,
        "target_hash": "t" * 64,
        "exact_match": score,
    }


def chosen(doc_id, replies, choices, target, **metrics):
    """Return a sample of a task that compares choices by their likelihood."""
    return {
        "doc_id": doc_id,
        "doc": {"question": "Which?"},
        "target": target,
        "arguments": {
            f"gen_args_{i}": {"arg_0": "Q", "arg_1": f" {choice}"}
            for i, choice in enumerate(choices)
        },
        "resps": [[reply] for reply in replies],
        "filtered_resps": replies,
        "filter": "none",
        "metrics": list(metrics),
        "doc_hash": "d" * 64,
        **metrics,
    }


def results(task="add", *, model="org/m", filters=("strict-match",), **more):
    """Return the results of a run."""
    scores = {f"exact_match,{name}": 0.5 for name in filters}
    return {
        "results": {task: {"alias": task, **scores}},
        "group_subtasks": {},
        "configs": {
            task: {"task": task, "filter_list": [{"name": name} for name in filters]},
        },
        "n-shot": {task: 5},
        "higher_is_better": {task: {"exact_match": True}},
        "config": {"model": "hf", "model_args": f"pretrained={model},dtype=auto"},
        "date": 1767323045.5,
        "lm_eval_version": "0.4.13",
        "model_name": model,
        **more,
    }


@pytest.fixture
def run(write):
    """Write samples and results of a run and return the path of the samples."""

    def _run(samples, told=None, *, folder="org__m", task="add", stamp=f"_{STAMP}"):
        if told is not None:
            write(f"{folder}/results{stamp}.json", json.dumps(told, indent=2))
        lines = "\n".join(map(json.dumps, samples))
        return write(f"{folder}/samples_{task}{stamp}.jsonl", lines)

    return _run


def column(evidence, name):
    return evidence.table.column(name).to_pylist()


def test_columns(run, read):
    evidence = read(run([generated(0, "4", "4", 1.0, category="easy")], results()))
    row = evidence.table.to_pylist()[0]
    assert row == {
        "benchmark": "add",
        "item": "0",
        "model": "org/m",
        "task": "easy",
        "run": STAMP,
        "prompt": "5-shot",
        "metric": "exact_match",
        "filter": "strict-match",
        "prediction": "4",
        "target": "4",
        "score": 1.0,
        "status": "scored",
        "n_options": None,
        "at": "2026-01-02T03:04:05+00:00",
        "doc_hash": "0" * 16,
    }
    assert evidence.provenance.notices == ()


def test_two_filters_are_two_readings_of_one_answer(run, read):
    samples = [
        generated(i, "4", "4", score, strict=name)
        for name, score in (("strict-match", 0.0), ("flexible-extract", 1.0))
        for i in range(2)
    ]
    evidence = read(run(samples, results()))
    assert column(evidence, "item") == ["0", "1", "0", "1"]
    assert column(evidence, "filter") == ["strict-match"] * 2 + ["flexible-extract"] * 2


def test_what_the_filter_could_not_read_is_unparsed_and_wrong(run, read):
    evidence = read(
        run([generated(0, "[invalid]", "4", 0.0), generated(1, "4", "4", 1)], results())
    )
    assert column(evidence, "prediction") == [None, "4"]
    assert column(evidence, "status") == ["unparsed", "scored"]
    assert column(evidence, "score") == [0.0, 1.0]


def test_items_are_called_by_their_own_ids_where_these_are_unique(run, read):
    own = [generated(i, "4", "4", 1, question_id=f"q{i}") for i in range(2)]
    assert column(read(run(own, results())), "item") == ["q0", "q1"]
    same = [generated(i, "4", "4", 1, question_id="q") for i in range(2)]
    assert column(read(run(same, results())), "item") == ["0", "1"]
    some = [generated(0, "4", "4", 1, id=7), generated(1, "4", "4", 1)]
    assert column(read(run(some, results())), "item") == ["0", "1"]
    kept = read(run(own, results()), columns=frozenset({"metric", "filter"}))
    assert column(kept, "item") == ["q0", "q1"]
    assert "own_id" not in kept.table.column_names


def test_the_prompt_hash_is_no_key(run, read):
    """It changes with the chat template, so two models would share no item."""
    samples = [generated(0, "4", "4", 1), generated(0, "4", "4", 1) | {"prompt_hash": "x"}]
    evidence = read(run(samples, results()))
    assert len(set(column(evidence, "item"))) == 1
    assert "prompt_hash" not in evidence.table.column_names


def test_likeliest_choice(run, read):
    # log likelihoods -2, -1, -4 of choices of 1, 1 and 8 characters: the plain best is 1, and by
    # characters -2/1, -1/1, -4/8 it is 2
    replies = [["-2", "False"], ["-1", "False"], ["-4", "False"]]
    sample = chosen(0, replies, ["a", "b", "c" * 8], "2", acc=0.0, acc_norm=1.0)
    evidence = read(run([sample], results(higher_is_better={})))
    assert column(evidence, "metric") == ["acc", "acc_norm"]
    assert column(evidence, "prediction") == ["1", "2"]
    assert column(evidence, "target") == ["2", "2"]
    assert column(evidence, "n_options") == [3.0, 3.0]


def test_choice_by_bytes_and_by_mutual_information(run, read):
    # bytes: -2/2 against -1.5/1 (one letter of two bytes): 0; without the question the first
    # choice has -0.5, the second -1.4: -2 + 0.5 = -1.5 against -1.5 + 1.4 = -0.1: 1
    replies = [["-2", "False"], ["-1.5", "False"], ["-0.5", "False"], ["-1.4", "False"]]
    sample = chosen(
        0, replies, ["\u00e9", "b", "\u00e9", "b"], "1", acc_bytes=0.0, acc_mutual_info=1.0
    )
    evidence = read(run([sample], results()))
    assert column(evidence, "prediction") == ["0", "1"]
    assert column(evidence, "n_options") == [2.0, 2.0]


@pytest.mark.parametrize(("target", "read_as"), [("1", "1"), ("no", "1"), ("[0, 1]", "[0, 1]")])
def test_target_of_choices(run, read, target, read_as):
    sample = chosen(0, [LOW, HIGH], ["yes", "no"], target, acc=1.0)
    evidence = read(run([sample], results()))
    assert (column(evidence, "prediction"), column(evidence, "target")) == (["1"], [read_as])


def test_a_choice_that_contradicts_the_score_is_not_told(run, read):
    evidence = read(run([chosen(0, [LOW, HIGH], ["yes", "no"], "0", acc=1.0)], results()))
    assert column(evidence, "prediction") == [None]
    assert column(evidence, "status") == ["scored"]
    assert "in 1 rows the likeliest choice" in evidence.provenance.notices[0]


def test_questions_that_differ_before_one_end(run, read):
    """Winogrande: the choice is in the question; the target's text is the same for both."""
    sample = chosen(0, [LOW, HIGH], ["end", "end"], "end", acc=1.0)
    evidence = read(run([sample], results()))
    assert (column(evidence, "prediction"), column(evidence, "target")) == (["1"], [None])


def test_metrics_without_a_number_for_an_item_are_dropped(run, read):
    sample = chosen(0, [LOW, HIGH], ["a", "b"], "1", acc=1.0, f1=[1, 1], perplexity=-1.0)
    told = results(higher_is_better={"add": {"acc": True, "perplexity": False}})
    evidence = read(run([sample], told))
    assert column(evidence, "metric") == ["acc"]
    assert [(d.reason, d.count) for d in evidence.provenance.account.drops] == [
        ("metric 'f1' is no single number for an item", 1),
        ("metric 'perplexity' is better when it is lower", 1),
    ]


def test_nan_and_predict_only_are_unscored(run, read):
    nan = generated(0, "4", "4", float("nan"))
    only = generated(1, "4", "4", 0) | {"metrics": ["bypass"], "bypass": 999}
    evidence = read(run([nan, only], results()))
    assert column(evidence, "score") == [None, None]
    assert column(evidence, "status") == ["unscored", "unscored"]


def test_groups(run, read):
    """Subtasks number their items anew, so their name is part of the item's."""
    told = results(group_subtasks={"all": ["inner"], "inner": ["add", "sub"]})
    told["results"]["sub"] = {"alias": "sub", "exact_match,strict-match": 0.5}
    evidence = read(run([generated(0, "4", "4", 1)], told))
    assert column(evidence, "benchmark") == ["all"]
    assert column(evidence, "task") == ["add"]
    assert column(evidence, "item") == ["add/0"]


def test_a_group_of_differently_scored_tasks_is_no_benchmark(run, read):
    told = results(group_subtasks={"mixed": ["add", "mc"]})
    told["results"]["mc"] = {"alias": "mc", "acc,none": 0.5}
    evidence = read(run([generated(0, "4", "4", 1)], told))
    assert column(evidence, "benchmark") == ["add"]
    assert column(evidence, "item") == ["0"]


def test_old_samples_do_not_name_their_filters(run, read):
    """Until 0.4.5 a sample has neither `filter` nor `metrics`; filters follow each other."""
    old = [generated(i, "4", "4", s) for s in (0.0, 1.0) for i in range(2)]
    for sample in old:
        del sample["filter"], sample["metrics"]
    told = results(filters=("strict-match", "flexible-extract"), lm_eval_version="0.4.3")
    evidence = read(run(old, told))
    assert column(evidence, "filter") == ["strict-match"] * 2 + ["flexible-extract"] * 2
    alone = read(run(old, folder="org__alone"))
    assert column(alone, "filter") == ["none", "none", "2", "2"]
    assert any("do not name their filters" in n for n in alone.provenance.notices)


def test_0_4_2_wrote_an_array_and_undated_results(write, read):
    sample = generated(0, "4", "4", 1.0)
    del sample["filter"], sample["metrics"], sample["doc_hash"]
    sample["arguments"] = [["Q", {"until": ["\n"]}]]
    told = results(lm_eval_version=None)
    del told["model_name"], told["lm_eval_version"]
    told["config"]["model_args"] = "pretrained=org/m"
    write("out/results.json", json.dumps(told, indent=2))
    path = write("out/pretrained__org__m_add.jsonl", json.dumps([sample], indent=2))
    evidence = read(path)
    assert column(evidence, "model") == ["org/m"]
    assert column(evidence, "benchmark") == ["add"]
    other = write("out/pretrained__org__x_add.jsonl", json.dumps([sample], indent=2))
    with pytest.raises(InputError, match="--model-name"):
        read(other)


def test_without_results_the_folder_or_the_user_names_the_model(run, read):
    path = run([generated(0, "4", "4", 1)])
    evidence = read(path)
    assert column(evidence, "model") == ["org/m"]
    assert column(evidence, "benchmark") == ["add"]
    assert "was taken from the folder" in evidence.provenance.notices[0]
    assert column(read(path, model_name="mine"), "model") == ["mine"]
    plain = run([generated(0, "4", "4", 1)], folder="out")
    with pytest.raises(InputError, match=r"samples_add.*--model-name"):
        read(plain)


def test_results_alone_are_refused(run, read, write):
    path = write(f"r/results_{STAMP}.json", json.dumps(results(), indent=2))
    with pytest.raises(SourceError, match="--log_samples"):
        read(path)
    run([generated(0, "4", "4", 1)], results())
    found = read_path(path.parents[1])
    assert len(found) == 1
    assert any("passed over" in n and "r/results_" in n for n in found[0].provenance.notices)


def test_a_folder_of_runs(run, tmp_path):
    for model in ("a", "b"):
        told = results(model=f"org/{model}")
        run([generated(0, "4", "4", 1)], told, folder=f"runs/org__{model}")
        run([generated(0, "4", "4", 1)], told, folder=f"runs/org__{model}", task="more")
    found = read_path(tmp_path / "runs")
    assert [column(e, "model") for e in found] == [["org/a"]] * 2 + [["org/b"]] * 2
    assert [n for e in found for n in e.provenance.notices] == []
    assert all(len(e.provenance.sources[0].sha256) == 64 for e in found)
    parts = inspect_path(tmp_path / "runs").parts
    assert {part.importer for part in parts} == {"lm_eval"}
    assert len(parts) == 4


def test_a_run_in_an_archive(run, tmp_path):
    path = run([generated(0, "4", "4", 1)], results())
    archive = tmp_path / "run.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for part in path.parent.iterdir():
            file.write(part, f"org__m/{part.name}")
    (evidence,) = read_path(archive)
    assert column(evidence, "model") == ["org/m"]
    assert evidence.provenance.sources[0].name == f"{archive}!org__m/{path.name}"


def test_damage(run, read, tmp_path):
    path = run([generated(0, "4", "4", 1), generated(1, "4", "4", 1)], results())
    path.write_text(path.read_text()[:-30])
    with pytest.raises(SourceError, match=r"samples_add.*row 2.*cut short"):
        read(path)
    assert read(path, bad_rows="drop").provenance.account.dropped == 1
    told = next(path.parent.glob("results*"))
    told.write_text(told.read_text()[:-30])
    with pytest.raises(SourceError, match=r"results_.*damaged or cut short"):
        read(path)
    run([generated(0, "4", "4", 1)], results(model="x"), folder="x")
    kept = read_path(tmp_path, options=ReadOptions(bad_rows="drop"))
    assert [column(e, "model") for e in kept] == [["x"]]
    (drop,) = kept[0].provenance.account.drops
    assert (drop.count, drop.examples) == (1, (str(path),))
    assert "a file cannot be read" in drop.reason


def test_a_version_not_tested_is_told_and_tried(run, read):
    evidence = read(run([generated(0, "4", "4", 1)], results(lm_eval_version="0.9.0")))
    assert "lm-evaluation-harness 0.9.0" in evidence.provenance.notices[0]
    strange = generated(1, "4", "4", 1)
    strange["filtered_replies"] = strange.pop("filtered_resps")
    path = run([generated(0, "4", "4", 1), strange], results(lm_eval_version="0.9.0"))
    with pytest.raises(
        SourceError, match=r"row 2: must be a sample with doc_id and filtered_resps"
    ):
        read(path)
    assert read(path, bad_rows="drop").provenance.account.dropped == 1


def test_long_answers_take_little_memory(run, read):
    texts = ["x" * 5000, "x" * 4999 + "y", "x" * 5000]
    samples = [generated(i, text, "4", 0) for i, text in enumerate(texts)]
    first, second, third = column(read(run(samples, results())), "prediction")
    assert first == third != second
    assert len(first) < 120


@pytest.mark.shared
def test_real_logs(shared):
    found = read_path(shared / "formats" / "lm_eval" / "out_chat")
    means = {}
    for evidence in found:
        scores = column(evidence, "score")
        assert len(scores) == 24
        means[column(evidence, "model")[0]] = sum(scores[:12]) / 12
    # `exact_match,strict-match` of the tool's own results
    assert means["mocklab/mock-mid"] == pytest.approx(0.6666666666666666)
    assert means["mocklab/mock-strong"] == pytest.approx(0.8333333333333334)
    (choices,) = read_path(shared / "formats" / "lm_eval" / "out_mc")
    rows = choices.table.to_pylist()
    for metric, mean in (("acc", 0.25), ("acc_norm", 0.16666666666666666)):
        scores = [row["score"] for row in rows if row["metric"] == metric]
        assert sum(scores) / 12 == pytest.approx(mean)
        own = [row["prediction"] == row["target"] for row in rows if row["metric"] == metric]
        assert own == [score == 1 for score in scores]
