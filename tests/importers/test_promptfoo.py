"""promptfoo: correctness without latency, repeats, versions, failed calls."""

import json

import pytest

from caveat.errors import InputError, SourceError
from caveat.importers.promptfoo_assertions import verdict


def _component(kind, passed, **assertion):
    return {
        "pass": passed,
        "score": float(passed),
        "assertion": {"type": kind, **assertion},
    }


def _result(test=0, column=0, *, output="4", parts=None, **changes):
    parts = [_component("equals", output == "4", value="4")] if parts is None else parts
    passed = all(part["pass"] for part in parts)
    label = ("strong", "weak")[column]
    return {
        "cost": 0.001,
        "gradingResult": {"pass": passed, "score": 1.0, "componentResults": parts},
        "latencyMs": 500,
        "prompt": {"raw": "What is 2 + 2?", "label": "plain"},
        "promptId": "f" * 64,
        "promptIdx": column,
        "provider": {"id": f"openai:{label}", "label": label},
        "response": {"output": output, "tokenUsage": {"prompt": 9, "completion": 3}},
        "score": 1.0,
        "success": passed,
        "failureReason": 0 if passed else 1,
        "testCase": {"vars": {"a": test}, "description": f"add-{test}", "metadata": {}},
        "testIdx": test,
        "tokenUsage": {"assertions": {"total": 70}},
        "vars": {"a": test},
        **changes,
    }


def _file(*results, version=3, **more):
    return json.dumps(
        {
            "evalId": "eval-1",
            "results": {"version": version, "prompts": [], "results": list(results), **more},
            "config": {"description": "sums", "tests": [{"vars": {}}]},
        },
        indent=1,
    )


def _rows(evidence, *names):
    return [tuple(row.values()) for row in evidence.table.select(list(names)).to_pylist()]


def test_a_wrong_but_fast_answer_is_wrong(write, read):
    # promptfoo: (0 + 1) / 2 = 0.5 for the wrong one; it fails a right one that was slow.
    slow = _component("latency", False, threshold=1)
    fast = _component("latency", True, threshold=5000)
    right, wrong = _component("equals", True, value="4"), _component("equals", False, value="4")
    path = write(
        "r.json",
        _file(
            _result(0, 1, output="9", parts=[wrong, fast], score=0.5),
            _result(0, 0, parts=[right, slow], score=0.5),
        ),
    )
    evidence = read(path)
    assert evidence.provenance.sources[0].importer == "promptfoo"
    assert _rows(evidence, "benchmark", "item", "model", "metric", "score", "promptfoo_pass") == [
        ("sums", "add-0", "weak", "pass", 0.0, False),
        ("sums", "add-0", "strong", "pass", 1.0, False),
    ]
    assert _rows(evidence, "prediction", "target", "prompt", "judge_tokens")[0] == (
        "9", "4", "plain", 70,
    )  # fmt: skip
    assert _rows(evidence, "input_tokens", "output_tokens", "cost_usd", "latency_s")[0] == (
        9, 3, 0.001, 0.5,
    )  # fmt: skip
    assert any("in 2 results" in n for n in evidence.provenance.notices)


def test_thresholds_weights_and_sets():
    latency = _component("latency", False)
    heavy = _component("equals", True, weight=3)
    light = _component("regex", False)
    grading = {"pass": True, "score": 0.6, "componentResults": [heavy, light, latency]}
    # content: (3 * 1 + 1 * 0) / 4 = 0.75
    assert verdict(grading, {"threshold": 0.6}).passed == 1
    failed = {**grading, "pass": False}
    assert verdict(failed, {"threshold": 0.8}).passed == 0
    assert verdict(failed, {}).metrics == {"equals": 1.0, "regex": 0.0}
    # promptfoo passed it though two assertions failed: a rule that the file does not hold
    assert verdict(grading, {}).passed is None
    assert verdict(grading, {}).unclear
    inside = [_component("equals", True), _component("latency", False)]
    group = {
        "pass": True, "score": 0.5, "componentResults": inside,
        "metadata": {"assertionSet": {"threshold": 0.5}},
    }  # fmt: skip
    # the members of a set stand behind it once more and count only within it
    found = verdict({"pass": True, "componentResults": [group, *inside]}, {})
    assert (found.passed, found.rebuilt, found.unclear) == (1.0, True, False)


def test_named_metrics_are_rows_of_their_own(write, read):
    parts = [_component("equals", True, metric="exact"), _component("javascript", False)]
    evidence = read(write("r.json", _file(_result(parts=parts))))
    assert _rows(evidence, "metric", "score") == [("pass", 0), ("exact", 1), ("javascript", 0)]


def test_failed_calls_are_missing(write, read):
    down = {"error": "500", "response": {"error": "500"}, "gradingResult": None}
    broken = {"gradingResult": None, "error": "assertion broke", "failureReason": 2}
    nothing = {"gradingResult": {"pass": True, "score": 1, "componentResults": []}}
    evidence = read(
        write(
            "r.json",
            _file(
                _result(0, 0, **down, failureReason=2, success=False),
                _result(1, 0, **broken),
                _result(2, 0, **nothing),
                _result(3, 0, output="5"),
            ),
        )
    )
    assert _rows(evidence, "item", "score", "status") == [
        ("add-0", None, "error"),
        ("add-1", None, "unscored"),
        ("add-2", None, "unscored"),
        ("add-3", 0.0, "scored"),
    ]


