"""Each command: its answer as text and as JSON, and the split of the two streams."""

import json

import pytest

from caveat.cli.session import Session
from caveat.reports.json_report import SCHEMA_VERSION

HEAD = ["schema_version", "command", "settings", "sources", "account", "notices", "caveats"]


def test_rank_shows_the_board_best_first(run, votes):
    ran = run("rank", votes)
    assert ran.code == 0
    rows = [line.split()[0] for line in ran.out.splitlines() if line[:1] in "xyz"]
    assert rows == ["x", "y", "z"]


def test_rank_json_has_the_agreed_shape(run, votes):
    ran = run("rank", votes, "--json", "--seed", "3")
    found = json.loads(ran.out)
    assert list(found)[: len(HEAD)] == HEAD
    assert found["schema_version"] == SCHEMA_VERSION
    assert found["command"] == f"caveat rank {votes} --json=- --seed 3"
    assert found["settings"]["seed"] == 3
    assert found["n_votes"] == 300
    assert found["account"]["rows_read"] == 300
    wanted = {"model", "rating", "se", "low", "high", "rank_low", "rank_high", "tier", "n_votes"}
    assert wanted <= set(found["models"][0])
    assert [model["model"] for model in found["models"]] == ["x", "y", "z"]
    assert len(found["sources"][0]["sha256"]) == 64


def test_agree_gives_models_and_pairs_with_their_benchmark(run, responses):
    found = json.loads(run("agree", responses, "--json").out)
    assert list(found)[: len(HEAD)] == HEAD
    wanted = {"benchmark", "model", "n", "unparsed", "score", "se", "low", "high"}
    assert all(wanted <= set(model) for model in found["models"])
    assert [model["score"] for model in found["models"]] == [0.5, 0.5]
    (pair,) = found["pairs"]
    figures = ("n", "disagree", "low", "high", "both_wrong", "same_wrong", "kappa", "capa")
    assert set(pair) >= {"benchmark", "a", "b", *figures, "score_a", "score_b", "reason"}
    assert (pair["benchmark"], pair["n"], pair["disagree"]) == ("quiz", 100, 1.0)


def test_agree_shows_text(run, responses):
    ran = run("agree", responses)
    assert ran.code == 0
    assert "100.0%" in ran.out
    assert "AGR301" not in ran.out
    assert "caveat check" in ran.err


def test_check_finds_equal_scores_of_different_answers(run, responses):
    ran = run("check", responses)
    assert "AGR301" in ran.out
    found = json.loads(run("check", responses, "--json").out)
    assert list(found)[: len(HEAD)] == HEAD
    caveat = next(entry for entry in found["caveats"] if entry["code"] == "AGR301")
    assert {"code", "severity", "subject", "claim", "evidence", "remedy"} <= set(caveat)


def test_check_output_json_is_the_same_as_json(run, votes):
    ours = json.loads(run("check", votes, "--json").out)
    theirs = json.loads(run("check", votes, "--output", "json").out)
    assert ours["caveats"] == theirs["caveats"]
    assert json.loads(run("check", votes, "--output", "json", "--json", "-").out)


def test_check_output_sarif_and_github(run, apart):
    sarif = json.loads(run("check", apart, "--output", "sarif").out)
    assert list(sarif)[:2] == ["$schema", "version"]
    assert "RNK202" in {result["ruleId"] for result in sarif["runs"][0]["results"]}
    assert "::error title=RNK202" in run("check", apart, "--output", "github").out


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [("serious", 1), ("warning", 1), ("info", 1), ("none", 0), (None, 1)],
)
def test_check_fails_on_a_grave_caveat(run, apart, fail_on, code):
    flags = ["--fail-on", fail_on] if fail_on else []
    assert run("check", apart, *flags).code == code


def test_check_passes_what_is_milder(run, votes):
    assert run("check", votes).code == 0
    assert run("check", votes, "--fail-on", "info").code == 1


def test_check_selects_and_ignores(run, apart):
    assert "RNK202" in run("check", apart, "--select", "rnk,DAT104").out
    assert "RNK202" not in run("check", apart, "--ignore", "RNK202").out
    assert run("check", apart, "--ignore", "RNK").code == 0


