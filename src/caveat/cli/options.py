"""Options that commands share, in groups; a command takes the groups it needs.

An option left out is None where a settings file may say something instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter, Token

FailOn = Literal["none", "info", "notice", "warning", "serious"]
Policy = Literal["drop", "as-disagreement", "as-option"]
BadRows = Literal["error", "drop"]
Contrast = Literal["relative", "difference"]
Likelihood = Literal["auto", "bradley-terry", "davidson", "rao-kupper"]
Method = Literal[
    Likelihood,
    "elo",
    "elo-shuffled",
    "glicko2",
    "trueskill",
    "win-rate",
    "pagerank",
    "eigenvector",
    "baseline",
]


def _named(_type: object, tokens: Sequence[Token]) -> tuple[Path, ...]:
    """Return paths; an empty word (a variable that is not set) would mean this folder."""
    if not all(token.value for token in tokens):
        raise ValueError("must be a path, got ''")
    return tuple(Path(token.value) for token in tokens)


def _paths(name: str, text: str) -> Parameter:
    return Parameter(name=name, required=True, negative=(), help=text, converter=_named)


Sources = Annotated[tuple[Path, ...], _paths("SOURCE", "Files or folders to read.")]
Votes = Annotated[tuple[Path, ...], _paths("VOTES", "Files or folders that hold votes.")]
Responses = Annotated[
    tuple[Path, ...], _paths("RESPONSES", "Files or folders that hold responses to items.")
]

# Groups of options, in the order in which `--help` shows them.
ABOUT_REPORT = Group("Report", sort_key=1)
ABOUT_IMPORT = Group("Import", sort_key=1)
ABOUT_EXPORT = Group("Export", sort_key=1)
ABOUT_RULES = Group("Rules", sort_key=2)
ABOUT_FIGURES = Group("Figures", sort_key=3)
ABOUT_READING = Group("Reading", sort_key=4)
ABOUT_SETTINGS = Group("Settings file", sort_key=5)
ABOUT_OUTPUT = Group("Output", sort_key=6)


def flag(text: str, alias: str | None = None) -> Parameter:
    """Describe a switch."""
    return Parameter(negative=(), show_default=False, help=text, alias=alias)


Pairs = tuple[tuple[str, str], ...]


def _two_models(text: str) -> Parameter:
    """Describe an option that takes the names of two models, as often as wanted."""
    return Parameter(metavar="A B", negative=(), show_default=False, help=text)


def _stated(default: object) -> Parameter:
    """Show the default of an option that a settings file may replace."""
    return Parameter(show_default=lambda _: default, negative=())


@Parameter(name="*", group=ABOUT_OUTPUT)
@dataclass(frozen=True, kw_only=True)
class Usual:
    """Every command: where the answer goes and how much is said."""

    json: Annotated[
        str | None,
        Parameter(
            metavar="FILE",
            negative=(),
            help="Write the answer as JSON; - or no FILE is the standard output.",
        ),
    ] = None
    quiet: Annotated[bool, flag("Say nothing but the answer and errors.", "-q")] = False
    no_color: Annotated[bool, flag("Write without colours (so does NO_COLOR=1).")] = False
    debug: Annotated[bool, flag("Show the traceback of an error.")] = False


@Parameter(name="*", group=ABOUT_SETTINGS)
@dataclass(frozen=True, kw_only=True)
class SettingsFile:
    """Commands whose options a settings file may set."""

    config: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            negative=(),
            help="Settings file, instead of the nearest caveat.toml or pyproject.toml.",
        ),
    ] = None
    no_config: Annotated[bool, flag("Read no settings file.")] = False


@Parameter(name="*", group=ABOUT_READING)
@dataclass(frozen=True, kw_only=True)
class Reading:
    """How sources are read."""

    map: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="NAME=COLUMN",
            negative=(),
            show_default=False,
            help="Read one of our columns from a column of the file: model=system. Repeatable.",
        ),
    ] = ()
    aliases: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            negative=(),
            help="Table of names of models and the names they stand for (TOML or CSV).",
        ),
    ] = None
    bad_rows: Annotated[
        BadRows | None,
        _stated("error"),
        Parameter(help="Stop at a row that breaks a rule, or drop and count it."),
    ] = None
    model_name: Annotated[
        str | None,
        Parameter(
            metavar="NAME", negative=(), help="Model of a file that does not name its model."
        ),
    ] = None


@Parameter(name="*", group=ABOUT_FIGURES)
@dataclass(frozen=True, kw_only=True)
class Level:
    """Intervals."""

    level: Annotated[float | None, _stated(0.95), Parameter(help="Level of all intervals.")] = None


@Parameter(name="*", group=ABOUT_FIGURES)
@dataclass(frozen=True, kw_only=True)
class FromVotes(Level):
    """Figures made from votes, whatever the rating system."""

    seed: Annotated[
        int | None,
        _stated(0),
        Parameter(help="Seed of the simulated critical value and the bootstrap."),
    ] = None
    bootstrap: Annotated[
        int | None,
        _stated(0),
        Parameter(metavar="N", help="Bootstrap replicates, 100 to 10,000; 0 uses sandwich errors."),
    ] = None
    anchor: Annotated[
        str | None,
        _stated("the model with most votes"),
        Parameter(metavar="MODEL", help="Model whose rating is fixed at 1000 points."),
    ] = None
    position: Annotated[
        bool | None,
        _stated("no"),
        Parameter(help="Fit an advantage of the answer shown first."),
    ] = None
    cluster: Annotated[
        str | None,
        _stated("none"),
        Parameter(
            metavar="COLUMN",
            help="Count votes that share a voter, item, battle, ... together in all errors.",
        ),
    ] = None


@Parameter(name="*", group=ABOUT_FIGURES)
@dataclass(frozen=True, kw_only=True)
class Ranks(FromVotes):
    """Figures that stand on a likelihood model."""

    method: Annotated[
        Likelihood | None,
        _stated("auto"),
        Parameter(help="Rating model; auto models ties by Davidson where there are enough."),
    ] = None


@Parameter(name="*", group=ABOUT_FIGURES)
@dataclass(frozen=True, kw_only=True)
class Weighed(Ranks):
    """Figures that may weigh voters."""

    margins: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="FILE",
            negative=(),
            show_default=False,
            help="Weight voters to the population whose margins this file states (TOML, or a "
            "census table). Repeatable.",
        ),
    ] = ()
    disclosure: Annotated[
        int | None,
        _stated(10),
        Parameter(metavar="N", help="Tell nothing of fewer voters than these; 1 hides nothing."),
    ] = None
    trim: Annotated[
        float | None,
        _stated(5.0),
        Parameter(metavar="X", help="Largest weight of a voter, by the mean; 0 for no limit."),
    ] = None


@Parameter(name="*", group=ABOUT_FIGURES)
@dataclass(frozen=True, kw_only=True)
class Stressed(Weighed):
    """Figures of a board under stress."""

    pair: Annotated[
        Pairs,
        _two_models("Find what it takes to turn the order of these two models round. Repeatable."),
    ] = ()
    boundaries: Annotated[
        int | None,
        _stated(10),
        Parameter(metavar="N", help="Try to change the best k models, for k from 1 to N."),
    ] = None


@Parameter(name="*", group=ABOUT_FIGURES)
@dataclass(frozen=True, kw_only=True)
class Systems(FromVotes):
    """Figures of any rating system."""

    method: Annotated[
        Method | None,
        _stated("auto"),
        Parameter(help="Rating system; auto models ties by Davidson where there are enough."),
    ] = None
    control: Annotated[
        str | None,
        _stated("none"),
        Parameter(
            metavar="COLUMNS",
            help="Hold paired columns equal, as chars,lists for chars_a and chars_b; or all.",
        ),
    ] = None
    contrast: Annotated[
        Contrast | None,
        _stated("relative"),
        Parameter(help="How two answers differ: (a - b) / (a + b), or a - b."),
    ] = None
    by: Annotated[
        str | None,
        _stated("none"),
        Parameter(metavar="COLUMN", help="A board for each task, language, ... as well."),
    ] = None
    k: Annotated[
        float | None,
        _stated(32),
        Parameter(help="elo, elo-shuffled: points that the least likely win would bring."),
    ] = None
    shuffles: Annotated[
        int | None, _stated(30), Parameter(metavar="N", help="elo-shuffled: orders averaged.")
    ] = None
    period: Annotated[
        str | None,
        _stated("month"),
        Parameter(metavar="PERIOD", help="glicko2: day, week, month, or a number of votes."),
    ] = None
    baseline: Annotated[
        str | None,
        _stated("the model with most opponents"),
        Parameter(metavar="MODEL", help="baseline: the model all are compared with."),
    ] = None


@Parameter(name="*", group=ABOUT_FIGURES)
@dataclass(frozen=True, kw_only=True)
class Answers(Level):
    """Figures made from responses."""

    policy: Annotated[
        Policy | None,
        _stated("drop"),
        Parameter(help="What an unparsed answer counts as when answers are compared."),
    ] = None
    metric: Annotated[
        str | None,
        _stated("the one with most rows"),
        Parameter(metavar="NAME", help="Which metric or scorer counts, where there are several."),
    ] = None
    filter: Annotated[
        str | None,
        _stated("the one with most rows"),
        Parameter(metavar="NAME", help="Which answer filter counts, where there are several."),
    ] = None
    margin: Annotated[
        float | None,
        _stated(0.01),
        Parameter(help="Difference of scores up to which two models count as equal."),
    ] = None
    same: Annotated[
        Pairs,
        _two_models("These two are one model run twice, as on two hosts. Repeatable."),
    ] = ()


@Parameter(name="*", group=ABOUT_FIGURES)
@dataclass(frozen=True, kw_only=True)
class Compared(Answers):
    """Figures of models compared item by item."""

    pair: Annotated[
        Pairs,
        _two_models(
            "Find the items whose removal turns the order of these two models. Repeatable."
        ),
    ] = ()


@Parameter(name="*", group=ABOUT_FIGURES)
@dataclass(frozen=True, kw_only=True)
class Figures(Weighed, Answers):
    """All of them."""


@Parameter(name="*", group=ABOUT_RULES)
@dataclass(frozen=True, kw_only=True)
class Rules:
    """Which rules run, and what fails."""

    select: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="CODES",
            negative=(),
            show_default=False,
            help="Run only these codes or families: RNK,DAT104. Repeatable.",
        ),
    ] = ()
    ignore: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="CODES",
            negative=(),
            show_default=False,
            help="Do not run these codes or families. Repeatable.",
        ),
    ] = ()
    fail_on: Annotated[
        FailOn | None,
        _stated("none for report, serious for check"),
        Parameter(help="Exit with 1 when a caveat is at least this severe."),
    ] = None


SETTINGS_FILE, READING = SettingsFile(), Reading()
RANKS, STRESSED, SYSTEMS = Ranks(), Stressed(), Systems()
ANSWERS, COMPARED = Answers(), Compared()
FIGURES, RULES = Figures(), Rules()
