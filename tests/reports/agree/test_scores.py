import itertools
import json

import numpy as np
import pytest
import vl_convert

from caveat.data.matrix import ResponseMatrix
from caveat.reports.agree import compare as pair_report
from caveat.reports.agree import first_two
from caveat.reports.agree.scores import section
from caveat.reports.plots import task_slopes
from caveat.results.comparison.first_two import FirstTwo
from caveat.results.quality import ResponseQuality
from caveat.results.report import BenchmarkFindings
from caveat.stats.comparison.compare import compare
from caveat.stats.comparison.paired import paired_tests
from caveat.stats.scores.accuracy import scores

HOSTILE = ("</script><img src=x>", "[red]m[/red]", "a'b\"c\\")


def matrix(score, *, models=("x", "y", "z"), tasks=("art", "law"), cluster=None):
    n, m = score.shape
    return ResponseMatrix(
        benchmark="quiz",
        models=models[:m],
        items=tuple(f"q{k}" for k in range(n)),
        labels=("A", "B"),
        tasks=tasks,
        answer=np.where(score == 1, 0, 1).astype(np.int32),
        score=score,
        status=np.where(np.isfinite(score), 0, -1).astype(np.int32),
        task=(np.arange(n) % len(tasks)).astype(np.int32) if tasks else None,
        cluster=cluster,
        n_options=np.full(n, 4.0),
        has_answers=True,
        repeated=0,
        targets=("A",),
        target=np.zeros(n, dtype=np.int32),
    )


def findings(made):
    tests = paired_tests(made)
    pair = compare(made, *tests.models[:2], listed=0)
    return BenchmarkFindings(
        scores=scores(made),
        agreement=None,
        quality=ResponseQuality(benchmark="quiz", n_models=3, n_items=made.score.shape[0]),
        parts=(tests, FirstTwo(pair=pair)),
    )


def staircase(*right, n=200):
    return (np.arange(n)[:, None] < np.array(right)).astype(float)


def drawn(plot):
    json.dumps(plot.spec, allow_nan=False)
    return vl_convert.vegalite_to_svg(plot.spec | {"width": 500})


def text(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_a_leader_is_named_with_the_figures():
    made = section(findings(matrix(staircase(180, 140, 100))))
    assert made.finding == "x is ahead of all others"
    said = " ".join(made.sentences)
    assert "3 paired tests on common items (exact McNemar)" in said
    assert "x is 20.0 points ahead of y on the 200 items both have (95% interval 14.4 to" in said
    assert "adjusted under 0.001" in said
    tiers, pairs = made.tables
    assert [row[:2] for row in text(tiers)] == [["x", "1"], ["y", "2"], ["z", "3"]]
    assert [row[:2] for row in text(pairs)] == [["x", "y"], ["x", "z"], ["y", "z"]]
    assert drawn(made.plots[0]).startswith("<svg")


def test_models_that_cannot_be_told_apart():
    made = section(findings(matrix(staircase(180, 178, 60))))
    assert made.finding == "The first tier holds 2 of 3 models"
    assert "2 of 3 models are not shown to be worse than x" in made.sentences[0]


def test_both_readings_stand_beside_each_other():
    score = staircase(150, 140, 60)
    score[150:, 1] = np.nan
    found = section(findings(matrix(score)))
    assert any("All models have a score on 150 of 200 items." in s for s in found.sentences)
    names = [column.name for column in found.tables[0].columns]
    assert "On common items" in names
    first = text(found.tables[0])[0]
    assert first[0] == "x"
    assert first[names.index("On common items")] == "100.0%"
    readings = {row["reading"] for row in found.plots[0].spec["data"]["values"]}
    assert readings == {"All its items", "Common items"}
    drawn(found.plots[0])


def test_one_item_and_no_test():
    found = section(findings(matrix(np.array([[1.0, 0.0, 1.0]]), tasks=())))
    said = " ".join(found.sentences)
    assert "Nothing can be said of x and z: one common item says nothing." in said
    drawn(found.plots[0])


def test_without_the_tests_there_is_no_section():
    found = findings(matrix(staircase(180, 140, 100)))
    bare = BenchmarkFindings(scores=found.scores, agreement=None, quality=found.quality)
    assert section(bare) is None
    assert first_two.section(bare) is None


def test_the_first_two_by_task():
    found = first_two.section(findings(matrix(staircase(180, 140, 100))))
    assert found.finding == "Of 2 tasks, x is significantly better on 2 and y on 0"
    assert found.plots[0].name == "task-slopes"
    assert first_two.section(findings(matrix(staircase(180, 140), tasks=()))) is None


def test_two_models_in_sections():
    found = pair_report.sections_of(compare(matrix(staircase(180, 140)), "x", "y"))
    assert [part.name for part in found] == ["pair", "pair-tasks", "pair-items"]
    first = found[0]
    assert first.sentences[0] == (
        "x is better than y (20.0 points on 200 common items, 95% interval 14.4 to 25.6; "
        "p under 0.001)."
    )
    assert text(first.tables[0]) == [["x right", "140", "40"], ["x wrong", "0", "20"]]
    assert "They answer differently on 20.0% of the 200 items" in " ".join(first.sentences)
    assert found[2].sentences == ("They differ on 40 items.",)
    assert text(found[2].tables[0])[0] == ["q140", "art", "A", "B", "A", "1", "0"]


def test_what_would_settle_it():
    score = staircase(100, 100)
    score[80:100, 0], score[100:118, 0] = 0.0, 1.0  # 20 for y, 18 for x
    (first, *_) = pair_report.sections_of(compare(matrix(score), "x", "y", margin=0.05))
    assert first.sentences[0].startswith("The items neither tell x and y apart nor show that they")
    assert first.sentences[-1].startswith("What would settle it: about ")
    equal = staircase(100, 100)
    equal[90:100, 0], equal[100:110, 0] = 0.0, 1.0
    (first, *_) = pair_report.sections_of(compare(matrix(equal), "x", "y"))
    assert "would find the observed difference" not in first.sentences[-1]


@pytest.mark.parametrize("models", [HOSTILE, ("same", "same ", "other")])
def test_names_are_data_and_nothing_else(models):
    made = matrix(staircase(180, 140, 100), models=models, tasks=("</script>", "[bold]"))
    found = findings(made)
    plots = [*section(found).plots, *first_two.section(found).plots]
    for plot in plots:
        rest = json.dumps({k: v for k, v in plot.spec.items() if k != "data"})
        assert not any(json.dumps(name)[1:-1] in rest for name in models if name in HOSTILE)
        drawn(plot)


def test_labels_of_near_tasks_are_moved_apart():
    # y has 50, 50 and 90 of 100 items of each task
    task = np.arange(300) % 3
    y = (np.arange(300) // 3 < np.array([50, 50, 90])[task]).astype(float)
    made = matrix(np.c_[np.ones(300), y], tasks=("art", "law", "maths"))
    rows = first_two.section(findings(made)).plots[0].spec["data"]["values"]
    places = {row["task"]: row["place"] for row in rows}
    assert places["maths"] == pytest.approx(90)
    assert (places["art"] + places["law"]) / 2 == pytest.approx(50)
    assert abs(places["art"] - places["law"]) > 1


def test_names_of_tasks_keep_apart_and_within_the_axis():
    gap = 100 * task_slopes.LINE / task_slopes.HEIGHT
    places = sorted(task_slopes._spread([0.0, 0.0, 50.0, 100.0, 100.0, 99.0], 100.0))
    assert places[0] >= 0.0
    assert places[-1] <= 100.0
    assert all(b - a >= gap - 1e-9 for a, b in itertools.pairwise(places))
