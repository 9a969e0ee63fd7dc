"""Writing all or nothing: what may be replaced, and what never is."""

import os
import socket

import pytest

from caveat._files import all_or_nothing
from caveat.errors import SourceError


def _write(path):
    with all_or_nothing(path) as part:
        part.write_text("new")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a" / "out.txt"
    _write(path)
    with pytest.raises(UnicodeEncodeError), all_or_nothing(path) as part:
        part.write_text("half \ud800", encoding="utf-8")
    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("what", ["pipe", "folder", "socket", "device"])
def test_what_is_no_file_is_refused_and_stays(tmp_path, what):
    path = tmp_path / "out"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    elif what == "socket":
        with socket.socket(socket.AF_UNIX) as there:
            there.bind(str(path))
    else:
        path.symlink_to(os.devnull)
    before = path.lstat()
    with pytest.raises(SourceError, match=f"is a {what}, which a file must not replace"):
        _write(path)
    assert path.lstat() == before
    assert list(tmp_path.iterdir()) == [path]
