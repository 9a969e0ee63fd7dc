"""What the documents say to type runs, and what they point at is there."""

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [
    README,
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "design").glob("*.md")),
    *sorted((ROOT / "src/caveat/rules/pages").glob("*.md")),
]
SCREENS = 75
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`\n]+`")
TEST_FILE = re.compile(r"`(tests/[\w./-]+)`")


def named(path):
    return str(path.relative_to(ROOT))


def fences(path, language):
    return [body for found, body in FENCE.findall(path.read_text("utf-8")) if found == language]


def commands(path):
    """Lines of shell blocks that run `caveat`, without their comments."""
    lines = [line for body in fences(path, "sh") for line in body.splitlines()]
    return [line for line in lines if line.startswith("caveat ")]


@pytest.mark.parametrize("line", commands(README))
def test_every_command_of_the_readme_runs(run, line):
    words = shlex.split(line, comments=True)
    ran = run(*words[1:])
    assert ran.code in ((0, 1) if words[1] == "check" else (0,)), ran.err
    assert ran.out
    if words[1] == "report":
        assert Path("caveat-report.html").is_file()


def test_the_readme_shows_every_main_command():
    shown = {line.split()[1] for line in commands(README)}
    assert shown >= {"doctor", "report", "check", "rank", "agree", "rules"}
    assert shown >= {"compare", "claim", "import", "export", "stress"}


@pytest.mark.parametrize(
    ("page", "code"),
    [(named(p), body) for p in PAGES for body in fences(p, "python")],
    ids=lambda value: value if value.endswith(".md") else "",
)
def test_every_python_block_runs(folder, page, code):
    exec(compile(code, page, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_relative_link_leads_somewhere(page):
    text = CODE.sub("", FENCE.sub("", page.read_text("utf-8")))
    links = [link.partition("#")[0] for link in LINK.findall(text) if ":" not in link]
    broken = [link for link in links if link and not (page.parent / link).exists()]
    assert not broken


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_test_that_is_named_is_there(page):
    gone = [
        name for name in TEST_FILE.findall(page.read_text("utf-8")) if not (ROOT / name).exists()
    ]
    assert not gone


def test_the_readme_is_two_screens_long_before_its_reference():
    before = README.read_text("utf-8").partition("\n# Reference\n")
    assert before[1], "the README has a heading `# Reference`"
    assert len(before[0].splitlines()) <= SCREENS


def test_the_index_of_methods_lists_every_page_once():
    index = (ROOT / "docs/methods.md").read_text("utf-8")
    listed = [link for link in LINK.findall(index) if link.startswith("methods/")]
    rows = [line for line in index.splitlines() if line.startswith("| [")]
    pages = sorted(f"methods/{page.name}" for page in (ROOT / "docs/methods").glob("*.md"))
    assert sorted({link.partition("#")[0] for link in listed}) == pages
    assert len(rows) == len(pages)
