"""The stress tests there are, in the order a report shows them. A new one is added here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from caveat.workflows import (
    stress_answers,
    stress_drop,
    stress_illusion,
    stress_rigging,
    stress_systems,
    stress_voters,
)
from caveat.workflows.options import DEFAULTS, Options

if TYPE_CHECKING:
    from caveat.data.evidence import Evidence
    from caveat.data.margins import Margins
    from caveat.results.parts import Part
    from caveat.results.ranking import Ranking
    from caveat.stats.ranking.fitted import FittedBoard


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bench:
    """What a stress test may read.

    Attributes
    ----------
    votes : Evidence
    board : Ranking
    fitted : FittedBoard
        The fit of `board`.
    voters : Evidence or None
        Declared attributes of voters.
    models : mapping of str to mapping
        What the `models` table declares of each model; empty without one.
    populations : mapping of str to sequence of Margins
        Populations that voters are weighted to, by name.
    options : Options
    kept : dict
        What one test worked out and others can use.
    """

    votes: "Evidence"
    board: "Ranking"
    fitted: "FittedBoard"
    voters: "Evidence | None" = None
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    populations: "Mapping[str, Sequence[Margins]]" = field(default_factory=dict)
    options: Options = DEFAULTS
    kept: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """One stress test.

    Attributes
    ----------
    name : str
        As it stands in the JSON and in `untested`.
    title : str
        What it does, in a few words.
    run : callable
        Returns None where these votes do not call for it; raises `TooFewError` or `InputError`
        with the reason where it cannot run.
    """

    name: str
    title: str
    run: "Callable[[Bench], Part | None]"


TESTS: tuple[Test, ...] = (
    Test(name="drop", title="dropping a few votes", run=stress_drop.drop),
    Test(name="systems", title="asking other rating systems", run=stress_systems.systems),
    Test(name="position", title="turning the order of display", run=stress_answers.position),
    Test(name="style", title="holding style equal", run=stress_answers.style),
    Test(name="judging", title="putting judges side by side", run=stress_answers.judging),
    Test(name="annotators", title="holding judges against people", run=stress_answers.annotators),
    Test(name="sampling", title="counting who was shown", run=stress_illusion.sampling),
    Test(name="removal", title="leaving removed models out", run=stress_illusion.removal),
    Test(name="variants", title="setting the lead against luck", run=stress_illusion.variants),
    Test(name="connections", title="following connections", run=stress_illusion.connections),
    Test(name="fit", title="judging the fit", run=stress_illusion.fit),
    Test(name="rigging", title="testing voters", run=stress_rigging.rigging),
    Test(name="voters", title="weighing voters", run=stress_voters.voters),
)
