"""Caveats of a single result, without reading or computing anything else."""

from caveat.results.caveat import Caveat
from caveat.results.report import Findings
from caveat.workflows.options import DEFAULTS, Options


def caveats_of(findings: Findings, *, options: Options = DEFAULTS) -> tuple[Caveat, ...]:
    """Return what to keep in mind about these findings, most severe first.

    Examples
    --------
    >>> caveats_of(Findings())
    ()
    """
    from caveat.rules.engine import Selection, run_rules

    selection = Selection(
        select=options.select, ignore=options.ignore, thresholds=options.thresholds
    )
    return run_rules(findings, selection)
