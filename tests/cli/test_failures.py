"""Whatever goes wrong: one line on the standard error, exit 2, nothing written, no traceback."""

import json
import os

import pytest

from caveat.cli import entry
from caveat.cli.failures import Failures


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rank", "none.csv"], "none.csv: no such file"),
        (["rank"], "requires an argument"),
        (["rnk", "votes.csv"], 'Did you mean "rank"?'),
        (["rank", "votes.csv", "--level", "high"], "--level"),
        (["rank", "votes.csv", "--level", "95"], "--level must be strictly between 0 and 1"),
        (["rank", "votes.csv", "--seed", "-1"], "--seed must be at least 0"),
        (["rank", "votes.csv", "--bootstrap", "99"], "--bootstrap must be at least 100"),
        (["rank", "votes.csv", "--bootstrap", "10001"], "--bootstrap must be at most 10,000"),
        (["report", "votes.csv", "./votes.csv"], "got votes.csv twice"),
        (["report", "votes.csv", "--out=-"], "the HTML must go to a file"),
        (["report", "votes.csv", "--out", "r", "--json", "./r"], "must name two files"),
        (["rank", "votes.csv", "--policy", "drop"], "Unknown option: --policy"),
        (["agree", "votes.csv", "--policy", "best"], "as-disagreement"),
        (["check", "votes.csv", "--fail-on", "error"], "serious"),
        (["check", "votes.csv", "--select", "NOPE"], "NOPE"),
        (["check", "votes.csv", "--map", "model"], "--map must be NAME=COLUMN"),
        (["check", "votes.csv", "--config", "none.toml"], "none.toml: cannot be read"),
        (["import", "votes.csv"], "--out"),
        (["data", "get", "no-such-data"], "no-such-data"),
    ],
)
def test_misuse_is_told_and_exits_with_2(run, votes, folder, arguments, said):
    before = sorted(folder.iterdir())
    ran = run(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["rank", "none.csv", "--json"], "SourceError"),
        (["rank", "--json"], "UsageError"),
        (["check", "none.csv", "--output", "json"], "SourceError"),
        (["rules", "XYZ", "--json", "-"], "InputError"),
        (["doctor", "--json"], "UsageError"),
    ],
)
def test_errors_as_json_have_one_shape(run, arguments, kind):
    ran = run(*arguments)
    assert ran.code == 2
    found = json.loads(ran.out)
    assert list(found) == ["schema_version", "error"]
    assert list(found["error"]) == ["type", "message"]
    assert found["error"]["type"] == kind
    assert found["error"]["message"].splitlines()[0] in ran.err


def test_debug_shows_the_traceback(run):
    ran = run("rank", "none.csv", "--debug")
    assert ran.code == 2
    assert "Traceback" in ran.err
    assert ran.err.rstrip().splitlines()[-1].startswith("error: none.csv")


