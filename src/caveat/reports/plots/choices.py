"""Bump chart: places of the models by default and under each single other choice."""

from collections.abc import Iterator, Sequence

from caveat.reports.numbers import counted, ranks, whole
from caveat.reports.plots.bump import Bump, bump_spec
from caveat.reports.plots.plot import Plot, Spec
from caveat.reports.tables.choices import NAMES, ranges_table
from caveat.reports.visible import visible
from caveat.results.comparison.choices import Choices, RankRange

MAX_MODELS, MAX_ROWS = 12, 14
DEFAULT = "default"
LEADER, MOVER, OTHER = "First by default", "Moves most", "Others"


def choices_bump(found: Choices) -> Plot:
    """Return a line per model, from the default to each single change."""
    shown = _shown(found)
    drawn = found.models[:MAX_MODELS]
    mover = max(
        drawn, key=lambda row: max((abs(row.single[k] - row.rank) for k in shown), default=0)
    )
    words = (
        "One row for the default and one for each other choice alone, those that move most; one "
        "line per model, the best places on the left. At the right, the model that is first."
    )
    rows = [(DEFAULT, _first(found, None))]
    rows += [(_name(found.singles[k]), _first(found, k)) for k in shown]
    bump = Bump(
        rows=tuple(rows),
        points=tuple(_points(drawn, mover, rows, shown)),
        tones=(LEADER, MOVER, OTHER),
        tooltip=(
            ("model", "Model"),
            ("row", "Choice"),
            ("place", "Place"),
            ("all", "Over all combinations"),
        ),
    )
    notes = []
    if len(shown) < len(found.singles):
        notes.append(f"{counted(len(found.singles) - len(shown), 'choice')} that move less.")
    if len(drawn) < len(found.models):
        notes.append(f"{counted(len(found.models) - len(drawn), 'model')} further down.")
    return Plot(
        name="choices",
        title="Places under other choices",
        description=words,
        spec=bump_spec(bump, words),
        table=ranges_table(found),
        note=f"Not drawn: {' '.join(notes)}" if notes else "",
    )


def _shown(found: Choices) -> list[int]:
    """Single changes that move most, in their order."""
    drawn = found.models[:MAX_MODELS]
    moved = [sum(abs(row.single[k] - row.rank) for row in drawn) for k in range(len(found.singles))]
    order = sorted(range(len(moved)), key=lambda k: (-moved[k], k))
    return sorted(order[:MAX_ROWS])


def _name(change: tuple[str, str]) -> str:
    name, level = change
    return visible(level if name == "items" else f"{NAMES.get(name, name)}: {level}")


def _first(found: Choices, k: int | None) -> str:
    best = [row.model for row in found.models if (row.rank if k is None else row.single[k]) == 1]
    return best[0] if len(best) == 1 else f"{best[0]} and {len(best) - 1} more"


def _points(
    drawn: Sequence[RankRange],
    mover: RankRange,
    rows: Sequence[tuple[str, str]],
    shown: Sequence[int],
) -> Iterator[Spec]:
    for number, (name, _) in enumerate(rows):
        for row in drawn:
            place = row.single[shown[number - 1]] if number else row.rank
            tone = MOVER if row is mover and row.low < row.high else OTHER
            yield {
                "row": name,
                "number": number,
                "model": visible(row.model),
                "rank": place,
                "tone": LEADER if row is drawn[0] else tone,
                "place": whole(place),
                "all": ranks(row.low, row.high),
            }
