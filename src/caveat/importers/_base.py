"""What every importer is given, and what it gives back.

Three kinds of importer, tried in this order (all are listed in `registry.py`):

`Bundle`
    A run that is several files, or a file that needs a companion beside it: claims groups of the
    files of one folder (with all below it) or of one archive, and reads each group whole.
`Importer`
    One file whose columns need more than renaming.
`TableFormat`, and within it `KnownTable`
    A container of tables, and a table in whatever container.

Writing a bundle: `claims(parts)` gets all parts that nobody claimed yet, in the order of their
names: the files of a folder, the members of one archive, or a single file that was named alone.
`part.file`, `part.folder` (name of the folder it lies in) and `part.place` (which folder) cost
nothing; `part.keys` and `part.start` read its beginning; `part.beside("results_*.json")` finds
companions, on the disk where the part was named alone. What is in no claim is read as if the
bundle did not exist. `read` returns one `Evidence` for each file whose rows it read, with
`Source(name=part.member.name, ...)`: size and digest are filled in. It raises `SourceError` or
`InputError` naming the file; `UnrecognisedError` for what is no evidence by itself: passed over
with a notice in a folder, an error where it was named. Under `bad_rows="drop"` a claim of a folder
that cannot be read counts as one dropped row.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from caveat._files import Limits, Progress
from caveat.data.builder import BadRows
from caveat.data.evidence import Evidence
from caveat.data.schema import Kind

if TYPE_CHECKING:
    import pyarrow as pa

    from caveat.importers.opening import Member
    from caveat.importers.parts import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How to read a source.

    Attributes
    ----------
    mapping : mapping of str to str
        Canonical column to the source's column, as in `--map model=system`.
    bound : callable or None
        Told each name of `mapping` that a source has the column for, when several sources
        share one mapping; None: a source without the column is an error.
    bad_rows : str
        `error` stops at the first cell that breaks a rule, `drop` drops and counts its row.
    columns : frozenset of str or None
        Canonical or extra columns to keep besides the required ones; None keeps all.
    model_name : str or None
        Name of the model where a format has it only in the file's name.
    limits : Limits
        What a source may at most be.
    progress : callable or None
        Called with bytes read and bytes in total (None: not known).
    """

    mapping: Mapping[str, str] = field(default_factory=dict)
    bound: Callable[[str], None] | None = None
    bad_rows: BadRows = "error"
    columns: frozenset[str] | None = None
    model_name: str | None = None
    limits: Limits = field(default_factory=Limits)
    progress: Progress | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The beginning of a source, decompressed, from which its format is recognised.

    Attributes
    ----------
    data : bytes
    complete : bool
        Whether `data` is the whole source.
    keys : tuple of str
        Keys of the first record, for JSON sources.
    """

    data: bytes
    complete: bool
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableStream:
    """A table with named columns, chunk by chunk, each with the number of its first row.

    Attributes
    ----------
    names : tuple of str
        All columns there are.
    text_only : bool
        Whether the source holds only text, so that numbers have to be recognised (CSV).
    rows : int or None
        Number of rows, where the format tells it without reading.
    order_known : bool
        Votes only: whether the model named first was shown first.
    notices : tuple of str
        What the source tells about its own history.
    chunks : callable
        Given the columns wanted (None: all), yields chunks. Rows the format itself could not
        read are told to `dropped`.
    """

    names: tuple[str, ...]
    text_only: bool = False
    rows: int | None = None
    order_known: bool = True
    notices: tuple[str, ...] = ()
    chunks: "ChunkReader"


class Dropped(Protocol):
    """Told of rows that the format could not read."""

    def __call__(self, reason: str, count: int, example: str, /) -> None:
        """Count the rows."""


LEFT_OUT = "left out"


class ChunkReader(Protocol):
    """Reads a table stream."""

    def __call__(
        self, wanted: tuple[str, ...] | None, dropped: Dropped, /
    ) -> Iterator[tuple[int, "pa.RecordBatch"]]:
        """Yield first row numbers and chunks."""


class TableFormat(Protocol):
    """A container of tables: CSV, JSON lines, Parquet, ..."""

    name: str
    doc: str

    def recognises(self, head: Head) -> bool:
        """Whether the source is of this format, judged by its content."""

    def stream(self, member: "Member", options: ReadOptions, /) -> TableStream:
        """Open the table."""


class KnownTable(Protocol):
    """A table of another tool, in whatever container, that needs more than other column names.

    Attributes
    ----------
    name, doc : str
    kind : str
        Kind of evidence it becomes.
    roles : mapping of str to str
        Columns that are read by more than their name, to what they become; `LEFT_OUT` for those
        that are not kept.
    """

    name: str
    doc: str
    kind: Kind
    roles: Mapping[str, str]

    def recognises(self, names: frozenset[str]) -> bool:
        """Whether these are its columns."""

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:
        """Return the table with columns of evidence; nothing is read yet."""


class Importer(Protocol):
    """A format whose columns need more than renaming."""

    name: str
    doc: str
    kind: Kind

    def recognises(self, head: Head) -> bool:
        """Whether the source is of this format, judged by its content."""

    def read(self, member: "Member", options: ReadOptions, /) -> Evidence:
        """Read the whole source."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Claim:
    """Files that one bundle reads together; no other format looks at them.

    Attributes
    ----------
    name : str
        What messages call the whole.
    parts : tuple of Part
        All of them, the one whose rows are read first; claims may share a companion.
    kind : str
        Kind of evidence it becomes; of several, the first.
    """

    name: str
    parts: tuple["Part", ...]
    kind: Kind


class Bundle(Protocol):
    """A format of several files that belong together.

    Attributes
    ----------
    name, doc : str
    kinds : tuple of str
        Kinds of evidence it can become.
    """

    name: str
    doc: str
    kinds: tuple[Kind, ...]

    def claims(self, parts: "tuple[Part, ...]", /) -> Iterable[Claim]:
        """Group the parts that are of this format; nothing is read but beginnings."""

    def read(self, claim: Claim, options: ReadOptions, /) -> tuple[Evidence, ...]:
        """Read one group whole."""
