"""What the items are like: the section on difficulty, discrimination and keys."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, decimal, one, percent, two, whole
from caveat.reports.plots.item_map import item_map
from caveat.reports.section import Section
from caveat.reports.tables.items import (
    abilities_table,
    answers_table,
    items_table,
    suspects_table,
)
from caveat.results.comparison.items import ItemRow, Items
from caveat.results.report import BenchmarkFindings


def section(found: BenchmarkFindings) -> Section | None:
    """Say which items carry the comparison, and which keys are probably wrong."""
    items = found.part(Items)
    if items is None:
        return None
    drawn = item_map(items)
    tables = [suspects_table(items)] if items.judged else []
    telling = [items_table(items)] if items.effective == items.effective else []
    if telling and (answers := answers_table(items)).rows:
        telling.append(answers)
    return Section(
        name="items",
        title="Items: what they measure, and which have a wrong key",
        sentences=tuple(_sentences(items)),
        tables=(*tables, *telling, *(() if drawn else (abilities_table(items),))),
        plots=(drawn,) if drawn else (),
        finding=_finding(items),
        codes=("AGR315", "AGR316"),
    )


def _finding(items: Items) -> str:
    said = f"{percent(items.saturated)} of the items tell no models apart"
    if items.judged:
        said += f"; {counted(items.suspected, 'key')} of {whole(items.judged)} probably wrong"
    return said


def _sentences(items: Items) -> Iterator[str]:
    yield (
        f"Of {counted(items.n_scored, 'item')} with scores of two models or more, "
        f"{whole(items.all_right)} are right for all models and {whole(items.all_wrong)} wrong for "
        f"all: {percent(items.saturated)} tell nobody apart. The others differ in weight and are "
        f"worth {whole(items.effective)} items of equal weight."
        if items.effective == items.effective
        else f"All models get the same score on each of {counted(items.n_scored, 'item')}: "
        "nothing tells them apart."
    )
    yield from _keys(items)
    yield from _discrimination(items)
    yield from _splits(items)
    if "difficulty" in items.reasons:
        yield f"Difficulty and ability are not estimated: {items.reasons['difficulty']}."
    for note in items.notes:
        yield f"{note[0].upper()}{note[1:]}."


def _keys(items: Items) -> Iterator[str]:
    if not items.judged:
        if "key" in items.reasons and items.reasons["key"] != items.reasons.get("difficulty"):
            yield f"Keys are not judged: {items.reasons['key']}."
        return
    if not items.suspected:
        yield (
            f"There is not enough evidence against any of {counted(items.judged, 'key')} to pass a "
            f"false discovery rate of {percent(items.fdr)}."
        )
        return
    first = items.suspects(1)[0]
    if items.all_same_wrong:
        yield (
            f"On {counted(items.all_same_wrong, 'item')} all models that answer give the same "
            "wrong answer."
        )
    yield (
        f"{counted(items.suspected, 'key')} of {whole(items.judged)} are probably wrong: too many "
        f"and too able models agree on another answer. Most evidence there is against the key of "
        f"{first.item}: {_against(first)}."
    )


def _against(row: ItemRow) -> str:
    key = (
        f"{whole(row.key_number)} of mean ability {two(row.key_ability)} give the key {row.key}"
        if row.key_number
        else "none gives the key"
    )
    return (
        f"{whole(row.rival_number)} of {whole(row.answered)} models, of mean ability "
        f"{two(row.rival_ability)}, give {row.rival}, and {key} "
        f"(e-value 10^{one(row.log10_e)})"
    )


def _discrimination(items: Items) -> Iterator[str]:
    if not items.fits:
        return
    if items.chosen == "2pl":
        rasch, slopes = items.fits
        negative = int((items.columns.discrimination_high < 0).sum())
        yield (
            "Items discriminate differently: a model with a slope for each item, drawn from one "
            f"distribution, beats one with the same slope for all by "
            f"{decimal(rasch.bic - slopes.bic, 0)} points of BIC. "
            f"{counted(negative, 'item')} {'has' if negative == 1 else 'have'} a slope whose "
            "interval is below 0: weak models get it right more often than strong ones."
        )
    else:
        yield f"Discrimination of single items is not shown: {items.reasons['discrimination']}."


def _splits(items: Items) -> Iterator[str]:
    if "splits" in items.reasons or not items.matched_pairs:
        return
    top = items.splitters(1)
    if top and top[0].splits > 0:
        yield (
            f"Of {counted(items.matched_pairs, 'pair')} of models within "
            f"{100 * items.margin:g} points of each other, item {top[0].item} splits most: one is "
            f"right and one wrong in {percent(top[0].splits)}."
        )
