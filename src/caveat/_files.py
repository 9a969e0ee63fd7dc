"""Files: limits on what is read, digests, and writing all or nothing."""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from caveat.errors import SourceError

Progress = Callable[[int, int | None], None]
MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a source may at most be; beyond it, reading stops with an error.

    Attributes
    ----------
    expanded : int
        Bytes after decompression.
    ratio, ratio_from : int
        Expanded bytes per compressed byte, looked at once `ratio_from` bytes came out.
    line : int
        Bytes in one line or one record.
    members : int
        Files in an archive or a folder.
    """

    expanded: int = 20_000_000_000
    ratio: int = 200
    ratio_from: int = 100_000_000
    line: int = 64 * MEBIBYTE
    members: int = 200_000


def sha256_of(path: Path) -> str:
    """Return the digest of the bytes on disk."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def on_disk(path: Path, limits: Limits) -> Iterator[Path]:
    """Give `path` itself, or the temporary copy of what a pipe brings; it is gone afterwards."""
    if not path.exists() or path.is_file() or path.is_dir():
        yield path
        return
    if not path.is_fifo():
        raise SourceError(f"{path}: is {kind_of_place(path)}, not a file; save it to a file first")
    with (
        tempfile.TemporaryDirectory(prefix="caveat-") as folder,
        undone_when_stopped(lambda: shutil.rmtree(folder, ignore_errors=True)),
    ):
        copy = Path(folder) / "piped"
        try:
            with path.open("rb") as pipe, copy.open("wb") as file:
                size = 0
                while data := pipe.read(MEBIBYTE):
                    size += len(data)
                    if size > limits.expanded:
                        raise SourceError(
                            f"{path}: brings more than {limits.expanded:,} bytes; split it"
                        )
                    file.write(data)
        except OSError as error:
            raise SourceError(
                f"{path}: the pipe cannot be kept on disk ({error.strerror or error}); "
                "save it to a file first"
            ) from error
        yield copy


_unfinished: list[Callable[[], object]] = []


@contextmanager
def undone_when_stopped(undo: Callable[[], object]) -> Iterator[None]:
    """Have `undo` called, possibly by another thread, if the process is stopped in this block."""
    _unfinished.append(undo)
    try:
        yield
    finally:
        _unfinished.remove(undo)


def undo_unfinished() -> None:
    """Put away what is unfinished, newest first; for a process about to end."""
    for undo in reversed(_unfinished):
        with suppress(Exception):
            undo()


@contextmanager
def folder_for(folder: Path) -> Iterator[None]:
    """Make a folder; those that were not there go again if they are left empty."""
    new = [place for place in (folder, *folder.parents) if not place.exists()]

    def remove() -> None:
        with suppress(OSError):  # not empty: somebody uses it
            for place in new:
                place.rmdir()

    with undone_when_stopped(remove):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            yield
        finally:
            remove()


@contextmanager
def all_or_nothing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path`; it replaces `path` if nothing goes wrong.

    Only a regular file is ever replaced: a device, a pipe or a folder is refused beforehand.
    """
    if path.exists() and not path.is_file():
        raise SourceError(
            f"{path}: is {kind_of_place(path)}, which a file must not replace; name a file"
        )
    begun = False
    try:
        with folder_for(path.parent), _temporary(path) as temporary:
            begun = True
            yield temporary
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
    except OSError as error:
        what_now = "nothing was changed" if begun else "choose another folder"
        raise SourceError(
            f"{path}: cannot be written ({error.strerror or error}); {what_now}"
        ) from error


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)

    def remove() -> None:
        temporary.unlink(missing_ok=True)

    with undone_when_stopped(remove):
        try:
            yield temporary
        finally:
            remove()


def kind_of_place(path: Path) -> str:
    """Say what a path is that is no regular file."""
    mode = path.stat().st_mode
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a device"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
