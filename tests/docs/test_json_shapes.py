"""The stable names of every `--json`, as docs/json.md gives them. Fields may be added freely."""

import json
import math
import re
from itertools import pairwise
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
NAMES_ON_PAGE = {
    name for code in re.findall("`([^`]+)`", PAGE) for name in re.findall(r"\w+", code)
}

HEAD = ["schema_version", "command", "settings", "sources", "account", "notices", "caveats"]
SOURCE = {"name", "sha256", "size", "importer", "kind"}
ACCOUNT = {"rows_read", "kept", "drops"}
CAVEAT = {"code", "severity", "subject", "claim", "evidence", "remedy"}
RATED = {"model", "rating", "se", "low", "high", "rank_low", "rank_high", "tier", "n_votes"}
SCORED = {"model", "n", "unparsed", "score", "se", "low", "high"}
PAIR = {"a", "b", "n", "disagree", "low", "high", "both_wrong", "same_wrong", "kappa", "capa"}
PAIR |= {"score_a", "score_b", "one_right", "error_consistency", "position"}
PAIR |= {"feasible_low", "feasible_high"}
REPORT = {"title", "verdict", "rank", "agree", "not_run", "versions", "created"}
INSPECTION = {"name", "size", "compression", "format", "importer", "kind", "columns", "rows"}
INSPECTION |= {"problems", "supports", "parts"}
TABLE = {"file", "kind", "rows_read", "kept", "dropped", "drops"}
RULE = {"code", "family", "title", "severity", "needs", "thresholds"}
DATA = {"name", "title", "kind", "holds", "source", "version", "licence", "checked", "files"}
DATA |= {"download_size"}

COMMANDS = {
    "rank": ("rank", "votes.csv"),
    "agree": ("agree", "responses.csv"),
    "compare": ("compare", "x", "y", "responses.csv"),
    "check": ("check", "votes.csv", "responses.csv"),
    "report": ("report", "votes.csv", "responses.csv"),
    "doctor": ("doctor", "votes.csv", "responses.csv"),
    "import": ("import", "votes.csv", "--out", "workspace"),
    "rules": ("rules",),
    "data list": ("data", "list"),
    "data path": ("data", "path"),
}


@pytest.fixture
def answer(run):
    """The parsed JSON of one command."""

    def call(*arguments):
        ran = run(*arguments, "--json")
        assert ran.code in (0, 1), ran.err
        return json.loads(ran.out, parse_constant=pytest.fail)  # NaN and Infinity are refused

    return call


@pytest.mark.parametrize("name", COMMANDS)
def test_every_answer_has_the_same_head(answer, name):
    found = answer(*COMMANDS[name])
    assert list(found)[: len(HEAD)] == HEAD
    assert found["schema_version"] == "1"
    assert found["command"].startswith(f"caveat {name}")
    assert set(found["account"]) >= ACCOUNT
    for source in found["sources"]:
        assert set(source) >= SOURCE
        assert re.fullmatch("[0-9a-f]{64}", source["sha256"])
    for caveat in found["caveats"]:
        assert set(caveat) >= CAVEAT
        assert caveat["severity"] in ("info", "notice", "warning", "serious")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_field_of_an_answer_is_on_the_page(answer, name):
    found = answer(*COMMANDS[name])
    missing = {key for key in names_in(found) if key not in NAMES_ON_PAGE}
    assert not missing, "describe these in docs/json.md"


def names_in(value):
    """Names of fields; what `evidence`, `settings`, `thresholds` and `versions` hold is open."""
    if isinstance(value, list):
        return {name for item in value for name in names_in(item)}
    if not isinstance(value, dict):
        return set()
    closed = [v for k, v in value.items() if k not in OPEN]
    return set(value) | {name for item in closed for name in names_in(item)}


OPEN = ("evidence", "settings", "thresholds", "versions", "reasons")


def test_settings_of_an_answer_hold_the_level(answer):
    for name in ("rank", "agree", "check", "report"):
        assert answer(*COMMANDS[name], "--level", "0.9")["settings"]["level"] == 0.9


def test_rank(answer):
    found = answer("rank", "votes.csv")
    assert found["n_votes"] == 31
    rows = found["models"]
    assert all(set(row) >= RATED for row in rows)
    rated = [row for row in rows if row["rating"] is not None]
    assert all(a["rating"] >= b["rating"] for a, b in pairwise(rated))
    assert [row["model"] for row in rows] == ["x", "y", "z", "top"]  # best first, unrated last
    for row in rated:  # the anchor's limits are where it is fixed
        if row["model"] == found["anchor"]:
            assert row["low"] == row["rating"] == row["high"] == 1000
        else:
            assert row["low"] < row["rating"] < row["high"]
            assert row["win_low"] < row["win_probability"] < row["win_high"]
    assert len(found["comparisons"]) == 3
    assert found["comparisons_left_out"] == 0
    assert_undefined_has_a_reason(rows, ("rating", "se", "low", "high", "tier"))
    assert rows[-1]["rating"] is None


