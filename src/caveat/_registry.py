"""A named collection that keeps its order and refuses to be filled twice."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from caveat.errors import InputError

T = TypeVar("T")


class Registry(Generic[T]):
    """Entries by name, in the order they were given.

    Parameters
    ----------
    what
        What an entry is called in error messages, e.g. `"rule"`.
    key
        The name of an entry.
    entries
        All entries; two of one name are an error.
    """

    def __init__(self, what: str, key: Callable[[T], str], entries: tuple[T, ...]) -> None:
        self._what = what
        self._entries: dict[str, T] = {}
        for entry in entries:
            if key(entry) in self._entries:
                raise InputError(f"{what} {key(entry)!r} is registered twice")
            self._entries[key(entry)] = entry

    def __iter__(self) -> Iterator[T]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def names(self) -> tuple[str, ...]:
        """All names, in order."""
        return tuple(self._entries)

    def get(self, name: str) -> T:
        """Return the entry called `name`; the error lists the names there are."""
        if name not in self._entries:
            raise InputError(
                f"{self._what} must be one of {', '.join(self._entries)}, got {name!r}"
            )
        return self._entries[name]
