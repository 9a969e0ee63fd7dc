"""Promises that hold for every command, now and for those to come."""

import sys
from dataclasses import fields
from pathlib import Path

import pytest

from caveat.cli.session import Session
from caveat.workflows.settings import SETTINGS, table

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "cli.md"
sys.path.insert(0, str(ROOT / "scripts"))

from cli_help import commands, help_of  # noqa: E402

COMMANDS = commands()


def test_every_command_of_the_design_is_there():
    wanted = ["report", "check", "rank", "agree", "doctor", "rules", "import"]
    assert {*wanted, "data list", "data get"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_the_usual_options_and_an_example(command):
    text = help_of(command)
    for field in fields(Session):
        if field.name != "command":
            assert f"--{field.name.replace('_', '-')}" in text
    assert f"caveat {command}" in text.split("Example: ")[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_is_documented(command):
    documented = DOCS.read_text(encoding="utf-8")
    assert f"### caveat {command}\n\n```text\n{help_of(command)}\n```" in documented, (
        "run `cog -r docs/cli.md`"
    )


def test_every_setting_is_documented():
    assert table() in DOCS.read_text(encoding="utf-8"), "run `cog -r docs/cli.md`"


def test_every_setting_is_an_option_of_report():
    text = help_of("report")
    for name in SETTINGS.names():
        assert name in ("rules", "variants") or f"--{name} " in text
