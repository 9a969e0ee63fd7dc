"""One line of JSON for each response or vote, as Every Eval Ever has its samples."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson
import pyarrow as pa

from caveat.data import every_eval_ever as eee
from caveat.exporters.eee_cells import Table, as_text, numbers, whole

_OF_THE_FILE = frozenset({"benchmark", "model"})
_NATIVE = ("item", "repeat", "prediction", "target", "sample_hash")
_SEPARATORS = (
    ("\u0085".encode(), b"\\u0085"),
    ("\u2028".encode(), b"\\u2028"),
    ("\u2029".encode(), b"\\u2029"),
)
_POINTS = {"a": 1.0, "b": 0.0, "tie": 0.5, "both_bad": 0.5}
_LONGEST_TIME = 1e300
READING = ("metric", "filter", "prompt")
"""Columns that tell the results of one run on one benchmark apart."""


def table_of(rows: pa.Table) -> Table:
    """Return responses of one model, run and benchmark, ready to be written."""
    made = Table(length=rows.num_rows)
    left = [name for name in rows.column_names if name not in _OF_THE_FILE]
    for name in _NATIVE:
        if name in left and _is_text(rows.column(name)):
            made.cells[name] = rows.column(name).cast(pa.string()).to_pylist()
            left.remove(name)
    made.cells["score"] = numbers(rows.column("score"))
    left.remove("score")
    for name in _take_whole(rows, made):
        left.remove(name)
    _take_times(rows, made, left)
    _keep(rows, made, left)
    made.texts.setdefault(eee.STATUS.removeprefix(eee.PREFIX), ["scored"] * made.length)
    return made


def votes_table_of(rows: pa.Table) -> Table:
    """Return votes on one model shown first, ready to be written."""
    made = Table(length=rows.num_rows)
    named = next((n for n in ("item", "battle") if n in rows.column_names), None)
    ids = as_text(rows.column(named))[0] if named else [None] * made.length
    made.cells["item"] = [text or f"vote {i + 1}" for i, text in enumerate(ids)]
    made.cells["score"] = [_POINTS[str(v)] for v in rows.column("outcome").to_pylist()]
    _keep(rows, made, [name for name in rows.column_names if name != "model_a"])
    made.texts["kind"] = ["votes"] * made.length
    return made


def lines(
    table: Table, *, model: str, evaluation: str, result_ids: list[str | None]
) -> Iterator[bytes]:
    """Yield each row as JSON without its `evaluation_id`, which `placed` puts in."""
    own = [(eee.PREFIX + name, cells) for name, cells in table.texts.items()]
    item, repeat, hashes = (table.column(n) for n in ("item", "repeat", "sample_hash"))
    for row in range(table.length):
        metadata = {key: text for key, cells in own if (text := cells[row]) is not None}
        if repeat[row] is not None:
            metadata["epoch"] = repeat[row]
        score = table.cells["score"][row]
        status = metadata.get(eee.STATUS, "scored")
        if score is None:
            metadata[eee.SCORE] = "null"
        record = {
            "model_id": model,
            "evaluation_name": evaluation,
            "evaluation_result_id": result_ids[row] if score is not None else None,
            "sample_id": item[row],
            "sample_hash": hashes[row],
            "interaction_type": "single_turn",
            **_asked_and_answered(table, row),
            "evaluation": _evaluation(table, row, score),
            "token_usage": _tokens(table, row),
            "performance": _times(table, row),
            "error": _error(status, score),
            "metadata": metadata,
        }
        yield _one_line(orjson.dumps(record))


def placed(line: bytes, evaluation_id: str) -> bytes:
    """Return the line with its version and the id of its evaluation."""
    start = orjson.dumps(
        {"schema_version": eee.SCHEMA_VERSION, "evaluation_id": evaluation_id}
    ).removesuffix(b"}")
    return _one_line(start) + b"," + line.removeprefix(b"{") + b"\n"


def _one_line(line: bytes) -> bytes:
    """Escape the signs that Python's `splitlines` takes for ends of lines, as the validator does.

    JSON allows them unescaped inside texts; the official validator splits a line there.
    """
    for sign, escaped in _SEPARATORS:
        line = line.replace(sign, escaped)
    return line


def _is_text(column: pa.ChunkedArray) -> bool:
    return as_text(column.slice(0, 0))[1] == "text"


def _take_whole(rows: pa.Table, made: Table) -> list[str]:
    """Take the counts that fit; input and output tokens only fit together."""
    names = rows.column_names
    taken: list[str] = []
    both = {
        n: whole(rows.column(n), least=0) for n in ("input_tokens", "output_tokens") if n in names
    }
    if len(both) == 2 and None not in both.values() and _missing_together(both):
        made.cells.update({name: cells or [] for name, cells in both.items()})
        taken += both
        wanted = {**dict.fromkeys(eee.TOKEN_EXTRAS, 0)}
    else:
        wanted = {}
    for name, least in {**wanted, "num_turns": 1, "tool_calls_count": 0}.items():
        cells = whole(rows.column(name), least=least) if name in names else None
        if cells is not None and _covered(name, cells, made):
            made.cells[name] = cells
            made.types[name] = as_text(rows.column(name).slice(0, 0))[1]
            taken.append(name)
    return taken


def _missing_together(both: Mapping[str, list[int | None] | None]) -> bool:
    first, second = (cells or [] for cells in both.values())
    return all((a is None) == (b is None) for a, b in zip(first, second, strict=True))


def _covered(name: str, cells: list[int | None], made: Table) -> bool:
    """Whether rows with such a count have the tokens beside which it would stand."""
    if name not in eee.TOKEN_EXTRAS:
        return True
    tokens = made.cells["input_tokens"]
    return all(a is None or b is not None for a, b in zip(cells, tokens, strict=True))


def _take_times(rows: pa.Table, made: Table, left: list[str]) -> None:
    """Take the times; a latency that milliseconds do not bring back exactly is kept as well."""
    for name in (*eee.TIME_EXTRAS, "latency_s"):
        if name not in left or not pa.types.is_floating(rows.column(name).type):
            continue
        cells = numbers(rows.column(name))
        if any(v is not None and not 0 <= v < _LONGEST_TIME for v in cells):
            continue
        if name != "latency_s":
            made.cells[name] = cells
            made.types[name] = "double"
            left.remove(name)
            continue
        made.cells["latency_ms"] = [None if v is None else v * 1000 for v in cells]
        exact = all(v is None or v * 1000 / 1000 == v for v in cells)
        if exact:
            left.remove(name)


def _keep(rows: pa.Table, made: Table, names: list[str]) -> None:
    for name in names:
        made.texts[name], made.types[name] = as_text(rows.column(name))


def _asked_and_answered(table: Table, row: int) -> dict[str, Any]:
    prediction, target = (table.column(name)[row] for name in ("prediction", "target"))
    attribution = {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": prediction,
        "extraction_method": "as imported",
        "is_terminal": True,
    }
    return {
        "input": {"raw": "", "reference": [] if target is None else [target]},
        "output": {"raw": [] if prediction is None else [prediction]},
        "answer_attribution": [] if prediction is None else [attribution],
    }


def _evaluation(table: Table, row: int, score: float | None) -> dict[str, Any]:
    counts = {n: table.cells[n][row] for n in eee.WHOLE_EXTRAS if n in table.cells}
    return {"score": 0.0 if score is None else score, "is_correct": score == 1, **counts}


def _tokens(table: Table, row: int) -> dict[str, int] | None:
    given, made = (table.column(name)[row] for name in ("input_tokens", "output_tokens"))
    if given is None or made is None:
        return None
    extras = {name: table.cells[name][row] for name in eee.TOKEN_EXTRAS if name in table.cells}
    total = {"input_tokens": given, "output_tokens": made, "total_tokens": given + made}
    return total | {name: count for name, count in extras.items() if count is not None}


def _times(table: Table, row: int) -> dict[str, float] | None:
    names = ("latency_ms", *eee.TIME_EXTRAS)
    times = {name: table.cells[name][row] for name in names if name in table.cells}
    return {name: time for name, time in times.items() if time is not None} or None


def _error(status: str, score: float | None) -> str | None:
    if status in ("error", "refused"):
        return status if score is not None else f"{status}; {eee.NOT_SCORED}"
    return eee.NOT_SCORED if score is None else None
