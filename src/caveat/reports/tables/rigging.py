"""Voters whose votes look rigged, and what a simulated attack comes to."""

from caveat.reports.numbers import UNDEFINED, counted, decimal, one, percent, whole
from caveat.reports.tables.quality import probability
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.stress.rigging import FlaggedVoter, Rigging
from caveat.results.stress.rigging_simulation import RiggingSimulation

PATTERNS = {
    "for": "backs",
    "against": "votes against",
    "lifting": "lifts",
    "contrary": "contrary",
    "guessing": "guesses",
}
_NOT_FOUND = "Only a test that looks at something else found this voter"


def flagged_table(found: Rigging) -> Table:
    """Return one row for each flagged voter that is listed."""
    left = found.n_flagged - len(found.flagged)
    return Table(
        caption="Voters whose votes do not fit those of the others",
        columns=(
            Column("Voter", text=True),
            Column("Votes"),
            Column("Compared", help="Decisive votes on pairs on which others disagree"),
            Column("Does", text=True),
            Column("Model", text=True),
            Column("In", help="Votes that do so, of those it could be seen in"),
            Column("Share", help="For who guesses or is contrary, votes with the majority"),
            Column("Expected", help="Share if the voter voted as the others did"),
            Column("Evidence", help="Decimal logarithm of the e-value"),
            Column("Found by", text=True),
        ),
        rows=tuple(_voter(voter) for voter in found.flagged),
        note=f"{counted(left, 'more voter')} flagged and not listed." if left else "",
    )


def _voter(voter: FlaggedVoter) -> tuple[Cell, ...]:
    about = f"{whole(voter.n_following)} of {whole(voter.n_about)}" if voter.pattern else UNDEFINED
    return (
        Cell(voter.voter),
        Cell(whole(voter.n_votes)),
        Cell(whole(voter.n_compared)),
        figure(PATTERNS[voter.pattern] if voter.pattern else UNDEFINED, _NOT_FOUND),
        Cell(voter.model or UNDEFINED),
        figure(about, _NOT_FOUND),
        figure(percent(voter.share), _NOT_FOUND),
        figure(percent(voter.expected), _NOT_FOUND),
        Cell(one(voter.log10_e)),
        Cell(", ".join(voter.found_by)),
    )


def loyal_table(found: Rigging) -> Table:
    """Return one row for each loyal voter that is listed."""
    left = found.n_loyal - len(found.loyal)
    return Table(
        caption="Voters who back one model nearly always",
        columns=(
            Column("Voter", text=True),
            Column("Model", text=True),
            Column("Votes on it"),
            Column("For it"),
            Column("Share"),
            Column("Expected", help="Its win rate over the same opponents among the others"),
            Column("p", help="If voters differ as much as they do on this board"),
        ),
        rows=tuple(
            (
                Cell(one_of.voter),
                Cell(one_of.model),
                Cell(whole(one_of.n_votes)),
                Cell(whole(one_of.n_backed)),
                Cell(percent(one_of.share)),
                Cell(percent(one_of.expected)),
                Cell(probability(one_of.p)),
            )
            for one_of in found.loyal
        ),
        note=f"{counted(left, 'more')} found and not listed." if left else "",
    )


def bursts_table(found: Rigging) -> Table:
    """Return the longest burst of each voter that is listed."""
    left = found.n_bursts - len(found.bursts)
    return Table(
        caption="The same vote again and again",
        columns=(
            Column("Voter", text=True),
            Column("Model a", text=True),
            Column("Model b", text=True),
            Column("Vote", text=True),
            Column("In a row"),
            Column("Seconds", help="From the first to the last"),
            Column("Usual", help="Share of such votes that the same vote follows, all voters"),
            Column("Evidence", help="Decimal logarithm of the e-value"),
        ),
        rows=tuple(
            (
                Cell(burst.voter),
                Cell(burst.model_a),
                Cell(burst.model_b),
                Cell(burst.outcome),
                Cell(whole(burst.n_votes)),
                figure(whole(burst.seconds), "the votes have no time"),
                Cell(percent(burst.usual)),
                Cell(one(burst.log10_e)),
            )
            for burst in found.bursts
        ),
        note=f"{counted(left, 'more voter')} found and not listed." if left else "",
    )


def e_value_table(found: Rigging) -> Table:
    """Return the largest e-values, without the voters they belong to."""
    return Table(
        caption="Evidence against tested voters, largest first",
        columns=(Column("Place"), Column("Evidence", help="Decimal logarithm of the e-value")),
        rows=tuple(
            (Cell(whole(place)), Cell(decimal(value, 2)))
            for place, value in enumerate(found.top_log10_e, start=1)
        ),
        note=f"{whole(len(found.top_log10_e))} of {counted(found.n_tested, 'tested voter')}.",
    )


def power_table(found: RiggingSimulation) -> Table:
    """Return one row for each number of votes a rigging voter casts."""
    return Table(
        caption="How often rigging and honest voters are flagged",
        columns=(
            Column("Votes", help="Cast by each rigging voter"),
            Column("Found", help="Share of rigging voters that are flagged"),
            Column("False alarms", help="Share of honest voters that are flagged"),
            Column("Rigging voters"),
            Column("Honest voters"),
        ),
        rows=tuple(
            (
                Cell(whole(point.votes)),
                Cell(percent(point.power)),
                Cell(percent(point.false_alarms)),
                Cell(whole(point.n_rigging)),
                Cell(whole(point.n_honest)),
            )
            for point in found.power
        ),
    )


def gain_table(found: RiggingSimulation) -> Table:
    """Return what the target gains."""
    return Table(
        caption=f"What {found.target} gains",
        columns=(Column("Battles"), Column("Votes"), Column("Rank"), Column("Points")),
        rows=tuple(
            (
                Cell(whole(point.battles)),
                Cell(whole(point.votes)),
                Cell(whole(point.rank)),
                Cell(one(point.points)),
            )
            for point in found.gain
        ),
    )
