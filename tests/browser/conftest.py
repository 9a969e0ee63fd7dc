"""`make` and `hostile` build what is shown; `browser` is headless Chromium, or says why not."""

import importlib.util
import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def load(path):
    found = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def make():
    return load(HERE.parent / "reports" / "factory.py")


@pytest.fixture(scope="session")
def hostile():
    return load(HERE.parent / "reports" / "hostile.py")


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    devtools = load(HERE / "devtools.py")
    program = devtools.find()
    if program is None:
        reason = f"no browser: none of {', '.join(devtools.NAMES)} is on the PATH"
        if os.environ.get("CAVEAT_REQUIRE_BROWSER") == "1":
            pytest.fail(reason + ", and CAVEAT_REQUIRE_BROWSER=1 asks for one")
        pytest.skip(reason)
    chromium = devtools.Chromium(program, tmp_path_factory.mktemp("profile"))
    yield chromium
    chromium.close()
