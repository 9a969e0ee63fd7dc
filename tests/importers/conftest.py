import gzip
from pathlib import Path

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
