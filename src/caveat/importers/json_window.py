"""The part of a JSON text that is read and not yet decoded."""

import codecs
import re
from typing import BinaryIO

from caveat._files import MEBIBYTE
from caveat.errors import SourceError
from caveat.importers.opening import Member
from caveat.importers.text_errors import invalid_utf8


class JsonWindow:
    """Slides over a text of any length; what lies behind `_position` is forgotten.

    Parameters
    ----------
    file
        The opened member.
    member
        For its limits, and its name in messages.
    """

    def __init__(self, file: BinaryIO, member: Member) -> None:
        self._file = file
        self._member = member
        self._utf8 = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._position = 0
        self._ended = False

    def _skip(self, pattern: re.Pattern[str]) -> str:
        """Go past what the pattern matches; return the next sign, empty at the end."""
        while True:
            found = pattern.match(self._text, self._position)
            self._position = found.end() if found else self._position
            if self._position < len(self._text) or self._ended:
                return self._text[self._position : self._position + 1]
            self._refill(MEBIBYTE)

    def _refill(self, size: int) -> None:
        """Read on; a value longer than the limit of a record is an error."""
        limit = self._member.limits.line
        if len(self._text) - self._position > limit:
            raise SourceError(
                f"{self._member.name}: one record is longer than {limit:,} bytes; "
                "leave out its long texts, or split it"
            )
        data = self._file.read(size)
        self._ended = not data
        try:
            more = self._utf8.decode(data, final=self._ended)
        except UnicodeDecodeError as error:
            raise invalid_utf8(self._member) from error
        self._text = self._text[self._position :] + more
        self._position = 0
