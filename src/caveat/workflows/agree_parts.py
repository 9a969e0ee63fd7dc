"""The comparisons made on one benchmark, in the order a report shows them. One is added here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from caveat.errors import InputError, TooFewError
from caveat.results.parts import Part, Untested
from caveat.workflows import (
    agree_data,
    agree_disagreement,
    agree_fragility,
    agree_items,
    agree_judges,
    agree_noise,
    agree_paired,
)
from caveat.workflows.options import DEFAULTS, Options

if TYPE_CHECKING:
    import pyarrow as pa

    from caveat.data.matrix import ResponseMatrix
    from caveat.results.agreement import Agreement, Scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Desk:
    """What a comparison may read.

    Attributes
    ----------
    rows : pyarrow.Table
        All rows of the benchmark, every metric and filter of them.
    matrix : ResponseMatrix
        One score of each answer, by item and model.
    scores : Scores
    agreement : Agreement or None
        None where no two models can be compared.
    models : mapping of str to mapping
        What the `models` table declares of each model; empty without one.
    published : sequence of mapping
        Rows of scores published for this benchmark.
    options : Options
    kept : dict
        What one comparison worked out and others can use.
    """

    rows: "pa.Table"
    matrix: "ResponseMatrix"
    scores: "Scores"
    agreement: "Agreement | None" = None
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    published: Sequence[Mapping[str, Any]] = ()
    options: Options = DEFAULTS
    kept: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreePart:
    """One comparison.

    Attributes
    ----------
    name : str
        As it stands in `untested`.
    title : str
        What it does, in a few words.
    run : callable
        Returns None where these responses do not call for it; raises `TooFewError` or
        `InputError` with the reason where it cannot be made.
    """

    name: str
    title: str
    run: Callable[[Desk], Part | None]


PARTS: tuple[AgreePart, ...] = (
    AgreePart(name="data", title="checking the data", run=agree_data.data),
    AgreePart(name="paired", title="testing pairs of models", run=agree_paired.paired),
    AgreePart(name="first_two", title="comparing the first two", run=agree_paired.first_two),
    AgreePart(
        name="disagreement",
        title="looking where pairs disagree",
        run=agree_disagreement.disagreement,
    ),
    AgreePart(name="noise", title="setting pairs against noise", run=agree_noise.noise),
    AgreePart(
        name="interchangeable",
        title="judging who may stand for whom",
        run=agree_noise.interchangeable,
    ),
    AgreePart(name="families", title="comparing relatives", run=agree_noise.families),
    AgreePart(name="sensitivity", title="changing prompt and parser", run=agree_noise.sensitivity),
    AgreePart(name="items", title="estimating items", run=agree_items.items),
    AgreePart(name="crowd", title="taking votes", run=agree_items.crowd),
    AgreePart(name="judges", title="judging the judges", run=agree_judges.judges),
    AgreePart(name="item_removal", title="taking items away", run=agree_fragility.item_removal),
    AgreePart(name="rank_intervals", title="bounding ranks", run=agree_fragility.rank_intervals),
    AgreePart(name="winner", title="correcting the leader", run=agree_fragility.winner),
    AgreePart(name="choices", title="varying choices", run=agree_fragility.choices),
)


def parts_of(desk: Desk) -> tuple[tuple[Part, ...], tuple[Untested, ...]]:
    """Make all comparisons; those that could not be made come with the reason."""
    parts: list[Part] = []
    untested: list[Untested] = []
    for number, one in enumerate(PARTS):
        desk.options.tell(f"{desk.matrix.benchmark}: {one.title}", number, len(PARTS))
        try:
            found = one.run(desk)
        except (TooFewError, InputError) as error:
            untested.append(Untested(part=one.name, why=str(error)))
        else:
            parts += [found] if found is not None else []
    return tuple(parts), tuple(untested)
