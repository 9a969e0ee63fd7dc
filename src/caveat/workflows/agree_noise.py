"""Comparisons about noise: one model with itself, who may stand for whom, relatives, variants."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from caveat.errors import InputError, TooFewError

if TYPE_CHECKING:
    import pyarrow as pa

    from caveat.data.parser_columns import ParserColumns
    from caveat.data.replicates import Replicates
    from caveat.results.comparison.interchange import Interchange
    from caveat.results.comparison.noise import NoiseFloor
    from caveat.results.comparison.relatives import Relatives
    from caveat.results.comparison.sensitivity import Sensitivity
    from caveat.stats.comparison.floors import Floors
    from caveat.workflows.agree_parts import Desk

T = TypeVar("T")


def noise(desk: "Desk") -> "NoiseFloor":
    """Set pairs against the disagreement of one model with itself."""
    from caveat.stats.comparison.noise_floor import noise_floor

    if not desk.matrix.has_answers:
        raise InputError("the source has no answers, only scores")
    floors = floors_of_desk(desk)
    if not floors:
        raise TooFewError(
            "times any model ran",
            got=1,
            need=2,
            remedy="a column repeat, run or prompt tells runs of one model apart, --same A B says "
            "that two names are one model",
        )
    return noise_floor(
        desk.matrix,
        floors,
        policy=desk.options.policy,
        level=desk.options.level,
        left_out=dict(_parsers(desk).left_out),
    )


def interchangeable(desk: "Desk") -> "Interchange | None":
    """Judge which models may stand for each other; None for a single model."""
    from caveat.stats.comparison.interchange import Limits, interchange

    if len(desk.matrix.models) < 2:
        return None
    return interchange(
        desk.matrix,
        floors_of_desk(desk) if desk.matrix.has_answers else (),
        limits=Limits(score=desk.options.margin),
        policy=desk.options.policy,
        level=desk.options.level,
    )


def families(desk: "Desk") -> "Relatives | None":
    """Set likeness within families against that between them; None without any family."""
    from caveat.stats.comparison.relatives import relatives

    if desk.agreement is None:
        return None
    return relatives(desk.agreement, models=desk.models, seed=desk.options.seed)


def sensitivity(desk: "Desk") -> "Sensitivity | None":
    """Compare orders of models under variants; None where there are no variants."""
    from caveat.stats.comparison.sensitivity import sensitivity as run

    variants = variants_of_desk(desk)
    if not variants:
        return None
    return run(variants, level=desk.options.level, seed=desk.options.seed)


def floors_of_desk(desk: "Desk") -> "tuple[Floors, ...]":
    """Work out once what each model's own noise is, from every source."""
    from caveat.stats.comparison.floors import floors_of, host_floors

    def work_out() -> "tuple[Floors, ...]":
        policy = desk.options.policy
        found = [
            floors_of(one, desk.matrix, policy=policy, source=one.source)
            for one in variants_of_desk(desk)
        ]
        found.append(
            host_floors(desk.matrix, same=desk.options.same, models=desk.models, policy=policy)
        )
        return tuple(one for one in found if one is not None)

    return _once(desk, "floors", work_out)


def variants_of_desk(desk: "Desk") -> "tuple[Replicates, ...]":
    """Arrange once the runs, repeats, prompts and readings of the same models."""
    from caveat.data.replicates import replicates

    def work_out() -> "tuple[Replicates, ...]":
        rows, name = one_reading_of_desk(desk), desk.matrix.benchmark
        found = [replicates(rows, name, source) for source in ("repeat", "run", "prompt")]
        read = _parsers(desk).replicates or replicates(_one_metric(desk), name, "filter")
        return tuple(one for one in (*found, read) if one is not None)

    return _once(desk, "variants", work_out)


def _parsers(desk: "Desk") -> "ParserColumns":
    from caveat.data.parser_columns import parser_columns

    def work_out() -> "ParserColumns":
        return parser_columns(one_reading_of_desk(desk), desk.matrix.benchmark)

    return _once(desk, "parsers", work_out)


def one_reading_of_desk(desk: "Desk") -> "pa.Table":
    """Rows with one score of each answer."""
    from caveat.data.readings import one_reading

    options = desk.options

    def work_out() -> "pa.Table":
        return one_reading(desk.rows, metric=options.metric, filter=options.filter)[0]

    return _once(desk, "rows", work_out)


def _one_metric(desk: "Desk") -> "pa.Table":
    """Rows of every filter, by the metric that counts."""
    if "metric" not in desk.rows.column_names or not desk.matrix.readings:
        return desk.rows
    import pyarrow.compute as pc

    metric = desk.matrix.readings[0].metric
    wanted = pc.equal(desk.rows["metric"], metric) if metric else pc.is_null(desk.rows["metric"])
    return desk.rows.filter(wanted)


def _once(desk: "Desk", name: str, work_out: Callable[[], T]) -> T:
    key = f"noise.{name}"
    if key not in desk.kept:
        desk.kept[key] = work_out()
    found: T = desk.kept[key]
    return found
