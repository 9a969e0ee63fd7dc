"""Walks through one large JSON object: small values come whole, long arrays by element."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from caveat._files import MEBIBYTE
from caveat.errors import SourceError
from caveat.importers._base import Head
from caveat.importers.json_window import JsonWindow
from caveat.importers.opening import Member

Keys = tuple[str, ...]
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One value met on the way.

    Attributes
    ----------
    keys : tuple of str
        Keys that lead to it from the outermost object.
    number : int
        Number of the element, from 1, where it belongs to an array walked through; else 0.
    value : object
        Whatever JSON holds.
    """

    keys: Keys
    number: int
    value: Any  # whatever JSON holds


def walk(
    member: Member, *, arrays: Collection[Keys], objects: Collection[Keys] = ()
) -> Iterator[Found]:
    """Yield the values of a top-level object in the order of the file, in bounded memory.

    Parameters
    ----------
    member
        Holds one JSON object.
    arrays
        Keys of the arrays whose elements are handed out one by one.
    objects
        Keys of the objects whose values are handed out one by one, besides those that lead to
        one of the arrays.

    Raises
    ------
    SourceError
        When the text is cut short or no JSON, or one value is longer than the limit of a record.
    """
    opened = {keys[:depth] for keys in arrays for depth in range(1, len(keys))} | set(objects)
    with member.open() as file:
        text = _Text(file, member)
        if text.next_sign() != "{":
            raise SourceError(f"{member.name}: must be a JSON object")
        yield from _object(text, (), frozenset(arrays), frozenset(opened))
        if text.next_sign():
            raise text.wrong((), "has something behind its end")


@lru_cache(maxsize=4)
def beginning(data: bytes) -> dict[str, Any]:
    """Return what a JSON object cut off somewhere holds up to there; empty where it is none.

    Values that are not complete are left out, but what complete values they hold is kept.

    Examples
    --------
    >>> beginning(b'{"a": 1, "b": {"c": [2, 3')
    {'a': 1, 'b': {'c': [2]}}
    """
    text = data.decode("utf-8", "ignore").lstrip(_BYTE_ORDER_MARK)
    start = _BLANK.match(text)
    position = start.end() if start else 0
    if text[position : position + 1] != "{":
        return {}
    try:
        value, _ = _partial(text, position)
    except RecursionError:
        return {}
    return value if isinstance(value, dict) else {}


def begun(head: Head) -> dict[str, Any]:
    """Return what is known of the outermost object of a source."""
    return beginning(head.data)


class _Cut(Exception):
    """The text ends here."""


def _partial(text: str, position: int) -> tuple[Any, bool]:
    """Return a value and whether it is complete."""
    try:
        value, end = _DECODER.raw_decode(text, position)
    except json.JSONDecodeError:
        pass
    else:
        if isinstance(value, (dict, list, str)) or end < len(text):
            return value, True
        return None, False
    found: dict[str, Any] | list[Any]
    try:
        if text[position] == "{":
            found = {}
            _members(text, position + 1, found)
        elif text[position] == "[":
            found = []
            _elements(text, position + 1, found)
        else:
            return None, False
    except _Cut:
        pass
    return found, False


def _members(text: str, position: int, found: dict[str, Any]) -> None:
    while True:
        position = _past(text, position, ",")
        key, position = _complete(text, position)
        position = _past(text, position, ":")
        value, complete = _partial(text, position)
        if not complete:
            if value is not None:
                found[str(key)] = value
            raise _Cut
        found[str(key)] = value
        position = _DECODER.raw_decode(text, position)[1]


def _elements(text: str, position: int, found: list[Any]) -> None:
    while True:
        position = _past(text, position, ",")
        value, complete = _partial(text, position)
        if not complete:
            if isinstance(value, dict) and value:
                found.append(value)
            raise _Cut
        found.append(value)
        position = _DECODER.raw_decode(text, position)[1]


def _past(text: str, position: int, sign: str) -> int:
    blank = _BLANK.match(text, position)
    position = blank.end() if blank else position
    if text[position : position + 1] == sign:
        blank = _BLANK.match(text, position + 1)
        position = blank.end() if blank else position + 1
    if position >= len(text):
        raise _Cut
    return position


def _complete(text: str, position: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, position)
    except json.JSONDecodeError:
        raise _Cut from None


def _object(
    text: "_Text", keys: Keys, arrays: frozenset[Keys], opened: frozenset[Keys]
) -> Iterator[Found]:
    text.take("{", keys)
    first = True
    while text.next_sign() != "}":
        if not first:
            text.take(",", keys)
        first = False
        name = text.value(keys)
        if not isinstance(name, str):
            raise text.wrong(keys, "is not valid JSON (a key that is no text)")
        text.take(":", (*keys, name))
        yield from _value(text, (*keys, name), arrays, opened)
    text.take("}", keys)


def _value(
    text: "_Text", keys: Keys, arrays: frozenset[Keys], opened: frozenset[Keys]
) -> Iterator[Found]:
    sign = text.next_sign()
    if sign == "{" and keys in opened:
        yield from _object(text, keys, arrays, opened)
    elif sign == "[" and keys in arrays:
        text.take("[", keys)
        number = 0
        while text.next_sign() != "]":
            if number:
                text.take(",", keys)
            number += 1
            yield Found(keys=keys, number=number, value=text.value(keys, number))
        text.take("]", keys)
    else:
        yield Found(keys=keys, number=0, value=text.value(keys))


class _Text(JsonWindow):
    """A window from which signs and values are taken."""

    def next_sign(self) -> str:
        """Return the next sign that is no blank, without taking it; empty at the end."""
        return self._skip(_BLANK)

    def take(self, sign: Literal["{", "}", "[", "]", ",", ":"], keys: Keys) -> None:
        """Take the next sign, which must be this one."""
        found = self.next_sign()
        if found != sign:
            what = f"is not valid JSON (a {found!a} where {sign!a} should be)"
            raise self.wrong(keys, what if found else "is cut short")
        self._position += 1

    def value(self, keys: Keys, number: int = 0) -> Any:  # noqa: ANN401 - whatever JSON holds
        """Take the next value whole."""
        self.next_sign()
        block = MEBIBYTE
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._position)
            except RecursionError as error:
                raise self.wrong(keys, "is nested too deeply", number) from error
            except json.JSONDecodeError as error:
                if self._ended:
                    cut = error.pos >= len(self._text) - 1 or "Unterminated" in error.msg
                    what = "is cut short" if cut else f"is not valid JSON ({error.msg})"
                    raise self.wrong(keys, what, number) from error
            else:
                # a number that ends where the text read so far ends may go on
                if self._ended or end < len(self._text) or isinstance(value, (dict, list, str)):
                    self._position = end
                    return value
            self._refill(block)
            block *= 2

    def wrong(self, keys: Keys, what: str, number: int = 0) -> SourceError:
        """Return the error about the value that these keys lead to."""
        place = ".".join(keys) or "the outermost object"
        element = f"[{number - 1}]" if number else ""
        return SourceError(f"{self._member.name}, {place}{element}: {what}; get the file again")
