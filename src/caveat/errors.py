"""Every error the package raises on purpose. Each is also a builtin, so plain `except` works."""


class CaveatError(Exception):
    """Base class: `except CaveatError` catches all deliberate failures."""


class InputError(CaveatError, ValueError):
    """An argument, an option or a value in the data breaks a stated requirement."""


class TooFewError(InputError):
    """The quantity asked for is undefined at this sample size."""

    def __init__(self, what: str, *, got: int, need: int, remedy: str = "") -> None:
        super().__init__(f"{what}: needs at least {need}, got {got}{remedy and f'; {remedy}'}")
        self.what = what
        self.got = got
        self.need = need
        self.remedy = remedy


class SourceError(CaveatError, ValueError):
    """A source file is missing, unreadable, damaged, too large or of no known format."""


class UnrecognisedError(SourceError, InputError):
    """A source that is not evidence of any known form; in a folder it is passed over."""


class CellError(InputError):
    """One cell of a source breaks a rule of its column.

    Attributes
    ----------
    file, row, column, rule, value
        Where and what; `row` counts from 1, the header excluded.
    remedy
        What to do about it.
    """

    def __init__(
        self, *, file: str, row: int, column: str, rule: str, value: str, remedy: str = ""
    ) -> None:
        what = f"{file}, row {row}, column {column!r}: {rule}, got {value}"
        super().__init__(f"{what}; {remedy}" if remedy else what)
        self.file = file
        self.row = row
        self.column = column
        self.rule = rule
        self.value = value
        self.remedy = remedy


class MissingExtraError(CaveatError, ImportError):
    """An optional package is needed; the message names the extra that brings it."""


class OutputError(CaveatError, OSError):
    """The answer cannot be written to the standard output."""


class DownloadError(CaveatError, OSError):
    """A data set could not be brought here; nothing was left behind."""
