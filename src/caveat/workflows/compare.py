"""Two models, item by item."""

from typing import TYPE_CHECKING, Any

from caveat.errors import InputError, TooFewError
from caveat.workflows.agree import read_beside
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources

if TYPE_CHECKING:
    from caveat.results.comparison.pair import PairComparison
    from caveat.results.provenance import Provenance


def compare(
    a: str,
    b: str,
    responses: Sources,
    *,
    options: Options = DEFAULTS,
) -> "tuple[PairComparison, ...]":
    """Compare two models on every benchmark that both have answered.

    Parameters
    ----------
    a, b : str
        Names of two models.
    responses
        Anything `caveat.read` takes.
    options : Options
        `level`, `margin`, `metric`, `filter` and how to read.

    Returns
    -------
    tuple of PairComparison
        One for each benchmark, in the order they first appear.

    Raises
    ------
    InputError
        If a name is none of the models', or both are the same.
    TooFewError
        If the two share no item of any benchmark.

    Examples
    --------
    >>> import caveat
    >>> rows = {"benchmark": ["b"] * 6, "item": ["1", "2", "3"] * 2,
    ...         "model": ["x"] * 3 + ["y"] * 3, "score": [1, 1, 0, 1, 0, 0]}
    >>> caveat.compare("x", "y", rows)[0].test.n
    3
    """
    return compared(a, b, responses, options=options)[0]


def compared(
    a: str, b: str, responses: Sources, *, options: Options
) -> "tuple[tuple[PairComparison, ...], Provenance]":
    """Compare two models, and tell what the responses were read from."""
    from caveat.data.matrix import benchmarks, matrix_of, rows_of
    from caveat.data.readings import one_reading
    from caveat.stats.comparison.compare import compare as compare_pair

    evidence = read_beside(responses, options=options).responses
    names = benchmarks(evidence)
    found: list[PairComparison] = []
    apart: list[TooFewError] = []
    seen: set[str] = set()
    for name in names:
        rows, readings = one_reading(
            rows_of(evidence, name), metric=options.metric, filter=options.filter
        )
        matrix = matrix_of(rows, name, readings=readings)
        seen |= set(matrix.models)
        if not {a, b} <= set(matrix.models):
            continue
        options.tell(f"comparing {a} with {b} on {name}")
        try:
            made = compare_pair(matrix, a, b, margin=options.margin, level=options.level)
        except TooFewError as error:
            apart.append(error)
        else:
            found.append(made)
    if not found:
        raise _nothing(a, b, seen, apart)
    return tuple(found), evidence.provenance


def _nothing(a: str, b: str, seen: set[str], apart: list[TooFewError]) -> Exception:
    import difflib

    for model in (a, b):
        if model not in seen:
            near = difflib.get_close_matches(model, sorted(seen), n=3, cutoff=0.4)
            hint = ", ".join(near or sorted(seen)[:10])
            return InputError(f"no response is of model {model!r}; did you mean {hint}?")
    return apart[0] if apart else TooFewError(f"benchmarks that {a} and {b} share", got=0, need=1)


def compare_dict(found: "tuple[PairComparison, ...]") -> dict[str, Any]:
    """Return the result part of `caveat compare --json`."""
    return {"comparisons": [one.to_dict() for one in found]}
