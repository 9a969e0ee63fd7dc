"""`caveat simulate`: what attacks on an evaluation would do, and whether they would be found."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Group, Parameter

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once

app = App(
    name="simulate",
    help="Simulate attacks on an evaluation.",
    usage="Usage: caveat simulate COMMAND",
)
ABOUT_ATTACK = Group("Attack", sort_key=1)


@Parameter(name="*", group=ABOUT_ATTACK)
@dataclass(frozen=True, kw_only=True)
class Rigged:
    """How rigging voters vote, and how much is simulated."""

    target: Annotated[
        str | None,
        Parameter(
            metavar="MODEL",
            negative=(),
            show_default=lambda _: "the runner-up",
            help="Model that rigging voters lift.",
        ),
    ] = None
    strategy: Annotated[
        Literal["target-only", "omnipresent"],
        Parameter(help="Vote for the target where it appears, or lift it with every vote."),
    ] = "target-only"
    elsewhere: Annotated[
        Literal["honest", "random", "tie", "abstain"],
        Parameter(help="What a target-only attack does in other battles."),
    ] = "honest"
    accuracy: Annotated[
        float, Parameter(help="Chance to recognise the models of a battle, above 0 to 1.")
    ] = 1.0
    sampling: Annotated[
        Literal["board", "uniform"],
        Parameter(help="Pairs are shown as often as on this board, or all alike."),
    ] = "board"
    votes_each: Annotated[
        tuple[int, ...],
        Parameter(
            metavar="N",
            negative=(),
            help="Votes that each rigging voter casts: one point of the power curve. Repeatable.",
        ),
    ] = (10, 20, 50, 100, 200, 500)
    plot: Annotated[
        Path | None,
        Parameter(metavar="FILE", negative=(), help="Draw the curves: a .svg or .png file."),
    ] = None


RIGGED = Rigged()


@app.command(usage="Usage: caveat simulate rigging VOTES... [OPTIONS]")
def rigging(
    votes: given.Votes,
    /,
    *,
    rigged: Rigged = RIGGED,
    reading: given.Reading = given.READING,
    figures: given.Ranks = given.RANKS,
    file: given.SettingsFile = given.SETTINGS_FILE,
    session: Session = SESSION,
) -> int:
    """Rig votes for one model: what it gains, and after how many votes it is found.

    Example: caveat simulate rigging votes.csv --strategy omnipresent --plot power.svg
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, check_picture_target, put_json
    from caveat.cli.settled import settle
    from caveat.stats.robustness.rigging_simulator import Attack, Scene
    from caveat.workflows.simulate import simulate_rigging

    settled = settle(file, reading=reading, figures=figures)
    check_json(session)
    check_picture_target(rigged.plot)
    attack = Attack(
        strategy=rigged.strategy,
        elsewhere=rigged.elsewhere,
        accuracy=rigged.accuracy,
        sampling=rigged.sampling,
    )
    with settled.at_work(), session.progress() as progress:
        found, provenance = simulate_rigging(
            each_once(votes),
            target=rigged.target,
            attack=attack,
            scene=Scene(votes=rigged.votes_each),
            options=replace(settled.options, progress=progress),
        )
    if rigged.plot is not None:
        from caveat.reports.plots.picture import write_picture
        from caveat.reports.plots.rigging_power import rigging_power

        write_picture(rigging_power(found), rigged.plot)
    put_json(
        session,
        document(
            session.command,
            found.to_dict(),
            settings=settled.options.to_dict(),
            provenance=provenance,
        ),
    )
    if not session.json_on_stdout:
        from caveat.reports.printing import print_table
        from caveat.reports.tables.rigging import gain_table, power_table

        print_table(power_table(found), session.out)
        session.out.print()
        print_table(gain_table(found), session.out)
    return 0
