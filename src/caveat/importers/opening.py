"""Opens files, compressed or not, and the members of zip archives; nothing is extracted."""

import gzip
import io
import lzma
import re
import zipfile
import zlib
from bz2 import BZ2File
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, cast

import pyarrow as pa

from caveat._files import MEBIBYTE, Limits, Progress
from caveat.errors import SourceError, UnrecognisedError
from caveat.importers.zip_entries import open_entry

Compression = Literal["none", "gzip", "zstd", "bzip2", "xz", "zip"]
HEAD_BYTES = 256 * 1024
_RESULTS_FOLDER = ".eval_results"  # in model repositories of the Hugging Face Hub
_MAGIC: tuple[tuple[bytes, Compression], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
)
_DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, lzma.LZMAError, OSError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One readable thing: a file, or one file inside an archive.

    Attributes
    ----------
    name : str
        For messages: the path, with `!member` behind it for a member of an archive.
    path : Path
        File on disk.
    inside : str or None
        Name inside the archive.
    compression : str
    entry : zipfile.ZipInfo or None
        Where it lies in the archive.
    limits : Limits
    progress : callable or None
    """

    name: str
    path: Path
    inside: str | None = None
    compression: Compression = "none"
    entry: zipfile.ZipInfo | None = None
    limits: Limits
    progress: Progress | None = None

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the decompressed bytes, counted against the limits."""
        with readable(self.path) as raw:
            size = self.path.stat().st_size
            counted = cast("BinaryIO", _Counted(raw, size, self.progress))
            with _explained(self):
                stream, packed = self._expand(counted, size)
            with stream:
                buffer = MEBIBYTE if self.entry is None else min(MEBIBYTE, self.entry.file_size + 1)
                yield cast("BinaryIO", io.BufferedReader(_Guard(stream, self, packed), buffer))

    def head(self, size: int = HEAD_BYTES) -> tuple[bytes, bool]:
        """Return the first bytes and whether they are all there are."""
        with self.open() as file:
            data = file.read(size)
            return data, not file.read(1)

    def read_all(self) -> bytes:
        """Return all bytes, for formats that need random access."""
        with self.open() as file:
            return file.read()

    def _expand(self, raw: BinaryIO, size: int) -> tuple[BinaryIO, int]:
        if self.entry is not None:
            return open_entry(raw, self.entry), max(self.entry.compress_size, 1)
        if self.compression == "gzip":
            return cast("BinaryIO", gzip.GzipFile(fileobj=raw)), size
        if self.compression == "bzip2":
            return cast("BinaryIO", BZ2File(raw)), size
        if self.compression == "xz":
            return cast("BinaryIO", lzma.LZMAFile(raw)), size
        if self.compression == "zstd":
            return cast("BinaryIO", pa.CompressedInputStream(pa.PythonFile(raw), "zstd")), size
        return raw, 0


def members(
    path: Path, *, limits: Limits, progress: Progress | None = None, name: str | None = None
) -> tuple[Member, ...]:
    """Return what can be read in a file: itself, or the files inside an archive.

    `name` is what messages call it; its path by default.
    """
    name = name or str(path)
    compression = _compression(path, name)
    if compression != "zip":
        return (
            Member(
                name=name,
                path=path,
                compression=compression,
                limits=limits,
                progress=progress,
            ),
        )
    return tuple(
        Member(
            name=f"{name}!{entry.filename}",
            path=path,
            inside=entry.filename,
            compression="zip",
            entry=entry,
            limits=limits,
            progress=progress,
        )
        for entry in _entries(path, name, limits)
    )


def files_in(folder: Path, limits: Limits) -> tuple[Path, ...]:
    """Return all files below a folder, hidden ones left out, in the order of their names.

    A folder `.eval_results`, where model repositories keep their scores, is looked into.
    """
    files = sorted(
        file
        for file in folder.rglob("*")
        if file.is_file() and not any(map(_is_hidden, file.relative_to(folder).parts))
    )
    if not files:
        raise SourceError(f"{folder}: the folder holds no files")
    if len(files) > limits.members:
        raise SourceError(
            f"{folder}: a folder may hold {limits.members} files, this one holds {len(files)}"
        )
    return tuple(files)


