"""Fetching without a network: a wheel made here, and a server on this machine."""

import functools
import hashlib
import http.server
import threading
import zipfile

import pytest

from caveat.datasets import catalogue, fetch
from caveat.errors import DownloadError, InputError, SourceError

INSIDE = b'{"models": []}'
FILES = {"one (1).json": b"[1]", "two.json": b"[2, 2]"}


def _sha(data):
    return hashlib.sha256(data).hexdigest()


def _wheel(folder):
    path = folder / "toydata-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("toydata/votes.json", INSIDE)
        archive.writestr(
            "toydata-1.0.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: toydata\nVersion: 1.0\nRequires-Dist: absent-package\n",
        )
        archive.writestr(
            "toydata-1.0.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr("toydata-1.0.dist-info/RECORD", "")
    return path


@pytest.fixture
def wheels(tmp_path):
    folder = tmp_path / "wheels"
    folder.mkdir()
    _wheel(folder)
    return folder


@pytest.fixture
def served(tmp_path):
    """Address of a server on this machine that offers FILES."""
    folder = tmp_path / "served"
    folder.mkdir()
    for name, data in FILES.items():
        (folder / name).write_bytes(data)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def use(monkeypatch, tmp_path):
    """Replace the catalogue; look only where the test says."""
    monkeypatch.delenv("CAVEAT_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def _use(text):
        registry = catalogue.parsed(text)
        monkeypatch.setattr(catalogue, "_registry", lambda: registry)

    return _use


HEAD = """
[[entry]]
name = "toy"
title = "Toy"
kind = "votes"
holds = "nothing"
source = "here"
version = "1.0"
licence = "CC0-1.0"
checked = 2026-11-30
"""


def _package(wheel, member_sha=None):
    data = wheel.read_bytes()
    return f"""{HEAD}
[[entry.packages]]
requirement = "toydata==1.0"
file = "{wheel.name}"
size = {len(data)}
sha256 = "{_sha(data)}"
[[entry.packages.members]]
path = "toydata/votes.json"
size = {len(INSIDE)}
sha256 = "{member_sha or _sha(INSIDE)}"
"""


def _files(base, **sha):
    text = HEAD + f'base = "{base}"\n'
    for name, data in FILES.items():
        text += f'[[entry.files]]\nfile = "{name}"\nsize = {len(data)}\n'
        text += f'sha256 = "{sha.get(name.split(".")[0]) or _sha(data)}"\n'
    return text


def _offline_pip(monkeypatch, links):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")


def test_package_by_pip_without_its_dependencies(use, wheels, monkeypatch, tmp_path):
    use(_package(wheels / "toydata-1.0-py3-none-any.whl"))
    _offline_pip(monkeypatch, wheels)
    path = fetch.get("toy")
    assert path == tmp_path / "cache" / "caveat" / "data" / "toy-1.0" / "votes.json"
    assert path.read_bytes() == INSIDE
    _offline_pip(monkeypatch, tmp_path / "nowhere")
    assert fetch.get("toy") == path
    assert [p.name for p in path.parent.parent.iterdir()] == ["toy-1.0"]


def test_damaged_cache_is_brought_again(use, wheels, monkeypatch):
    use(_package(wheels / "toydata-1.0-py3-none-any.whl"))
    _offline_pip(monkeypatch, wheels)
    path = fetch.get("toy")
    path.write_bytes(b"damaged")
    assert fetch.get("toy").read_bytes() == INSIDE


def test_failed_pip_leaves_nothing_and_says_what_to_do(use, wheels, monkeypatch, tmp_path):
    use(_package(wheels / "toydata-1.0-py3-none-any.whl"))
    _offline_pip(monkeypatch, tmp_path / "nowhere")
    with pytest.raises(DownloadError, match=r"toydata==1.0.*CAVEAT_DATA"):
        fetch.get("toy", folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_package_of_another_hash_is_not_used(use, wheels, monkeypatch, tmp_path):
    wheel = wheels / "toydata-1.0-py3-none-any.whl"
    use(_package(wheel).replace(_sha(wheel.read_bytes()), "0" * 64))
    _offline_pip(monkeypatch, wheels)
    with pytest.raises(DownloadError):
        fetch.get("toy", folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("local", ["wheel", "member"])
def test_local_copies_come_first(use, wheels, monkeypatch, tmp_path, local):
    wheel = wheels / "toydata-1.0-py3-none-any.whl"
    use(_package(wheel))
    _offline_pip(monkeypatch, tmp_path / "nowhere")
    if local == "member":
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "votes.json").write_bytes(INSIDE)
        monkeypatch.setenv("CAVEAT_DATA", str(tmp_path / "mine"))
    else:
        monkeypatch.setenv("CAVEAT_DATA", str(wheels))
    assert fetch.get("toy").read_bytes() == INSIDE


def test_local_copy_of_another_hash(use, wheels, monkeypatch):
    use(_package(wheels / "toydata-1.0-py3-none-any.whl"))
    (wheels / "votes.json").write_bytes(b"something else")
    monkeypatch.setenv("CAVEAT_DATA", str(wheels))
    with pytest.raises(SourceError, match=r"votes.json \(from CAVEAT_DATA\).*must have sha256"):
        fetch.get("toy")


def test_files_by_address(use, served, tmp_path):
    use(_files(served))
    seen = []
    folder = fetch.get("toy", folder=tmp_path / "out", progress=lambda *a: seen.append(a))
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == FILES
    assert seen[-1] == (6, 6)


def test_second_file_wrong_leaves_nothing(use, served, tmp_path):
    use(_files(served, two="0" * 64))
    with pytest.raises(DownloadError, match="must have sha256"):
        fetch.get("toy", folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_larger_than_the_catalogue_says(use, served, tmp_path):
    use(_files(served).replace("size = 6", "size = 2"))
    with pytest.raises(DownloadError, match="larger than the 2 bytes"):
        fetch.get("toy", folder=tmp_path / "out")


def test_unreachable_address(use, tmp_path):
    use(_files("http://127.0.0.1:9/"))
    with pytest.raises(DownloadError, match="CAVEAT_DATA"):
        fetch.get("toy", folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_unwritable_folder(use, served, tmp_path):
    use(_files(served))
    (tmp_path / "file").write_text("x")
    with pytest.raises(SourceError, match="cannot be written"):
        fetch.get("toy", folder=tmp_path / "file" / "out")


def test_unknown_name():
    with pytest.raises(InputError, match="data set must be one of chatbot-arena"):
        fetch.get("nothing")


def test_a_failure_leaves_a_folder_that_was_there(use, tmp_path):
    use(_files("http://127.0.0.1:9/"))
    (tmp_path / "out").mkdir()
    with pytest.raises(DownloadError):
        fetch.get("toy", folder=tmp_path / "out" / "deep" / "er")
    assert list((tmp_path / "out").iterdir()) == []


def test_an_interruption_leaves_no_folder(use, monkeypatch, tmp_path):
    def interrupted(*_):
        raise KeyboardInterrupt

    use(_files("http://127.0.0.1:9/"))
    monkeypatch.setattr(fetch, "https_download", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetch.get("toy")
    assert not (tmp_path / "cache").exists()
