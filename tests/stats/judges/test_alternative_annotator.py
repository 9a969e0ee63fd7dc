import csv
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from caveat.errors import InputError
from caveat.kernels.multiplicity import benjamini_yekutieli
from caveat.stats.judges.alternative_annotator import Margin, alternative_annotator

ORACLE = Path(__file__).parents[2] / "oracle" / "alternative_annotator"


def rows(name):
    with (ORACLE / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    "expected", rows("expected.csv"), ids=lambda r: f"{r['case']}-{r['judge']}"
)
def test_as_the_authors_code(expected):
    given = [row for row in rows("labels.csv") if row["case"] == expected["case"]]
    empty = -1.0 if expected["case"] == "same" else np.nan
    labels, judge = np.full((120, 5), empty), np.full(120, empty)
    for row in given:
        if row["who"].startswith("p"):
            labels[int(row["item"]), int(row["who"][1]) - 1] = float(row["label"])
        elif row["who"] == expected["judge"]:
            judge[int(row["item"])] = float(row["label"])
    (got,) = alternative_annotator(
        labels,
        {"j": judge},
        fit=expected["case"],
        margin=Margin(epsilon=float(expected["epsilon"])),
    )
    assert got.winning_rate == float(expected["winning_rate"])
    assert got.advantage == pytest.approx(float(expected["advantage"]), abs=1e-12)
    assert (got.n_people, got.n_few) == (5, 1)


def test_benjamini_yekutieli_as_statsmodels():
    p = np.random.default_rng(3).random(40) ** 3
    expected = multipletests(p, method="fdr_by")[1]
    assert benjamini_yekutieli(p) == pytest.approx(expected, rel=1e-12)
    withheld = np.append(p, np.nan)
    assert benjamini_yekutieli(withheld)[:-1] == pytest.approx(expected, rel=1e-12)


def test_by_hand():
    # 40 items, three people who always say the same; one judge does too, one never.
    labels = np.zeros((40, 3), dtype=int)
    same, other = alternative_annotator(
        labels, {"same": np.zeros(40, dtype=int), "other": np.ones(40, dtype=int)}
    )
    assert (same.passes, same.winning_rate, same.advantage) == (True, 1.0, 1.0)
    # p of each: 0.9^40 = 0.0148; adjusted for three equal ones: times 1 + 1/2 + 1/3
    assert same.against[0].p == pytest.approx(0.9**40)
    assert same.against[0].p_adjusted == pytest.approx(0.9**40 * 11 / 6)
    assert (other.passes, other.winning_rate, other.advantage) == (False, 0.0, 0.0)
    assert other.against[0].difference == 1.0


def test_too_few_items_have_a_reason_and_no_figure():
    labels = np.zeros((29, 2), dtype=int)
    (got,) = alternative_annotator(labels, {"j": np.zeros(29, dtype=int)})
    assert got.passes is None
    assert got.passes_score is None
    assert np.isnan(got.winning_rate)
    assert np.isnan(got.advantage)
    assert got.reasons["winning_rate"].endswith("the most is 29")
    (got,) = alternative_annotator(
        labels, {"j": np.zeros(29, dtype=int)}, margin=Margin(min_items=10, epsilon=0.2)
    )
    assert got.passes


def test_one_person_is_not_enough():
    (got,) = alternative_annotator(np.zeros((99, 1), dtype=int), {"j": np.zeros(99, dtype=int)})
    assert got.reasons["winning_rate"] == "1 person labelled items; at least two are needed"
    assert (got.n_single, got.n_items) == (99, 0)


def test_what_is_left_out_is_counted():
    labels = np.zeros((100, 2), dtype=int)
    labels[:10, 1] = -1
    judge = np.zeros(100, dtype=int)
    judge[90:] = -1
    (got,) = alternative_annotator(labels, {"j": judge})
    assert (got.n_items, got.n_single, got.n_unanswered) == (80, 10, 10)
    assert [row.n for row in got.against] == [80, 80]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": np.zeros(3)}, "labels must be items by people"),
        ({"judges": {"j": np.zeros(4)}}, "labels of judge j must be 3"),
        ({"people": ("a",)}, "people must be 2 names"),
        ({"fit": "kappa"}, "fit must be one of"),
    ],
)
def test_misuse(change, message):
    fine = {"labels": np.zeros((3, 2)), "judges": {"j": np.zeros(3)}}
    with pytest.raises(InputError, match=message):
        alternative_annotator(**{**fine, **change})


@pytest.mark.parametrize(
    "change", [{"epsilon": 0.0}, {"epsilon": 1.0}, {"q": 0.0}, {"min_items": 1}]
)
def test_settings_out_of_range(change):
    with pytest.raises(InputError, match="must be"):
        Margin(**change)


def test_no_judges_no_tests():
    assert alternative_annotator(np.zeros((3, 2)), {}) == ()


@pytest.mark.slow
def test_level_of_a_judge_that_is_exactly_as_much_worse():
    """People who all say the truth; a judge who says something else on 10% of 100 items.

    This is where the t test is worst; the score test keeps its level for each person.
    """
    draw = np.random.default_rng(11)
    n, times = 100, 500
    labels = np.zeros((n, 3), dtype=int)
    judges = {str(k): (draw.random(n) < 0.1).astype(int) for k in range(times)}
    found = alternative_annotator(labels, judges)
    score = np.mean([test.against[0].p_score <= 0.05 for test in found])
    assert score <= 0.058 + 4 * (0.05 * 0.95 / times) ** 0.5
    t = np.mean([test.against[0].p <= 0.05 for test in found])
    assert 0.05 < t < 0.117 + 4 * (0.117 * 0.883 / times) ** 0.5
