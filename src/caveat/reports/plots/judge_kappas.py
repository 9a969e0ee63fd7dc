"""Square of kappas: which judges say the same."""

from caveat.reports.numbers import percent, two, whole
from caveat.reports.plots.plot import Plot, base, tips
from caveat.reports.plots.square import Square, square_layers
from caveat.reports.tables.pair_judges import kappas_table
from caveat.reports.visible import visible
from caveat.results.comparison.judges import JudgesOfPairs


def judge_kappas(found: JudgesOfPairs) -> Plot | None:
    """Return a square of kappas; None for fewer than three judges."""
    met = {name for pair in found.pairs for name in (pair.a, pair.b)}
    names = [judge.judge for judge in found.judges if judge.judge in met]
    if len(names) < 3:
        return None
    words = (
        "Cohen's kappa of each pair of judges: 1 where they say the same, 0 where they agree as by "
        "chance, below 0 where they contradict. Judges in the order of their kappa with the right "
        "verdicts."
    )
    cells = [
        {
            "row": visible(one),
            "column": visible(other),
            "kappa": pair.kappa,
            "shown": two(pair.kappa),
            "agree": percent(pair.agree),
            "n": whole(pair.n),
        }
        for pair in found.pairs
        if pair.kappa == pair.kappa
        for one, other in ((pair.a, pair.b), (pair.b, pair.a))
    ]
    square = Square(
        names=tuple(visible(name) for name in names),
        rows="row",
        columns="column",
        value="kappa",
        legend="Kappa",
        range="diverging",
        domain=(-1.0, 1.0),
        strong="abs(datum.kappa) > 0.6",
        tooltip=tips(
            ("row", "Judge"),
            ("column", "and"),
            ("shown", "Kappa"),
            ("agree", "Agree"),
            ("n", "Pairs"),
        ),
        format=".2f",
    )
    return Plot(
        name="judge-kappas",
        title="Which judges say the same",
        description=words,
        spec=base(cells, words, marks=len(cells)) | square_layers(square),
        table=kappas_table(found),
    )
