"""Bump chart: the place of each model by the votes of each judge alone."""

from collections.abc import Iterator, Sequence

from caveat.reports.numbers import counted, whole
from caveat.reports.plots.bump import Bump, bump_spec
from caveat.reports.plots.plot import Plot, Spec
from caveat.reports.shortening import shortened
from caveat.reports.tables.judging import ranks_table
from caveat.reports.visible import visible
from caveat.results.stress.judging import JudgeView, Judging

TOP = 10
"""Places drawn: models that some judge puts there."""

MAX_JUDGES = 12
MOST, RIVAL, OTHER = "First by the judge with most votes", "First by another judge", "Others"


def judge_ranks(found: Judging) -> Plot | None:
    """Return a line per model, from judge to judge; None where fewer than two rate any."""
    judges = [judge for judge in found.judges if judge.models]
    if len(judges) < 2:
        return None
    drawn = judges[:MAX_JUDGES]
    words = (
        "One row per judge, ranked by its votes alone; one line per model that some judge puts "
        f"among the first {TOP}, the best places on the left. A line that swings is a model on "
        "which judges differ. At the right, the model each judge puts first."
    )
    names = shortened([judge.judge for judge in drawn])
    bump = Bump(
        rows=tuple((names[judge.judge], judge.models[0].model) for judge in drawn),
        points=tuple(_points(drawn, names)),
        tones=(MOST, RIVAL, OTHER),
        tooltip=(
            ("model", "Model"),
            ("row", "Judge"),
            ("place", "Place"),
            ("tier", "Tier"),
            ("rating", "Rating"),
        ),
    )
    left = len(judges) - len(drawn)
    return Plot(
        name="judge-ranks",
        title="The board under each judge",
        description=words,
        spec=bump_spec(bump, words),
        table=ranks_table(found),
        note=f"{counted(left, 'judge')} with fewer votes not drawn." if left else "",
    )


def _points(judges: Sequence[JudgeView], names: dict[str, str]) -> Iterator[Spec]:
    chosen = {row.model for judge in judges for row in judge.models if row.rank <= TOP}
    busiest = max(judges, key=lambda judge: judge.n_votes)
    first = busiest.models[0].model
    rivals = {judge.models[0].model for judge in judges}
    for number, judge in enumerate(judges):
        for row in judge.models:
            if row.model in chosen:
                tone = MOST if row.model == first else RIVAL if row.model in rivals else OTHER
                yield {
                    "row": names[judge.judge],
                    "number": number,
                    "model": visible(row.model),
                    "rank": row.rank,
                    "tone": tone,
                    "place": whole(row.rank),
                    "tier": str(row.tier),
                    "rating": whole(row.rating),
                }
