"""Where AGR315 to AGR317 begin, and what they say."""

import runpy
from dataclasses import replace
from pathlib import Path

from caveat.results.caveat import Severity
from caveat.rules.engine import Selection, not_run, run_rules

P = runpy.run_path(str(Path(__file__).parent / "planted_items.py"))
items, crowd, agreed, with_part = P["items"], P["crowd"], P["agreed"], P["with_part"]


def raised(make, part, **selection):
    return run_rules(with_part(make, part), Selection(**selection))


def test_one_wrong_key_in_a_hundred_is_a_warning(make):
    (two,) = raised(make, items(suspected=2))  # of 200
    (one,) = raised(make, items(suspected=1))
    assert (two.severity, one.severity) == (Severity.WARNING, Severity.NOTICE)
    assert "2 items of 200 of quiz probably have a wrong key" in two.claim
    assert "1 item of 200 of quiz probably has a wrong key" in one.claim
    assert "q000: 3 of 5 models on b, 2 on the key a" in two.claim
    assert [row["item"] for row in two.evidence["items"]] == ["q000", "q001"]


def test_how_many_wrong_keys_count_can_be_changed(make):
    assert raised(make, items(suspected=4), thresholds={"AGR315": {"items": 5}}) == ()


def test_few_models_saturate_nothing(make):
    four = ("A", "B", "C", "D")
    assert raised(make, items(all_right=180, models=four)) == ()
    (found,) = raised(make, items(all_right=180))
    assert "95% of the 200 items" in found.claim
    assert "10 items carry the comparison" in found.claim


def test_unanimous_errors_need_models_items_and_certainty(make):
    assert [c.code for c in raised(make, crowd())] == ["AGR317"]
    assert raised(make, crowd(models=("A", "B", "C", "D"))) == ()
    assert raised(make, crowd(unanimous=agreed(items=29, wrong=6))) == ()
    (found,) = raised(make, crowd(unanimous=agreed(items=30, wrong=6)))
    assert "are wrong on 20% of these: they are worth 1.9 independent ones" in found.claim


def test_errors_that_avoid_each_other_are_worth_no_number(make):
    avoid = replace(crowd().errors, mean_correlation=-0.2, effective=25.0)
    (found,) = raised(make, crowd(errors=avoid))
    assert found.claim.endswith("are wrong on 6% of these")


def test_without_effective_numbers_the_claim_ends_earlier(make):
    (found,) = raised(make, crowd(errors=None))
    assert found.claim.endswith("are wrong on 6% of these")
    assert found.evidence["effective"] is None


def test_keys_that_could_not_be_judged_are_told(make):
    unjudged = replace(items(), judged=0, reasons={"key": "no predictions in the source"})
    why = [one.why for one in not_run(with_part(make, unjudged), Selection(select=["AGR315"]))]
    assert why == ["quiz: no predictions in the source"]
