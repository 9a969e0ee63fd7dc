"""How systems, reasons and long names are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.reports.methods import interval_words, system_name
from caveat.reports.shortening import LONGEST, cut, long_names, replaced, shortened
from caveat.reports.unrun import by_reason
from caveat.reports.visible import visible
from caveat.results.report import NotRun
from caveat.stats.ranking.systems import SYSTEMS
from caveat.stats.robustness.systems import _TITLES


def test_systems_are_called_as_in_the_comparison_of_systems():
    for system in SYSTEMS:
        assert system_name(system.name) == system.title
    for method, title in _TITLES.items():
        assert system_name(method) == title
    assert system_name("some-new-one") == "Some new one"


def test_intervals_say_where_they_come_from(make):
    from dataclasses import replace

    board = make.ranking()
    assert interval_words(board) == "sandwich intervals"
    drawn = replace(board, interval="bootstrap", n_bootstrap=1000, n_bootstrap_failed=2)
    assert interval_words(drawn) == "bootstrap intervals from 1,000 replicates, 2 of them failed"


def test_a_few_checks_are_named_and_many_are_listed_by_their_codes():
    few = [NotRun(check=f"A{k} some check", why="no votes") for k in range(3)]
    many = [NotRun(check=f"B{k} another check", why="no answers") for k in range(5)]
    alone = NotRun(check="C1 the last", why="no time")
    assert by_reason([few[0], *many, *few[1:], alone]) == (
        NotRun(check="A0 some check; A1 some check; A2 some check", why="no votes"),
        NotRun(check="B0, B1, B2, B3, B4", why="no answers"),
        alone,
    )
    assert by_reason([alone, alone]) == (alone,)
    assert by_reason([]) == ()


@given(st.text(max_size=200), st.integers(3, 80))
def test_a_cut_text_keeps_both_ends_and_its_length(text, longest):
    short = cut(text, longest)
    assert len(short) <= max(longest, 0)
    if len(text) <= longest:
        assert short == text
    else:
        head, tail = short.split("\u2026", 1) if "\u2026" not in text else ("", "")
        assert text.startswith(head)
        assert text.endswith(tail)


@given(st.lists(st.text(max_size=90), max_size=8))
def test_texts_that_look_different_still_do_when_short(texts):
    short = shortened(texts)
    seen = {text: visible(text) for text in texts}
    for one in texts:
        for other in texts:
            assert (short[one] == short[other]) == (seen[one] == seen[other])


@pytest.mark.parametrize("inside", ["m" * 70, "m" * 300 + "\n" + "n" * 70])
def test_only_long_names_are_replaced_in_a_sentence(inside):
    cuts = long_names(["short", inside])
    said = replaced(f"short leads {inside} by 3 points.", cuts)
    assert said == f"short leads {cut(visible(inside), LONGEST)} by 3 points."


def test_a_long_name_that_holds_another_is_replaced_first():
    outer, inner = "a" * 40 + "b" * 61 + "c" * 40, "b" * 61
    said = replaced(f"{outer} and {inner}.", long_names([inner, outer]))
    assert said == f"{cut(outer)} and {cut(inner)}."
