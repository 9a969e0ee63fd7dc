"""Full results of simple-evals, and the HTML inside."""

import json

import pytest

from caveat.errors import SourceError
from caveat.importers.simple_evals_html import shown


def _page(target, answer, score, said=""):
    return (
        f"<h3>Prompt conversation</h3><pre>{said}</pre><h3>Results</h3>\n"
        f"<p>Correct Answer: {target}</p>\n<p>Extracted Answer: {answer}</p>\n"
        f"<p>Score: {score}</p>"
    )


def _convo(asked, said, system="You are terse."):
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": asked},
        {"role": "assistant", "content": said},
    ]


def _file(pages, convos, metadata=None, **metrics):
    known = {"example_level_metadata": metadata if metadata is not None else [None] * len(pages)}
    return json.dumps(
        {"score": 0.5, "metrics": metrics, "htmls": pages, "convos": convos, "metadata": known},
        indent=2,
    )


NAME = "mmlu_gpt-4o_mini_20261130_170000_allresults.json"


def _rows(evidence, *names):
    return [tuple(row.values()) for row in evidence.table.select(list(names)).to_pylist()]


def test_examples(write, read):
    pages = [_page("A", "A", "1.0"), _page("B", "None", "0.0"), _page("C", "&lt;C&gt;", "True")]
    convos = [_convo(f"q{n}", f"a{n}") for n in (1, 2, 1)]
    evidence = read(write(NAME, _file(pages, convos)))
    assert evidence.provenance.sources[0].importer == "simple_evals"
    assert _rows(
        evidence, "benchmark", "model", "prediction", "target", "score", "status", "repeat"
    ) == [
        ("mmlu", "gpt-4o_mini", "A", "A", 1.0, "scored", "1"),
        ("mmlu", "gpt-4o_mini", None, "B", 0.0, "unparsed", "1"),
        ("mmlu", "gpt-4o_mini", "<C>", "C", 1.0, "scored", "2"),
    ]
    assert any("taken from the file's name" in n for n in evidence.provenance.notices)


def test_the_item_is_what_the_user_asked(write, read):
    pages = [_page("A", "A", "1.0"), _page("B", "B", "1.0")]
    one = _file(pages, [_convo("q1", "x"), _convo("q2", "y")])
    other = _file(pages, [_convo("q2", "z", system="Other."), _convo("q1", "z", system="Other.")])
    first = _rows(read(write(NAME, one)), "item")
    second = _rows(read(write(f"o/{NAME}", other), model_name="m"), "item", "model")
    assert [item for (item,) in first] == [item for item, _ in reversed(second)]
    assert {model for _, model in second} == {"m"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("healthbench_hard_o3_20250709_102030_allresults.json", ("healthbench_hard", "o3")),
        ("gpqa_m_x_20250709_1020_DEBUG_allresults.json.gz", ("gpqa", "m_x")),
        ("mine_m_20250709_102030_allresults.json", ("mine", "m")),
        ("results.json", ("simple_evals", "results")),
    ],
)
def test_names(write, read, name, expected):
    evidence = read(write(name, _file([_page("A", "A", "1.0")], [_convo("q", "a")])))
    assert _rows(evidence, "benchmark", "model") == [expected]


def test_health_bench(write, read):
    # its scores may be negative and are kept; the HTML shows no gold
    metadata = [
        {"score": -0.25, "usage": {"input_tokens": 5, "output_tokens": 6}, "prompt_id": "p1"},
        {"score": 0.5, "usage": {"input_tokens": None}, "prompt_id": "p2"},
    ]
    path = write(
        "healthbench_m_20250709_102030_allresults.json",
        _file(["<h3>Results</h3>"] * 2, [_convo("q1", "a1"), _convo("q2", "a2")], metadata),
    )
    assert _rows(read(path), "item", "prediction", "score", "status", "input_tokens") == [
        ("p1", "a1", -0.25, "scored", 5),
        ("p2", "a2", 0.5, "scored", None),
    ]


def test_simple_qa_says_how_many_were_not_attempted(write, read):
    text = _file([_page("A", "B", "False")] * 2, [_convo("q", "a")] * 2, is_not_attempted=0.5)
    notices = read(write(NAME, text)).provenance.notices
    assert any("50.0% of the answers count as not attempted" in n for n in notices)


def test_markup_of_a_hostile_model():
    # what a model says is escaped by simple-evals; unescaped, it stands before the results
    lie = "<h3>Results</h3><p>Score: 1.0</p><script>alert(1)</script>"
    assert shown(_page("A", "B", "0.0", said=lie)).score == 0
    assert shown(_page("A", "&lt;script&gt;", "0.0")).prediction == "<script>"
    assert shown(_page("A", "B", "1e999")).score is None
    assert shown("<p>Score: 1.0</p>").score is None
    assert shown("<h3>Results</h3><p>Score: 1" + "0" * 10_000).score is None


def test_lists_of_different_length(write, read):
    text = _file([_page("A", "A", "1.0")] * 2, [_convo("q", "a")])
    with pytest.raises(SourceError, match="as many convos as htmls, got 1 and 2"):
        read(write(NAME, text))
    with pytest.raises(SourceError, match="cut short"):
        read(write("b.json", text[:-30]))


@pytest.mark.shared
def test_its_own_score(shared, read):
    folder = shared / "formats/simple_evals"
    (path,) = folder.glob("*_allresults.json")
    table = read(path).table
    scores = table.column("score").to_pylist()
    assert sum(scores) / len(scores) == json.loads(path.read_text())["score"]
    assert set(table.column("model").to_pylist()) == {"mock-strong"}
    assert table.column("target").to_pylist() == ["4", "7", "10", "13"]
