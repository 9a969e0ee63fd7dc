import gzip
import struct
import zlib
from pathlib import Path

import pyarrow as pa
import pytest

from caveat.data.evidence import Evidence
from caveat.importers._base import ReadOptions
from caveat.importers.reading import read_path


@pytest.fixture
def write(tmp_path):
    """Write a file and return its path."""

    def _write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return _write


@pytest.fixture
def read():
    """Read a file that holds one table; the account must add up."""

    def _read(path: Path, **options) -> Evidence:
        (evidence,) = read_path(path, options=ReadOptions(**options))
        account = evidence.provenance.account
        assert account.rows_read == account.kept + account.dropped
        assert account.kept == len(evidence)
        assert evidence.places is not None
        assert evidence.places.length == len(evidence)
        return evidence

    return _read


@pytest.fixture
def gz():
    return lambda text: gzip.compress(text.encode())


@pytest.fixture
def zstd_zip():
    """Pack members into a zip archive compressed by zstd (method 93)."""
    return _zstd_zip


def _zstd_zip(members, *, checksum=None, frames=1):
    """As Python writes it from 3.14 on; `checksum` is written instead of the right one."""
    body, directory = b"", b""
    for name, content in members.items():
        text = content.encode()
        size = len(text) // frames + 1
        parts = [text[i : i + size] for i in range(0, len(text), size)]
        packed = b"".join(pa.Codec("zstd").compress(part, asbytes=True) for part in parts)
        crc = zlib.crc32(text) if checksum is None else checksum
        sizes = (crc, len(packed), len(text), len(name), 0)
        common = struct.pack("<HHHHHIIIHH", 63, 0, 93, 0, 0, *sizes)
        directory += b"PK\x01\x02" + struct.pack("<H", 63) + common
        directory += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        body += b"PK\x03\x04" + common + name.encode() + packed
    count = len(members)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + b"PK\x05\x06" + end
