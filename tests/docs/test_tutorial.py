"""The tutorials' commands on real data, and the lines they quote."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "tutorial.md": {"arena.parquet": "votes/chatbot_arena_20240814_counts.parquet"},
    "tutorial-models.md": {
        "mmlu_pro.parquet": "items/mmlu_pro.parquet",
        "simple_evals_ru_mc.parquet": "items/simple_evals_ru_mc.parquet",
        "logs": "formats",
    },
}
CONTRADICTED = ("claim",)  # the page shows a claim that does not hold, and says so


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)


def steps(page):
    """Each command with all lines that are quoted of its output."""
    found = {}
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ caveat ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.splitlines()
            quoted = found.setdefault(command, [])
            quoted += [line for line in lines if line.strip() not in ("", "...")]
    return found


@pytest.mark.shared
@pytest.mark.parametrize("page", PAGES)
def test_every_command_says_what_the_tutorial_quotes(shared, run, folder, page):
    for name, source in PAGES[page].items():
        if (shared / source).is_dir():
            shutil.rmtree(folder / name, ignore_errors=True)
            shutil.copytree(shared / source, folder / name)
        else:
            (folder / name).symlink_to(shared / source)
    for written in blocks(page, "toml"):
        (folder / "claims.toml").write_text(written, "utf-8")
    found = steps(page)
    assert len(found) >= 6
    for command, quoted in found.items():
        words = shlex.split(command)
        ran = run(*words, "--quiet")
        assert ran.code == (1 if words[0] in CONTRADICTED else 0), ran.err
        said = {" ".join(line.split()) for line in ran.out.splitlines()}
        missing = [line for line in quoted if " ".join(line.split()) not in said]
        assert not missing, command