def test_unknown_costs_and_cached_answers(write, read):
    cached = {"output": "4", "cached": True, "tokenUsage": {"prompt": 0, "completion": 0}}
    evidence = read(
        write("r.json", _file(_result(0, 0, cost=0), _result(0, 1, response=cached, cost=0.1)))
    )
    assert _rows(evidence, "cost_usd", "latency_s", "input_tokens") == [
        (None, 0.5, 9),
        (None, None, None),
    ]
    notices = " ".join(evidence.provenance.notices)
    assert "1 results have cost 0" in notices
    assert "1 results came from its cache" in notices


def test_repeats_prompts_and_twins(write, read):
    same = {"testCase": {"vars": {"a": 0}, "description": "add-0"}, "vars": {"a": 0}}
    other = {"prompt": {"raw": "x", "label": "polite"}, "promptIdx": 1}
    evidence = read(
        write(
            "r.json",
            _file(
                _result(1, **same),
                _result(0, **same),
                _result(0, **same, **{**other, "promptIdx": 2}),
                _result(0, **same, **{**other, "promptIdx": 3}),
            ),
        )
    )
    # the order of the tests counts, not that of the file; two columns alike are told apart
    assert _rows(evidence, "model", "prompt", "repeat") == [
        ("strong", "plain", "2"),
        ("strong", "plain", "1"),
        ("strong (column 3)", "polite", "1"),
        ("strong (column 4)", "polite", "1"),
    ]
    assert any("give providers labels" in n for n in evidence.provenance.notices)


def test_items_are_named_alike_wherever_their_test_stands(write, read):
    # two tests share a description, one has none: no testIdx in their names
    named = {"testCase": {"vars": {"a": 7}, "description": "add-0"}, "vars": {"a": 7}}
    bare = {"testCase": {"vars": {"a": 8}}, "vars": {"a": 8, "_conversation": []}}
    results = [_result(0), _result(1, **named), _result(2, **bare)]
    moved = [{**r, "testIdx": 2 - k} for k, r in enumerate(results)]
    items = [
        [row[0] for row in _rows(read(write(f"{n}.json", _file(*rs))), "item")]
        for n, rs in enumerate((results, moved))
    ]
    assert items[0] == items[1]
    assert len(set(items[0])) == 3
    assert items[0][2] == "a=8"
    assert all(item.startswith("add-0 ") for item in items[0][:2])


def test_json_lines(write, read):
    text = "\n".join(json.dumps(_result(n)) for n in range(3))
    evidence = read(write("r.jsonl", text))
    assert evidence.provenance.sources[0].importer == "promptfoo"
    assert [row[0] for row in _rows(evidence, "benchmark")] == ["promptfoo"] * 3


def test_version_2(write, read):
    old = _result(0)
    for name in ("testIdx", "promptIdx", "testCase", "failureReason", "promptId"):
        del old[name]
    down = {**old, "error": "500", "response": {"error": "500"}, "success": False}
    del down["gradingResult"]
    evidence = read(write("r.json", _file(old, old, down, version=2, table={"body": []})))
    assert _rows(evidence, "item", "repeat", "score", "status") == [
        ("a=0", "1", 1.0, "scored"),
        ("a=0", "2", 1.0, "scored"),
        ("a=0", "3", None, "error"),
    ]


def test_a_version_to_come_is_named_and_tried(write, read):
    evidence = read(write("r.json", _file(_result(), version=9)))
    assert len(evidence) == 1
    assert any("version 9 is not known" in n for n in evidence.provenance.notices)
    with pytest.raises(InputError, match=r"results\.results must hold objects, got str"):
        read(write("s.json", _file("what", version=9)))


def test_cut_short(write, read):
    text = _file(_result(0), _result(1))
    with pytest.raises(SourceError, match=r"results\.results\[1\]: is cut short"):
        read(write("r.json", text[: text.index('"testIdx": 1')]))


def test_hostile_metadata_cannot_name_the_model(write, read):
    test = {"vars": {"a": 0}, "metadata": {"model": "x", "score": 5, "k" * 99: 1, "category": "c"}}
    evidence = read(write("r.json", _file(_result(testCase=test))))
    assert _rows(evidence, "model", "score", "task", "metadata_model") == [
        ("strong", 1.0, "c", "x")
    ]
    assert "k" * 99 not in evidence.table.column_names


@pytest.mark.shared
@pytest.mark.parametrize("name", ["out.json", "out.jsonl"])
def test_its_own_counts(shared, read, name):
    folder = shared / "formats/promptfoo"
    stats = json.loads((folder / "out.json").read_text())["results"]["stats"]
    evidence = read(folder / name)
    main = [row for row in evidence.table.to_pylist() if row["metric"] == "pass"]
    assert sum(row["promptfoo_pass"] for row in main) == stats["successes"]
    assert sum(not row["promptfoo_pass"] for row in main) == stats["failures"]
    assert sum(row["input_tokens"] for row in main) == stats["tokenUsage"]["prompt"]
    assert sum(row["output_tokens"] for row in main) == stats["tokenUsage"]["completion"]
    assert {row["score"] for row in main if row["model"] == "mock-weak"} == {0.0}
    # trap: it gives the wrong answer to add-00 half a point for being fast
    assert 0.5 in {row["promptfoo_score"] for row in main}
    assert {row["cost_usd"] for row in main} == {None}
