"""Files of claims: what they may say, baselines, and the helper for test suites."""

import json

import pytest

import caveat
from caveat.errors import InputError, SourceError
from caveat.results.claims import KINDS
from caveat.testing import assert_claims
from caveat.workflows.claim_words import claim_of

MODELS = ("GPT 4 on ice", "x", "x-mini", "y.2")
TASKS = ("math", "law on paper")


def read(says, **entry):
    return claim_of({"says": says, **entry}, models=MODELS, tasks=TASKS)


@pytest.mark.parametrize(
    ("says", "kind", "a", "b", "task", "limit"),
    [
        ("x beats y.2", "beats", "x", "y.2", "", 0),
        ("x-mini beats x on math", "beats", "x-mini", "x", "math", 0),
        ("x beats y.2 by 2 points on math", "beats", "x", "y.2", "math", 0.02),
        ("x beats y.2 by at least 0.5 points", "beats", "x", "y.2", "", 0.005),
        ("x beats y.2 by 0.03.", "beats", "x", "y.2", "", 0.03),
        ("GPT 4 on ice beats x on law on paper", "beats", "GPT 4 on ice", "x", "law on paper", 0),
        ("x and y.2 are interchangeable", "interchangeable", "x", "y.2", "", 0.01),
        ("X and Y.2 are interchangeable within 2%", "interchangeable", "x", "y.2", "", 0.02),
        ("x is in the top 3 on math", "top", "x", "", "math", 3),
        ("x is best", "top", "x", "", "", 1),
        ("x costs half as much as y.2 at the same score", "costs", "x", "y.2", "", 0.5),
        ("x costs at most 0.8 times as much as y.2", "costs", "x", "y.2", "", 0.8),
        ("x scores at least 70%", "scores", "x", "", "", 0.7),
        ("x and y.2 disagree on at most 10% on math", "disagree", "x", "y.2", "math", 0.1),
    ],
)
def test_sentences(says, kind, a, b, task, limit):
    found = read(says)
    assert (found.kind, found.a, found.b, found.task) == (kind, a, b, task)
    assert found.limit == pytest.approx(limit)
    assert found.says == says


def test_the_same_score_is_within_a_point():
    assert read("x costs half as much as y.2 at the same score").margin == 0.01
    assert read("x costs half as much as y.2").margin != read("x costs half as much as y.2").margin


@pytest.mark.parametrize("kind", KINDS)
def test_tables_say_the_same_in_words(kind):
    limit = {"top": 2, "costs": 0.5}.get(kind, 0.02)
    entry = {"kind": kind, "a": "x", "b": "y.2", "limit": limit, "task": "math"}
    table = claim_of(entry, models=MODELS, tasks=TASKS)
    again = read(table.says)
    assert (again.kind, again.a, again.task) == (table.kind, table.a, table.task)
    assert again.limit == pytest.approx(table.limit)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"says": "x is great"}, "claim not understood"),
        ({"says": "x beats y"}, "did you mean"),
        ({"says": "x beats y.2 on maths"}, "Tasks: law on paper, math"),
        ({"kind": "wins", "a": "x"}, "kind of a claim must be one of"),
        ({"kind": "beats", "a": "x"}, "needs a and b"),
        ({"kind": "beats", "a": "x", "b": "x"}, "two models"),
        ({"kind": "top", "a": "x", "limit": 1.5}, "whole number"),
        ({"kind": "top", "a": "x"}, "limit of a claim of kind 'top' must be a number"),
        ({"kind": "costs", "a": "x", "b": "y.2", "limit": 0}, "above 0"),
        ({"kind": "disagree", "a": "x", "b": "y.2", "limit": 30}, "between 0 and 1"),
        ({"kind": "beats", "a": "x", "b": "y.2", "limit": True}, "must be a number"),
        ({"kind": "beats", "a": 3, "b": "y.2"}, "must be a text"),
        ({"says": "x beats y.2", "colour": "red"}, "got 'colour'"),
    ],
)
def test_what_is_no_claim_is_refused(entry, message):
    with pytest.raises(InputError, match=message):
        claim_of(entry, models=MODELS, tasks=TASKS)


# ---- files -------------------------------------------------------------------------


def responses(path, share=0.5):
    """200 items; x gets all right, y that share of them."""
    lines = ["benchmark,item,model,score,prediction"]
    for k in range(200):
        good = k < share * 200
        lines += [f"quiz,{k},x,1,A", f"quiz,{k},y,{int(good)},{'A' if good else 'B'}"]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def files(tmp_path):
    responses(tmp_path / "answers.csv")
    claims = tmp_path / "claims.toml"
    claims.write_text(
        'sources = ["answers.csv"]\nclaim = ["x beats y", "y is best", "x scores at least 99.9%"]\n'
    )
    return claims