def test_a_bug_is_called_one(run, votes, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("by\x1b[31mzero")

    monkeypatch.setattr("caveat.workflows.rank.rank", broken)
    ran = run("rank", votes)
    assert ran.code == 2
    assert "ZeroDivisionError" in ran.err
    assert "This is a bug" in ran.err
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err
    assert "Traceback" in run("rank", votes, "--debug").err


def test_no_memory_is_no_bug(capsys):
    assert Failures(as_json=False, debug=False).report(MemoryError()) == 2
    assert "not enough memory" in capsys.readouterr().err


def test_names_cannot_steer_the_terminal_nor_pose_as_messages(run):
    ran = run("rank", "a\x1b]0;owned\x07\nerror: all is well\u202e.csv")
    assert ran.code == 2
    assert "\x1b" not in ran.err
    assert "\u202e" not in ran.err
    assert [line for line in ran.err.splitlines() if line.startswith("error:")] == [
        ran.err.splitlines()[0]
    ]


def test_an_answer_never_replaces_evidence(run, votes):
    before = votes.read_bytes()
    for flag in ("--json", "--out"):
        ran = run("report", votes, flag, votes)
        assert ran.code == 2
        assert "name another file" in ran.err
    assert run("rank", "--json", votes).code == 2
    assert votes.read_bytes() == before


@pytest.mark.parametrize("flag", ["--json", "--out"])
def test_a_place_that_cannot_be_written_is_told_before_the_work(run, flag, monkeypatch):
    def never(*_, **__):
        raise AssertionError("work was begun")

    monkeypatch.setattr("caveat.workflows.report.report", never)
    ran = run("report", "votes.csv", flag, os.getcwd())
    assert ran.code == 2
    assert "is a folder" in ran.err
    ran = run("report", "votes.csv", flag, "/dev/null/answer")
    assert ran.code == 2
    assert "no folder" in ran.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_leave_to_write(run, votes, folder):
    locked = folder / "locked"
    locked.mkdir(mode=0o500)
    ran = run("report", votes, "--out", locked / "r.html")
    assert ran.code == 2
    assert "cannot be written" in ran.err


def test_a_folder_that_is_not_there_is_made(run, votes, folder):
    assert run("report", votes, "--out", "new/r.html", "--json", "new/r.json").code == 0
    assert (folder / "new" / "r.json").is_file()


def test_a_closed_pipe_is_no_bug(monkeypatch, capsys):
    def closed(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr("caveat.cli.app.run", closed)
    monkeypatch.setattr(entry, "_closed", lambda: 141)
    assert entry.main(["rules"]) == 141
    assert capsys.readouterr().err == ""


def test_an_interruption_that_ends_the_work_is_told(run, votes, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("caveat.workflows.rank.rank", interrupted)
    ran = run("rank", votes)
    assert (ran.code, ran.err) == (130, "interrupted; no file was written half\n")


def test_an_answer_replaces_only_a_whole_answer_of_ours(run, votes, folder):
    assert run("rank", votes, "--json", "mine.json").code == 0
    assert run("rank", votes, "--json", "mine.json").code == 0
    for text in (
        '{"schema_version": 2, "data": []}',
        '{"schema_version": "1", "settings": {}, "sources": []}',
        '{"schema_version": "1", "command": "make", "rows": []}',
        '{"x": {"schema_version": "1", "command": "c", "settings": {}, "sources": []}}',
    ):
        (folder / "other.json").write_text(text)
        ran = run("rank", votes, "--json", "other.json")
        assert ran.code == 2
        assert "other.json: exists and is no JSON file of caveat" in ran.err
        assert (folder / "other.json").read_text() == text


@pytest.mark.parametrize("output", ["sarif", "github"])
def test_two_answers_on_the_standard_output_are_refused(run, votes, output):
    ran = run("check", votes, "--json", "--output", output)
    assert ran.code == 2
    assert f"--output {output} must have the standard output to itself" in ran.err
    assert json.loads(ran.out)["error"]["type"] == "InputError"
    assert run("check", votes, "--json", "c.json", "--output", output).code == 0


def test_the_usual_switches_may_stand_before_the_command(run, votes):
    ran = run("--debug", "rank", "none.csv")
    assert ran.err.startswith("Traceback")
    assert "none.csv: no such file" in ran.err
    assert run("-q", "--no-color", "rank", votes).err == ""
    for tokens in (["--debug"], ["--debug", "rnk"], ["rank", "--debug"]):
        ran = run(*tokens)
        assert ran.code == 2
        assert ran.err.startswith("error: ")
        assert "Traceback" not in ran.err


def test_a_column_that_the_settings_map_wrongly_is_blamed_on_them(run, votes, folder):
    (folder / "caveat.toml").write_text('[map]\nmodel_a = "first"\n')
    ran = run("rank", votes)
    assert ran.code == 2
    assert f"{folder / 'caveat.toml'} says so: map.model_a" in ran.err
    flag = run("rank", votes, "--map", "model_a=second")
    assert flag.code == 2
    assert "caveat.toml" not in flag.err


def test_a_folder_called_as_the_settings_file_is_told(run, votes, folder):
    (folder / "caveat.toml").mkdir()
    ran = run("rank", votes)
    assert ran.code == 2
    assert f"{folder / 'caveat.toml'}: is a folder" in ran.err
    assert run("rank", votes, "--no-config").code == 0


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["quiz,1,x,A,A,1", "quiz,2,x,B,A,0"], "models of quiz: needs at least 2, got 1"),
        (["quiz,1,x,A,A,1", "quiz,2,y,B,A,0"], "both answered: needs at least 1, got 0"),
    ],
)
def test_answers_that_cannot_be_compared_are_told(run, folder, rows, said):
    head = "benchmark,item,model,prediction,target,score"
    (folder / "r.csv").write_text("\n".join([head, *rows]) + "\n")
    ran = run("agree", "r.csv")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "add answers of another model to the same items" in ran.err
    found = json.loads(run("agree", "r.csv", "--json").out)
    assert found["error"]["type"] == "TooFewError"
    assert run("report", "r.csv").code == 0
    other = ["other,1,x,A,A,1", "other,1,y,B,A,0"]
    (folder / "r.csv").write_text("\n".join([head, *rows, *other]) + "\n")
    assert run("agree", "r.csv").code == 0


def test_scores_without_answers_are_shown(run, folder):
    (folder / "r.csv").write_text("benchmark,item,model,score\nquiz,1,x,1\nquiz,2,x,0\n")
    ran = run("agree", "r.csv")
    assert ran.code == 0
    assert "50.0%" in ran.out


def test_an_import_that_fails_leaves_no_folder(run, votes, folder, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pyarrow.parquet.write_table", full)
    ran = run("import", votes, "--out", "new/work")
    assert ran.code == 2
    assert "No space left on device" in ran.err
    assert not (folder / "new").exists()


def test_an_empty_word_is_not_this_folder(run):
    ran = run("rank", "")
    assert ran.code == 2
    assert "must be a path, got ''" in ran.err
