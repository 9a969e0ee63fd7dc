"""Files: limits on what is read, digests, and writing all or nothing."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    members: int = 10_000


def sha256_of(path: Path) -> str:
    """Return the digest of the bytes on disk."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def all_or_nothing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside `path`; it replaces `path` if nothing goes wrong."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise SourceError(
            f"{path}: cannot be written ({error.strerror or error}); choose another folder"
        ) from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise SourceError(
            f"{path}: cannot be written ({error.strerror or error}); nothing was changed"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
