"""The registry, the pages and the index say the same."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from caveat.errors import InputError
from caveat.rules.pages import HEADINGS, index, page
from caveat.rules.registry import RULES

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "src/caveat/rules/pages"
INDEX = ROOT / "docs/caveats/README.md"


def test_there_is_one_page_per_code_and_no_other():
    assert {path.stem for path in PAGES.iterdir()} == set(RULES.names())


@pytest.mark.parametrize("rule", tuple(RULES), ids=lambda rule: rule.code)
def test_a_page_has_its_title_and_the_fixed_headings_in_order(rule):
    text = page(rule.code)
    assert text.startswith(f"# {rule.code}: {rule.title}\n")
    assert tuple(re.findall(r"^## (.+)$", text, flags=re.MULTILINE)) == HEADINGS
    sections = re.split(r"^## .+$", text, flags=re.MULTILINE)[1:]
    assert all(section.strip() for section in sections)


@pytest.mark.parametrize("rule", tuple(RULES), ids=lambda rule: rule.code)
def test_a_page_states_the_thresholds_in_force(rule):
    text = page(rule.code)
    snippets = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    if rule.thresholds:
        (snippet,) = snippets
        assert tomllib.loads(snippet) == {"rules": {rule.code: dict(rule.thresholds)}}
        explained = text.partition("## Threshold")[0]
        assert all(f"`{name}`" in explained for name in rule.thresholds)
    else:
        assert snippets == []
        assert f"--ignore {rule.code}" in text


@pytest.mark.parametrize("rule", tuple(RULES), ids=lambda rule: rule.code)
def test_a_page_links_its_sources(rule):
    source = page(rule.code).partition("## Source")[2]
    assert re.search(r"<https://(arxiv\.org/abs/\d{4}\.\d{5}|doi\.org/10\.\S+)>", source)


def test_the_index_holds_the_table_of_the_registry():
    assert index(folder="../../src/caveat/rules/pages") in INDEX.read_text(encoding="utf-8")


def test_every_link_of_the_index_leads_to_a_page():
    links = re.findall(r"\]\((\S+\.md)\)", INDEX.read_text(encoding="utf-8"))
    assert len(links) == len(RULES)
    assert all((INDEX.parent / link).is_file() for link in links)


def test_the_index_is_what_cog_makes():
    pytest.importorskip("cogapp", reason="cog comes with the lint group")
    command = [sys.executable, "-m", "cogapp", "--check", str(INDEX)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_unknown_code_lists_the_known_ones():
    with pytest.raises(InputError, match=r"rule code must be one of .*RNK201.*, got 'RNK999'"):
        page("RNK999")
