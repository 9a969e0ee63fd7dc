"""What several models are worth together: the section on votes."""

from collections.abc import Iterator

from caveat.reports.numbers import between, counted, one, percent, two, whole
from caveat.reports.plots.crowd import majority_plot, votes_plot
from caveat.reports.section import Section
from caveat.reports.tables.crowd import majority_table, points, trios_table, votes_table
from caveat.results.comparison.crowd import Crowd, SharedErrors, Trios
from caveat.results.report import BenchmarkFindings


def section(found: BenchmarkFindings) -> Section | None:
    """Say whether votes help, and what agreement is worth."""
    crowd = found.part(Crowd)
    if crowd is None:
        return None
    plots = tuple(p for p in (majority_plot(crowd), votes_plot(crowd)) if p is not None)
    trios = trios_table(crowd)
    return Section(
        name="crowd",
        title="Crowds of models: is a vote right?",
        sentences=tuple(_sentences(crowd)),
        tables=(majority_table(crowd), votes_table(crowd), *((trios,) if trios else ())),
        plots=plots,
        finding=_finding(crowd),
        codes=("AGR317",),
    )


def _finding(crowd: Crowd) -> str:
    said = f"The vote of all is right on {percent(crowd.plurality)}, the best model alone on "
    said += percent(crowd.best_single)
    if crowd.errors and crowd.errors.avoid:
        said += "; errors avoid each other"
    elif crowd.errors:
        said += (
            f"; {counted(len(crowd.models), 'model')} worth {one(crowd.errors.effective)} "
            "independent ones"
        )
    return said


def _sentences(crowd: Crowd) -> Iterator[str]:
    m = len(crowd.models)
    yield (
        f"The answer that most of {counted(m, 'model')} give is right on "
        f"{percent(crowd.plurality)} of {counted(crowd.n_items, 'item')} "
        f"({between(crowd.low, crowd.high, percent)}); the best model alone on "
        f"{percent(crowd.best_single)}."
    )
    yield _unanimous(crowd, m)
    if crowd.errors:
        yield from _errors(crowd.errors, m)
    best = max(crowd.by_size, key=lambda row: (row.accuracy, -row.k), default=None)
    if best is not None and best.accuracy == best.accuracy:
        yield (
            f"On items held out, the vote of the best {whole(best.k)} does best: "
            f"{percent(best.accuracy)}, {points(best.gain)} points "
            f"({between(best.gain_low, best.gain_high, points)}) above the best model alone."
            if best.k > 1
            else "On items held out, no vote of the best models does better than the best alone."
        )
    if crowd.trios:
        yield from _trios(crowd.trios)
    if crowd.left_out:
        n = len(crowd.left_out)
        yield (
            f"{counted(n, 'model')} {'is' if n == 1 else 'are'} left out for lack of common items: "
            f"{', '.join(crowd.left_out[:5])}{' and others' if n > 5 else ''}."
        )
    for note in crowd.notes:
        yield f"{note[0].upper()}{note[1:]}."


def _unanimous(crowd: Crowd, m: int) -> str:
    agreed = crowd.unanimous
    if not agreed.items:
        return f"There is no item to which all {whole(m)} models give the same answer."
    promised = ""
    if agreed.if_independent == agreed.if_independent:
        promised = f"; independent errors would promise {_tiny(1 - agreed.if_independent)}"
    return (
        f"All {whole(m)} agree on {counted(agreed.items, 'item')} and are wrong on "
        f"{percent(1 - agreed.accuracy)} of these "
        f"({between(1 - agreed.high, 1 - agreed.low, percent)}){promised}."
    )


def _tiny(share: float) -> str:
    return "less than 0.1%" if share < 0.0005 else percent(share)


def _errors(errors: SharedErrors, m: int) -> Iterator[str]:
    correlate = f"Errors of two models correlate by {two(errors.mean_correlation)} on average"
    if errors.avoid:
        yield (
            f"{correlate}: they avoid each other, and the mean of {counted(m, 'model')} varies "
            "less than that of so many independent ones."
        )
    else:
        yield (
            f"{correlate}, so that {counted(m, 'model')} are worth {one(errors.effective)} "
            f"independent ones ({one(errors.effective_spectral)} by the eigenvalues of the "
            "correlations)."
        )
    yield (
        f"More than half of them are right on {percent(errors.majority)}. Independent models of "
        f"the same scores would be on {percent(errors.majority_if_independent)}, equally "
        f"correlated ones on {percent(errors.majority_if_correlated)}."
    )


def _trios(trios: Trios) -> Iterator[str]:
    held = trios.held_out
    if held.gain == held.gain:
        yield (
            f"The best three of {whole(trios.tried)} and the best one, each chosen on other items: "
            f"the vote of three is right on {percent(held.majority)}, the one on "
            f"{percent(held.single)}, a difference of {points(held.gain)} points "
            f"({between(held.low, held.high, points)}; {points(held.in_sample_gain)} on the items "
            "they were chosen by)."
        )
    cover = trios.best_cover
    yield (
        f"{', '.join(cover.models[:2])} and {cover.models[2]} cover most: one of the three is "
        f"right on {percent(cover.covered)}."
    )
