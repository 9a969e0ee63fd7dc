"""What was written for another tool."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """One file of results.

    Attributes
    ----------
    path : Path
    model, benchmark : str
    rows : int
        Rows of evidence in it, or in the file of samples beside it.
    results : int
        Aggregate figures in it.
    """

    path: Path
    model: str
    benchmark: str
    rows: int
    results: int
