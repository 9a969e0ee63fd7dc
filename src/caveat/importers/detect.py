"""Recognises what a source is by its content, never by its name."""

from dataclasses import dataclass

from caveat.errors import UnrecognisedError
from caveat.importers._base import Importer, TableFormat
from caveat.importers.looking import look
from caveat.importers.opening import Member
from caveat.importers.registry import FORMATS, IMPORTERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """An importer for the whole file, or the format of a table."""

    importer: Importer | None = None
    table: TableFormat | None = None

    @property
    def name(self) -> str:
        """Name of what was recognised."""
        found = self.importer or self.table
        return found.name if found is not None else "unknown"


def detect(member: Member) -> Detected:
    """Return what can read a member; an error says why nothing can."""
    head = look(member)
    for importer in IMPORTERS:
        if importer.recognises(head):
            return Detected(importer=importer)
    for table in FORMATS:
        if table.recognises(head):
            return Detected(table=table)
    raise UnrecognisedError(
        f"{member.name}: of no format known here; known are "
        f"{', '.join((*IMPORTERS.names(), *FORMATS.names()))}"
    )
