"""The files of a folder or an archive, each seen among the others."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from caveat.errors import CaveatError
from caveat.importers.looking import look
from caveat.importers.opening import Member, members

_KEPT = 4096


class Part:
    """A member of a folder or an archive, with its neighbours.

    Attributes
    ----------
    member : Member
    place : str
        Folder it lies in, as messages write it; for a member of an archive with the archive's name.
    file : str
        Its name there.
    """

    def __init__(self, member: Member, neighbours: "Neighbours") -> None:
        self.member = member
        self._neighbours = neighbours
        path = member.inside.replace("\\", "/") if member.inside else str(member.path)
        folder, _, self.file = path.rpartition("/")
        self.place = f"{member.path}!{folder}" if member.inside else folder

    @property
    def folder(self) -> str:
        """Name of the folder it lies in, without those above; empty at the top of an archive."""
        if self.member.inside:
            return self.place.rpartition("!")[2].rpartition("/")[2]
        return self.member.path.resolve().parent.name

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Keys of the first record of JSON; none where it cannot be read."""
        return self._look[0]

    @cached_property
    def start(self) -> bytes:
        """The first 4 kB, decompressed."""
        return self._look[1]

    @cached_property
    def _look(self) -> tuple[tuple[str, ...], bytes]:
        try:
            head = look(self.member)
        except CaveatError:  # told when somebody reads it
            return (), b""
        return head.keys, head.data[:_KEPT]

    def beside(self, *patterns: str) -> tuple["Part", ...]:
        """Return the files of the same folder whose names match a shell pattern."""
        return tuple(
            part
            for part in self._neighbours.of(self)
            if part is not self and any(fnmatchcase(part.file, p) for p in patterns)
        )


class Neighbours:
    """Who lies beside whom: in what was read or, of a file named alone, on the disk."""

    def __init__(self, *, alone: bool) -> None:
        self._alone = alone
        self._folders: dict[str, list[Part]] = {}

    def parts(self, found: Iterable[Member]) -> tuple[Part, ...]:
        """Return the members as parts of one whole."""
        parts = tuple(Part(member, self) for member in found)
        for part in parts:
            self._folders.setdefault(part.place, []).append(part)
        return parts

    def of(self, part: Part) -> list[Part]:
        """Return the parts of a folder."""
        if self._alone and part.member.inside is None:
            self._alone = False
            files = sorted(part.member.path.parent.iterdir())
            self.parts(m for file in files for m in self._beside(file, part))
        return self._folders.get(part.place, [])

    def _beside(self, file: Path, part: Part) -> tuple[Member, ...]:
        if file.name == part.file or file.name.startswith(".") or not file.is_file():
            return ()
        try:
            found = members(file, limits=part.member.limits)
        except CaveatError:  # it was not named: whatever it is, it is no companion
            return ()
        return found if found[0].inside is None else ()
