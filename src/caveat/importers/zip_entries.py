"""Opens one entry of a zip archive whose directory was read before, also where it is zstd."""

import io
import struct
import zipfile
import zlib
from typing import BinaryIO, cast

import pyarrow as pa

ZSTD = 93
"""Method number of Zstandard in zip archives; Python reads it from 3.14 on."""
_LOCAL = 30
_SMALL = 1 << 20
_SIGNATURE = b"PK\x03\x04"


def open_entry(raw: BinaryIO, info: zipfile.ZipInfo) -> BinaryIO:
    """Return the decompressed bytes of an entry; its checksum is looked at when they end.

    Raises
    ------
    zipfile.BadZipFile
        When there is no such entry at its place.
    NotImplementedError
        When it is compressed by a method that is not known here.
    """
    raw.seek(info.header_offset)
    header = raw.read(_LOCAL)
    if len(header) < _LOCAL or not header.startswith(_SIGNATURE):
        raise zipfile.BadZipFile(f"no entry where the directory has {info.filename!a}")
    name, extra = struct.unpack("<HH", header[26:])
    raw.seek(name + extra, io.SEEK_CUR)
    if info.compress_type == ZSTD:
        span = _Span(raw, info.compress_size)
        if max(info.compress_size, info.file_size) <= _SMALL:
            return cast("BinaryIO", _Checked(_whole(span, info), info))
        packed = pa.PythonFile(cast("BinaryIO", span), mode="r")
        return cast("BinaryIO", _Checked(pa.CompressedInputStream(packed, "zstd"), info))
    return cast("BinaryIO", zipfile.ZipExtFile(raw, "r", info))


def _whole(span: "_Span", info: zipfile.ZipInfo) -> BinaryIO:
    """Decompress a small entry at once, which takes a tenth of the time."""
    data = span.read()
    if not info.file_size:
        return io.BytesIO(b"")
    try:
        return io.BytesIO(pa.decompress(data, info.file_size, "zstd", asbytes=True))
    except (pa.ArrowException, OSError) as error:
        raise zipfile.BadZipFile(str(error)) from error


class _Span(io.RawIOBase):
    """The next bytes of a file, as many as an entry has."""

    def __init__(self, raw: BinaryIO, size: int) -> None:
        self._raw, self._left = raw, size

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


class _Checked(io.RawIOBase):
    """Compares length and checksum with the directory's when the bytes end."""

    def __init__(self, stream: BinaryIO, info: zipfile.ZipInfo) -> None:
        self._stream, self._info = stream, info
        self._checksum = self._count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = bytes(self._stream.read() if size < 0 else self._stream.read(size))
        self._checksum = zlib.crc32(data, self._checksum)
        self._count += len(data)
        if len(data) < size or size < 0:
            self._compare()
        return data

    def _compare(self) -> None:
        if self._count != self._info.file_size:
            raise zipfile.BadZipFile(
                f"{self._count:,} bytes where the directory says {self._info.file_size:,}"
            )
        if self._checksum != self._info.CRC:
            raise zipfile.BadZipFile("the checksum is wrong")
