"""Builds one evidence table from chunks of a source, and accounts for every row."""

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
import pyarrow as pa

from caveat.data.account import DropCounter, RowFilter
from caveat.data.cells import (
    LARGEST_COUNT,
    Cells,
    CodedReader,
    CountReader,
    FlagReader,
    LabelReader,
    Mask,
    NumberReader,
    Reader,
    WeightReader,
)
from caveat.data.coder import Coder
from caveat.data.encoding import is_nested
from caveat.data.evidence import Evidence
from caveat.data.kept import KeptReader
from caveat.data.outcome import complete_responses
from caveat.data.places import Places
from caveat.data.schema import Column, Schema
from caveat.data.winners import LEAVE_OUT, WRITE_A_OR_B, Winners
from caveat.errors import CellError, InputError
from caveat.results.provenance import Account, Provenance, Source

BadRows = Literal["error", "drop"]
_NAMES_OF_MISSING = {"model": "model name", "model_a": "first model", "model_b": "second model"}
_READERS: dict[str, Callable[[], Reader]] = {
    "number": NumberReader,
    "count": CountReader,
    "weight": WeightReader,
    "flag": FlagReader,
}
_ONE_DICTIONARY = {
    "model_a": "models",
    "model_b": "models",
    "prediction": "answers",
    "target": "answers",
}


