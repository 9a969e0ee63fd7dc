"""Numbers in test cases."""

import pytest

from caveat.importers.case_fields import number, score_of


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (3, 3.0),
        (0.5, 0.5),
        (True, None),
        ("3", None),
        (None, None),
        (float("nan"), None),
        (float("inf"), None),
        (10**400, None),  # JSON sets no limit to whole numbers; this one is beyond any float
    ],
)
def test_only_finite_numbers_are_numbers(value, found):
    assert number(value) == found


def test_true_and_false_are_scores():
    assert (score_of(True), score_of(False), score_of(0.5)) == (1.0, 0.0, 0.5)
