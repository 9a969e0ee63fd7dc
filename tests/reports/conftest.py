"""`make` builds small results by hand; see `factory.py`."""

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def make():
    found = importlib.util.spec_from_file_location(
        "report_factory", Path(__file__).parent.parent / "reports" / "factory.py"
    )
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module
