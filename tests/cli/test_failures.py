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


def test_ctrl_c_inside_arrow_is_a_ctrl_c(run, votes, monkeypatch):
    import pyarrow as pa

    def cancelled(*_, **__):
        raise pa.ArrowCancelled("Operation cancelled", 2)

    monkeypatch.setattr("caveat.workflows.rank.rank", cancelled)
    ran = run("rank", votes)
    assert ran.code == 130
    assert "interrupted" in ran.err
