"""Optional packages: imported where they are needed, and named with their extra when absent."""

from importlib import import_module
from types import ModuleType

from caveat.errors import MissingExtraError


def require(package: str, *, extra: str, purpose: str) -> ModuleType:
    """Import `package`, or say which extra brings it and what it is needed for."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingExtraError(
            f"{purpose} needs the package {package}: pip install 'caveat[{extra}]'"
        ) from error
