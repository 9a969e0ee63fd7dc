"""Every code has a planted example that fires it and only it, and a harmless twin."""

import json

import pytest

from caveat.results.report import Findings
from caveat.rules.engine import Selection, run_rules
from caveat.rules.registry import RULES


def codes(findings):
    return [caveat.code for caveat in run_rules(findings, Selection())]


def test_every_code_has_a_planted_pair_and_no_pair_is_left_over(planted):
    assert set(planted) == set(RULES.names())


@pytest.mark.parametrize("code", RULES.names())
def test_the_planted_example_fires_its_code_and_no_other(code, planted):
    assert codes(planted[code].fires) == [code]


@pytest.mark.parametrize("code", RULES.names())
def test_the_harmless_twin_is_silent(code, planted):
    assert codes(planted[code].silent) == []


@pytest.mark.parametrize("code", RULES.names())
def test_a_caveat_is_complete_and_plain_data(code, planted):
    (caveat,) = run_rules(planted[code].fires, Selection())
    text = json.dumps(caveat.to_dict(), allow_nan=False)
    assert json.loads(text) == caveat.to_dict()
    assert caveat.subject
    assert caveat.evidence
    assert caveat.claim
    assert "\n" not in caveat.claim
    assert any(c.isdigit() for c in caveat.claim), "a claim holds its figures"
    assert not caveat.claim.endswith(".")
    assert caveat.remedy.endswith(".")
    wants_source = code != "CST501"  # prices are about no file
    assert bool(caveat.sources) == wants_source


@pytest.mark.parametrize("code", RULES.names())
def test_an_ignored_code_stays_silent(code, planted):
    assert run_rules(planted[code].fires, Selection(ignore=[code])) == ()


def test_no_evidence_gives_no_caveats():
    assert codes(Findings()) == []
