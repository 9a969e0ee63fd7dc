"""Judges among responses, from tables to the section."""

import json
import random

import caveat
from caveat.results.comparison.judges import JudgesOfPairs


def verdicts(judges=("m", "n"), *, turned=3, pairs=60):
    """Two judges of pairs; the second turns with the order on so many of ten."""
    return [
        {
            "benchmark": "pairs",
            "item": f"i{k}",
            "model": judge,
            "target": "12"[k % 2],
            "prediction": "12"[k % 2] if k % 7 else "21"[k % 2],
            "prediction_swapped": "1" if judge == judges[-1] and k % 10 < turned else "12"[k % 2],
        }
        for judge in judges
        for k in range(pairs)
    ]


def labels(people=("ann", "bob", "cy"), *, items=80):
    draw = random.Random(1)
    return [
        {
            "benchmark": "texts",
            "item": f"i{k}",
            "model": who,
            "prediction": "xyz"[k % 3] if draw.random() > noise else draw.choice("xyz"),
        }
        for who, noise in (*((name, 0.2) for name in people), ("m", 0.1))
        for k in range(items)
    ]


def columns(rows):
    return {name: [row.get(name) for row in rows] for name in rows[0]}


def findings(rows, *, people=()):
    sources = [columns(rows)]
    if people:
        kinds = ["human"] * len(people)
        sources.append({"model": list(people), "kind": kinds, "provider": ["none"] * len(people)})
    evidence = [one for source in sources for one in caveat.read(source).values()]
    return caveat.report(evidence).findings.benchmarks[0]


def test_judges_of_pairs():
    found = findings(verdicts())
    part = found.part(JudgesOfPairs)
    assert {row.judge: row.order.n for row in part.judges} == {"m": 60, "n": 60}
    json.dumps(part.to_dict())
    assert part.to_arrow().num_rows == 2


def test_people_and_a_model():
    people = ("ann", "bob", "cy")
    part = findings(labels(people), people=people).part(JudgesOfPairs)
    (test,) = part.annotators
    assert (test.judge, test.passes, len(test.against)) == ("m", True, 3)
    assert test.to_arrow().num_rows == 3


def test_other_responses_are_not_judged():
    found = findings(labels())
    assert found.part(JudgesOfPairs) is None
    assert "judges" not in {one.part for one in found.untested}


def test_one_person_is_told():
    found = findings(labels(), people=("ann",))
    (why,) = (one.why for one in found.untested if one.part == "judges")
    assert why == "one model only is declared to be a person (ann)"


def test_answers_that_are_no_verdicts_are_told():
    rows = [{**row, "prediction": f"text {k}"} for k, row in enumerate(verdicts())]
    (why,) = (one.why for one in findings(rows).untested if one.part == "judges")
    assert "must be verdicts for one of two answers" in why