def test_check_takes_settings_from_the_working_folder(run, apart, folder):
    (folder / "caveat.toml").write_text('ignore = ["RNK"]\n')
    assert run("check", apart).code == 0
    assert run("check", apart, "--no-config").code == 1
    assert run("check", apart, "--ignore", "CST").code == 1


def test_check_reads_columns_named_in_the_settings(run, votes, folder):
    votes.write_text(votes.read_text().replace("model_a,model_b,winner", "first,second,won", 1))
    assert run("check", votes).code == 2
    (folder / "caveat.toml").write_text(
        '[map]\nmodel_a = "first"\nmodel_b = "second"\noutcome = "won"\n'
    )
    assert run("check", votes).code == 0


def test_an_unknown_setting_stops_the_run(run, votes, folder):
    (folder / "pyproject.toml").write_text("[tool.caveat]\nlevels = 0.9\n")
    ran = run("check", votes)
    assert ran.code == 2
    assert "pyproject.toml [tool.caveat]: unknown setting 'levels'; allowed: title, " in ran.err


def test_report_writes_html_and_says_so_on_the_standard_error(run, votes, responses, folder):
    ran = run("report", votes, responses, "--title", "Two files")
    assert ran.code == 0
    page = (folder / "caveat-report.html").read_text()
    assert page.startswith("<!doctype html")
    assert "Two files" in page
    assert "caveat-report.html" in ran.err
    assert "caveat-report.html" not in ran.out
    assert "AGR301" in ran.out


def test_report_writes_everything_as_data(run, votes, responses, folder):
    run("report", votes, responses, "--out", "a.html", "--json", "a.json", "--level", "0.9")
    found = json.loads((folder / "a.json").read_text())
    assert next(iter(found)) == "schema_version"
    assert {*HEAD, "title", "verdict", "rank", "agree", "not_run", "versions"} <= set(found)
    assert found["settings"]["level"] == 0.9
    assert found["rank"]["n_votes"] == 300
    assert found["command"].startswith("caveat report ")


def test_report_json_on_the_standard_output_stands_alone(run, votes):
    ran = run("report", votes, "--json")
    assert json.loads(ran.out)["rank"]["n_votes"] == 300


def test_report_fails_only_when_asked(run, apart):
    assert run("report", apart).code == 0
    assert run("report", apart, "--fail-on", "serious").code == 1


def test_a_report_can_be_written_again(run, votes):
    assert run("report", votes, "--json", "r.json").code == 0
    assert run("report", votes, "--json", "r.json").code == 0


def test_quiet_leaves_the_answer(run, votes):
    ran = run("report", votes, "--quiet")
    assert ran.err == ""
    assert "model" in ran.out.lower()


@pytest.mark.parametrize("command", ["rank", "check", "report"])
def test_rows_left_out_are_told(run, folder, command):
    (folder / "v.csv").write_text("model_a,model_b,winner\nx,y,a\ny,x,\nx,y,\nx,y,b\n")
    said = "2 of 4 rows left out: no outcome (v.csv, row 2, ...)"
    ran = run(command, "v.csv", "--bad-rows", "drop")
    assert said in ran.err.splitlines()
    assert said not in ran.out
    assert said in run(command, "v.csv", "--bad-rows", "drop", "--json").err.splitlines()
    assert run(command, "v.csv", "--bad-rows", "drop", "--quiet").err == ""


def test_notices_are_told_once_each(run, folder):
    rows = [f"quiz,{item},{model},A" for item in range(9) for model in "xy"]
    (folder / "r.csv").write_text("\n".join(["benchmark,item,model,prediction", *rows]) + "\n")
    for command in ("agree", "check", "report", "import"):
        more = ["--out", "work"] if command == "import" else []
        ran = run(command, "r.csv", *more)
        notice = "notice: no score and no target: answers are kept as unscored"
        assert [line for line in ran.err.splitlines() if line.startswith("notice: ")] == [notice]
        assert run(command, "r.csv", *more, "--quiet").err == ""


