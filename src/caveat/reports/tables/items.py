"""Items as tables: suspected keys, those that split equal models, the most telling ones."""

from collections.abc import Mapping, Sequence

from caveat.reports.numbers import between, one, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.items import ItemRow, Items

MOST = 100
"""Items of each kind that a report shows."""


def suspects_table(found: Items) -> Table:
    """Return the items with most evidence against their key."""
    rows = found.suspects(min(MOST, max(found.suspected, 10)))
    more = found.suspected - len(rows)
    note = (
        f"{whole(found.suspected)} of {whole(found.judged)} keys pass a false discovery rate of "
        f"{percent(found.fdr)}; they are marked."
    )
    return Table(
        caption="Keys that are probably wrong, most evidence first",
        columns=(
            Column("Item", text=True),
            Column("Task", text=True),
            Column("Key", text=True),
            Column("Models on it"),
            Column("Their ability", help="Mean, in logits"),
            Column("Rival", text=True, help="The answer that would be the key"),
            Column("Models on it"),
            Column("Their ability", help="Mean, in logits"),
            Column("Evidence", help="Power of ten of the e-value against the key"),
            Column("Marked", text=True),
        ),
        rows=tuple(
            (
                Cell(row.item),
                Cell(row.task),
                Cell(row.key or "nobody's"),
                Cell(whole(row.key_number)),
                figure(two(row.key_ability), "no model gave it"),
                Cell(row.rival),
                Cell(whole(row.rival_number)),
                figure(two(row.rival_ability)),
                figure(one(row.log10_e)),
                Cell("yes" if row.suspected else "no"),
            )
            for row in rows
        ),
        note=note
        + (f" {whole(more)} more are in the file that --json writes." if more > 0 else ""),
    )


def items_table(found: Items) -> Table:
    """Return the most telling items with all that is known of them."""
    rows = _telling(found)
    why = found.reasons
    return Table(
        caption="The most telling items",
        columns=(
            Column("Item", text=True),
            Column("Task", text=True),
            Column("Right", help="Share of models that get it right"),
            Column("Difficulty", help="In logits: a model of ability 0 has even odds at 0"),
            Column("Interval"),
            Column("Discrimination", help="Slope relative to the mean item"),
            Column("Item-rest", help="Correlation with the score on all other items"),
            Column("Splits", help="Share of the pairs of equal models that it splits"),
            Column("Key", text=True),
            Column("Wrong answer", text=True, help="The most frequent one"),
            Column("Of answers", help="Share of the models that gave it"),
            Column("Evidence", help="Power of ten of the e-value against the key"),
            Column("Wrong models", text=True),
        ),
        rows=tuple(_row(row, why) for row in rows),
        note=(
            f"{whole(len(rows))} of {whole(len(found.items))} items: those with most evidence "
            "against their key, those that split most pairs of equal models, and those that weak "
            "models get right and strong ones wrong. The file that --json writes has all items."
        ),
        live=True,
    )


def answers_table(found: Items) -> Table:
    """Return who answered what to each of the items in the tables above."""
    shown = {
        row.item: row for row in (*found.suspects(min(MOST, found.suspected)), *_telling(found))
    }
    return Table(
        caption="Who answered what to these items",
        columns=(
            Column("Item", text=True),
            Column("Answer", text=True),
            Column("Right", text=True),
            Column("Models"),
            Column("Which", text=True, whole=True),
        ),
        rows=tuple(
            (
                Cell(item),
                Cell(one.answer or "not readable"),
                Cell(_RIGHT[one.right]),
                Cell(whole(len(one.models))),
                Cell(", ".join(one.models), ", ".join(one.models)),
            )
            for item in shown
            for one in found.answers_to(item)
        ),
        note="Filter by the name of an item, an answer or a model.",
        live=True,
    )


_RIGHT: Mapping[bool | None, str] = {True: "yes", False: "no", None: "unknown"}


def _telling(found: Items) -> Sequence[ItemRow]:
    kinds = (found.suspects(MOST // 2), found.splitters(MOST // 4), found.inverted(MOST // 4))
    return tuple({row.item: row for rows in kinds for row in rows}.values())


def _row(row: ItemRow, why: Mapping[str, str]) -> tuple[Cell, ...]:
    wrong = row.wrong_number / row.answered if row.answered else float("nan")
    names = ", ".join(row.wrong_models)
    return (
        Cell(row.item),
        Cell(row.task),
        figure(percent(row.right)),
        figure(two(row.difficulty), why.get("difficulty", "")),
        figure(between(row.low, row.high, two), why.get("difficulty", "")),
        figure(two(row.discrimination), why.get("discrimination", "")),
        figure(two(row.item_rest), "does not vary"),
        figure(percent(row.splits), why.get("splits", "")),
        Cell(row.key or "nobody's"),
        Cell(row.wrong_answer),
        figure(percent(wrong), "no answer"),
        figure(one(row.log10_e), why.get("key", "no rival")),
        Cell(f"{whole(len(row.wrong_models))} of {whole(row.n)}", names),
    )


def abilities_table(found: Items) -> Table:
    """Return the models with their abilities."""
    why = found.reasons.get("difficulty", "")
    return Table(
        caption="Abilities of the models",
        columns=(
            Column("Model", text=True),
            Column("Ability", help="In logits, relative to the mean of the models"),
            Column("Interval"),
            Column("Score"),
            Column("Items"),
        ),
        rows=tuple(
            (
                Cell(row.model),
                figure(two(row.ability), why or "no score"),
                figure(between(row.low, row.high, two), why or "no score"),
                figure(percent(row.score), "no score"),
                Cell(whole(row.n)),
            )
            for row in found.abilities
        ),
    )