def test_agree(answer):
    found = answer("agree", "responses.csv")
    assert all(set(row) >= SCORED for row in found["models"])
    assert all(set(row) >= PAIR for row in found["pairs"])
    assert {(p["a"], p["b"]) for p in found["pairs"]} == {("x", "y"), ("x", "z"), ("y", "z")}
    shares = ("disagree", "low", "high", "both_wrong", "same_wrong", "score_a", "score_b")
    for pair in found["pairs"]:
        assert all(pair[name] is None or 0 <= pair[name] <= 1 for name in shares)
        assert pair["low"] <= pair["disagree"] <= pair["high"]
    assert found["models"][-1]["unparsed"] == 1
    assert_undefined_has_a_reason(found["models"], ("score", "se", "low", "high"))


def test_agree_without_right_answers_gives_the_reason_beside_the_pairs(answer, folder):
    rows = ["item,model,prediction"]
    rows += [f"{i},{model},{'AB'[(i + k) % 2]}" for i in range(4) for k, model in enumerate("xy")]
    (folder / "open.csv").write_text("\n".join(rows) + "\n")
    found = answer("agree", "open.csv")
    (pair,) = found["pairs"]
    (benchmark,) = found["benchmarks"]
    for name in ("both_wrong", "same_wrong", "capa"):
        assert pair[name] is None
        assert benchmark["reasons"][name]
    assert_undefined_has_a_reason(found["models"], ("score", "se", "low", "high"))


def test_a_kappa_is_undefined_only_where_chance_alone_would_agree(answer):
    """x and z share one item, as do y and z: on that one, y and z both say A."""
    for pair in answer("agree", "responses.csv")["pairs"]:
        alone = pair["n"] == 1 and pair["disagree"] == 0
        assert (pair["kappa"] is None) == (pair["capa"] is None) == alone


def test_check(answer):
    found = answer("check", "votes.csv", "responses.csv")
    codes = {caveat["code"] for caveat in found["caveats"]}
    assert {"RNK202", "AGR301", "DAT101"} <= codes
    ranks = [
        ("serious", "warning", "notice", "info").index(c["severity"]) for c in found["caveats"]
    ]
    assert ranks == sorted(ranks)  # gravest first
    assert all(set(row) == {"check", "why"} for row in found["not_run"])


def test_check_has_one_shape_by_either_option(run):
    by_json = json.loads(run("check", "votes.csv", "--json").out)
    by_output = json.loads(run("check", "votes.csv", "--output", "json").out)
    assert list(by_json) == list(by_output)
    assert by_json["caveats"] == by_output["caveats"]


def test_report_holds_the_parts_in_the_shapes_of_their_own_commands(answer):
    found = answer("report", "votes.csv", "responses.csv")
    assert set(found) >= REPORT
    rank, agree = answer("rank", "votes.csv"), answer("agree", "responses.csv")
    assert found["rank"] == {name: rank[name] for name in found["rank"]}
    for name in ("models", "pairs"):
        assert found["agree"][name] == agree[name]


def test_report_without_votes_has_a_null_board(answer):
    found = answer("report", "responses.csv")
    assert found["rank"] is None
    assert any("no votes" in row["why"] for row in found["not_run"])


def test_doctor(answer):
    found = answer("doctor", "votes.csv", "responses.csv")["inspections"]
    assert all(set(row) >= INSPECTION for row in found)
    assert [row["kind"] for row in found] == ["votes", "responses"]


def test_import(answer):
    (table,) = answer("import", "votes.csv", "--out", "workspace")["tables"]
    assert set(table) >= TABLE
    assert table["rows_read"] == table["kept"] + table["dropped"]
    assert Path(table["file"]).is_file()


def test_rules(answer):
    assert all(set(row) >= RULE for row in answer("rules")["rules"])
    (one,) = answer("rules", "RNK201")["rules"]
    assert one["page"].startswith("# RNK201")


def test_data(answer):
    assert all(set(row) >= DATA for row in answer("data", "list")["data"])
    assert answer("data", "path")["path"]


def test_an_error_is_json_too(run):
    ran = run("rank", "nowhere.csv", "--json")
    assert ran.code == 2
    found = json.loads(ran.out)
    assert list(found) == ["schema_version", "error"]
    assert set(found["error"]) == {"type", "message"}
    assert "nowhere.csv" in found["error"]["message"]


def assert_undefined_has_a_reason(rows, names):
    for row in rows:
        undefined = [name for name in names if row[name] is None]
        assert bool(row["reason"]) == bool(undefined), row
        assert all(math.isfinite(row[name]) for name in names if row[name] is not None)
