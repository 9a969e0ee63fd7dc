"""Caveats only."""

from dataclasses import replace

from caveat.results.caveat import Caveat
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources
from caveat.workflows.report import report


def check(
    sources: Sources,
    *,
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    options: Options = DEFAULTS,
) -> tuple[Caveat, ...]:
    """Return what to keep in mind about some evidence, most severe first.

    Parameters
    ----------
    sources
        A path, a frame, `Evidence`, or a list of these.
    select, ignore : tuple of str
        Codes or their beginnings (`"RNK"`), over those of `options`.
    options : Options

    Returns
    -------
    tuple of Caveat
    """
    chosen = replace(options, select=select or options.select, ignore=ignore or options.ignore)
    return report(sources, options=chosen).caveats
