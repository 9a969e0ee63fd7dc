"""From responses to scores, agreement and the state of the data, benchmark by benchmark."""

import difflib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from caveat.errors import InputError, TooFewError
from caveat.results.report import BenchmarkFindings
from caveat.workflows.agree_parts import Desk, parts_of
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources, read
from caveat.workflows.stress import declared

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from caveat.data.evidence import Evidence
    from caveat.results.agreement import Agreement
    from caveat.results.quality import ResponseQuality


def agree(
    responses: Sources, *, benchmark: str | None = None, options: Options = DEFAULTS
) -> "Agreement":
    """Compare the answers of all pairs of models on one benchmark.

    Parameters
    ----------
    responses
        Anything `caveat.read_responses` takes, or what it returned.
    benchmark : str, optional
        Which one; needed when the responses hold several.
    options : Options
        `policy`, `level` and how to read.

    Returns
    -------
    Agreement

    Raises
    ------
    InputError
        If the responses hold several benchmarks and none is named.
    TooFewError
        If there is nothing to compare.
    """
    evidence = read(responses, kind="responses", options=options)["responses"]
    from caveat.data.matrix import benchmarks, response_matrix
    from caveat.stats.agreement.pairs import agreement

    names = benchmarks(evidence)
    if benchmark is None and len(names) > 1:
        raise InputError(f"benchmark must be one of {', '.join(names)}: the responses hold several")
    if benchmark is not None and benchmark not in names:
        raise InputError(f"benchmark must be one of {', '.join(names)}, got {benchmark!r}")
    compared = agreement(
        response_matrix(
            evidence, benchmark or names[0], metric=options.metric, filter=options.filter
        ),
        policy=options.policy,
        level=options.level,
    )
    return replace(compared, provenance=evidence.provenance)


def agree_all(
    responses: Sources,
    *,
    options: Options = DEFAULTS,
    models: "Mapping[str, Mapping[str, Any]] | None" = None,
    published: "Evidence | None" = None,
    without_pairs: Literal["scores", "refuse"] = "scores",
) -> tuple[BenchmarkFindings, ...]:
    """Score and compare models on every benchmark of the responses.

    Parameters
    ----------
    responses
        Anything `caveat.read` takes: responses, and perhaps a table of models.
    options : Options
    models : mapping of str to mapping, optional
        What is declared of each model; what a table of models among the sources says by default.
    published : Evidence, optional
        Published scores, to be compared with what the items give.
    without_pairs : str
        What to do when answers are there and no two models can be compared on any benchmark:
        return `scores` alone, or `refuse`.

    Returns
    -------
    tuple of BenchmarkFindings
        In the order the benchmarks first appear.

    Raises
    ------
    TooFewError
        If there is nothing to compare and that is to be refused.
    """
    found_in = read_beside(responses, options=options)
    evidence = found_in.responses
    beside = Beside(
        responses=evidence,
        models=found_in.models if models is None else models,
        published=published or found_in.published,
    )
    from caveat.data.matrix import benchmarks

    check_named(evidence, options.same, how="same (--same A B)")
    if without_pairs == "refuse":
        check_named(evidence, options.pairs, how="pairs (--pair A B)")
    few: list[TooFewError] = []
    found = tuple(_one(beside, name, options=options, few=few) for name in benchmarks(evidence))
    if without_pairs == "refuse" and few and len(few) == len(found):
        raise TooFewError(
            few[0].what,
            got=few[0].got,
            need=few[0].need,
            remedy=few[0].remedy
            or "add answers of another model to the same items (ids must be spelt alike in all "
            "files), or use `caveat report`, which shows scores alone",
        ) from few[0]
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Beside:
    """Responses, and what stands beside them.

    Attributes
    ----------
    responses : Evidence
    models : mapping of str to mapping
        What a table of models declares of each; empty without one.
    published : Evidence or None
    """

    responses: "Evidence"
    models: "Mapping[str, Mapping[str, Any]]"
    published: "Evidence | None" = None

    def published_of(self, benchmark: str) -> "list[dict[str, Any]]":
        """Return the rows of published scores of one benchmark."""
        if self.published is None:
            return []
        rows: list[dict[str, Any]] = self.published.table.to_pylist()
        return [row for row in rows if row.get("benchmark") == benchmark]


def read_beside(sources: Sources, *, options: Options) -> Beside:
    """Read responses, and a table of models or published scores among the sources."""
    evidence = read(sources, options=options)
    if "responses" not in evidence:
        raise InputError(f"sources must hold responses, got {', '.join(evidence)}")
    return Beside(
        responses=evidence["responses"],
        models=declared(evidence.get("models")),
        published=evidence.get("published"),
    )


def check_named(evidence: "Evidence", pairs: "Sequence[tuple[str, str]]", *, how: str) -> None:
    """Refuse pairs of models that no response bears the name of."""
    import pyarrow.compute as pc

    if not pairs:
        return
    names = set(pc.unique(evidence.table["model"]).to_pylist())
    for name in (name for pair in pairs for name in pair):
        if name not in names:
            near = difflib.get_close_matches(name, sorted(names), n=3, cutoff=0.4)
            hint = ", ".join(near or sorted(names)[:10])
            raise InputError(
                f"{how} must name models of the responses, got {name!r}; did you mean {hint}?"
            )


def _one(
    beside: Beside,
    benchmark: str,
    *,
    options: Options,
    few: list[TooFewError],
) -> BenchmarkFindings:
    from caveat.data.matrix import matrix_of, rows_of
    from caveat.data.readings import one_reading
    from caveat.stats.agreement.pairs import agreement
    from caveat.stats.quality.responses import response_quality
    from caveat.stats.scores.accuracy import scores

    evidence = beside.responses
    options.tell(f"comparing models on {benchmark}")
    every = rows_of(evidence, benchmark)
    rows, readings = one_reading(every, metric=options.metric, filter=options.filter)
    matrix = matrix_of(rows, benchmark, readings=readings)
    quality = response_quality(rows, matrix)
    found: Agreement | None = None
    if not matrix.has_answers:
        why = "no predictions in the source: scores alone do not tell answers apart"
        quality = _also_skipped(quality, ("AGR301 same score, different answers", why))
    else:
        try:
            found = agreement(matrix, policy=options.policy, level=options.level)
        except TooFewError as error:
            few.append(error)
            skipped = ("AGR301 same score, different answers", str(error))
            quality = _also_skipped(quality, skipped)
    provenance = evidence.provenance
    scored = replace(scores(matrix, level=options.level), provenance=provenance)
    compared = replace(found, provenance=provenance) if found else None
    parts, untested = parts_of(
        Desk(
            rows=every,
            matrix=matrix,
            scores=scored,
            agreement=compared,
            models=beside.models,
            published=beside.published_of(benchmark),
            options=options,
        )
    )
    return BenchmarkFindings(
        scores=scored,
        agreement=compared,
        quality=replace(quality, provenance=provenance),
        parts=parts,
        untested=untested,
    )


def _also_skipped(quality: "ResponseQuality", skipped: tuple[str, str]) -> "ResponseQuality":
    return replace(quality, skipped=(*quality.skipped, skipped))
