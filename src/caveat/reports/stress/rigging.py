"""Whose votes look rigged: the section on voters who vote unlike the others."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, one, percent, whole
from caveat.reports.plots.board_change import board_change_plot
from caveat.reports.plots.e_values import e_values
from caveat.reports.section import Section
from caveat.reports.stress.changed import change_sentences, first_words
from caveat.reports.tables.rigging import bursts_table, flagged_table, loyal_table
from caveat.results.stress.rigging import FlaggedVoter, Rigging, WithoutFlagged
from caveat.results.stress.stress import Stress

NAMED = 3


def section(stress: Stress) -> Section | None:
    """Say who was tested, who stands out, and what the board is without them."""
    found = stress.part(Rigging)
    if found is None:
        return None
    tables = [
        table(found)
        for rows, table in (
            (found.flagged, flagged_table),
            (found.loyal, loyal_table),
            (found.bursts, bursts_table),
        )
        if rows
    ]
    plots = [e_values(found)] if found.n_tested else []
    if found.without is not None and found.without.change is not None:
        plots.append(
            board_change_plot(
                found.without.change,
                name="rigging-change",
                title="Ratings with and without the flagged voters",
                before="with all voters",
                after="without them",
            )
        )
    return Section(
        name="rigging",
        title="Rigging: voters who vote unlike the others",
        sentences=tuple(_sentences(found)),
        tables=tuple(tables),
        plots=tuple(plots),
        finding=_finding(found),
        codes=("VOT404",),
    )


def _finding(found: Rigging) -> str:
    tested = f"{counted(found.n_tested, 'voter')} that can be tested"
    if not found.n_flagged:
        return f"None of {tested} stands out"
    verb = "votes" if found.n_flagged == 1 else "vote"
    said = f"{whole(found.n_flagged)} of {tested} {verb} unlike the others"
    if found.without is not None and found.without.change is not None:
        said += f"; without them {first_words(found.without.change)}"
    return said


def _sentences(found: Rigging) -> Iterator[str]:
    yield from _tested(found)
    if found.n_flagged:
        verb = "does" if found.n_flagged == 1 else "do"
        yield (
            f"{counted(found.n_flagged, 'voter')} with {percent(found.flagged_share)} of the votes "
            f"{verb} not vote as the others did on the same pairs; the false discovery rate of "
            f"each test is {percent(found.fdr)}."
        )
        known = [voter for voter in found.flagged if voter.pattern]
        yield from (doing(voter) for voter in known[:NAMED])
        yield "A taste of their own looks the same as rigging: look at what they saw and when."
    else:
        yield "Nobody stands out."
    if found.n_cleared:
        verb = "fits" if found.n_cleared == 1 else "fit"
        yield (
            f"Beside them {counted(found.n_cleared, 'more voter')} stood out who {verb} the others "
            "once they are left out."
        )
    yield from _bursts(found)
    if found.without is not None:
        yield from _without(found.without)
    yield from _reach(found)


def _tested(found: Rigging) -> Iterator[str]:
    within = f", compared within {' and '.join(found.within)}" if found.within else ""
    yield (
        f"{whole(found.n_tested)} of {counted(found.n_voters, 'voter')} cast at least "
        f"{whole(found.min_votes)} votes that can be compared and are tested{within}; the other "
        f"{whole(found.n_untestable)} cannot be."
    )
    if found.n_unnamed:
        verb = "names" if found.n_unnamed == 1 else "name"
        yield f"{counted(found.n_unnamed, 'vote')} {verb} no voter and count as the others' only."


def doing(voter: FlaggedVoter) -> str:
    """Say what a voter does, in a sentence."""
    share = f"{whole(voter.n_following)} of {counted(voter.n_about, 'vote')}"
    expected = f"; {percent(voter.expected)} would be expected" if voter.n_about else ""
    proof = f" (e-value 10 to the {one(voter.log10_e)}{expected})."
    what = {
        "for": f"backs {voter.model} in {share}",
        "against": f"votes against {voter.model} in {share}",
        "lifting": f"casts {share} where they lift {voter.model}",
        "contrary": f"sides with the majority in only {share}",
        "guessing": f"votes as if by coin, with the majority in {share}",
    }[voter.pattern or "guessing"]
    return f"Voter {voter.voter} {what}{proof}"


def _bursts(found: Rigging) -> Iterator[str]:
    if found.order == "none":
        yield f"Bursts of equal votes are not looked for: {found.order_reason}."
    elif found.n_bursts:
        longest = max(found.bursts, key=lambda burst: burst.n_votes)
        rows = (
            " (in the order of the rows: the votes have no time)" if found.order == "rows" else ""
        )
        verb = "casts" if found.n_bursts == 1 else "cast"
        yield (
            f"{counted(found.n_bursts, 'voter')} {verb} the same vote again and again in a row, "
            f"up to {whole(longest.n_votes)} times{rows}."
        )


def _without(left: WithoutFlagged) -> Iterator[str]:
    if left.change is None:
        yield f"Without them there is no board: {left.reason}."
        return
    yield from change_sentences(left.change, before="With all voters", after="Without them")
    if left.unrated:
        verb = "loses its rating" if len(left.unrated) == 1 else "lose their rating"
        yield f"{counted(len(left.unrated), 'model')} {verb} without them."


def _reach(found: Rigging) -> Iterator[str]:
    seen = [one_of for one_of in found.reach if one_of.n_votes is not None]
    if seen:
        each = ", ".join(
            f"{whole(one_of.n_votes or 0)} for {one_of.model} ({one_of.place})" for one_of in seen
        )
        power = percent(seen[0].power).replace(".0", "")
        yield (
            f"A voter who always backs one model and abstains elsewhere would be found with "
            f"{power} power after about so many decisive votes: {each}."
        )
    blind = [one_of.model for one_of in found.reach if one_of.n_votes is None]
    if blind:
        yield f"Who always backs {' or '.join(blind)} would not be found here at all."
