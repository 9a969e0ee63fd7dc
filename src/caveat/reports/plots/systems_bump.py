"""Bump chart: the place of each model by every rating system."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, two, whole
from caveat.reports.plots.bump import Bump, bump_spec
from caveat.reports.plots.plot import Plot, Spec
from caveat.reports.tables.systems import systems_table
from caveat.reports.visible import visible
from caveat.results.stress.systems import RankSpan, SystemsDisagree

MAX_MODELS = 15
LEADER, RIVAL, OTHER = "First on the board", "First by another system", "Others"


def systems_bump(found: SystemsDisagree) -> Plot:
    """Return a line per model, from system to system: the best of the board, and all firsts."""
    firsts = {place.model for place in found.first_places}
    drawn = [one for k, one in enumerate(found.spans) if k < MAX_MODELS or one.model in firsts]
    words = (
        "One row per rating system, the board's own on top and the others by how close their order "
        "is to it; one line per model, the best places on the left. At the right, the model each "
        "system puts first."
    )
    bump = Bump(
        rows=tuple((one.title, one.first) for one in found.systems if one.complete),
        points=tuple(_points(found, drawn)),
        tones=(LEADER, RIVAL, OTHER),
        tooltip=(
            ("model", "Model"),
            ("row", "System"),
            ("place", "Place"),
            ("board", "Place on the board"),
            ("tau", "Tau with the board"),
        ),
    )
    left = len(found.spans) - len(drawn)
    return Plot(
        name="systems",
        title="Places by rating system",
        description=words,
        spec=bump_spec(bump, words),
        table=systems_table(found),
        note=f"{counted(left, 'model')} further down not drawn." if left else "",
    )


def _points(found: SystemsDisagree, drawn: list[RankSpan]) -> Iterator[Spec]:
    leader = found.first_places[0].model
    rivals = {place.model for place in found.first_places[1:]}
    for number, one in enumerate(system for system in found.systems if system.complete):
        for span in drawn:
            rank = dict(span.ranks)[one.method]
            yield {
                "row": one.title,
                "number": number,
                "model": visible(span.model),
                "rank": rank,
                "tone": LEADER
                if span.model == leader
                else RIVAL
                if span.model in rivals
                else OTHER,
                "place": whole(rank),
                "board": whole(span.board),
                "tau": two(one.tau),
            }
