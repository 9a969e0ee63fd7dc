"""Sources as they were named on the command line."""

import os
from collections.abc import Iterable
from pathlib import Path

from caveat.errors import InputError


def each_once(sources: Iterable[Path]) -> list[Path]:
    """Return the sources; one given twice is refused, since its rows would count twice."""
    places: dict[str, Path] = {}
    for source in sources:
        if places.setdefault(os.path.realpath(source), source) is not source:
            raise InputError(f"SOURCE must be given once, got {source} twice")
    return list(places.values())
