"""Which columns of a wide table are models, and whether their cells are scores or answers."""

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from caveat.data.encoding import encode, is_nested
from caveat.data.numbers import read_numbers
from caveat.data.schema import MODELS, RESPONSES, VOTERS, VOTES, key_of
from caveat.errors import InputError, UnrecognisedError
from caveat.importers.columns import Plan

_UNNAMED = re.compile(r"\s*|Unnamed: \d+(\.\d+)?|__index_level_\d+__")
_ROWS = 10_000
_MOSTLY = 0.5  # of the cells, for a column of numbers that holds a few cells of something else
_AGREES = 0.02  # of the rows, for a column of numbers among answers to be answers, too
_LONG = 20  # letters; answers that anybody shares are shorter
_SHOWN = 20
_KNOWN = frozenset(  # names that mean something; but a model may well be called model_a or b
    name
    for schema in (VOTES, RESPONSES, MODELS, VOTERS)
    for column in schema.columns
    if schema is RESPONSES or not column.required
    for name in (column.name, *column.aliases)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The columns of a wide table that are models.

    Attributes
    ----------
    names : tuple of str
    cell : str
        `score` or `prediction`.
    left_out : tuple of str
        Columns without a name.
    """

    names: tuple[str, ...]
    cell: str
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Column:
    """The beginning of one column."""

    name: str
    values: pa.Array
    texts: frozenset[str]
    numbers: bool
    outside: bool

    def shares_with(self, others: "list[_Column]") -> bool:
        return any(self.texts & other.texts for other in others if other is not self)

    def agrees_with(self, others: "list[_Column]") -> bool:
        """Whether it says the same as another column in more rows than chance would give."""
        return any(_equal(self.values, o.values) >= _AGREES for o in others if o is not self)


def candidates(responses: Plan) -> tuple[str, ...]:
    """Return the columns that may be models: those with a name that means nothing else here."""
    return tuple(
        old
        for old, new in responses.renames.items()
        if RESPONSES.column(new) is None and not unnamed(old) and key_of(old) not in _KNOWN
    )


def unnamed(name: str) -> bool:
    """Whether a column has no name of its own, as an index that was saved has none."""
    return _UNNAMED.fullmatch(name.strip("\ufeff")) is not None


def models_in(
    head: pa.RecordBatch, responses: Plan, *, file: str, certain: bool = False
) -> Models | None:
    """Decide from the first chunk of a table with an item column; None if it is not wide.

    - Scores: all candidates hold numbers from 0 to 1; columns of text that share no value with
      any other are no models then.
    - Answers: at least half of the candidates share a value with another one or with the target,
      as answers to the same items do; a title and a length do not. A column of numbers is one
      of them if it agrees with another one in its row, and a column of long texts that nobody
      shares is not.
    - Numbers beyond 0 and 1 are answers only where they agree with a target; otherwise they are
      refused, for they may be scores on another scale.

    Parameters
    ----------
    certain
        Whether the user said that the table holds responses.

    Raises
    ------
    InputError
        When all candidates are numbers and some lie outside 0 to 1.
    """
    names = candidates(responses)
    left_out = tuple(name for name in responses.renames if unnamed(name))
    if any(is_nested(head.column(name).type) for name in names):
        return None
    targets = [_read(old, head) for old, new in responses.renames.items() if new == "target"]
    columns = [_read(name, head, strict=bool(targets)) for name in names]
    numbers = [c for c in columns if c.numbers]
    texts = [c for c in columns if not c.numbers]
    if len(numbers) > 1 and not any(c.shares_with([*texts, *targets]) for c in texts):
        cell = _of_numbers(numbers, targets, file=file)
        return Models(names=tuple(c.name for c in numbers), cell=cell, left_out=left_out)
    found = _answers(columns, [*texts, *targets])
    sharing = sum(c.shares_with([*found, *targets]) for c in found)
    if len(found) < 2 or (sharing * 2 < len(found) and not certain):
        return None
    return Models(names=tuple(c.name for c in found), cell="prediction", left_out=left_out)


def notice(models: Models) -> str:
    """Say what was read as models."""
    cells = "scores" if models.cell == "score" else "answers"
    return (
        f"wide table: {len(models.names)} columns were read as models: {_listed(models.names)}; "
        f"their cells as {cells}"
    )


def refuse_outside(head: pa.RecordBatch, names: tuple[str, ...], *, file: str) -> None:
    """Refuse scores outside 0 to 1 in a later chunk of a table of scores."""
    columns = [_read(name, head) for name in names]
    if any(c.outside for c in columns):
        raise _not_scores(columns, file=file)


def _of_numbers(columns: list[_Column], targets: list[_Column], *, file: str) -> str:
    if not any(c.outside for c in columns):
        return "score"
    agreeing = sum(c.agrees_with(targets) for c in columns)
    if agreeing * 2 >= len(columns):
        return "prediction"
    raise _not_scores(columns, file=file)


def _not_scores(columns: list[_Column], *, file: str) -> InputError:
    outside = [c.name for c in columns if c.outside]
    sharing = sum(c.shares_with(columns) for c in columns)
    kind = InputError if sharing * 2 >= len(columns) else UnrecognisedError
    return kind(
        f"{file}: the scores of models must lie in 0..1, got numbers outside in "
        f"{_listed(tuple(outside))} (columns that may be models: "
        f"{_listed(tuple(c.name for c in columns))}); divide percentages by 100, rescale other "
        "scores; say what a column is that is no model (--map output_tokens=COLUMN), or take it "
        "out; or write a row per item and model with the columns item, model, score"
    )


def _answers(columns: list[_Column], around: list[_Column]) -> list[_Column]:
    """Leave out numbers that agree with no answer, and long texts that nobody shares."""
    return [c for c in columns if not c.texts or _is_answer(c, around)]


def _is_answer(column: _Column, around: list[_Column]) -> bool:
    if column.numbers and around:
        return column.agrees_with(around)
    return not _is_prose(column, around)


def _is_prose(column: _Column, around: list[_Column]) -> bool:
    length = sum(map(len, column.texts)) / max(len(column.texts), 1)
    return length > _LONG and not column.shares_with(around)


def _read(name: str, head: pa.RecordBatch, *, strict: bool = True) -> _Column:
    array = head.column(name)
    numbers = read_numbers(array)
    values = numbers.values[~np.isnan(numbers.values)]
    bad = int(numbers.bad.sum())
    good = not bad or (not strict and values.size >= _MOSTLY * (values.size + bad))
    texts = encode(array)
    return _Column(
        name=name,
        values=texts,
        texts=frozenset(t for t in texts.dictionary.to_pylist() if t and t.strip()),
        numbers=good,
        outside=bool(((values < 0) | (values > 1)).any()),
    )


def _equal(one: pa.DictionaryArray, other: pa.DictionaryArray) -> float:
    """Return the share of the first rows in which two columns say the same."""
    first, second = (a.slice(0, _ROWS).cast(pa.string()) for a in (one, other))
    both = pc.and_(pc.equal(first, second), pc.not_equal(first, ""))
    return float(pc.sum(both).as_py() or 0) / max(len(first), 1)


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(name if name.isprintable() else ascii(name)[1:-1] for name in names[:_SHOWN])
    return shown + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
