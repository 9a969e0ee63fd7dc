"""What a pipe brings is read like a file; other things that are no files are refused."""

import contextlib
import gzip
import os
import tempfile
import threading
from pathlib import Path

import pytest

from caveat._files import Limits
from caveat.errors import SourceError
from caveat.importers._base import ReadOptions
from caveat.importers.reading import read_path
from caveat.workflows.doctor import doctor

VOTES = b"model_a,model_b,winner\nx,y,model_a\ny,z,tie\n"


@pytest.fixture
def pipe(tmp_path, monkeypatch):
    """Make a pipe that brings bytes once; no copy may be left behind."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writers = []

    def _bring(data):
        def write():
            with contextlib.suppress(BrokenPipeError):
                path.write_bytes(data)

        writers.append(threading.Thread(target=write))
        writers[-1].start()
        return path

    yield _bring
    for writer in writers:
        writer.join(10)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read(pipe, pack):
    path = pipe(pack(VOTES))
    (evidence,) = read_path(path)
    assert len(evidence) == 2
    source = evidence.provenance.sources[0]
    assert (source.name, source.size) == (str(path), len(pack(VOTES)))


def test_messages_name_the_pipe_and_not_its_copy(pipe):
    path = pipe(VOTES + b"x,z,draw\n")
    with pytest.raises(ValueError, match=rf"^{path}, row 3, column 'winner'"):
        read_path(path)


def test_a_pipe_obeys_the_limits(pipe):
    with pytest.raises(SourceError, match="brings more than 10 bytes"):
        read_path(pipe(VOTES), options=ReadOptions(limits=Limits(expanded=10)))


def test_doctor_reads_a_pipe_once(pipe):
    path = pipe(VOTES)
    (found,) = doctor([path])
    assert (found.name, found.kind, found.problems) == (str(path), "votes", ())


def test_a_device_is_refused():
    with pytest.raises(SourceError, match="is a device, not a file; save it to a file first"):
        read_path(os.devnull)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no such file here")
def test_a_file_that_cannot_be_read_is_no_damaged_one():
    with pytest.raises(SourceError, match="cannot be read"):
        read_path("/proc/self/mem")
