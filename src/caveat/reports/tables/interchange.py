"""Who may stand for whom."""

from collections.abc import Mapping

from caveat.reports.numbers import UNDEFINED, between, counted, percent, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.interchange import Criterion, Interchange

MAX_PAIRS = 500
STATES: Mapping[str, str] = {
    "met": "met",
    "failed": "fails",
    "open": "open",
    "untested": UNDEFINED,
}


def verdicts_table(found: Interchange) -> Table:
    """Return one row per pair, the nearest to interchangeable first."""
    left = len(found.pairs) - MAX_PAIRS
    notes = []
    if found.considered < found.n_models:
        notes.append(
            f"Pairs of the {whole(found.considered)} models of best score, of "
            f"{whole(found.n_models)}."
        )
    if found.floor:
        notes.append(
            "A model whose noise is not known is given here the least of the known noises, so that "
            "what is within the limit is so beyond doubt; the noise floor takes their mean."
        )
    if left > 0:
        notes.append(f"{counted(left, 'pair')} farther apart left out.")
    return Table(
        caption="May one model stand for the other?",
        columns=(
            Column("Model", text=True),
            Column("and", text=True),
            Column("Verdict", text=True),
            Column("Disagree"),
            Column("Score", text=True, help="Same score, within the margin"),
            Column("Difference", help="Of scores, with what decides"),
            Column("Answers", text=True, help="No more disagreement than the limit"),
            Column(
                "Excess over the least floor" if found.floor else "Disagreement judged",
                help="With what decides; for a model whose noise is not known, the least of the "
                "known"
                if found.floor
                else "With what decides; no floor is known",
            ),
            Column("Tasks", text=True, help="The same difference in every task"),
            Column("Spread", help="Standard deviation of the difference over tasks"),
            Column("Equal within", help="Least margin at which the scores would count as equal"),
            Column("Items to decide", help="If the estimates stayed as they are"),
        ),
        rows=tuple(
            (
                Cell(pair.a),
                Cell(pair.b),
                Cell(pair.verdict),
                figure(percent(pair.disagree)),
                *_criterion(pair.criterion("score")),
                *_criterion(pair.criterion("disagreement")),
                *_criterion(pair.criterion("tasks")),
                figure(percent(pair.equal_within)),
                figure(whole(float("nan") if pair.items is None else pair.items), "none needed"),
            )
            for pair in found.pairs[:MAX_PAIRS]
        ),
        note=" ".join(notes),
    )


def _criterion(one: Criterion) -> tuple[Cell, Cell]:
    interval = between(one.low, one.high, percent)
    said = percent(one.estimate)
    return Cell(STATES[one.state], one.reason), figure(said, one.reason or interval)


def clusters_table(found: Interchange) -> Table:
    """Return one row per group of models that may all stand for each other."""
    return Table(
        caption="Groups of models of which each pair is interchangeable",
        columns=(
            Column("Models", text=True, whole=True),
            Column("Number"),
            Column("Most disagreement of a pair"),
        ),
        rows=tuple(
            (
                Cell(", ".join(one.models)),
                Cell(whole(len(one.models))),
                figure(percent(one.most_disagree)),
            )
            for one in found.clusters
        ),
    )
