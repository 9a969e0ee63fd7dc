"""The section on model judges held against people."""

import runpy
from pathlib import Path
from types import SimpleNamespace

from caveat.reports.stress.annotators import section
from caveat.results.stress.annotators import Annotators

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_annotators.py"))


def made(*tests, **changes):
    part = BUILD["annotators"](*tests, **changes)
    return section(SimpleNamespace(part={Annotators: part}.get))


def test_no_section_without_the_test():
    assert section(SimpleNamespace(part={}.get)) is None


def test_it_reads_like_a_referee():
    found = made(
        BUILD["outcome"](wins=1),
        BUILD["outcome"](wins=1, difference=0.02, judge="m"),
        BUILD["outcome"](people=0, judge="n"),
        n_left_out=2,
    )
    assert found.sentences == (
        "Two people who judged the same answers agree on 62.0% of 220 comparisons.",
        "gpt-x does not pass the alternative-annotator test (epsilon 0.10): it wins against 1 of 4 "
        "people, and fits the others no worse than a person does on 70.0% of items; people fit "
        "each other better by 15.0 points (10.0 to 20.0).",
        "m does not pass the alternative-annotator test (epsilon 0.10): it wins against 1 of 4 "
        "people, and fits the others no worse than a person does on 70.0% of items; that it is "
        "worse than people on the whole is not sure, they are few or their items are.",
        "n could not be held against people: no person labelled 30 items.",
        "2 judges with fewer votes left out.",
    )
    assert found.finding == "0 of 2 model judges may stand for people"


def test_a_judge_that_passes_by_one_test_only_is_told():
    found = made(BUILD["outcome"](wins=2, difference=0.02, passes_score=False))
    assert found.sentences[1].endswith("on 70.0% of items. By the score test it does not.")


def test_tables():
    tests, people = made(BUILD["outcome"](wins=1), BUILD["outcome"](people=0, judge="n")).tables
    assert [cell.text for cell in tests.rows[0]] == [
        "gpt-x", "200", "4", "25.0%", "no", "70.0%", "15.0", "10.0 to 20.0",
    ]  # fmt: skip
    assert tests.rows[1][4].text == "untested"
    assert tests.rows[1][3].title == "no person labelled 30 items"
    assert tests.note == (
        "Epsilon 0.10, false discoveries 5.0%; 2 people with fewer than 30 items not tested."
    )
    assert [cell.text for cell in people.rows[0]] == [
        "p0", "60", "70.0%", "85.0%", "0.004", "0.008", "yes",
    ]  # fmt: skip
