"""Compressed sources are read in place, within limits, and nothing leaves an archive."""

import bz2
import gzip
import io
import lzma
import warnings
import zipfile

import pyarrow as pa
import pytest

from caveat._files import Limits
from caveat.errors import SourceError
from caveat.importers._base import ReadOptions
from caveat.importers.reading import inspect_path, read_path

VOTES = "model_a,model_b,winner\nx,y,model_a\ny,z,tie\n"
BOMB = Limits(ratio=50, ratio_from=100_000)


def _zip(members, **options):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return sink.getvalue()


def _zstd(data):
    return pa.Codec("zstd").compress(data, asbytes=True)


PACKED = {
    "gzip": gzip.compress(VOTES.encode()),
    "bzip2": bz2.compress(VOTES.encode()),
    "xz": lzma.compress(VOTES.encode()),
    "zstd": _zstd(VOTES.encode()),
    "zip": _zip({"folder/v.csv": VOTES}),
}


@pytest.mark.parametrize("compression", PACKED)
def test_read_in_place(write, read, compression, tmp_path):
    path = write("some.file", PACKED[compression])
    assert len(read(path)) == 2
    assert inspect_path(path).compression == compression
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("compression", PACKED)
def test_truncated(write, read, compression):
    with pytest.raises(SourceError, match="cut short"):
        read(write("some.file", PACKED[compression][:-12]))


@pytest.mark.parametrize("compression", ["gzip", "zip", "zstd"])
def test_parquet_inside(write, read, compression):
    sink = io.BytesIO()
    table = pa.table({"item": ["1"], "model": ["m"], "score": [1]})
    pa.parquet.write_table(table, sink)
    data = sink.getvalue()
    packed = {"gzip": gzip.compress, "zip": lambda d: _zip({"t": d}), "zstd": _zstd}[compression]
    assert len(read(write("p", packed(data)))) == 1


def test_every_member_is_read_and_others_are_told(write):
    path = write("all.zip", _zip({"a.csv": VOTES, "b.csv": VOTES, "notes.txt": "nothing\n"}))
    found = read_path(path)
    assert [e.provenance.sources[0].name for e in found] == [f"{path}!a.csv", f"{path}!b.csv"]
    assert found[0].provenance.sources[0].sha256 == found[1].provenance.sources[0].sha256
    assert any("notes.txt" in n for n in found[0].provenance.notices)


@pytest.mark.parametrize(
    "name", ["../v.csv", "/etc/v.csv", "C:/v.csv", "a/../../v.csv", "a\\..\\v"]
)
def test_names_that_leave_the_archive(write, read, name):
    with pytest.raises(SourceError, match="leaves the archive"):
        read(write("v.zip", _zip({name: VOTES})))


def test_nested_and_empty_archives(write, read):
    with pytest.raises(SourceError, match="itself a zip archive"):
        read(write("v.zip", _zip({"inner.zip": _zip({"v.csv": VOTES})})))
    with pytest.raises(SourceError, match="archive is empty"):
        read(write("v.zip", _zip({})))


def test_encrypted_member(write, read):
    data = bytearray(_zip({"v.csv": VOTES}))
    data[6] |= 1
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 1
    with pytest.raises(SourceError, match="encrypted"):
        read(write("v.zip", bytes(data)))


def test_method_that_is_not_known(write, read):
    data = bytearray(_zip({"v.csv": VOTES}))
    data[8] = 98  # PPMd inside zip
    data[data.index(b"PK\x01\x02") + 10] = 98
    with pytest.raises(SourceError, match="pack it again as deflate"):
        read(write("v.zip", bytes(data)))


def test_zip_of_zstd(write, zstd_zip):
    path = write("v.zip", zstd_zip({"a.csv": VOTES, "b.csv": VOTES}))
    assert [len(e) for e in read_path(path)] == [2, 2]


@pytest.mark.parametrize("rows", [1, 200_000], ids=["small", "large"])
def test_zip_of_zstd_in_frames(write, read, zstd_zip, rows):
    text = VOTES + "x,y,tie\n" * rows
    path = write("v.zip", zstd_zip({"v.csv": text}, frames=3))
    assert len(read(path)) == 2 + rows


def test_zip_of_zstd_with_damage(write, read, zstd_zip):
    with pytest.raises(SourceError, match=r"v\.zip!a\.csv.*checksum is wrong"):
        read(write("v.zip", zstd_zip({"a.csv": VOTES}, checksum=1)))
    data = bytearray(zstd_zip({"a.csv": VOTES}))
    data[45:60] = bytes(15)
    with pytest.raises(SourceError, match=r"w\.zip!a\.csv.*damaged"):
        read(write("w.zip", bytes(data)))
    moved = zstd_zip({"a.csv": VOTES}).replace(b"PK\x03\x04", b"PK\x09\x09")
    with pytest.raises(SourceError, match="no entry where"):
        read(write("x.zip", b"PK\x03\x04" + moved[4:30].replace(b"a", b"b") + moved[4:]))


