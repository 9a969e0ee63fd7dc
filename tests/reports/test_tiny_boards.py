"""Boards of a few votes: every section finds words, and nothing undefined stands in a sentence."""

import io
import json
import re
from unittest.mock import patch

import pytest
from rich.console import Console

from caveat.reports.html import render
from caveat.reports.html.page import page_of
from caveat.reports.lead import lead_sentence
from caveat.reports.numbers import UNDEFINED
from caveat.reports.referee import print_stress
from caveat.reports.stress.opening import opening
from caveat.reports.stress.sections import stress_sections
from caveat.workflows.options import Options
from caveat.workflows.report import report

SHORT = Options(boundaries=2, shuffles=2)


def votes(*rows, **columns):
    a, b, winner = zip(*rows, strict=True)
    return {"model_a": list(a), "model_b": list(b), "winner": list(winner), **columns}


ROUND = [("x", "y", "a"), ("y", "z", "a"), ("z", "x", "a"), ("x", "y", "tie"), ("y", "x", "a")]
N = len(ROUND)
CASES = {
    "one vote": votes(("x", "y", "a")),
    "one of each": votes(("x", "y", "a"), ("x", "y", "b")),
    "all ties": votes(*[("x", "y", "tie"), ("y", "x", "tie")] * 6, voter=list("abcdef") * 2),
    "unbeaten": votes(*[("x", "y", "a"), ("x", "z", "a"), ("y", "z", "a"), ("z", "y", "a")] * 3),
    "two islands": votes(*[("x", "y", "a"), ("y", "x", "a"), ("u", "v", "a"), ("v", "u", "a")] * 4),
    "a circle": votes(*ROUND),
    "voters of one vote": votes(*ROUND, voter=[f"v{k}" for k in range(N)]),
    "one voter": votes(*ROUND, voter=["v"] * N, item=["i"] * N, at=["2026-01-01"] * N),
    "judges": votes(*ROUND * 4, judge=(["human"] * N + ["x"] * N) * 2, item=["i", "j"] * 2 * N),
    "style": votes(*ROUND, tokens_a=[3, 4, 5, 6, 7], tokens_b=[7, 6, 4, 4, 3]),
}


@pytest.fixture(scope="module", params=CASES)
def made(request):
    return report(CASES[request.param], options=SHORT)


def test_it_makes_a_page_and_a_referees_report(made):
    for plot in page_of(made).plots:
        json.dumps(plot.spec, allow_nan=False)
    with patch.object(render, "_vega", return_value=""):
        page = render.render_html(made)
    shown = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert not re.search(r"\b(nan|inf)\b", shown)
    for tty in (False, True):
        console = Console(file=io.StringIO(), width=80, force_terminal=tty, color_system=None)
        print_stress(made.findings.stress, made.caveats, console)
        assert not re.search(r"\b(nan|inf)\b", console.file.getvalue())


def test_nothing_undefined_stands_in_a_sentence(made):
    stress = made.findings.stress
    said = [lead_sentence(stress.board), *opening(stress, made.caveats)]
    for section in stress_sections(stress):
        said += [section.found, *section.sentences]
    for sentence in said:
        assert sentence
        assert UNDEFINED not in sentence
        assert not re.search(r"(?<![.,\d])1 (votes|points|models|voters|pairs|judges) ", sentence)


def test_without_a_lead_every_test_says_why_it_did_not_run():
    made = report(CASES["one vote"], options=SHORT)
    block = page_of(made).stress
    assert block.sections == ()
    assert block.lead == "No test could run on these votes."
    assert {why for _, why in block.untested} == {"no two models are rated"}
    assert ("Rigging", "no two models are rated") in block.untested
