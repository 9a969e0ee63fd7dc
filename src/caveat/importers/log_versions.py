"""Logs of a version that was not tested here: named, tried, never guessed."""


def newer_version(name: str, *, what: str, found: object, tested: tuple[object, ...]) -> str | None:
    """Return the notice for a log of a version that was not tested; None for a tested one."""
    if found in tested:
        return None
    known = ", ".join(str(version) for version in tested)
    return (
        f"{name}: {what} {found} is not among those tested here ({known}); it was read as one of "
        "them"
    )
