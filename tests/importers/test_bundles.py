"""Folders of mixed logs are read in one go, each file by one format only."""

import json

import pytest

from caveat.errors import InputError
from caveat.importers._base import Claim, ReadOptions
from caveat.importers.bundling import claimed
from caveat.importers.log_versions import newer_version
from caveat.importers.opening import files_in, members
from caveat.importers.reading import inspect_path, read_path
from caveat.importers.registry import BUNDLES

STAMP = "2026-01-02T03-04-05.678901"
SAMPLE = {
    "doc_id": 0,
    "doc": {},
    "target": "4",
    "arguments": {},
    "resps": [["4"]],
    "filtered_resps": ["4"],
    "filter": "none",
    "metrics": ["em"],
    "em": 1.0,
}
LOG = {
    "version": 2,
    "status": "success",
    "eval": {"task": "t", "model": "m"},
    "samples": [{"id": 1, "epoch": 1, "target": "x", "scores": {"s": {"value": "C"}}}],
}


@pytest.fixture
def mixed(write, tmp_path):
    write(f"d/org__m/samples_t_{STAMP}.jsonl", json.dumps(SAMPLE))
    write("d/log.json", json.dumps(LOG))
    write("d/votes.csv", "model_a,model_b,winner\nx,y,tie\n")
    write("d/notes.txt", "nothing\n")
    return tmp_path / "d"


def test_a_folder_of_mixed_logs(mixed):
    found = read_path(mixed)
    assert sorted(e.provenance.sources[0].importer for e in found) == ["csv", "inspect", "lm_eval"]
    assert sorted(e.kind for e in found) == ["responses", "responses", "votes"]
    notices = [n for e in found for n in e.provenance.notices if "passed over" in n]
    assert len(notices) == 1
    assert notices[0].endswith("notes.txt (1 in all)")
    parts = inspect_path(mixed).parts
    assert sorted(part.importer for part in parts) == ["", "csv", "inspect", "lm_eval"]


def test_a_kind_that_a_run_cannot_be(mixed):
    with pytest.raises(InputError, match="must hold votes, got responses"):
        read_path(mixed / "log.json", kind="votes")


def test_every_part_is_claimed_once(mixed):
    options = ReadOptions()
    found = [m for f in files_in(mixed, options.limits) for m in members(f, limits=options.limits)]
    claims, rest = claimed(found, alone=False)
    names = [part.member.name for c in claims for part in c.claim.parts]
    assert sorted([*names, *(member.name for member in rest)]) == sorted(m.name for m in found)


def test_bundles_are_registered_with_what_they_become():
    for bundle in BUNDLES:
        assert bundle.doc
        assert bundle.kinds
        assert list(bundle.claims(())) == []
    assert Claim(name="x", parts=(), kind="votes").kind == "votes"


def test_versions():
    assert newer_version("f", what="log version", found=2, tested=(1, 2)) is None
    assert newer_version("f", what="log version", found=3, tested=(1, 2)) == (
        "f: log version 3 is not among those tested here (1, 2); it was read as one of them"
    )
