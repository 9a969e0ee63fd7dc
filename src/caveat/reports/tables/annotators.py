"""Judges held against the people who label, in tables and in words."""

from collections.abc import Sequence

from caveat.reports.numbers import between, counted, decimal, one, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.annotator_test import AgainstPerson, AnnotatorTest

PEOPLE = 20
"""People shown for each judge, those it does worst against first."""
SMALL = 0.001


def tests_table(tests: Sequence[AnnotatorTest]) -> Table:
    """Return one row for each judge."""
    return Table(
        caption="The alternative-annotator test: may the judge stand for one of these people?",
        columns=(
            Column("Judge", text=True),
            Column("Items", help="Labelled by two people or more, and by the judge"),
            Column("People", help="With enough items"),
            Column("Wins", help="Share of them that it is not worse than by epsilon"),
            Column("Passes", text=True, help="Wins against half of them or more"),
            Column("As good", help="Share of items on which it fits the others no worse"),
            Column("Worse by", help="Points by which a person fits the others better, on average"),
            Column("Interval", help="Over people"),
        ),
        rows=tuple(_row(test) for test in tests),
        note=_settings(tests),
    )


def _row(test: AnnotatorTest) -> tuple[Cell, ...]:
    why = test.reasons.get("winning_rate", "")
    return (
        Cell(test.judge),
        Cell(whole(test.n_items)),
        Cell(whole(len(test.against))),
        figure(percent(test.winning_rate), why),
        Cell({True: "yes", False: "no", None: "untested"}[test.passes], why),
        figure(percent(test.advantage), why),
        figure(one(100 * test.difference), why),
        figure(between(100 * test.low, 100 * test.high, one), why or "one person only"),
    )


def _settings(tests: Sequence[AnnotatorTest]) -> str:
    if not tests:
        return ""
    first = tests[0]
    few = max(test.n_few for test in tests)
    left = (
        f"; {counted(few, 'person', 'people')} with fewer than {whole(first.min_items)} "
        "items not tested"
        if few
        else ""
    )
    return f"Epsilon {two(first.epsilon)}, false discoveries {percent(first.q)}{left}."


def people_table(test: AnnotatorTest) -> Table:
    """Return one row for each person that a judge is held against."""
    left = len(test.against) - PEOPLE
    return Table(
        caption=f"{test.judge} against each person, by how well either fits the others",
        columns=(
            Column("Person", text=True),
            Column("Items"),
            Column("Judge no worse", help="Share of items"),
            Column("Person no worse", help="Share of items"),
            Column("p", help="That it is worse by epsilon or more, adjusted"),
            Column("p, score test", help="Adjusted; its level holds where differences are few"),
            Column("Wins", text=True),
        ),
        rows=tuple(_person(row) for row in test.against[:PEOPLE]),
        note=f"{whole(left)} more people not shown." if left > 0 else "",
    )


def _person(row: AgainstPerson) -> tuple[Cell, ...]:
    return (
        Cell(row.person),
        Cell(whole(row.n)),
        Cell(percent(row.judge_share)),
        Cell(percent(row.person_share)),
        Cell(_p(row.p_adjusted)),
        Cell(_p(row.p_score_adjusted)),
        Cell("yes" if row.won else "no"),
    )


def _p(value: float) -> str:
    return f"< {decimal(SMALL, 3)}" if value < SMALL else decimal(value, 3)


def said(test: AnnotatorTest) -> str:
    """Return what the test of one judge says, in a sentence."""
    if test.passes is None:
        return f"{test.judge} could not be held against people: {test.reasons['winning_rate']}."
    wins = sum(row.won for row in test.against)
    verdict = "passes" if test.passes else "does not pass"
    text = (
        f"{test.judge} {verdict} the alternative-annotator test (epsilon {two(test.epsilon)}): it "
        f"wins against {whole(wins)} of {counted(len(test.against), 'person', 'people')}, and fits "
        f"the others no worse than a person does on {percent(test.advantage)} of items"
    )
    if test.surely_worse:
        text += (
            f"; people fit each other better by {one(100 * test.difference)} points "
            f"({between(100 * test.low, 100 * test.high, one)})"
        )
    elif test.passes is False:
        text += "; that it is worse than people on the whole is not sure, they are few or their "
        text += "items are"
    if test.passes != test.passes_score:
        text += f". By the score test it {'passes' if test.passes_score else 'does not'}"
    return f"{text}."
