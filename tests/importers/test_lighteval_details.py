"""Details of lighteval: two layouts of columns, results elsewhere, names in folders."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from caveat.errors import InputError, SourceError
from caveat.importers.reading import read_path

STAMP = "2026-01-02T03-04-05.678901"


def new(item, *, metric, choices=("no", "yes"), gold=1, text=(), logprobs=()):
    """Return a detail as lighteval writes it since 2025."""
    return {
        "doc": {
            "id": item,
            "query": "Q",
            "choices": list(choices),
            "gold_index": gold,
            "task_name": "x",
        },
        "model_response": {
            "text": list(text),
            "logprobs": list(logprobs),
            "input_tokens": [1, 2, 3],
            "output_tokens": [[4, 5]],
        },
        "metric": metric,
    }


def parquet(rows):
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


@pytest.fixture
def details(write):
    """Write details, and results where they belong, and return the path of the details."""

    def _details(rows, *, name="mmlu:law|5", model="org/m", told=True, folder="out"):
        if told:
            results = {"config_general": {"model_name": model}, "results": {}}
            write(f"{folder}/results/{model}/results_{STAMP}.json", json.dumps(results, indent=2))
        where = f"{folder}/details/{model}/{STAMP}/details_{name}_{STAMP}.parquet"
        return write(where, parquet(rows))

    return _details


def column(evidence, name):
    return evidence.table.column(name).to_pylist()


def test_columns(details, tmp_path):
    details([new("7", metric={"acc": 1}, logprobs=[-2.0, -1.0])])
    (evidence,) = read_path(tmp_path / "out")
    assert evidence.table.to_pylist() == [
        {
            "benchmark": "mmlu",
            "item": "law/7",
            "model": "org/m",
            "task": "law",
            "run": STAMP,
            "prompt": "5-shot",
            "metric": "acc",
            "prediction": "1",
            "target": "1",
            "score": 1.0,
            "status": "scored",
            "n_options": 2.0,
            "input_tokens": 3.0,
            "output_tokens": 2.0,
        }
    ]
    assert evidence.provenance.notices == ()


def test_choices(details, read):
    """A score that the plain likelihoods contradict, or a normalised one, has no prediction."""
    rows = [
        new("0", metric={"acc": 0, "acc_norm": 1}, logprobs=[-1.0, -2.0]),
        new("1", metric={"acc": 1, "acc_norm": 1}, logprobs=[-1.0, -2.0], gold=1),
    ]
    evidence = read(details(rows, name="arc|0"))
    assert column(evidence, "prediction") == ["0", None, None, None]
    assert column(evidence, "status") == ["scored"] * 4
    assert column(evidence, "score") == [0.0, 1.0, 1.0, 1.0]


def test_texts(details, read):
    rows = [
        new("0", metric={"em": 1.0}, choices=["4"], gold=0, text=["4"]),
        new("1", metric={"em": 0.0}, choices=["4"], gold=0, text=["3", "5"]),
        new("2", metric={"em": 0.0}, choices=["4", "four"], gold=0, text=[""]),
    ]
    evidence = read(details(rows, name="lighteval|gsm8k|8|0"))
    assert column(evidence, "benchmark") == ["gsm8k"] * 3
    assert column(evidence, "prompt") == ["8-shot"] * 3
    assert column(evidence, "prediction") == ["4", None, None]
    assert column(evidence, "target") == ["4"] * 3
    assert column(evidence, "status") == ["scored", "scored", "unparsed"]


def test_details_of_before_2025(details, read):
    rows = [
        {
            "choices": ["4"],
            "gold_index": [0],
            "predictions": ["4"],
            "metrics": {"em": 1.0},
            "input_tokens": [[1, 2]],
            "example": "Q",
        },
        {
            "choices": ["5"],
            "gold_index": [0],
            "predictions": ["4"],
            "metrics": {"em": 0.0},
            "input_tokens": [[1, 2]],
            "example": "Q",
        },
    ]
    evidence = read(details(rows, name="lighteval|gsm8k|8|0"))
    assert column(evidence, "item") == ["0", "1"]
    assert column(evidence, "score") == [1.0, 0.0]
    assert column(evidence, "target") == ["4", "5"]
    as_text = [{name: str(value) for name, value in row.items()} for row in rows]
    again = read(details(as_text, name="lighteval|gsm8k|8|0", folder="text"))
    assert again.table.to_pylist() == evidence.table.to_pylist()


def test_metrics_that_are_no_number_are_dropped(details, read):
    evidence = read(details([new("0", metric={"em": 1.0, "f1": "much"}, text=["x"])]))
    assert column(evidence, "metric") == ["em"]
    assert evidence.provenance.account.dropped == 1


def test_the_model_is_named_by_results_folder_or_user(details, read, write):
    rows = [new("0", metric={"acc": 1}, logprobs=[-2.0, -1.0])]
    path = details(rows, told=False)
    evidence = read(path)
    assert column(evidence, "model") == ["org/m"]
    assert "was taken from the folder" in evidence.provenance.notices[0]
    assert column(read(path, model_name="mine"), "model") == ["mine"]
    loose = write(f"details_mmlu|5_{STAMP}.parquet", parquet(rows))
    with pytest.raises(InputError, match="--model-name"):
        read(loose)


def test_results_alone_and_unknown_columns(details, write, tmp_path, read):
    path = write(f"r/results_{STAMP}.json", '{"config_general": {"model_name": "m"}}')
    with pytest.raises(SourceError, match="--save-details"):
        read(path)
    path = details([{"doc": {"id": "1"}, "scores": {"acc": 1}}])
    with pytest.raises(SourceError, match="column metric or metrics, got doc, scores"):
        read(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(SourceError, match="damaged or cut short"):
        read(path)
