"""Tiers of models, and the paired tests they rest on."""

from collections.abc import Iterator

from caveat.reports.numbers import UNDEFINED, between, counted, decimal, percent, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.agreement import ModelScore, ScoreEstimate, Scores
from caveat.results.comparison.paired import PairedTests, PairTest

MAX_MODELS = 40


def points(value: float) -> str:
    """Write a difference of scores of 0..1 in percentage points."""
    return decimal(100 * value, 1)


def p_value(value: float) -> str:
    """Write a p value.

    Examples
    --------
    >>> p_value(0.0312), p_value(1e-300)
    ('0.031', 'under 0.001')
    """
    if value != value:
        return UNDEFINED
    return "under 0.001" if value < 0.001 else decimal(value, 3)


def tiers_table(scores: Scores, tests: PairedTests) -> Table:
    """Return one row per model, best first: its tier and its scores in every reading."""
    rows = {model.model: model for model in scores.models}
    level = percent(tests.level).replace(".0", "")
    common, macro = scores.common_differs, scores.macro_differs
    extra: list[Column] = []
    if common and scores.common is not None:
        extra += [
            Column("On common items", help=f"The {whole(scores.common.n)} items all of them have"),
            Column(f"Its {level} interval"),
        ]
    if macro:
        extra += [Column("Mean of tasks", help="Every task counts alike, whatever its size")]
    shown = tests.models[:MAX_MODELS]
    left = len(tests.models) - len(shown)
    return Table(
        caption="Tiers: models of one tier are not shown to be worse than its first",
        columns=(
            Column("Model", text=True),
            Column("Tier"),
            Column("Score", help="On all items the model has a score for"),
            Column(f"{level} interval"),
            Column("Items"),
            *extra,
        ),
        rows=tuple(
            (
                Cell(model),
                Cell(
                    UNDEFINED if tier is None else str(tier),
                    "" if tier else "not tested against the first",
                ),
                *_score(rows[model].overall),
                Cell(whole(rows[model].n)),
                *_readings(rows[model], common=common, macro=macro),
            )
            for model, tier in zip(shown, tests.tier, strict=False)
        ),
        note=f"{counted(left, 'model')} further down left out." if left else "",
    )


def _score(estimate: ScoreEstimate) -> tuple[Cell, Cell]:
    return (
        figure(percent(estimate.score), estimate.reason),
        figure(between(estimate.low, estimate.high, percent), estimate.reason),
    )


def _readings(model: ModelScore, *, common: bool, macro: bool) -> Iterator[Cell]:
    if common:
        if model.common is None:
            why = "left out: it has too few of the items"
            yield from (Cell(UNDEFINED, why), Cell(UNDEFINED, why))
        else:
            yield from _score(model.common)
    if macro:
        yield Cell(UNDEFINED, "no task") if model.macro is None else _score(model.macro)[0]


def pair_tests_table(tests: PairedTests) -> Table:
    """Return paired tests of each model with the first and with the next one down."""
    level = percent(tests.level).replace(".0", "")
    last = min(len(tests.models), MAX_MODELS)
    places = [(0, j) for j in range(1, last)] + [(j - 1, j) for j in range(2, last)]
    power = percent(tests.power).replace(".0", "")
    return Table(
        caption=f"Paired tests on common items ({tests.test}): the first model with every other, "
        "then each with the next",
        columns=(
            Column("Model", text=True),
            Column("Other", text=True),
            Column("Points", help="Difference of the scores, in percentage points"),
            Column(f"{level} interval"),
            Column("Holm p", help=f"Adjusted over all {whole(tests.n_tests)} pairs"),
            Column("Items", help="With a score for both"),
            Column("p", help="Of no difference"),
            Column("BH p", help="Benjamini and Hochberg, over the same pairs"),
            Column("Only it right"),
            Column("Only other right"),
            Column("Effect", help="Difference in standard deviations of single items"),
            Column("Finds", help=f"Points that so many items find {power} of the time"),
            Column("Items needed", help=f"To find the observed difference {power} of the time"),
            Column("Equivalence p", help=f"Of {points(tests.margin)} points or more apart"),
        ),
        rows=tuple(_pair_row(tests.at(i, j)) for i, j in places),
        note="The file that --json writes has the other pairs, too." if last > 2 else "",
    )


def _pair_row(pair: PairTest) -> tuple[Cell, ...]:
    return (
        Cell(pair.a),
        Cell(pair.b),
        figure(points(pair.difference), pair.reason),
        figure(between(pair.low, pair.high, points), pair.reason),
        figure(p_value(pair.p_holm), pair.reason),
        Cell(whole(pair.n)),
        figure(p_value(pair.p), pair.reason),
        figure(p_value(pair.p_bh), pair.reason),
        figure(whole(pair.only_a), pair.reason or "scores other than 0 and 1"),
        figure(whole(pair.only_b), pair.reason or "scores other than 0 and 1"),
        figure(decimal(pair.dz, 2), pair.reason),
        figure(points(pair.detectable), pair.reason),
        figure(whole(pair.needed), pair.reason),
        figure(p_value(pair.p_equivalent), pair.reason),
    )
