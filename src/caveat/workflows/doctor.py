"""What each source is, what it supports and what is wrong with it, without running anything."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.importers.reading import Inspection


def doctor(sources: Iterable[str | Path]) -> "tuple[Inspection, ...]":
    """Look at the head of each source.

    Parameters
    ----------
    sources : iterable of path

    Returns
    -------
    tuple of Inspection
    """
    from caveat.importers.reading import inspect_path

    return tuple(inspect_path(source) for source in sources)
