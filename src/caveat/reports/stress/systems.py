"""Whether the order of models is that of the votes, or that of the rating system."""

import math
from collections.abc import Iterator

from caveat.reports.numbers import counted, one, percent, two, whole
from caveat.reports.plots.systems_bump import systems_bump
from caveat.reports.section import Section
from caveat.reports.tables.systems import orders_table, spans_table, systems_table
from caveat.results.stress.stress import Stress
from caveat.results.stress.systems import EloOrders, SystemsDisagree


def section(stress: Stress) -> Section | None:
    """Say which systems agree with the board, who is first elsewhere, and what order does."""
    found = stress.part(SystemsDisagree)
    if found is None:
        return None
    tables = [systems_table(found), spans_table(found)]
    if found.elo is not None:
        tables.append(orders_table(found.elo))
    return Section(
        name="systems",
        title="Rating systems: is the order that of the votes?",
        sentences=tuple(_sentences(found, stress)),
        tables=tuple(tables),
        plots=(systems_bump(found),),
        finding=_finding(found),
        codes=("RNK210", "RNK211"),
    )


def _finding(found: SystemsDisagree) -> str:
    n, firsts = counted(len(found.systems), "system"), found.first_places
    said = f"{n} name {whole(len(firsts))} first places"
    if len(firsts) == 1:
        said = f"All {n} put {firsts[0].model} first"
    if found.elo is not None and len(found.elo.first) > 1:
        said += (
            f"; Elo alone names {whole(len(found.elo.first))} over {whole(found.elo.shuffles)} "
            "orders of the votes"
        )
    return said


def _sentences(found: SystemsDisagree, stress: Stress) -> Iterator[str]:
    leader, *others = found.first_places
    n = len(found.systems)
    if not others:
        yield f"All {counted(n, 'rating system')} put {leader.model} first."
    else:
        elsewhere = "; ".join(
            f"{place.model} by {_listed([found.title(method) for method in place.methods])}"
            for place in others
        )
        yield (
            f"{counted(n, 'rating system')} put {whole(len(found.first_places))} models first: "
            f"{leader.model} by {whole(len(leader.methods))} of them; {elsewhere}."
        )
    rest = [system for system in found.systems[1:] if math.isfinite(system.tau)]
    if rest:
        closest, farthest = rest[0], rest[-1]
        yield (
            f"The order closest to the board's is that of {closest.title} (Kendall's tau "
            f"{two(closest.tau)}), the farthest that of {farthest.title} ({two(farthest.tau)})."
        )
    blind = [system.title for system in found.systems if not system.adjusted]
    if blind:
        yield (
            f"{_listed(blind)} {'does' if len(blind) == 1 else 'do'} not allow for whom a model "
            "met and how often; where models did not meet alike, "
            f"{'its order says' if len(blind) == 1 else 'their orders say'} as much about "
            "opponents as about models."
        )
    widest = max(found.spans, key=lambda span: span.width)
    if widest.width:
        best = min(widest.ranks, key=lambda rank: rank[1])
        worst = max(widest.ranks, key=lambda rank: rank[1])
        yield (
            f"The widest span is that of {widest.model}: place {whole(widest.low)} by "
            f"{found.title(best[0])}, place {whole(widest.high)} by {found.title(worst[0])}."
        )
    if found.elo is not None:
        yield _elo(found.elo, stress)


def _elo(elo: EloOrders, stress: Stress) -> str:
    model, _ = elo.first[0]
    spread = f"one order moves a rating by {one(elo.spread)} points (standard deviation)"
    if len(elo.first) == 1:
        return (
            f"Elo (K = {elo.k:g}) puts {model} first in each of {whole(elo.shuffles)} random "
            f"orders of the votes; {spread}."
        )
    return (
        f"Elo (K = {elo.k:g}) names {whole(len(elo.first))} different first places over "
        f"{whole(elo.shuffles)} random orders of the same {whole(stress.board.n_votes)} votes, "
        f"most often {model} ({percent(elo.share)}); {spread}."
    )


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
