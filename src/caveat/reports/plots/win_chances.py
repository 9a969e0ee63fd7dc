"""Win chances: who would win a decisive vote, as the ratings have it."""

from caveat.reports.numbers import counted, decimal, percent
from caveat.reports.plots.plot import Plot, Spec, base, tips
from caveat.reports.plots.square import Square, square_layers
from caveat.reports.tables.board import chance_table
from caveat.reports.visible import visible
from caveat.results.ranking import Comparisons, Ranking

MAX_MODELS = 40


def win_chances(ranking: Ranking) -> Plot | None:
    """Return the chances between the best models; None for systems that give none."""
    found = ranking.comparisons
    if found is None or found.win_probability is None:
        return None
    names = [visible(name) for name in found.models[:MAX_MODELS]]
    words = (
        "Chance that the model of the row wins a decisive vote against the model of the column, "
        "from the ratings. Blank cells are pairs whose order the votes do not settle."
    )
    cells = [
        _cell(found, names, i, j)
        for i in range(len(names))
        for j in range(len(names))
        if i != j and found.separable[i, j]
    ]
    reach = max((abs(cell["chance"] - 0.5) for cell in cells), default=0.5) or 0.5
    square = Square(
        names=tuple(names),
        rows="row",
        columns="column",
        value="chance",
        legend="Win chance",
        range="diverging",
        domain=(0.5 - reach, 0.5 + reach),
        strong=f"abs(datum.chance - 0.5) > {0.65 * reach:.4f}",
        tooltip=tips(
            ("row", "Model"), ("column", "against"), ("shown", "Win chance"), ("p", "Adjusted p")
        ),
    )
    spec = base(cells, words, marks=len(cells)) | square_layers(square)
    total = len(found.models)
    note = f"The best {MAX_MODELS} of {counted(total, 'rated model')} are drawn."
    return Plot(
        name="win-chances",
        title="Who would win against whom, where the votes settle it",
        description=words,
        spec=spec,
        table=chance_table(ranking),
        note=note if total > MAX_MODELS else "",
    )


def _cell(found: Comparisons, names: list[str], i: int, j: int) -> Spec:
    assert found.win_probability is not None  # noqa: S101 - the caller checked, this is for mypy
    chance = float(found.win_probability[i, j])
    return {
        "row": names[i],
        "column": names[j],
        "chance": round(chance, 4),
        "shown": percent(chance),
        "p": decimal(float(found.p_adjusted[i, j]), 4),
    }
