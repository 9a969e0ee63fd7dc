"""AlpacaEval's outputs of models, and its leaderboards."""

from collections.abc import Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from caveat.data.encoding import encode
from caveat.data.schema import Kind
from caveat.importers._base import LEFT_OUT, Dropped, ReadOptions, TableStream
from caveat.importers.answer_texts import answer_text
from caveat.importers.translating import columns_of, source_chunks, text_ids

BENCHMARK = "alpaca_eval"
_OUTPUTS = frozenset({"instruction", "output", "generator"})
_LEADERBOARD = frozenset({"win_rate", "standard_error", "n_wins_base", "n_total"})
_INDEX = ("", "Unnamed: 0", "index", "name", "model", "generator", "_")
_FIGURES = {
    "win_rate": "standard_error",
    "discrete_win_rate": None,
    "length_controlled_winrate": "lc_standard_error",
}
_NEW = ("benchmark", "model", "metric", "value", "n", "se")
OUTPUTS_NOTICE = (
    "alpaca_outputs: the item is a hash of the instruction; nothing scores the answers here, they "
    "can only be compared with each other"
)
LEADERBOARD_NOTICE = (
    "alpaca_leaderboard: win rates as published, in percent against a baseline that the table "
    "does not name; they are no votes: those are in annotations.json"
)


class AlpacaOutputs:
    """Reads what each model answered to each instruction."""

    name = "alpaca_outputs"
    doc = "outputs of AlpacaEval: instruction, output, generator"
    kind: Kind = "responses"
    roles: Mapping[str, str] = {
        "instruction": "item",
        "generator": "model",
        "output": "prediction",
        "dataset": "task",
    }

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for an instruction, an output and who wrote it."""
        return names >= _OUTPUTS

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:  # noqa: ARG002 - the protocol's
        """Return the answers; long ones are kept as their beginning and a hash."""

        def chunks(
            wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            for first_row, batch in source_chunks(stream, self.roles, wanted, dropped):
                yield first_row, _answers(batch, options)

        names = (self.roles.get(n, n) for n in stream.names)
        return TableStream(
            names=tuple(dict.fromkeys(("benchmark", *names))),
            text_only=stream.text_only,
            rows=stream.rows,
            notices=(*stream.notices, OUTPUTS_NOTICE),
            chunks=chunks,
        )


def _answers(batch: pa.RecordBatch, options: ReadOptions) -> pa.RecordBatch:
    given = columns_of(batch, needed=_OUTPUTS)
    said = encode(given.pop("output"))
    texts = pa.array([answer_text(text) for text in said.dictionary.to_pylist()], pa.string())
    columns = {
        "benchmark": _constant(BENCHMARK, batch.num_rows),
        "item": text_ids(given.pop("instruction")),
        "model": given.pop("generator"),
        "prediction": pa.DictionaryArray.from_arrays(said.indices, texts),
    }
    if options.model_name is not None:
        columns["model"] = _constant(options.model_name, batch.num_rows)
    for name, column in given.items():
        columns.setdefault("task" if name == "dataset" else name, column)
    return pa.RecordBatch.from_pydict(columns)


class AlpacaLeaderboard:
    """Reads the published win rates; they are no votes, and no answers."""

    name = "alpaca_leaderboard"
    doc = "leaderboards of AlpacaEval: win_rate, standard_error, n_total"
    kind: Kind = "published"
    roles: Mapping[str, str] = {
        **dict.fromkeys(_INDEX, "model"),
        **dict.fromkeys(_FIGURES, "value"),
        "standard_error": "se",
        "lc_standard_error": "se",
        "n_total": "n",
        "mode": LEFT_OUT,
    }

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for win rates with the counts behind them."""
        return names >= _LEADERBOARD and bool(names & set(_INDEX))

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:  # noqa: ARG002 - the protocol's
        """Return one row for each model and kind of win rate that is there."""
        figures = [name for name in _FIGURES if name in stream.names]

        def chunks(
            _wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            for first_row, batch in source_chunks(stream, self.roles, None, dropped):
                for figure in figures:
                    yield first_row, _figures(batch, figure)

        extra = (n for n in stream.names if n not in self.roles)
        return TableStream(
            names=tuple(dict.fromkeys((*_NEW, *extra))),
            text_only=stream.text_only,
            notices=(*stream.notices, LEADERBOARD_NOTICE),
            chunks=chunks,
        )


def _figures(batch: pa.RecordBatch, figure: str) -> pa.RecordBatch:
    given = dict(zip(batch.schema.names, batch.columns, strict=True))
    model = next(given[name] for name in _INDEX if name in given)
    error = _FIGURES[figure]
    se = None if error is None else given.get(error)
    columns = {
        "benchmark": _constant(BENCHMARK, batch.num_rows),
        "model": model,
        "metric": _constant(figure, batch.num_rows),
        "value": given[figure],
        "n": given["n_total"],
        "se": pa.nulls(batch.num_rows) if se is None else se,
    }
    roles = AlpacaLeaderboard.roles
    columns |= {name: column for name, column in given.items() if name not in roles}
    return pa.RecordBatch.from_pydict(columns)


def _constant(text: str, length: int) -> pa.Array:
    return pc.fill_null(pa.nulls(length, pa.string()), text)
