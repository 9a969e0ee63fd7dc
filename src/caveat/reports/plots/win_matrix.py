"""Win matrix: who beat whom, as observed."""

from caveat.reports.numbers import counted, percent, whole
from caveat.reports.plots.plot import Plot, Spec, base, tips
from caveat.reports.plots.square import Square, square_layers
from caveat.reports.tables.board import met_table
from caveat.reports.visible import visible
from caveat.results.ranking import Ranking

MAX_MODELS = 40


def win_matrix(ranking: Ranking) -> Plot:
    """Return the observed win shares among the best models, ordered by rating."""
    names = [visible(model.model) for model in ranking.models[:MAX_MODELS]]
    words = (
        "Share of votes that the model of the row won against the model of the column, ties as "
        "half, in order of rating. Blank cells are pairs that never met."
    )
    cells = [
        _cell(ranking, names, i, j)
        for i in range(len(names))
        for j in range(len(names))
        if i != j and ranking.votes[i, j] > 0
    ]
    reach = max((abs(cell["share"] - 0.5) for cell in cells), default=0.5) or 0.5
    square = Square(
        names=tuple(names),
        rows="row",
        columns="column",
        value="share",
        legend="Win share",
        range="diverging",
        domain=(0.5 - reach, 0.5 + reach),
        strong=f"abs(datum.share - 0.5) > {0.65 * reach:.4f}",
        tooltip=tips(
            ("row", "Model"), ("column", "against"), ("shown", "Win share"), ("votes", "Votes")
        ),
    )
    spec = base(cells, words, marks=len(cells)) | square_layers(square)
    total = len(ranking.models)
    note = f"The best {MAX_MODELS} of {counted(total, 'model')} are drawn."
    return Plot(
        name="win-matrix",
        title="Who won against whom",
        description=words,
        spec=spec,
        table=met_table(ranking),
        note=note if total > MAX_MODELS else "",
    )


def _cell(ranking: Ranking, names: list[str], i: int, j: int) -> Spec:
    share = float(ranking.wins[i, j] / ranking.votes[i, j])
    return {
        "row": names[i],
        "column": names[j],
        "share": round(share, 4),
        "shown": percent(share),
        "votes": whole(ranking.votes[i, j]),
    }
