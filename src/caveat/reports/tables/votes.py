"""What votes share and who cast them; nothing where the source does not say."""

from caveat.reports.numbers import UNDEFINED, counted, decimal, one, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table
from caveat.results.ranking import Judge, Judges, Ranking


def vote_tables(ranking: Ranking) -> tuple[Table, ...]:
    """Return the lead by clusters of votes, and the judges."""
    tables = [_together(ranking)] if ranking.dependence else []
    if ranking.judges is not None:
        tables.append(_judges(ranking.judges))
    return tuple(tables)


def _together(ranking: Ranking) -> Table:
    return Table(
        caption="The lead if votes that share something count together",
        columns=(
            Column("Votes of one", text=True),
            Column("Clusters"),
            Column("Votes each", help="On average"),
            Column("Error ratio", help="Clustered error of the lead to the plain one"),
            Column("z"),
            Column("z needed"),
        ),
        rows=tuple(
            (
                Cell(found.column),
                Cell(whole(found.n_clusters)),
                Cell(decimal(found.votes_per_cluster, 1)),
                Cell(two(found.error_ratio)),
                Cell(one(found.z)),
                Cell(one(found.critical)),
            )
            for found in ranking.dependence
        ),
    )


def _judges(judges: Judges) -> Table:
    left_out = judges.n_judges - len(judges.listed)
    notes = [
        f"{counted(left_out, 'more judge')} are left out." if left_out else "",
        f"{counted(judges.n_unnamed, 'vote')} without a judge." if judges.n_unnamed else "",
    ]
    return Table(
        caption="Judges, and whom the largest put first by their own votes alone",
        columns=(
            Column("Judge", text=True),
            Column("Votes"),
            Column("Share"),
            Column("Ranked as", text=True, help="The model on the board that this judge is"),
            Column("First", text=True),
            Column("before", text=True),
            Column("z"),
        ),
        rows=tuple(_judge_row(judge) for judge in judges.listed),
        note=" ".join(filter(None, notes)),
    )


def _judge_row(judge: Judge) -> tuple[Cell, ...]:
    lead = judge.lead
    return (
        Cell(judge.judge),
        Cell(whole(judge.n_votes)),
        Cell(percent(judge.share)),
        Cell(judge.model or UNDEFINED),
        Cell(lead.leader if lead else UNDEFINED),
        Cell(lead.runner_up if lead else UNDEFINED),
        Cell(one(lead.z) if lead else UNDEFINED),
    )