@contextmanager
def readable(path: Path) -> Iterator[BinaryIO]:
    """Open a file, or say why it cannot be opened."""
    try:
        file = path.open("rb")
    except FileNotFoundError as error:
        raise SourceError(f"{path}: no such file; check the path") from error
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror})") from error
    with file:
        yield file


def _compression(path: Path, name: str) -> Compression:
    with readable(path) as file:
        try:
            start = file.read(8)
        except OSError as error:
            raise SourceError(
                f"{name}: cannot be read ({error.strerror or error}); save it to a file first"
            ) from error
    if not start:
        raise UnrecognisedError(f"{name}: the file is empty")
    return next((name for magic, name in _MAGIC if start.startswith(magic)), "none")


def _entries(path: Path, name: str, limits: Limits) -> list[zipfile.ZipInfo]:
    """Return what an archive holds; of entries of one name the last, which replaced the others."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [i for i in archive.infolist() if not i.is_dir()]
    except zipfile.BadZipFile as error:
        raise SourceError(f"{name}: the zip archive is damaged or cut short ({error})") from error
    if not infos:
        raise SourceError(f"{name}: the zip archive is empty")
    if len(infos) > limits.members:
        raise SourceError(
            f"{name}: an archive may hold {limits.members} files, this one holds {len(infos)}"
        )
    for info in infos:
        _check_member(name, info, limits)
    return list({i.filename: i for i in infos if not _hidden(i.filename)}.values())


def _check_member(archive: str, info: zipfile.ZipInfo, limits: Limits) -> None:
    name = info.filename
    parts = re.split(r"[/\\]", name)
    if ".." in parts or name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name):
        raise SourceError(f"{archive}: refused, a member's name leaves the archive: {name!a}")
    if info.flag_bits & 1:
        raise SourceError(f"{archive}: member {name!a} is encrypted; decrypt it first")
    if name.lower().endswith(".zip"):
        raise SourceError(f"{archive}: member {name!a} is itself a zip archive; unpack it first")
    if info.file_size > limits.expanded:
        raise SourceError(_too_large(f"{archive}!{name}", info.file_size, limits))


def _is_hidden(part: str) -> bool:
    """Whether a file or folder is hidden; that of evaluation results is hidden but meant."""
    return part.startswith(".") and part != _RESULTS_FOLDER


def _hidden(name: str) -> bool:
    return name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1].startswith(".")


def _too_large(name: str, size: int, limits: Limits) -> str:
    return f"{name}: expands to more than {limits.expanded:,} bytes (at least {size:,}); split it"


@contextmanager
def _explained(member: Member) -> Iterator[None]:
    """Say what is wrong with bytes that cannot be decompressed."""
    try:
        yield
    except NotImplementedError as error:
        raise SourceError(
            f"{member.name}: compressed by a method not supported here ({error}); "
            "pack it again as deflate"
        ) from error
    except _DAMAGED as error:
        raise SourceError(
            f"{member.name}: the file is damaged or cut short ({error}); get it again"
        ) from error


class _Counted(io.RawIOBase):
    """Reports how far a file on disk has been read."""

    def __init__(self, raw: BinaryIO, size: int, progress: Progress | None) -> None:
        self._raw, self._size, self._progress = raw, size, progress

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(size)
        if self._progress is not None:
            self._progress(self._raw.tell(), self._size)
        return data


class _Guard(io.RawIOBase):
    """Stops at the limits and says so when the compressed bytes are damaged."""

    def __init__(self, stream: BinaryIO, member: Member, packed: int) -> None:
        self._stream, self._member, self._packed = stream, member, packed
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast("bytearray", buffer))
        with _explained(self._member):
            data = self._stream.read(len(view))
        view[: len(data)] = data
        self._count += len(data)
        self._check()
        return len(data)

    def _check(self) -> None:
        limits = self._member.limits
        if self._count > limits.expanded:
            raise SourceError(_too_large(self._member.name, self._count, limits))
        bomb = self._packed and self._count > limits.ratio * self._packed
        if bomb and self._count > limits.ratio_from:
            raise SourceError(
                f"{self._member.name}: refused, it expands more than {limits.ratio} times "
                f"({self._packed:,} to over {self._count:,} bytes), like a zip bomb; "
                "unpack it yourself if you trust it"
            )
