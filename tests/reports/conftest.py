"""`make` builds small results by hand (`factory.py`), `hostile` a vote set (`hostile.py`)."""

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def load(name):
    found = importlib.util.spec_from_file_location(f"report_{name}", HERE / f"{name}.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def make():
    return load("factory")


@pytest.fixture(scope="session")
def hostile():
    return load("hostile")


@pytest.fixture(scope="session")
def stressed(hostile, tmp_path_factory):
    """Reports on two vote sets under every stress test: hostile names, and plain ones."""
    from caveat.workflows.options import Options
    from caveat.workflows.report import report

    def made(models, ending):
        file = hostile.margins(tmp_path_factory.mktemp("population"), ending=ending)
        options = Options(boundaries=2, shuffles=3, margins=(file,))
        return report(list(hostile.tables(models, ending=ending)), options=options)

    return made(hostile.NAMES, hostile.ENDING), made(hostile.PLAIN, "")
