"""Folders: what is no evidence is passed over and named, damaged evidence stops."""

import gzip
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from caveat.errors import CaveatError, SourceError
from caveat.importers.reading import read_path

VOTES = "model_a,model_b,winner\nx,y,model_a\ny,z,tie\n"


def _parquet():
    sink = io.BytesIO()
    pq.write_table(pa.table({"item": ["1"], "model": ["m"], "score": [1]}), sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("none.json", b"[]"),
        ("latin.txt", "Grüße an alle, die dies lesen\n".encode("latin-1")),
        ("wide.txt", "Grüße, an alle\n".encode("utf-16")),
        ("config.json", b'{ "a": 1,\n "b"'),
        ("noise", bytes(range(256))),
    ],
)
def test_what_is_no_evidence_is_passed_over_by_name(write, tmp_path, name, content):
    write("d/votes.csv", VOTES)
    path = write(f"d/{name}", content)
    (evidence,) = read_path(tmp_path / "d")
    assert f"passed over, not recognised as evidence: {path} (1 in all)" in (
        evidence.provenance.notices
    )
    with pytest.raises(CaveatError):
        read_path(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.parquet", _parquet()[:-10]),
        ("cut.gz", gzip.compress(VOTES.encode())[:-12]),
        ("latin.csv", "model_a,model_b,winner\nGrüße,y,tie\n".encode("latin-1")),
        ("latin.jsonl", '{"item": 1, "model": "Grüße", "score": 1}\n'.encode("latin-1")),
        ("wide.csv", "item,gpt,claude\n1,ü,ö\n".encode("latin-1")),
        ("utf16.csv", VOTES.encode("utf-16")),
    ],
)
def test_damaged_evidence_stops_with_its_name(write, tmp_path, name, content):
    write("d/votes.csv", VOTES)
    path = write(f"d/{name}", content)
    with pytest.raises(SourceError, match=str(path)):
        read_path(tmp_path / "d")
