"""The section on the state of the data: what was found, and nothing where nothing was."""

from dataclasses import replace

import numpy as np
import pytest

from caveat.reports.agree.data import section
from caveat.reports.agree.sections import agree_sections
from caveat.results.data_checks import (
    Alike,
    Break,
    Canary,
    Contradicted,
    DataChecks,
    FlatCost,
    LostFormat,
    NotAtRandom,
    OptionsDiffer,
    Repeated,
    Revised,
    Shuffled,
    Unmatched,
    Zeros,
)
from caveat.results.quality import Reading
from caveat.workflows.agree import agree_all

NAN = float("nan")
READ = (
    Reading(metric="acc", filter="", rows=100, used=100),
    Reading(metric="f1", filter="", rows=100, used=0),
)
FOUND = {
    "readings": READ,
    "shuffled": Shuffled(models=("A",), n=300, differ=0.75, others_differ=0.0),
    "options": OptionsDiffer(items=1, n_items=200, examples=(("q1", 3, 4),)),
    "revised": (Revised(by="doc_hash", items=2, n_items=200, examples=(("q2", 2), ("q3", 2))),),
    "alike": (Alike(a="A", b="B", n=200, same=199, both_wrong=60, what="answers"),),
    "contradicted": (Contradicted(model="A", n=90, right_scored_wrong=1, wrong_scored_right=0),),
    "zeros": (Zeros(column="cost_usd", models=("A", "B"), n=400, others=0),),
    "flat_cost": FlatCost(models=5, ratio=1.2, n=200, token_ratio=NAN),
    "lost": (
        LostFormat(
            model="A", reading="full", n=200, score=0.5, other_score=0.6, gain=0.1, usual=0.01
        ),
    ),
    "not_at_random": (
        NotAtRandom(
            model="A",
            missing=20,
            items=200,
            score_missing=NAN,
            score_present=NAN,
            z=0.0,
            tasks=(),
            p_tasks=NAN,
        ),
    ),
    "repeated": (Repeated(by="answers", groups=(("4", "5"),), items=1, n_items=200),),
    "unmatched": (
        Unmatched(
            model="A",
            task="",
            metric="acc",
            published=0.95,
            computed=0.9,
            low=0.89,
            high=0.9,
            reading="mean over items",
            n=200,
            source="",
        ),
    ),
    "breaks": (
        Break(
            model="A",
            column="split",
            part="split = public",
            n=100,
            n_rest=100,
            gain=0.08,
            low=0.05,
            high=0.11,
            p=1e-6,
            p_adjusted=4e-6,
            excess=0.07,
        ),
    ),
    "canaries": (Canary(model="A", answers=2, example="q9"),),
}
SAID = {
    "readings": "Answers are scored in 2 ways, of which one counts: 100 rows of 200 are left out.",
    "shuffled": "Options stand in another order for 1 model: of 300 answers right for one of them "
    "and for another model, 75.0% carry different letters.",
    "options": "1 item of 200 offers some models more options than others.",
    "revised": "2 ids of 200 stand for more than one content (doc_hash).",
    "alike": "1 pair of models has one file of answers, or nearly.",
    "contradicted": "1 score of 1 model contradicts prediction and target.",
    "zeros": "The column cost_usd is 0 in every row of 2 models: unknown, not free.",
    "flat_cost": "The mean costs of 5 models lie within 1.20 times of each other: hardly the "
    "models' own.",
    "lost": "The reading in use misses the format of 1 model, most of A: 50.0% by it, 60.0% by "
    "full.",
    "not_at_random": "Items without a score are not like the others for 1 model; A lacks most, 20 "
    "of 200.",
    "repeated": "1 item of 200 repeats another under an id of its own.",
    "unmatched": "1 of 3 published scores cannot be recomputed from the items.",
    "breaks": "1 model does better than the others on items that may have been seen, first of all "
    "A: 8.0 points of lead more than on the rest.",
    "canaries": "2 answers hold the canary string of a benchmark, for example item q9 of A.",
}
NO_TABLE = {"shuffled", "zeros", "flat_cost", "canaries"}


def bench(**found):
    rows = {"item": ["1", "2"] * 2, "model": ["A"] * 2 + ["B"] * 2, "score": [1.0, 0.0, 1.0, 1.0]}
    (plain,) = agree_all(rows)
    return replace(plain, parts=(DataChecks(**found),))


@pytest.mark.parametrize("name", FOUND)
def test_each_finding_is_said_once(name):
    made = section(bench(**{name: FOUND[name]}, published=3))
    assert made.sentences == (SAID[name],)
    assert made.finding == SAID[name].removesuffix(".")
    assert len(made.tables) == (name not in NO_TABLE)
    for table in made.tables:
        assert table.rows
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert not any(cell.text == "nan" for row in table.rows for cell in row)


def test_sound_data_have_no_section():
    assert section(bench()) is None
    assert section(replace(bench(), parts=())) is None


def test_all_together_are_counted():
    made = section(bench(**FOUND, published=3))
    assert len(made.sentences) == len(FOUND)
    assert made.finding == "14 signs that the responses are not what they seem"


def test_it_comes_first_in_a_report():
    answers = np.random.default_rng(0).choice(list("ABCD"), 100)
    rows = {
        "item": [f"q{k}" for k in range(100)] * 2,
        "model": ["x"] * 100 + ["copy"] * 100,
        "prediction": [*answers, *answers],
        "target": ["A"] * 200,
    }
    (found,) = agree_all(rows)
    assert agree_sections(found)[0].name == "data"
