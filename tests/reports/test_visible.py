import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.reports.visible import visible


@pytest.mark.parametrize(
    "text", ["gpt-4o", "a b", "نموذج", "模型", "é", "🤖", "<b>&", "\\boxed{A}"]
)
def test_readable_text_is_left_alone(text):
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", r"a\nb"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\u202egnp", r"\u202egnp"),
        ("\ufeffid", r"\ufeffid"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_unseen_characters_are_spelled_out(text, shown):
    assert visible(text) == shown


@given(st.text())
def test_nothing_unseen_is_left(text):
    shown = visible(text)
    assert not any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in shown)
    assert visible(shown) == shown
