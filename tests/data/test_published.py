import pytest

import caveat
from caveat.errors import InputError
from caveat.importers.registry import BUNDLES, FORMATS, IMPORTERS, TABLES
from caveat.importers.tested import TESTED
from caveat.workflows.importing import import_sources

BOARD = {
    "benchmark": ["mmlu", "mmlu", "mmlu"],
    "model": ["a", "b", "b"],
    "value": [0.5, 61.2, 60.0],
    "notes": [None, "tools", "no-tools"],
    "arena": ["x", "x", "y"],
}


def test_a_table_with_a_value_is_published_scores():
    found = caveat.read(BOARD)
    assert set(found) == {"published"}
    table = found["published"].table
    assert table["value"].to_pylist() == [0.5, 61.2, 60.0]  # on whatever scale
    assert table["arena"].to_pylist() == ["x", "x", "y"]


def test_scores_without_items_and_without_that_word_are_no_evidence():
    board = {"score" if n == "value" else n: cells for n, cells in BOARD.items()}
    with pytest.raises(InputError, match="not recognised as evidence"):
        caveat.read(board)
    assert len(caveat.read(board, kind="published")["published"]) == 3


def test_one_figure_stands_once():
    twice = {name: [cells[1]] * 2 for name, cells in BOARD.items()}
    found = caveat.read(twice)["published"]
    assert (len(found), found.provenance.account.dropped) == (1, 1)
    with pytest.raises(InputError, match=r"must have one answer, got value 1\.0 and 2\.0"):
        caveat.read(twice | {"value": [1.0, 2.0]})


def test_a_figure_has_a_value():
    found = caveat.read(BOARD | {"value": [None, 1.0, 2.0]})["published"]
    assert [d.reason for d in found.provenance.account.drops] == ["no value"]


def test_written_scores_are_read_again(tmp_path):
    ((path, before),) = import_sources(BOARD, tmp_path)
    assert path.name == "published.parquet"
    assert caveat.read(tmp_path)["published"].table.equals(before.table)


def test_versions_belong_to_formats_that_there_are():
    names = {entry.name for group in (BUNDLES, IMPORTERS, TABLES, FORMATS) for entry in group}
    assert set(TESTED) <= names