class TableBuilder:
    """Reads chunks with canonical column names into one integer-coded table.

    Parameters
    ----------
    schema
        What the table should become.
    file
        Name of the source in messages.
    bad_rows
        `"error"` stops at the first cell that breaks a rule; `"drop"` drops its row and counts it.
    columns
        Columns to keep besides the required ones; None keeps all.
    infer
        Whether extra columns of text that hold only numbers are read as numbers (CSV).
    needed
        Columns without which a row is dropped, besides the required ones.
    """

    def __init__(
        self,
        schema: Schema,
        *,
        file: str,
        bad_rows: BadRows = "error",
        columns: frozenset[str] | None = None,
        infer: bool = False,
        needed: frozenset[str] = frozenset(),
    ) -> None:
        self.schema = schema
        self.file = file
        self._bad_rows = bad_rows
        self._columns = columns
        self._infer = infer
        self._needed = needed
        self._coders: dict[str, Coder] = {}
        self._readers: dict[str, Reader] = {}
        self._shown: dict[str, str] = {}
        self._chunks: dict[str, list[pa.Array]] = {}
        self._lengths: list[int] = []
        self._runs: list[tuple[int, int]] = []
        self._nested: dict[str, None] = {}
        self._notices: dict[str, None] = {}
        self._winners: Winners | None = None
        self._counter = DropCounter()
        self._kept = 0

    def add(
        self,
        table: pa.Table | pa.RecordBatch,
        *,
        first_row: int,
        shown: Mapping[str, str] | None = None,
    ) -> None:
        """Read one chunk.

        Parameters
        ----------
        table
            Columns named canonically; extra columns keep their names.
        first_row
            Row of the source, from 1 without the header, that the chunk begins with.
        shown
            Names the columns have in the source, for messages.
        """
        self._shown.update(shown or {})
        if isinstance(table, pa.Table):
            for batch in table.to_batches():
                self._add_batch(batch, first_row=first_row)
                first_row += batch.num_rows
        else:
            self._add_batch(table, first_row=first_row)

    def drop(self, reason: str, count: int, example: str) -> None:
        """Count rows that never reached the builder."""
        self._counter.add(reason, count, example)

    def notice(self, text: str) -> None:
        """Tell the reader something, once."""
        self._notices[text] = None

    def finish(self, source: Source, *, order_known: bool = True) -> Evidence:
        """Return the evidence; rows are not yet compared with each other."""
        self._require_columns()
        self._check_total()
        if self.schema.kind == "responses":
            complete_responses(self._chunks, self._readers, self._lengths, self._notices)
        self._compact()
        if not self._chunks:
            self._add_required()
        columns = {
            name: self._readers[name].finish(chunks) for name, chunks in self._chunks.items()
        }
        for name, reader in self._readers.items():
            for text in reader.notices():
                self.notice(f"column {self._shown.get(name, name)!r}: {text}")
        if self._winners is not None:
            named = self._winners.notice(self.file, self._shown.get("outcome", "outcome"))
            if named is not None:
                self.notice(named)
        if self._nested:
            self.notice(f"columns that hold nested values were left out: {', '.join(self._nested)}")
        account = Account(
            rows_read=self._kept + self._counter.total,
            kept=self._kept,
            drops=self._counter.drops(),
        )
        return Evidence(
            kind=self.schema.kind,
            table=pa.table({name: columns[name] for name in self._order(columns)}),
            provenance=Provenance(sources=(source,), account=account, notices=tuple(self._notices)),
            order_known=order_known,
            places=self._places(),
        )

    def _add_batch(self, batch: pa.RecordBatch, *, first_row: int) -> None:
        if not batch.num_rows:
            return
        rows = RowFilter(self._counter, self.file, first_row, np.ones(batch.num_rows, dtype=bool))
        cells = self._read_cells(batch)
        self._read_winners(batch, cells)
        self._refuse_bad(batch, cells, rows)
        self._drop_missing(cells, rows)
        self._drop_zero_counts(cells, rows)
        self._store({name: c.values for name, c in cells.items()}, rows)

    def _read_cells(self, batch: pa.RecordBatch) -> dict[str, Cells]:
        cells: dict[str, Cells] = {}
        for name, array in zip(batch.schema.names, batch.columns, strict=True):
            column = self.schema.column(name)
            if not self._wanted(name, column):
                continue
            if is_nested(array.type):
                if column is not None:
                    shown = self._shown.get(name, name)
                    raise InputError(
                        f"{self.file}, column {shown!r}: must hold single values, "
                        f"got {str(array.type)[:80]}; where an item has several right answers, "
                        "leave the column out and give a score"
                    )
                self._nested[name] = None
                continue
            cells[name] = self._read_column(name, column, array)
        return cells

    def _read_winners(self, batch: pa.RecordBatch, cells: dict[str, Cells]) -> None:
        """Read outcomes that are the name of one of the row's models."""
        if self.schema.kind != "votes" or not {"model_a", "model_b", "outcome"} <= set(cells):
            return
        if self._winners is None:
            self._winners = Winners(self._coders[_ONE_DICTIONARY["model_a"]])
        cells["outcome"] = self._winners.read(batch.column("outcome"), cells)

    def _read_column(self, name: str, column: Column | None, array: pa.Array) -> Cells:
        if name not in self._readers:
            self._readers[name] = self._reader(name, column)
        try:
            return self._readers[name].read(array)
        except (pa.ArrowInvalid, UnicodeDecodeError) as error:
            shown = self._shown.get(name, name)
            raise InputError(f"{self.file}, column {shown!r}: {error}") from error

    def _reader(self, name: str, column: Column | None) -> Reader:
        cell = column.cell if column else "any"
        if cell in ("id", "text"):
            group = _ONE_DICTIONARY.get(name, name)
            coder = self._coders.setdefault(group, Coder(normalise=cell == "id"))
            return CodedReader(coder, what=cell)
        if column is not None and cell == "label":
            return LabelReader(column)
        if cell in _READERS:
            return _READERS[cell]()
        return KeptReader(infer=self._infer, tidy=self.schema.kind == "voters")

    def _wanted(self, name: str, column: Column | None) -> bool:
        if self._columns is None or name in self._columns:
            return True
        return column is not None and (
            column.required or name in ("prediction", "target", "score", "status", "count")
        )

    def _refuse_bad(self, batch: pa.RecordBatch, cells: dict[str, Cells], rows: RowFilter) -> None:
        bad = [(name, c.bad, c.rule) for name, c in cells.items() if c.bad is not None]
        self_votes = self._self_votes(cells)
        if self_votes is not None:
            bad.append(("model_b", self_votes, "a model cannot meet itself"))
        if bad and self._bad_rows == "error":
            name, where, rule = min(bad, key=lambda entry: int(np.argmax(entry[1])))
            row = int(np.argmax(where))
            raise CellError(
                file=self.file,
                row=rows.first_row + row,
                column=self._shown.get(name, name),
                rule=rule,
                value=show(batch.column(name)[row].as_py()),
                remedy=WRITE_A_OR_B if name == "outcome" else LEAVE_OUT,
            )
        for name, where, rule in bad:
            rows.drop(where, f"{self._shown.get(name, name)}: {rule}")

    def _self_votes(self, cells: dict[str, Cells]) -> Mask | None:
        if self.schema.kind != "votes" or not {"model_a", "model_b"} <= set(cells):
            return None
        first = cells["model_a"].values
        same: Mask = (first == cells["model_b"].values) & (first >= 0)
        return same if same.any() else None

    def _drop_missing(self, cells: dict[str, Cells], rows: RowFilter) -> None:
        for name, read in cells.items():
            column = self.schema.column(name)
            needed = column is not None and (column.required or column.cell in ("count", "weight"))
            if (needed or name in self._needed) and read.missing is not None:
                rows.drop(read.missing, f"no {_NAMES_OF_MISSING.get(name, name)}")

    def _drop_zero_counts(self, cells: dict[str, Cells], rows: RowFilter) -> None:
        if self.schema.kind == "votes" and "count" in cells:
            rows.drop(cells["count"].values == 0, "count is 0")

    def _store(self, values: dict[str, pa.Array], rows: RowFilter) -> None:
        keep = rows.keep
        everything = bool(keep.all())
        kept = keep.size if everything else int(keep.sum())
        for name, cells in values.items():
            if name not in self._chunks:
                reader = self._readers[name]
                self._chunks[name] = [reader.empty(n) for n in self._lengths]
            if not everything:
                cells = cells[keep] if isinstance(cells, np.ndarray) else cells.filter(keep)
            self._chunks[name].append(cells)
        for name, chunks in self._chunks.items():
            if name not in values:
                chunks.append(self._readers[name].empty(kept))
        self._lengths.append(kept)
        self._kept += kept
        self._note_rows(rows.first_row, keep, everything=everything)

    def _note_rows(self, first_row: int, keep: Mask, *, everything: bool) -> None:
        start = self._kept - (keep.size if everything else int(keep.sum()))
        if everything:
            self._runs.append((start, first_row))
            return
        rows = np.flatnonzero(keep)
        breaks = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
        self._runs += [(start + int(b), first_row + int(rows[b])) for b in breaks]

    def _places(self) -> Places:
        runs = np.array(self._runs, dtype=np.int64).reshape(-1, 2)
        return Places(
            files=(self.file,),
            starts=runs[:, 0],
            rows=runs[:, 1],
            file_numbers=np.zeros(len(runs), np.int64),
            length=self._kept,
        )

    def _require_columns(self) -> None:
        if not self._kept and not self._counter.total:
            raise InputError(f"{self.file}: must hold at least one row, got none")
        if self.schema.kind == "responses" and "benchmark" not in self._chunks and self._chunks:
            self._fill_benchmark()
        missing = [c.name for c in self.schema.required if c.name not in self._chunks]
        if missing and self._chunks:
            raise InputError(
                f"{self.file}: {self.schema.kind} need column {', '.join(missing)}, "
                f"got {', '.join(self._chunks) or 'none'}"
            )

    def _fill_benchmark(self) -> None:
        stem = benchmark_name(self.file)
        reader = CodedReader(Coder(normalise=True), what="id")
        reader.read(pa.array([stem]))
        self._readers["benchmark"] = reader
        self._chunks["benchmark"] = [np.zeros(n, np.int32) for n in self._lengths]
        self.notice(f"{self.file}: no column names the benchmark; it is called {stem!r} here")

    def _add_required(self) -> None:
        """Every row was dropped before it reached the builder: the columns are there, empty."""
        for column in self.schema.required:
            self._readers[column.name] = self._reader(column.name, column)
            self._chunks[column.name] = []

    def _compact(self) -> None:
        users: dict[Coder, list[list[pa.Array]]] = {}
        for name, chunks in self._chunks.items():
            reader = self._readers[name]
            if isinstance(reader, CodedReader):
                users.setdefault(reader.coder, []).append(chunks)
        for coder, columns in users.items():
            coder.compact(columns)

    def _check_total(self) -> None:
        total = sum(float(chunk.sum()) for chunk in self._chunks.get("count", ()))
        if self.schema.kind == "votes" and total > LARGEST_COUNT:
            raise InputError(
                f"{self.file}, column {self._shown.get('count', 'count')!r}: "
                f"the counts together must not exceed 2**53, got {total:.3g}"
            )

    def _order(self, columns: Mapping[str, pa.ChunkedArray]) -> list[str]:
        known = [name for name in self.schema.names if name in columns]
        return known + [name for name in columns if name not in self.schema.names]


def benchmark_name(file: str) -> str:
    """Return a file's name without folders and suffixes."""
    name = file.replace("\\", "/").rsplit("!", 1)[-1].rsplit("/", 1)[-1]
    return name.split(".", 1)[0] or name or "benchmark"


def show(value: object) -> str:
    """Return a cell for a message: escaped, at most 80 characters."""
    text = repr(str(value)[:200] if isinstance(value, str) else value)
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text if len(text) <= 80 else text[:77] + "..."
