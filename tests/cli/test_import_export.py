import json

import pytest

ANSWERS = "benchmark,item,model,prediction,target\nb,1,gpt-4o,A,A\nb,2,gpt-4o,B,A\n"
OTHERS = "benchmark,item,model,prediction,target\nb,1,openai/GPT-4o,C,A\nb,2,openai/GPT-4o,A,A\n"
RESULTS = "- dataset: {id: cais/hle, task_id: default}\n  value: 20.9\n"
HURT = "benchmark,item,model,score\nb,1,m,0.5\nb,2,m,high\n"


@pytest.fixture
def mixed(folder):
    """A folder of files of several tools, and of files that are none."""
    (folder / "logs" / "m" / ".eval_results").mkdir(parents=True)
    (folder / "logs" / "one.csv").write_text(ANSWERS)
    (folder / "logs" / "two.csv").write_text(OTHERS)
    (folder / "logs" / "m" / ".eval_results" / "hle.yaml").write_text(RESULTS)
    (folder / "logs" / "readme.txt").write_text("nothing to read\n")
    return folder / "logs"


def test_a_dry_run_tells_of_every_file_what_it_is(run, mixed, folder):
    done = run("import", mixed, "--dry-run")
    assert done.code == 0
    assert "one.csv: csv" in done.out
    assert "  2 responses of 2 rows" in done.out
    assert "  1 model: gpt-4o" in done.out
    assert "  1 benchmark: b" in done.out
    assert "  columns: benchmark, item, model, prediction, target, score, status" in done.out
    assert "hle.yaml: hf_eval_results (tested with huggingface_hub" in done.out
    assert "readme.txt: passed over: not recognised as evidence" in done.out
    assert "evidence/responses.parquet: would hold 4 responses of 4 rows read" in done.out
    assert not (folder / "evidence").exists()


def test_a_dry_run_goes_on_behind_what_cannot_be_read(run, mixed):
    (mixed / "hurt.csv").write_text(HURT)
    done = run("import", mixed, "--dry-run", "--json")
    assert done.code == 2
    document = json.loads(done.out)
    names = [file["file"].rsplit("/", 1)[-1] for file in document["files"]]
    assert names == ["one.csv", "two.csv", "hle.yaml"] or sorted(names) == [
        "hle.yaml",
        "one.csv",
        "two.csv",
    ]
    (broken,) = document["cannot_be_read"]
    assert "row 2, column 'score': must be a finite number" in broken["why"]
    assert [f["file"].rsplit("/", 1)[-1] for f in document["passed_over"]] == ["readme.txt"]
    assert document["tables"] == []
    dropped = json.loads(run("import", mixed, "--dry-run", "--bad-rows", "drop", "--json").out)
    assert dropped["cannot_be_read"] == []
    assert {t["kind"]: t["kept"] for t in dropped["tables"]} == {"responses": 5, "published": 1}


def test_a_dry_run_tells_metrics_and_filters(run, folder):
    text = "benchmark,item,model,metric,filter,score\nb,1,m,acc,strict,1\nb,1,m,acc,loose,0\n"
    (folder / "x.csv").write_text(text)
    assert (
        "  scores: acc by strict (1), acc by loose (1)" in run("import", "x.csv", "--dry-run").out
    )


def test_import_needs_a_folder_unless_it_only_looks(run, mixed):
    done = run("import", mixed)
    assert done.code == 2
    assert "--out must name a folder" in done.err


def test_aliases_are_proposed_accepted_and_used(run, mixed, folder):
    done = run("import", mixed, "--propose-aliases", "aliases.toml")
    assert done.code == 0
    assert "1 names may stand for others: see aliases.toml" in done.err
    text = (folder / "aliases.toml").read_text()
    assert '# "openai/GPT-4o" = "gpt-4o"' in text
    again = run("import", mixed, "--propose-aliases", "aliases.toml")
    assert again.code == 2
    assert "exists, and may have been edited" in again.err
    # as it stands it merges nothing
    assert run("agree", mixed, "--aliases", "aliases.toml").code == 0
    (folder / "aliases.toml").write_text(text.replace('# "', '"'))
    merged = run("agree", mixed, "--aliases", "aliases.toml")
    assert merged.code == 2
    assert "by the aliases several names are one model" in merged.err


def test_aliases_of_the_settings_file(run, folder):
    (folder / "a.csv").write_text(ANSWERS)
    (folder / "o.csv").write_text(OTHERS.replace("b,1", "b,3").replace("b,2", "b,4"))
    (folder / "caveat.toml").write_text('[aliases]\n"openai/GPT-4o" = "gpt-4o"\n')
    done = run("import", "a.csv", "o.csv", "--out", "w")
    assert "aliases: 1 names of models read: 'openai/GPT-4o' as 'gpt-4o'" in done.err
    (folder / "names.csv").write_text("alias,model\nopenai/GPT-4o,gpt-4o\n")
    (folder / "caveat.toml").write_text('aliases = "names.csv"\n')
    assert "as 'gpt-4o'" in run("import", "a.csv", "o.csv", "--out", "w").err
    (folder / "caveat.toml").write_text('[aliases]\na = "b"\nb = "c"\n')
    broken = run("import", "a.csv", "--out", "w")
    assert broken.code == 2
    assert "caveat.toml: aliases: an alias must name its model outright" in broken.err


def test_export_and_import_again(run, folder):
    (folder / "a.csv").write_text(ANSWERS)
    done = run("export", "a.csv", "--to", "every-eval-ever", "--out", "eee")
    assert done.code == 0
    assert "eee/data/b/unknown/gpt-4o/" in done.out
    assert "1 results of 2 rows" in done.out
    back = json.loads(run("import", "eee", "--dry-run", "--json").out)
    assert {t["kind"]: t["kept"] for t in back["tables"]} == {"responses": 2, "published": 1}


def test_export_as_json_lists_the_files(run, folder):
    (folder / "a.csv").write_text(ANSWERS)
    done = run("export", "a.csv", "--to", "hf-eval-results", "--out", "hub", "--json")
    (file,) = json.loads(done.out)["files"]
    assert file == {
        "file": "hub/unknown/gpt-4o/.eval_results/b.yaml",
        "model": "gpt-4o",
        "benchmark": "b",
        "rows": 1,
        "results": 1,
    }


def test_export_takes_ids_of_data_sets(run, folder):
    (folder / "a.csv").write_text(ANSWERS)
    options = ("--to", "hf-eval-results", "--out", "hub")
    run("export", "a.csv", *options, "--dataset", "b=org/B#diamond")
    text = (folder / "hub/unknown/gpt-4o/.eval_results/b.yaml").read_text()
    assert text.startswith('# model: "gpt-4o"\n- dataset:\n    id: org/B\n    task_id: diamond\n')
    wrong = run("export", "a.csv", *options, "--dataset", "b")
    assert wrong.code == 2
    assert "--dataset must be NAME=ID" in wrong.err


def test_export_of_nothing_that_fits(run, folder):
    (folder / "v.csv").write_text("model_a,model_b,winner\nx,y,a\n")
    done = run("export", "v.csv", "--to", "hf-eval-results", "--out", "hub")
    assert done.code == 2
    assert "sources must hold scores, got votes without any" in done.err
    assert not (folder / "hub").exists()


def test_export_to_parquet(run, folder):
    (folder / "a.csv").write_text(ANSWERS)
    assert run("export", "a.csv", "--to", "parquet", "--out", "w").code == 0
    assert (folder / "w" / "evidence" / "responses.parquet").exists()
