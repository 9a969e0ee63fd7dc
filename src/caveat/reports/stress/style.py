"""Length, headers and lists: the section on style."""

from caveat.reports.numbers import counted, one, z_value
from caveat.reports.plots.board_change import board_change_plot
from caveat.reports.section import Section
from caveat.reports.stress.changed import change_sentences, first_words
from caveat.reports.tables.controls import controls_table
from caveat.results.control import Coefficient, Controls
from caveat.results.stress.stress import Stress
from caveat.results.stress.style import Style

LISTED = 4


def section(stress: Stress) -> Section | None:
    """Return the board with and without control of style."""
    found = stress.part(Style)
    if found is None:
        return None
    plot = board_change_plot(
        found.change,
        name="style-change",
        title="Ratings as voted and at equal style",
        before="as voted",
        after="at equal style",
    )
    return Section(
        name="style",
        title="Length and style: the board with both held equal",
        sentences=(
            *change_sentences(found.change, before="As voted", after="At equal style"),
            *_worth(found.controls),
            *_errors(found.controls),
        ),
        tables=(controls_table(found.controls),),
        plots=(plot,),
        finding=f"At equal style {first_words(found.change)}",
        codes=("RNK214",),
    )


def _worth(controls: Controls) -> list[str]:
    order = sorted(controls.coefficients, key=lambda c: -abs(c.z) if c.z == c.z else 0.0)
    said = [_one(c, controls.contrast) for c in order[:LISTED]]
    return [f"With the models equal, {'; '.join(said)}."]


def _one(found: Coefficient, contrast: str) -> str:
    gains = "gains" if found.points >= 0 else "loses"
    if contrast == "relative":
        what = f"an answer with twice the {found.name} {gains} {one(abs(found.twice))} points"
    else:
        what = f"an answer ahead by {one(found.spread)} in {found.name} {gains} "
        what += f"{one(abs(found.points))} points"
    return f"{what} ({z_value(found.z)})"


def _errors(controls: Controls) -> list[str]:
    if controls.cluster is None or controls.n_clusters is None:
        return []
    few = ", which is few to lean on" if controls.few_clusters else ""
    return [
        f"These z count the votes of one {controls.cluster} together "
        f"({counted(controls.n_clusters, controls.cluster)}{few})."
    ]
