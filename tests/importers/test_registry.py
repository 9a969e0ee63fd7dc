"""Every importer is registered, described and documented."""

from pathlib import Path

import pytest

from caveat.importers.registry import BUNDLES, FORMATS, IMPORTERS, TABLES

DOCS = Path(__file__).parents[2] / "docs" / "importers.md"


@pytest.mark.parametrize(
    "importer", [*BUNDLES, *IMPORTERS, *TABLES, *FORMATS], ids=lambda i: i.name
)
def test_described_and_documented(importer):
    assert importer.doc
    assert f"`{importer.name}`" in DOCS.read_text(encoding="utf-8")
