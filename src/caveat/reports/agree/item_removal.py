"""How few items carry the order: the section on dropping items."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, fine_percent, percent, whole
from caveat.reports.plots.items_needed import items_needed
from caveat.reports.section import Section
from caveat.reports.tables.item_removal import (
    first_table,
    p_value,
    removed_table,
    rivals_table,
)
from caveat.results.comparison.item_removal import ItemRemoval, OrderFlip, Rivalry
from caveat.results.report import BenchmarkFindings


def section(found: BenchmarkFindings) -> Section | None:
    """Say what it takes to change the first place, and each pair that was asked for."""
    part = found.part(ItemRemoval)
    if part is None:
        return None
    first = part.first_place()
    gone = [removed_table(first)] if first and first.removed else []
    return Section(
        name="item-removal",
        title="Drop a few items: how little changes the order",
        sentences=tuple(_sentences(part)),
        tables=(first_table(part), rivals_table(part), *gone),
        plots=(items_needed(part),),
        finding=_finding(first),
        codes=("AGR320",),
    )


def _finding(first: OrderFlip | None) -> str:
    if first is None or first.number is None:
        return ""
    if not first.number:
        return f"On common items {first.below} stands above {first.above}"
    return (
        f"First place falls to {first.below} without {counted(first.number, 'item')} "
        f"({fine_percent(first.share)})"
    )


def _sentences(part: ItemRemoval) -> Iterator[str]:
    first = part.first_place()
    if first is not None:
        yield _first(first)
        yield from _chance(first)
    whole_units = [part.first_place("tasks"), part.first_place("clusters")]
    yield from (_groups(flip) for flip in whole_units if flip is not None)
    by_task = part.first_place("items", "tasks")
    if by_task is not None:
        yield _by_task(by_task)
    if part.rivals:
        yield from _verdict(part.rivals[0])
    yield from (line for pair in part.pairs for line in _pair(pair))
    yield (
        "Two models are compared on the items both have a score on. For a mean over items or over "
        "tasks no fewer items do than the number given, unless it says at most."
    )


def _first(first: OrderFlip) -> str:
    lead = (
        f"{first.above} leads by {percent(first.difference)} on "
        f"{counted(first.n_items, 'common item')}"
    )
    if first.number is None:
        return f"No removal of items puts another model above {first.above}."
    if not first.number:
        return (
            f"{first.above} has the highest score on its own items, but {first.below} stands above "
            f"it on the {counted(first.n_items, 'item')} both have a score on."
        )
    stand = f"; any {whole(first.number)} of {whole(first.pool)} do" if first.pool else ""
    return (
        f"First place falls to {first.below} without {counted(first.number, 'item')} "
        f"({fine_percent(first.share)}{stand}); {lead}."
    )


def _chance(first: OrderFlip) -> Iterator[str]:
    if not first.number:
        return
    if first.equal is not None:
        than = "fewer than" if first.number < first.equal else "no fewer than"
        yield (
            f"That is {than} the {whole(first.equal)} that two equal models with as many differing "
            "items would need 19 times in 20 at most."
        )
    if first.at_random is not None:
        yield (
            f"At random, {counted(first.at_random, 'item')} would have to go for one try in 20 to "
            "turn the order."
        )


def _groups(flip: OrderFlip) -> str:
    name = flip.unit.removesuffix("s")
    if flip.number is None:
        return f"No removal of whole {flip.unit} does it."
    if not flip.number:
        return f"Without any {name} removed it is so already."
    which = f": {', '.join(flip.removed[:3])}" if flip.number <= 3 else ""
    return (
        f"It also falls, to {flip.below}, without {whole(flip.number)} of "
        f"{counted(flip.of, name)}{which}."
    )


def _by_task(flip: OrderFlip) -> str:
    if flip.number is None:
        return f"With all tasks alike, no removal of items puts another above {flip.above}."
    at_most = "" if flip.exact else "at most "
    tasks = ", ".join(f"{whole(n)} of {task or 'no task'}" for task, n in flip.tasks[:3])
    return (
        f"With all tasks alike, {flip.above} falls behind {flip.below} without {at_most}"
        f"{counted(flip.number, 'item')}{f' ({tasks})' if tasks else ''}."
    )


def _verdict(row: Rivalry) -> Iterator[str]:
    verdict = row.verdict
    if verdict is None or verdict.number is None:
        return
    does = "is no longer significant" if verdict.significant else "becomes significant"
    at_most = "" if verdict.number == verdict.at_least else "at most "
    yield (
        f"The difference of {row.a} and {row.b} (p = {p_value(verdict.p)}) {does} without "
        f"{at_most}{counted(verdict.number, 'item')}."
    )


def _pair(row: Rivalry) -> Iterator[str]:
    items = row.flip("items")
    if items is None:
        yield f"{row.a} and {row.b}: {row.reason}."
    elif items.number is None:
        yield f"No removal of items puts {row.b} above {row.a}."
    else:
        yield (
            f"{row.a} and {row.b} turn round without {counted(items.number, 'item')} of "
            f"{whole(items.of)} ({fine_percent(items.share)})."
        )
        yield from _verdict(row)
