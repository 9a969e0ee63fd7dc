"""Turn sources of other tools into evidence tables on disk."""

from pathlib import Path
from typing import TYPE_CHECKING

from caveat.errors import InputError
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources, read

if TYPE_CHECKING:
    from caveat.data.alias_proposals import Proposal
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
    paths = places_of(tables, out) if dry_run else write_evidence(tables, out)
    return tuple(zip(paths, tables, strict=True))


def places_of(tables: "tuple[Evidence, ...]", out: str | Path) -> tuple[Path, ...]:
    """Return where tables would be written."""
    return tuple(Path(out) / "evidence" / f"{table.kind}.parquet" for table in tables)


def propose_aliases(tables: "tuple[Evidence, ...]", file: str | Path) -> "tuple[Proposal, ...]":
    """Write which names of models may be one, for somebody to accept or not.

    Parameters
    ----------
    tables
        Evidence as read.
    file : path
        A new file: CSV where its name ends with `.csv`, else TOML. Nothing in it counts before
        it was edited.

    Raises
    ------
    InputError
        If the file exists: it may have been edited.
    """
    from caveat._files import all_or_nothing
    from caveat.data.alias_proposals import as_csv, as_toml, propose
    from caveat.workflows.surveying import model_rows

    path = Path(file)
    check_new(path)
    proposals = propose(model_rows(tables))
    text = (as_csv if path.suffix.lower() == ".csv" else as_toml)(proposals)
    with all_or_nothing(path) as part:
        part.write_text(text, encoding="utf-8")
    return proposals


def check_new(path: Path) -> None:
    """Refuse a file of proposals that is there: somebody may have edited it."""
    if path.exists():
        raise InputError(f"{path}: exists, and may have been edited; name a new file")
