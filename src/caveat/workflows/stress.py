"""From votes to a board under stress."""

from typing import TYPE_CHECKING

from caveat.errors import InputError, TooFewError
from caveat.results.parts import Untested
from caveat.results.stress.stress import Stress
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.rank import rank_fitted
from caveat.workflows.read import Sources, read
from caveat.workflows.stress_parts import TESTS, Bench
from caveat.workflows.stress_voters import populations

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from caveat.data.evidence import Evidence
_UNFIXED = "the votes are too few to fix all that this test fits"
"""A singular system: on boards of a few votes, some direction of the parameters has no evidence."""


def stress(sources: Sources, *, options: Options = DEFAULTS) -> Stress:
    """Rate models from votes and try to shake the board.

    Parameters
    ----------
    sources
        Votes, as anything `caveat.read` takes; a table of voters or of models may stand beside.
    options : Options

    Returns
    -------
    Stress

    Raises
    ------
    InputError
        If there are no votes among the sources.

    Examples
    --------
    >>> import caveat
    >>> votes = {"model_a": ["x"] * 50, "model_b": ["y"] * 50, "winner": ["a"] * 30 + ["b"] * 20}
    >>> caveat.stress(votes).board.lead.leader
    'x'
    """
    evidence = read(sources, options=options)
    if "votes" not in evidence:
        raise InputError("sources must hold votes, got none")
    return stress_of(evidence["votes"], evidence, options=options)


def stress_of(votes: "Evidence", evidence: "Mapping[Any, Evidence]", *, options: Options) -> Stress:
    """Put the board of some votes under stress, with what else is known."""
    board, fitted = rank_fitted(votes, options=options)
    if options.pairs:
        from caveat.stats.robustness.drop_a_few import contests_of

        contests_of(fitted, options.pairs)  # misuse is told before anything runs
    asked = populations(options.margins) if options.margins else {}
    bench = Bench(
        votes=votes,
        board=board,
        fitted=fitted,
        voters=evidence.get("voters"),
        models=declared(evidence.get("models")),
        populations=asked,
        options=options,
    )
    from numpy.linalg import LinAlgError

    parts, untested = [], []
    if board.lead is None:
        untested = [Untested(part=t.name, why="no two models are rated") for t in TESTS]
    for number, test in enumerate(TESTS if board.lead else ()):
        options.tell(test.title, number, len(TESTS))
        try:
            found = test.run(bench)
        except (TooFewError, InputError) as error:
            untested.append(Untested(part=test.name, why=str(error)))
        except LinAlgError:
            untested.append(Untested(part=test.name, why=_UNFIXED))
        else:
            parts += [found] if found is not None else []
    return Stress(
        board=board, parts=tuple(parts), untested=tuple(untested), provenance=votes.provenance
    )


def declared(models: "Evidence | None") -> "Mapping[str, Mapping[str, Any]]":
    """Return what a table of models says of each."""
    if models is None:
        return {}
    return {row["model"]: row for row in models.table.to_pylist()}
