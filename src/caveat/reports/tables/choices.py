"""What the analyst's choices do to the order of models."""

from caveat.reports.numbers import UNDEFINED, one, percent, ranks, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.choices import ChoiceFlip, Choices

LISTED = 6
NAMES = {
    "mean": "mean",
    "missing": "items a model lacks",
    "unparsed": "answers without a reading",
    "reading": "reading of the answers",
    "metric": "metric",
    "weights": "weights of items",
    "items": "items",
}


def choices_table(found: Choices) -> Table:
    """Return one row per choice: its levels, whom they put first, and what it decides."""
    return Table(
        caption=f"What can be chosen, over {whole(found.combinations)} combinations",
        columns=(
            Column("Choice", text=True),
            Column("Levels", text=True, whole=True),
            Column("First", text=True, help="Under one level or other, the rest at the default"),
            Column("Decides alone", help="Share of the variance of all pairs' orders"),
            Column("Has a part", help="The same, with what it does together with other choices"),
        ),
        rows=tuple(
            (
                Cell(NAMES.get(row.name, row.name)),
                Cell(_levels(row.levels), ", ".join(row.levels)),
                Cell(", ".join(dict.fromkeys(name for name in row.firsts if name))),
                figure(percent(row.alone), "no order varies"),
                figure(percent(row.involved), "no order varies"),
            )
            for row in found.choices
        ),
        note=_note(found),
    )


def _levels(levels: tuple[str, ...]) -> str:
    more = len(levels) - LISTED
    return ", ".join(levels[:LISTED]) + (f" and {whole(more)} more" if more > 0 else "")


def _note(found: Choices) -> str:
    said = ["The default is the first level of each."]
    if found.invalid:
        n = whole(found.invalid)
        said.append(f"{n} combinations leave some model without an item and do not count.")
    absent = [f"{NAMES.get(name, name)} ({why})" for name, why in found.absent.items()]
    if absent:
        said.append(f"Not varied: {'; '.join(absent)}.")
    return " ".join(said)


def ranges_table(found: Choices) -> Table:
    """Return one row per model: its ranks over all combinations."""
    return Table(
        caption="Ranks of models over all combinations",
        columns=(
            Column("Model", text=True),
            Column("Rank", help="By default"),
            Column("Ranks"),
            Column("Median"),
            Column("First", help="Share of combinations, which is no probability"),
        ),
        rows=tuple(
            (
                Cell(row.model),
                Cell(whole(row.rank)),
                Cell(ranks(row.low, row.high)),
                Cell(one(row.median)),
                Cell(percent(row.first)),
            )
            for row in found.models
        ),
        note=f"The other {whole(found.models_left_out)} models take no part."
        if found.models_left_out
        else "",
    )


def sets_table(flip: ChoiceFlip) -> Table:
    """Return the smallest sets of choices that turn an order."""
    about = f"{flip.below} above {flip.above}" if flip.below else "another model first"
    return Table(
        caption=f"The fewest choices that put {about}",
        columns=(Column("Change", text=True, whole=True), Column("First", text=True)),
        rows=tuple(
            (Cell(changes_words(row.changes)), Cell(row.first or UNDEFINED)) for row in flip.sets
        ),
        note=f"{whole(flip.n_sets - len(flip.sets))} more sets of as many."
        if flip.n_sets > len(flip.sets)
        else "",
    )


def changes_words(changes: tuple[tuple[str, str], ...]) -> str:
    """Write choices that differ from the default."""
    return "; ".join(f"{NAMES.get(name, name)}: {level}" for name, level in changes)
