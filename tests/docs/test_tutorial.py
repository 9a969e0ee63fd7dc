"""The tutorial's commands on the real board, and the lines it quotes."""

import re
import shlex
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def steps():
    """Each command with the lines quoted below it."""
    for block in BLOCKS:
        for part in re.split(r"^\$ caveat ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.splitlines()
            yield command, [line for line in lines if line.strip() not in ("", "...")]


@pytest.mark.shared
def test_every_command_says_what_the_tutorial_quotes(shared, run, folder):
    votes = shared / "votes" / "chatbot_arena_20240814_counts.parquet"
    (folder / "arena.parquet").symlink_to(votes)
    found = list(steps())
    assert len(found) >= 7
    for command, quoted in found:
        ran = run(*shlex.split(command), "--quiet")
        assert ran.code == 0, ran.err
        said = [" ".join(line.split()) for line in ran.out.splitlines()]
        missing = [line for line in quoted if " ".join(line.split()) not in said]
        assert not missing, command
