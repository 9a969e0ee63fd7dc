from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared():
    """Folder of real data beside the checkout; tests that ask for it are marked `shared`."""
    if not SHARED.is_dir():
        pytest.skip("the real data of the project (shared/data beside the checkout) is not here")
    return SHARED


@pytest.fixture(scope="session")
def oracle():
    """Folder of stored results of other software."""
    return Path(__file__).parent / "oracle"