def test_a_file_names_its_sources(files):
    found = caveat.claim(files)
    assert [one.verdict for one in found.claims] == ["supported", "contradicted", "undecided"]
    # Three claims at 95% in all: each may err with 0.05 / 3.
    assert found.each == pytest.approx(1 - 0.05 / 3)
    assert found.counts == {"supported": 1, "contradicted": 1, "undecided": 1}


def test_a_baseline_tells_what_stands_worse(files, tmp_path):
    before = caveat.claim(files)
    old = tmp_path / "old.json"
    old.write_text(json.dumps(before.to_dict()))
    assert caveat.claim(files, baseline=old).changes == ()
    worse = responses(tmp_path / "new.csv", share=1.0)
    found = caveat.claim(files, str(worse), baseline=old)
    changed = {change.says: change for change in found.changes}
    assert changed["x beats y"].before == "supported"
    assert changed["x beats y"].worse
    assert not changed["y is best"].worse  # contradicted before, undecided now
    assert found.worse == (changed["x beats y"],)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("claims = []", "unknown key 'claims'"),
        ("level = 0.95", "at least one claim"),
        ('claim = "x beats y"', r"\[\[claim\]\]"),
        ("sources = 3", "sources must be a list"),
        ("level = 95", "strictly between 0 and 1"),
        ("level = true", "must be a number"),
        ("benchmark = 3", "benchmark must be a text"),
    ],
)
def test_a_file_that_says_something_else_is_refused(tmp_path, text, message):
    path = tmp_path / "claims.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        caveat.claim(path, {"benchmark": ["b"], "item": ["1"], "model": ["x"], "score": [1]})


@pytest.mark.parametrize("text", ["x beats y", "a = \xff", "[[claim]\n"])
def test_a_file_that_is_not_toml_is_refused(tmp_path, text):
    path = tmp_path / "claims.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(SourceError, match="TOML"):
        caveat.claim(path, {})


@pytest.mark.parametrize("text", ["[]", "{}", '{"claims": [{"says": "x"}]}', "[[[", "\0"])
def test_a_baseline_that_is_something_else_is_refused(files, tmp_path, text):
    old = tmp_path / "old.json"
    old.write_text(text)
    with pytest.raises(InputError, match="caveat claim --json"):
        caveat.claim(files, baseline=old)


def test_one_of_several_benchmarks_has_to_be_named(tmp_path):
    rows = {
        "benchmark": ["b"] * 4 + ["c"] * 4,
        "item": ["1", "2"] * 4,
        "model": ["x", "x", "y", "y"] * 2,
        "score": [1, 1, 0, 0] * 2,
    }
    with pytest.raises(InputError, match="one of b, c: there are several"):
        caveat.claim(["x beats y"], rows)
    with pytest.raises(InputError, match="one of b, c, got 'd'"):
        caveat.claim([{"says": "x beats y", "benchmark": "d"}], rows)
    found = caveat.claim([{"says": "x beats y", "benchmark": "c"}], rows)
    assert found.claims[0].claim.benchmark == "c"


def test_votes_support_no_claim():
    votes = {"model_a": ["x"], "model_b": ["y"], "winner": ["a"]}
    with pytest.raises(InputError, match="must hold responses, got votes"):
        caveat.claim(["x beats y"], votes)


# ---- test suites -------------------------------------------------------------------


def test_claims_are_assertions(files):
    with pytest.raises(AssertionError, match="contradicted: y is best") as failed:
        assert_claims(files)
    assert "undecided: x scores at least 99.9%" in str(failed.value)
    assert "supported:" not in str(failed.value)


def test_what_is_undecided_may_pass_or_skip(tmp_path):
    sources = str(responses(tmp_path / "answers.csv"))
    open_claim = ["x scores at least 99.9%"]
    assert assert_claims(open_claim, sources, undecided="pass").counts["undecided"] == 1
    with pytest.raises(pytest.skip.Exception, match="undecided: x scores"):
        assert_claims(open_claim, sources, undecided="skip")
    with pytest.raises(AssertionError):
        assert_claims(open_claim, sources)


# ---- real data ---------------------------------------------------------------------


@pytest.mark.shared
def test_claims_about_real_models(shared):
    found = caveat.claim(
        [
            "gemini-1.5-pro-002 is best",
            "gemini-1.5-pro-002 beats gemini-1.5-flash-002 on math",
            "Mistral-7B-v0.1 and Mistral-7B-v0.2-hf disagree on at most 30%",
        ],
        shared / "items" / "mmlu_pro.parquet",
    )
    verdicts = ["supported", "contradicted", "contradicted"]
    assert [one.verdict for one in found.claims] == verdicts
