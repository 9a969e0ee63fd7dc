"""Where each row of a table stood in its source, kept as runs so that it costs next to nothing."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Places:
    """Source file and row (from 1, header excluded) of every row of an evidence table.

    Attributes
    ----------
    files : tuple of str
    starts, rows, file_numbers : arrays of shape (runs,)
        Run r covers table rows `starts[r]` up to the next start; they are consecutive rows of
        `files[file_numbers[r]]`, from source row `rows[r]` on.
    length : int
        Rows in the table.
    """

    files: tuple[str, ...]
    starts: NDArray[np.int64]
    rows: NDArray[np.int64]
    file_numbers: NDArray[np.int64]
    length: int

    def of(self, index: int) -> tuple[str, int]:
        """Return file and source row of table row `index`."""
        run = int(np.searchsorted(self.starts, index, side="right")) - 1
        row = int(self.rows[run]) + index - int(self.starts[run])
        return self.files[int(self.file_numbers[run])], row

    def take(self, keep: NDArray[np.bool_]) -> "Places":
        """Return the places of the rows where `keep` is true."""
        run_of = np.repeat(
            np.arange(self.starts.size), np.diff(np.append(self.starts, self.length))
        )
        rows = self.rows[run_of] + np.arange(self.length) - self.starts[run_of]
        return from_rows(self.files, rows[keep], self.file_numbers[run_of][keep])

    def __add__(self, other: "Places") -> "Places":
        return Places(
            files=self.files + other.files,
            starts=np.concatenate([self.starts, other.starts + self.length]),
            rows=np.concatenate([self.rows, other.rows]),
            file_numbers=np.concatenate([self.file_numbers, other.file_numbers + len(self.files)]),
            length=self.length + other.length,
        )


def from_rows(
    files: tuple[str, ...], rows: NDArray[np.int64], file_numbers: NDArray[np.int64]
) -> Places:
    """Compress one source row number per table row into runs."""
    breaks = np.ones(rows.size, dtype=bool)
    breaks[1:] = (np.diff(rows) != 1) | (np.diff(file_numbers) != 0)
    starts = np.flatnonzero(breaks).astype(np.int64)
    return Places(
        files=files,
        starts=starts,
        rows=rows[starts],
        file_numbers=file_numbers[starts],
        length=int(rows.size),
    )
