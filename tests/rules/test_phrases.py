"""How names and figures read in claims."""

import pytest

from caveat.rules import _phrases as say


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0%"),
        (0.0004, "under 0.1%"),
        (0.0005, "0.1%"),
        (0.09, "9%"),
        (0.2864, "28.6%"),
        (0.9994, "99.9%"),
        (0.9995, "over 99.9%"),
        (1.0, "100%"),
    ],
)
def test_percent_never_rounds_a_little_to_nothing(share, text):
    assert say.percent(share) == text


def test_span_is_one_figure_where_both_ends_round_alike():
    assert say.span(0.2861, 0.668) == "28.6-66.8%"
    assert say.span(0.09, 0.0902) == "9%"


def test_lists_are_shortened_to_five():
    assert say.names([]) == ""
    assert say.names(["A"]) == "A"
    assert say.names(["A", "B"]) == "A and B"
    assert say.names(list("ABCDE")) == "A, B, C, D and E"
    assert say.names([f"m{k}" for k in range(17)]) == "m0, m1, m2, m3, m4 and 12 more"


def test_numbers_have_separators_and_a_plural():
    assert say.number(1, "item") == "1 item"
    assert say.number(1681, "item") == "1,681 items"


def test_a_name_stays_on_one_line_and_keeps_its_direction():
    assert say.name("a\nb::error::x") == "a\\nb::error::x"
    assert say.name("a\u202eb\x1b[31m") == "a\\u202eb\\x1b[31m"
    assert say.name("<script>") == "<script>"  # the reports escape what their format asks for
    assert say.name("模型-7b") == "模型-7b"
    assert say.name("\U0001f469\u200d\U0001f4bb") == "\U0001f469\u200d\U0001f4bb"
    assert say.name("a\ud800") == "a\\ud800"


def test_a_long_name_is_cut():
    assert say.name("x" * 80) == "x" * 80
    assert say.name("x" * 81) == "x" * 77 + "..."
