import math
from importlib.util import find_spec

import pytest
import yaml

import caveat
from caveat.exporters.hf_eval_results import write_hf_eval_results

FIGURE = {
    "benchmark": "cais/hle",
    "model": "lab/small",
    "task": "default",
    "value": 20.9,
    "revision": "0123",
    "date": "2025-01-15",
    "url": "https://example.org/run",
    "source_name": "Eval traces",
    "source_org": "cais",
    "verify_token": "abc",
    "evaluation_framework": "inspect-ai",
    "notes": "no-tools",
}
ANSWERS = {
    "benchmark": ["b"] * 4,
    "item": ["1", "2", "1", "2"],
    "model": ["lab/small"] * 4,
    "metric": ["acc", "acc", "f1", "f1"],
    "score": [1.0, 0.0, 0.25, 0.75],
}


def test_every_field_has_its_place(tmp_path):
    (made,) = write_hf_eval_results([FIGURE], tmp_path, datasets={})
    assert made.path.relative_to(tmp_path).parts == (
        "lab",
        "small",
        ".eval_results",
        "cais%2Fhle.yaml",
    )
    assert yaml.safe_load(made.path.read_text(encoding="utf-8")) == [
        {
            "dataset": {"id": "cais/hle", "task_id": "default", "revision": "0123"},
            "value": 20.9,
            "verifyToken": "abc",
            "date": "2025-01-15",
            "source": {
                "url": "https://example.org/run",
                "name": "Eval traces",
                "org": "cais",
            },
            "evaluation_framework": "inspect-ai",
            "notes": "no-tools",
        }
    ]


def test_published_scores_come_back(tmp_path, same):
    write_hf_eval_results([FIGURE], tmp_path / "a", datasets={})
    first = caveat.read(tmp_path / "a")["published"]
    caveat.export(tmp_path / "a", tmp_path / "b", to="hf-eval-results")
    same(first.table, caveat.read(tmp_path / "b")["published"].table)
    assert first.table["model"].to_pylist() == ["lab/small"]


def test_a_source_without_a_link_is_left_out(tmp_path):
    (made,) = write_hf_eval_results([dict(FIGURE, url=None)], tmp_path, datasets={})
    assert "source" not in yaml.safe_load(made.path.read_text())[0]


def test_scores_of_responses(tmp_path):
    (made,) = caveat.export(ANSWERS, tmp_path, to="hf-eval-results")
    entries = yaml.safe_load(made.path.read_text())
    assert [(e["value"], e["notes"]) for e in entries] == [
        (0.5, "metric acc, n 2"),
        (0.5, "metric f1, n 2"),
    ]


@pytest.mark.parametrize("name", ["../../x", "a\nb: 1", 'a" b', "模型", '# model: "y"', "x" * 300])
def test_hostile_names_stay_names(tmp_path, name):
    frame = {"benchmark": [name], "item": ["1"], "model": [name], "score": [1.0]}
    (made,) = caveat.export(frame, tmp_path / "out", to="hf-eval-results")
    assert tmp_path / "out" in made.path.resolve().parents
    (row,) = caveat.read(tmp_path / "out")["published"].table.to_pylist()
    assert (row["model"], row["benchmark"], row["value"]) == (name, name, 1.0)


def test_times_become_days(tmp_path):
    figure = dict(FIGURE, date=1796056399.0)
    (made,) = write_hf_eval_results([figure], tmp_path, datasets={})
    # 1,796,056,399 s are 20,787.7 days from 1970-01-01: 30 November 2026
    assert yaml.safe_load(made.path.read_text())[0]["date"] == "2026-11-30"


@pytest.mark.skipif(find_spec("huggingface_hub") is None, reason="huggingface_hub is not installed")
def test_the_official_reader_understands_it(tmp_path):
    from huggingface_hub import parse_eval_result_entries

    (made,) = write_hf_eval_results([FIGURE], tmp_path, datasets={})
    (entry,) = parse_eval_result_entries(yaml.safe_load(made.path.read_text()))
    assert (entry.dataset_id, entry.task_id) == ("cais/hle", "default")
    assert math.isclose(entry.value, 20.9)
    assert (entry.source_url, entry.source_org) == ("https://example.org/run", "cais")
