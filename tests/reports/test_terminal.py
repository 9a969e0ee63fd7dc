import io

import pytest
from rich.console import Console

from caveat.reports.terminal import (
    print_agreement,
    print_caveats,
    print_ranking,
    print_report,
    summary,
)
from caveat.reports.visible import visible


@pytest.fixture
def piped():
    return Console(file=io.StringIO(), width=40)


@pytest.fixture
def terminal():
    return Console(file=io.StringIO(), width=100, force_terminal=True, color_system="standard")


def lines(console):
    return console.file.getvalue().splitlines()


def test_piped_caveats_are_one_line_each_however_long(make, piped):
    print_caveats(make.CAVEATS, piped)
    first = lines(piped)[0]
    assert first == (
        "answers.jsonl: DAT104 serious atlas-1: 50 of 50 answers that hold no choice carry the "
        "letter G, where 10% would be usual."
    )
    assert lines(piped)[1].startswith("  help: Score these rows")
    assert len(lines(piped)) == 2 * len(make.CAVEATS) + 1
    assert "\x1b" not in piped.file.getvalue()


def test_a_caveat_about_everything_names_no_source(make, piped):
    print_caveats([make.caveat(sources=())], piped)
    assert lines(piped)[0].startswith("RNK201 warning ranks 1 to 4:")


def test_the_last_line_counts(make, piped):
    print_caveats(make.CAVEATS, piped)
    assert lines(piped)[-1] == "4 caveats: 1 serious, 2 warning, 1 notice."
    assert summary(()) == "No caveats."


def test_a_terminal_gets_colour_and_groups(make, terminal):
    print_caveats(make.CAVEATS, terminal)
    text = terminal.file.getvalue()
    assert "\x1b[" in text
    assert text.count("answers.jsonl") == 1


@pytest.mark.parametrize("tty", [False, True])
def test_names_carry_neither_terminal_codes_nor_markup(make, tty):
    console = Console(file=io.StringIO(), width=400, force_terminal=tty, color_system=None)
    for name in make.HOSTILE:
        print_caveats(
            [make.caveat(subject=name, claim=name, remedy=name, sources=(name,))], console
        )
    report = make.hostile_report()
    print_report(report, console)
    print_ranking(report.findings.ranking, console)
    found = report.findings.benchmarks[0]
    print_agreement(found.scores, found.agreement, console)
    text = console.file.getvalue()
    assert not any(ord(c) < 32 and c != "\n" for c in text)
    assert "\u202e" not in text
    assert all(visible(name) in text for name in make.HOSTILE)


def test_the_report_opens_with_the_verdict_and_ends_with_what_could_not_run(make, piped):
    print_report(make.report(), piped)
    assert lines(piped)[0].startswith("The first 4 ranks are not separable")
    assert lines(piped)[-1] == "  VOT101 a few voters carry the result: votes name no voters"


def test_the_report_shows_the_head_of_a_board_and_rank_shows_all(make, piped):
    report = make.votes_only(make.names(30))
    print_report(report, piped)
    assert "... and 20 more" in lines(piped)
    print_ranking(report.findings.ranking, piped)
    assert "atlas-6" in piped.file.getvalue()


def test_columns_line_up(make, piped):
    print_ranking(make.ranking(), piped)
    ends = {len(line) for line in lines(piped)[1:]}
    assert len(ends) == 1


def test_agreement_may_be_absent(make, piped):
    print_agreement(make.scores(), None, piped)
    assert "Scores with 95% intervals" in lines(piped)[0]


def test_a_long_name_is_cut_in_the_middle_and_tells_its_model_still(make, piped):
    long, twin = "m" * 150 + "\x1b" + "n" * 150, "m" * 150 + "n" * 150
    print_ranking(make.ranking((long, "short")), piped)
    assert max(map(len, lines(piped))) < 150
    assert lines(piped)[2].startswith("m" * 30 + "…" + "n" * 29 + " ")
    both = Console(file=io.StringIO(), width=400)
    print_ranking(make.ranking((long, twin)), both)
    assert twin in both.file.getvalue()  # cut, the two would look the same
    assert "\x1b" not in both.file.getvalue()
