"""What ties models to each other."""

from collections.abc import Iterator

from caveat.reports.numbers import UNDEFINED, counted, percent, whole
from caveat.reports.section import Section
from caveat.reports.tables.table import Cell, Column, Table
from caveat.results.stress.connections import Comparison, Connections
from caveat.results.stress.stress import Stress


def section(stress: Stress) -> Section | None:
    """Say what the comparisons of the best models hang on."""
    found = stress.part(Connections)
    if found is None:
        return None
    return Section(
        name="connections",
        title="Connections: what ties the models together",
        sentences=tuple(_sentences(found)),
        tables=(_table(found),) if found.comparisons else (),
        finding=_finding(found),
        codes=("RNK212",),
    )


def _finding(found: Connections) -> str:
    said = f"{percent(found.n_met / found.n_pairs)} of pairs met"
    if found.n_disjoint:
        were = "was" if found.n_disjoint == 1 else "were"
        said += f", {whole(found.n_disjoint)} {were} never on the board together"
    if found.comparisons:
        least = found.comparisons[0]
        said += f"; least is known of {least.above} against {least.below}"
    return said


def _sentences(found: Connections) -> Iterator[str]:
    yield (
        f"{whole(found.n_met)} of {whole(found.n_pairs)} pairs of models met "
        f"({percent(found.n_met / found.n_pairs)})."
    )
    if found.split is not None:
        yield (
            f"The weakest split sets {counted(len(found.split.models), 'model')} against the other "
            f"{whole(found.split.n_others)}: {percent(found.split.share)} of the smaller side's "
            f"votes cross it ({whole(found.split.across)})."
        )
    for holder in found.holders[:3]:
        yield f"Only {holder.model} ties {counted(len(holder.holds), 'model')} to the rest."
    if found.comparisons:
        yield _least(found.comparisons[0], found.top)
    if found.n_disjoint:
        among = sum(one.disjoint for one in found.comparisons)
        yield (
            f"{counted(found.n_disjoint, 'pair')} {'was' if found.n_disjoint == 1 else 'were'} "
            f"never on the board on the same day, {whole(among)} among the best "
            f"{whole(found.top)}: their order assumes that models and voters stood still in "
            "between."
        )


def _least(one: Comparison, top: int) -> str:
    said = (
        f"Among the best {whole(top)} the least is known about {one.above} against {one.below}: as "
        f"much as {counted(round(one.worth), 'vote')} between two equals would tell, "
        f"{percent(one.direct)} of it from their own {counted(one.n_votes, 'vote')}"
    )
    if one.through is not None:
        said += f" and {percent(one.through_share)} through {one.through}"
    return said + "."


def _table(found: Connections) -> Table:
    times = (Column("Days together"),) if found.n_disjoint is not None else ()
    return Table(
        caption=f"What compares the best {whole(found.top)} models, least known first",
        columns=(
            Column("Model", text=True),
            Column("against", text=True),
            Column("Own votes"),
            Column("Direct", help="Share of the information that their own votes hold"),
            Column("Worth", help="Votes between two equals that would tell as much"),
            Column("Most through", text=True),
            Column("Share", help="Of the information, what passes through that model"),
            *times,
        ),
        rows=tuple(
            (
                Cell(one.above),
                Cell(one.below),
                Cell(whole(one.n_votes)),
                Cell(percent(one.direct)),
                Cell(whole(one.worth)),
                Cell(one.through or UNDEFINED),
                Cell(percent(one.through_share)),
                *((Cell(whole(one.together)),) if times and one.together is not None else ()),
            )
            for one in found.comparisons
        ),
    )
