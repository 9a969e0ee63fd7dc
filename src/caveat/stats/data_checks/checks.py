"""All checks of the data, put together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import ResponseMatrix
from caveat.data.replicates import Replicates
from caveat.results.agreement import Agreement
from caveat.results.data_checks import DataChecks
from caveat.stats.data_checks.alike import alike
from caveat.stats.data_checks.breaks import canaries, held_out_break, release_break
from caveat.stats.data_checks.contradicted import contradicted
from caveat.stats.data_checks.costs import flat_cost, zeros
from caveat.stats.data_checks.lost_formats import lost_formats
from caveat.stats.data_checks.missingness import not_at_random
from caveat.stats.data_checks.options import options_differ
from caveat.stats.data_checks.published import unmatched
from caveat.stats.data_checks.repeated import repeated
from caveat.stats.data_checks.revised import revised
from caveat.stats.data_checks.shuffled import shuffled

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Known:
    """What is known of a benchmark beside its answers.

    Attributes
    ----------
    values : callable
        Given the name of a column, its numbers by item and model.
    read : Replicates or None
        The answers by each reading.
    models : mapping of str to mapping
        What is declared of each model.
    published : sequence of mapping
        Scores published for this benchmark.
    pairs : Agreement or None
        All pairs of models, where they can be compared.
    """

    values: Callable[[str], npt.NDArray[np.float64]]
    read: Replicates | None = None
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    published: Sequence[Mapping[str, Any]] = ()
    pairs: Agreement | None = None


def data_checks(
    rows: "pa.Table", matrix: ResponseMatrix, known: Known, *, level: float = 0.95
) -> DataChecks:
    """Look for signs that the responses of a benchmark are not what they seem.

    Parameters
    ----------
    rows : pyarrow.Table
        Rows of the benchmark, one reading of each answer.
    matrix : ResponseMatrix
        The same, arranged.
    known : Known
    level : float
        Of the test of contamination, in (0, 1).

    Returns
    -------
    DataChecks
    """
    held = held_out_break(rows, matrix, level=level)
    released = release_break(rows, matrix, known.models, level=level)
    skipped = []
    if held is None and released is None:
        why = "no column tells public from held-out items, or when items were published"
        skipped.append(("DAT120 better on items that may have been seen", why))
    if not known.published:
        why = "no published scores among the sources"
        skipped.append(("DAT118 published score not met by the items", why))
    found, compared = unmatched(matrix, known.published)
    return DataChecks(
        readings=matrix.readings,
        shuffled=shuffled(matrix),
        options=options_differ(rows),
        revised=revised(rows),
        alike=alike(matrix, known.pairs),
        contradicted=contradicted(rows),
        zeros=zeros(rows),
        flat_cost=flat_cost(known.values) if "cost_usd" in rows.column_names else None,
        lost=lost_formats(known.read, matrix) if known.read is not None else (),
        not_at_random=not_at_random(matrix),
        repeated=repeated(rows, matrix),
        unmatched=found,
        published=compared,
        breaks=(*(held or ()), *(released or ())),
        canaries=canaries(rows),
        skipped=tuple(skipped),
    )
