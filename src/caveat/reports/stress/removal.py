"""Who was taken off, and the board without them."""

from collections.abc import Iterator

from caveat.reports.numbers import UNDEFINED, counted, two, whole
from caveat.reports.section import Section
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.stress.removal import Refit, Removal
from caveat.results.stress.stress import Stress


def section(stress: Stress) -> Section | None:
    """Say which models are gone, and what that does to the others."""
    found = stress.part(Removal)
    if found is None:
        return None
    tables = [_gone_table(found)] if found.gone else []
    if found.refit is not None and found.refit.moves:
        tables.append(_moves_table(found.refit))
    return Section(
        name="removal",
        title="Removal: models that stopped appearing",
        sentences=tuple(_sentences(found)),
        tables=tuple(tables),
        finding=_finding(found),
        codes=("GOV802",),
    )


def _finding(found: Removal) -> str:
    if not found.gone:
        return f"All {whole(found.n_models)} models are still there"
    return (
        f"{whole(len(found.gone))} of {counted(found.n_models, 'model')} are gone, "
        f"{whole(len(found.silent))} of them without a word"
    )


def _sentences(found: Removal) -> Iterator[str]:
    if not found.gone:
        yield f"All {whole(found.n_models)} models still appear at the end ({found.end})."
        return
    declared = len(found.gone) - len(found.silent)
    yield (
        f"{whole(len(found.gone))} of {counted(found.n_models, 'model')} are gone"
        + (f" by the end of the votes ({found.end})" if found.end else "")
        + f": {whole(declared)} declared retired, {whole(len(found.silent))} without a word"
        + ("." if found.declared else "; no table says who was retired.")
    )
    if found.refit is None:
        yield "Without them too little is left to rate."
        return
    yield _refit_sentence(found.refit)


def _refit_sentence(refit: Refit) -> str:
    pairs = refit.n_models * (refit.n_models - 1) // 2
    said = (
        f"Refitted to the {counted(refit.n_votes, 'vote')} between the others, "
        f"{whole(refit.swapped)} of {whole(pairs)} pairs change places (Kendall's tau "
        f"{two(refit.tau)}), {whole(refit.swapped_separable)} of them pairs that seemed certain"
    )
    if refit.leader_after == refit.leader_before:
        said += f"; {refit.leader_after} stays first"
    else:
        said += f"; {refit.leader_after} is first instead of {refit.leader_before}"
    if refit.n_lost:
        said += f"; {counted(refit.n_lost, 'model')} can no longer be rated"
    return said + "."


def _gone_table(found: Removal) -> Table:
    return Table(
        caption="Models that are gone",
        columns=(
            Column("Model", text=True),
            Column("Declared", text=True),
            Column("Last vote", text=True),
            Column("Days since"),
            Column("Votes"),
            Column("Votes missed", help="What it would have had since, at its earlier share"),
            Column("Rank"),
        ),
        rows=tuple(
            (
                Cell(one.model),
                Cell(one.status or UNDEFINED),
                Cell(one.last or UNDEFINED),
                Cell(UNDEFINED if one.days_silent is None else whole(one.days_silent)),
                Cell(whole(one.n_votes)),
                figure(whole(one.expected), "no times"),
                Cell(UNDEFINED if one.rank is None else whole(one.rank)),
            )
            for one in found.gone
        ),
    )


def _moves_table(refit: Refit) -> Table:
    return Table(
        caption="Largest moves among the others when the board is refitted without them",
        columns=(Column("Model", text=True), Column("Place before"), Column("Place after")),
        rows=tuple(
            (Cell(move.model), Cell(whole(move.before)), Cell(whole(move.after)))
            for move in refit.moves
        ),
    )