def test_bomb_in_a_zip_of_zstd(write, read, zstd_zip):
    path = write("bomb.zip", zstd_zip({"v.csv": VOTES + "x,y,tie\n" * 200_000}))
    with pytest.raises(SourceError, match="like a zip bomb"):
        read(path, limits=BOMB)


def test_of_two_entries_of_one_name_the_last_counts(write, read):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("v.csv", VOTES)
        archive.writestr("v.csv", VOTES + "z,x,tie\n")
    assert len(read(write("v.zip", sink.getvalue()))) == 3


@pytest.mark.parametrize("compression", ["gzip", "zstd", "zip"])
def test_bomb(write, read, compression):
    text = VOTES + "x,y,tie\n" * 200_000
    packed = {
        "gzip": lambda: gzip.compress(text.encode()),
        "zstd": lambda: _zstd(text.encode()),
        "zip": lambda: _zip({"v.csv": text}),
    }[compression]()
    path = write("bomb", packed)
    with pytest.raises(SourceError, match="like a zip bomb"):
        read(path, limits=BOMB)
    with pytest.raises(SourceError, match="expands to more than"):
        read(path, limits=Limits(expanded=500_000))


def test_too_many_members(write, read):
    path = write("v.zip", _zip({f"{n}.csv": VOTES for n in range(5)}))
    with pytest.raises(SourceError, match="may hold 3 files"):
        read(path, limits=Limits(members=3))


def test_long_lines(write, read):
    limits = Limits(line=100_000)
    long = "x" * 300_000
    for name, text in (
        ("r.jsonl", f'{{"item": 1, "model": "m", "score": 1, "text": "{long}"}}\n'),
        ("r.csv", f"item,model,score\n1,m,1\n2,{long},1\n"),
    ):
        with pytest.raises(SourceError, match="longer than 100,000 bytes"):
            read(write(name, text), limits=limits)


def test_long_json_record(write, read):
    text = '[{"item": 1, "model": "m", "score": 1, "text": "' + "x" * 3_000_000 + '"}]'
    with pytest.raises(SourceError, match="longer than 1,000 bytes"):
        read(write("r.json", text), limits=Limits(line=1000))
    assert len(read(write("r.json", text))) == 1


def test_folder_reads_what_it_knows(write, tmp_path):
    write("d/a.csv", VOTES)
    write("d/sub/b.csv", VOTES)
    write("d/readme.md", "# nothing here\n")
    write("d/.hidden", "x")
    found = read_path(tmp_path / "d")
    assert len(found) == 2
    assert any("readme.md" in n and ".hidden" not in n for n in found[0].provenance.notices)


def test_folder_with_nothing(tmp_path, write):
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="holds no files"):
        read_path(tmp_path / "empty")
    write("d/readme.md", "# nothing\n")
    with pytest.raises(SourceError, match="none of the 1 files"):
        read_path(tmp_path / "d")


def test_damaged_file_in_a_folder_is_not_passed_over(write, tmp_path):
    write("d/a.csv", VOTES)
    write("d/b.csv.gz", PACKED["gzip"][:-12])
    with pytest.raises(SourceError, match="cut short"):
        read_path(tmp_path / "d")


def test_progress_reaches_the_end(write):
    path = write("v.csv", VOTES)
    seen = []
    read_path(path, options=ReadOptions(progress=lambda done, total: seen.append((done, total))))
    assert seen[-1] == (len(VOTES), len(VOTES))


def test_inspection_reads_only_the_head_and_never_raises(write, tmp_path):
    write("d/v.csv", VOTES)
    write("d/bad.csv", "foo,bar\n1,2\n")
    found = inspect_path(tmp_path / "d")
    assert found.format == "folder"
    bad, good = found.parts
    assert good.kind == "votes"
    assert dict(good.columns)["winner"] == "outcome"
    assert good.supports
    assert bad.kind is None
    assert "foo, bar" in bad.problems[0]
    assert inspect_path(tmp_path / "none").problems


def test_inspection_of_layouts_and_of_a_header_alone(write):
    wide = inspect_path(write("w.csv", "item,m1,m2\n1,A,A\n"))
    assert dict(wide.columns) == {"item": "item", "m1": "a model", "m2": "a model"}
    pairs = inspect_path(write("p.csv", "model_a,model_b,n_a,n_b\nx,y,1,2\n"))
    assert dict(pairs.columns)["n_b"] == "count of b"
    alone = inspect_path(write("v.csv", "model_a,model_b,winner\n"))
    assert alone.kind == "votes"
    assert "no rows" in alone.problems[0]
    assert not alone.supports
