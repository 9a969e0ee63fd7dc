"""Bump chart: the place of each model under every prompt, parser, run or seed."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, percent, two, whole
from caveat.reports.plots.bump import Bump, bump_spec
from caveat.reports.plots.plot import Plot, Spec
from caveat.reports.shortening import shortened
from caveat.reports.tables.sensitivity import KINDS, spans_table
from caveat.reports.visible import visible
from caveat.results.comparison.sensitivity import ModelSpan, VariantSensitivity

MAX_MODELS = 15
LEADER, MOVER, OTHER = "First under the first variant", "Score moves most", "Others"


def variant_bump(found: VariantSensitivity) -> Plot:
    """Return a line per model, from variant to variant."""
    mover = max(found.models, key=lambda one: one.moved)
    firsts = {variant.first for variant in found.variants}
    drawn = [
        one
        for k, one in enumerate(found.models)
        if k < MAX_MODELS or one.model in firsts or one is mover
    ]
    words = (
        f"One row per {KINDS[found.source]}, one line per model, the best places on the left. A "
        "line that swings is a model whose place depends on it. At the right, the model that is "
        "first."
    )
    names = shortened([variant.variant for variant in found.variants])
    bump = Bump(
        rows=tuple((names[variant.variant], variant.first) for variant in found.variants),
        points=tuple(_points(found, drawn, mover, names)),
        tones=(LEADER, MOVER, OTHER),
        tooltip=(
            ("model", "Model"),
            ("row", KINDS[found.source].capitalize()),
            ("place", "Place"),
            ("score", "Score"),
            ("tau", "Tau with the first"),
        ),
    )
    left = len(found.models) - len(drawn)
    return Plot(
        name=f"sensitivity-{found.source}",
        title=f"Places by {KINDS[found.source]}",
        description=words,
        spec=bump_spec(bump, words),
        table=spans_table(found),
        note=f"{counted(left, 'model')} further down not drawn." if left else "",
    )


def _points(
    found: VariantSensitivity, drawn: list[ModelSpan], mover: ModelSpan, names: dict[str, str]
) -> Iterator[Spec]:
    leader = found.variants[0].first
    for number, variant in enumerate(found.variants):
        for one in drawn:
            moves = one is mover and one.moved > 0
            yield {
                "row": names[variant.variant],
                "number": number,
                "model": visible(one.model),
                "rank": one.ranks[number],
                "tone": LEADER if one.model == leader else MOVER if moves else OTHER,
                "place": whole(one.ranks[number]),
                "score": percent(one.scores[number]),
                "tau": two(variant.tau),
            }
