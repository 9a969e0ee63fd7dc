"""Streams the objects of a JSON array in bounded memory."""

import json
import re
from collections.abc import Iterator
from typing import Any

from caveat._files import MEBIBYTE
from caveat.errors import SourceError
from caveat.importers.json_window import JsonWindow
from caveat.importers.opening import Member

Record = dict[str, Any]  # the values are whatever JSON holds
_BETWEEN = re.compile(r"[\s,]*")
_BLANK = re.compile(r"\s*")
_DECODER = json.JSONDecoder()


def array_records(member: Member) -> Iterator[tuple[int, Record]]:
    """Yield number (from 1) and object of each element of a top-level array of objects."""
    for number, element in array_elements(member):
        if not isinstance(element, dict):
            raise SourceError(
                f"{member.name}, record {number}: must be a JSON object, "
                f"got {type(element).__name__}"
            )
        yield number, element


def array_elements(member: Member) -> Iterator[tuple[int, object]]:
    """Yield number (from 1) and value of each element of a top-level array.

    The array is decoded element by element, so only one element and one block are in memory.
    """
    with member.open() as file:
        window = _Window(file, member)
        if not window.starts_with("["):
            raise SourceError(f"{member.name}: must be a JSON array of objects")
        number = 0
        while not window.at_end():
            number += 1
            yield number, window.element(number)


class _Window(JsonWindow):
    """A window over the elements of an array."""

    def starts_with(self, sign: str) -> bool:
        """Skip blanks, then consume `sign` if it comes next."""
        if self._skip(_BLANK) != sign:
            return False
        self._position += 1
        return True

    def at_end(self) -> bool:
        """Skip to the next element; true when the array is closed."""
        return self._skip(_BETWEEN) == "]"

    def element(self, number: int) -> object:
        """Decode the next element."""
        block = MEBIBYTE
        while True:
            try:
                element, self._position = _DECODER.raw_decode(self._text, self._position)
            except (json.JSONDecodeError, RecursionError) as error:
                if self._ended or isinstance(error, RecursionError):
                    raise self._damaged(number, error) from error
                self._refill(block)
                block *= 2
            else:
                return element

    def _damaged(self, number: int, error: Exception) -> SourceError:
        if isinstance(error, RecursionError):
            what = "is nested too deeply"
        elif isinstance(error, json.JSONDecodeError) and error.pos >= len(self._text) - 1:
            what = "is cut short"
        else:
            what = f"is not valid JSON ({error})"
        return SourceError(f"{self._member.name}, record {number}: {what}; get the file again")
