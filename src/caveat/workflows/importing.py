"""Turn sources of other tools into evidence tables on disk."""

from pathlib import Path
from typing import TYPE_CHECKING

from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources, read

if TYPE_CHECKING:
    from caveat.data.evidence import Evidence


def import_sources(
    sources: Sources, out: str | Path, *, options: Options = DEFAULTS, dry_run: bool = False
) -> "tuple[tuple[Path, Evidence], ...]":
    """Read the sources and write one Parquet file per kind of evidence.

    Parameters
    ----------
    sources
        A path, a frame, or a list of these.
    out : path
        Workspace; made if it is not there. The files go to its folder `evidence`; each is
        written beside its place and moved there when whole.
    options : Options
    dry_run : bool
        Read and count, write nothing.

    Returns
    -------
    tuple of (Path, Evidence)
        Each file with what it holds.
    """
    from caveat.importers.writing import write_evidence

    tables = tuple(read(sources, options=options).values())
    folder = Path(out) / "evidence"
    paths = (
        tuple(folder / f"{table.kind}.parquet" for table in tables)
        if dry_run
        else write_evidence(tables, out)
    )
    return tuple(zip(paths, tables, strict=True))
