"""Turns Arrow's complaints about a damaged file into one that says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from caveat.errors import CaveatError, SourceError
from caveat.importers.opening import Member


@contextmanager
def damage_explained(member: Member) -> Iterator[None]:
    """Say what is wrong with a file that Arrow cannot read."""
    try:
        yield
    except CaveatError:
        raise
    except MemoryError as error:  # a damaged length asks for anything
        raise SourceError(
            f"{member.name}: the file is damaged (it asks for more memory than there is); "
            "get it again"
        ) from error
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        text = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise SourceError(
            f"{member.name}: the file is damaged or cut short ({text}); get it again"
        ) from error
