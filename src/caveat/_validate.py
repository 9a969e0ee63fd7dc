"""Checks shared by public functions. Each names the argument, the rule and the value it got."""

from collections.abc import Collection

from caveat.errors import InputError


def probability(name: str, value: float) -> float:
    """Return `value` if it lies strictly between 0 and 1."""
    if not 0.0 < value < 1.0:
        raise InputError(f"{name} must be strictly between 0 and 1, got {value!r}")
    return value


def at_least(name: str, value: int, least: int) -> int:
    """Return `value` if it is `least` or more."""
    if value < least:
        raise InputError(f"{name} must be at least {least}, got {value!r}")
    return value


def choice(name: str, value: str, allowed: Collection[str]) -> str:
    """Return `value` if it is one of `allowed`."""
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(sorted(allowed))}, got {value!r}")
    return value
