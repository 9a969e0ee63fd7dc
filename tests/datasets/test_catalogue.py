"""The catalogue is complete: every entry states source, licence, size, hash and day."""

import re

import pytest

from caveat.datasets.catalogue import entries


@pytest.mark.parametrize("entry", entries(), ids=lambda e: e.name)
def test_entries_are_complete(entry):
    for text in (entry.title, entry.holds, entry.source, entry.version, entry.licence):
        assert text
    assert entry.kind in ("votes", "responses")
    assert entry.checked.year >= 2026
    assert entry.contents
    assert entry.download_size > 0
    for thing in (*entry.contents, *entry.packages):
        assert re.fullmatch(r"[0-9a-f]{64}", thing.sha256)
        assert thing.size > 0
    for file in entry.files:
        assert file.url.startswith("https://")
    for package in entry.packages:
        assert re.fullmatch(r"[a-z-]+==[0-9.]+", package.requirement)


def test_names():
    assert [e.name for e in entries()] == ["chatbot-arena", "medley-bench", "mmlu-pro"]


def test_names_on_disk_differ():
    for entry in entries():
        names = [c.name for c in entry.contents]
        assert len(set(names)) == len(names)
