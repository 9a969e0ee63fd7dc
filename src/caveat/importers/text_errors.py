"""Finds the first byte that is not UTF-8, once reading has failed."""

import codecs

from caveat._files import MEBIBYTE
from caveat.errors import SourceError
from caveat.importers.opening import Member


def invalid_utf8(member: Member) -> SourceError:
    """Return the error that names line and byte offset."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    offset, lines = 0, 1
    with member.open() as file:
        while True:
            data = file.read(MEBIBYTE)
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                start = error.start - pending
                lines += data[: max(start, 0)].count(b"\n")
                byte = error.object[error.start]
                return SourceError(
                    f"{member.name}, line {lines}: must be UTF-8, got byte 0x{byte:02x} at offset "
                    f"{offset + start:,}; save the file as UTF-8"
                )
            if not data:
                return SourceError(f"{member.name}: must be UTF-8; save the file as UTF-8")
            offset += len(data)
            lines += data.count(b"\n")
