"""Boards by category: who is first where, and which models do better or worse somewhere."""

from caveat.reports.numbers import UNDEFINED, counted, decimal, one, percent, whole
from caveat.reports.tables.quality import probability
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.categories import Categories, Category, CategoryModel

MODELS = 20
"""Models whose ranks are listed."""
SHOWN = 8
"""Categories in the table of ranks, those with most votes."""
SURE = 0.05
"""Adjusted p below which a model is listed as better or worse in a category."""


def category_tables(found: Categories) -> list[Table]:
    """Return one row for each category, the ranks of the best models, and sure shifts."""
    rated = [category for category in found.categories if category.models]
    tables = [_firsts(found)]
    if rated:
        tables.append(_ranks(found, rated))
    shifts = _shifts(found, rated)
    return [*tables, shifts] if shifts.rows else tables


def _firsts(found: Categories) -> Table:
    notes = [
        f"{counted(found.n_unnamed, 'vote')} without a {found.column}." if found.n_unnamed else "",
        f"{counted(found.n_left_out, 'more category', 'more categories')} with "
        f"{counted(found.n_votes_left_out, 'vote')} left out."
        if found.n_left_out
        else "",
    ]
    return Table(
        caption=f"Boards by {found.column}, each by its own votes alone",
        columns=(
            Column(found.column, text=True),
            Column("Votes"),
            Column("First", text=True),
            Column("z", help="Of the first over the second"),
            Column("First tier", help="Models not separable from the first"),
            Column("Tau", help="Kendall's, with the order by all votes"),
            Column("Unrated", help="Models whose ratings these votes do not fix"),
        ),
        rows=tuple(_first(category) for category in found.categories),
        note=" ".join(filter(None, notes)),
    )


def _first(category: Category) -> tuple[Cell, ...]:
    lead, why = category.lead, category.reason
    tiers = str(len(category.first_tier)) if category.models else UNDEFINED
    return (
        Cell(category.name),
        Cell(whole(category.n_votes)),
        figure(lead.leader if lead else UNDEFINED, why),
        figure(one(lead.z) if lead else UNDEFINED, why),
        figure(tiers, why),
        figure(decimal(category.tau, 2), why or "fewer than two models are rated on both"),
        figure(whole(len(category.unrated)) if category.models else UNDEFINED, why),
    )


def _ranks(found: Categories, rated: list[Category]) -> Table:
    shown = rated[:SHOWN]
    boards = [{model.model: model for model in category.models} for category in shown]
    best: dict[str, int] = {}
    for board in boards:
        for name, model in board.items():
            best[name] = min(best.get(name, model.rank), model.rank)
    order = sorted(best, key=lambda name: (best[name], name))[:MODELS]
    notes = [
        f"The best {MODELS} of {counted(len(best), 'model')} are listed."
        if len(best) > MODELS
        else "",
        f"{whole(len(rated) - SHOWN)} smaller boards left out." if len(rated) > SHOWN else "",
    ]
    return Table(
        caption=f"Ranks by {found.column}; (1) is in the first tier there",
        columns=(Column("Model", text=True), *(Column(category.name) for category in shown)),
        rows=tuple((Cell(name), *(_rank(board.get(name)) for board in boards)) for name in order),
        note=" ".join(filter(None, notes)),
    )


def _rank(model: CategoryModel | None) -> Cell:
    if model is None:
        return Cell(UNDEFINED, "not rated here")
    return Cell(f"{whole(model.rank)} (1)" if model.tier == 1 else whole(model.rank))


def _shifts(found: Categories, rated: list[Category]) -> Table:
    sure = sorted(
        ((model.p_adjusted, category.name, model) for category in rated for model in category.models
         if model.p_adjusted < SURE),
        key=lambda one: (one[0], one[1], one[2].model),
    )  # fmt: skip
    together = f"; errors by {found.cluster}" if found.cluster else ""
    return Table(
        caption=f"Models that surely do better or worse in one {found.column} than in the others"
        f"{together}",
        columns=(
            Column("Model", text=True),
            Column(found.column, text=True),
            Column("Points", help="Against the mean of the models rated in both"),
            Column("Error"),
            Column("Adjusted p", help="Over all models and categories by Holm's method"),
        ),
        rows=tuple(
            (
                Cell(model.model),
                Cell(category),
                Cell(one(model.shift)),
                Cell(one(model.shift_se)),
                Cell(probability(p)),
            )
            for p, category, model in sure
        ),
        note=f"At most {percent(SURE)} of such lists name a model by chance alone.",
    )