def test_many_notices_are_counted(capsys):
    Session().say_notices([*map(str, range(13)), "0"])
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 11
    assert told[-1] == "and 3 more notices; --json holds them all"


def test_rules_lists_and_explains(run):
    listed = run("rules").out
    assert "RNK201" in listed
    assert "AGR301" in listed
    assert "AGR301" not in run("rules", "RNK").out
    assert run("rules", "rnk201").out.startswith("# RNK201: ")
    found = json.loads(run("rules", "RNK201", "--json").out)
    assert found["rules"][0]["page"].startswith("# RNK201")


def test_an_unknown_rule_lists_those_there_are(run):
    ran = run("rules", "XYZ1")
    assert ran.code == 2
    assert "RNK201" in ran.err


def test_import_writes_tables_and_accounts_for_rows(run, votes, responses, folder):
    ran = run("import", votes, responses, "--out", "work", "--json", "-")
    found = json.loads(ran.out)
    assert ran.code == 0
    by_kind = {table["kind"]: table for table in found["tables"]}
    assert {kind: t["kept"] for kind, t in by_kind.items()} == {"votes": 300, "responses": 200}
    for table in by_kind.values():
        assert table["rows_read"] == table["kept"] + table["dropped"]
        assert (folder / table["file"]).is_file()
    assert run("rank", folder / by_kind["votes"]["file"]).code == 0


def test_import_dry_run_writes_nothing(run, votes, folder):
    ran = run("import", votes, "--out", "work", "--dry-run")
    assert ran.code == 0
    assert "would hold 300 votes of 300 rows read" in ran.out
    assert not (folder / "work").exists()


def test_doctor_says_what_a_file_is_and_supports(run, votes, responses):
    ran = run("doctor", votes, responses)
    assert ran.code == 0
    assert f"{votes}: votes (csv" in ran.out
    assert "supports: rank" in ran.out
    assert "outcome = winner" in ran.out
    found = json.loads(run("doctor", votes, "--json").out)
    assert found["inspections"][0]["kind"] == "votes"


def test_doctor_tells_what_is_wrong_and_exits_with_2(run, votes, folder):
    (folder / "odd.csv").write_text("first,second\n1,2\n")
    ran = run("doctor", votes, "odd.csv", "none.csv")
    assert ran.code == 2
    assert "odd.csv: no evidence" in ran.out
    assert "columns found: first, second" in ran.out
    assert "none.csv: no such file" in ran.out
    assert "supports: rank" in ran.out


def test_doctor_looks_into_folders(run, votes, folder):
    inner = folder / "many"
    inner.mkdir()
    for number in range(25):
        (inner / f"{number:02}.csv").write_bytes(votes.read_bytes() + b"\n" * number)
    ran = run("doctor", inner)
    assert ran.code == 0
    assert ran.out.count(": votes (csv") == 20
    assert "... and 5 more" in ran.out


def test_data_list_states_source_licence_and_size(run):
    text = run("data", "list").out
    assert "chatbot-arena" in text
    assert "to fetch" in text
    for entry in json.loads(run("data", "list", "--json").out)["data"]:
        assert entry["licence"]
        assert entry["source"]
        assert entry["download_size"] > 0
        assert all(len(file["sha256"]) == 64 for file in entry["files"])


def test_data_get_prints_only_the_path(run, monkeypatch, folder):
    monkeypatch.setattr("caveat.datasets.fetch.get", lambda name, **_: folder / f"{name}.json")
    ran = run("data", "get", "chatbot-arena")
    assert (ran.code, ran.out) == (0, f"{folder}/chatbot-arena.json\n")
    assert "leaderbot" in ran.err or "Chatbot Arena" in ran.err
    found = json.loads(run("data", "get", "chatbot-arena", "--json").out)
    assert found["path"] == f"{folder}/chatbot-arena.json"


def test_data_path_is_in_the_cache_folder(run, monkeypatch, folder):
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    assert run("data", "path").out == f"{folder}/caveat/data\n"
