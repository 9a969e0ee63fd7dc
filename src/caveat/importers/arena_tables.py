"""Battles of Chatbot Arena as tables: its first releases, and the competitions on Kaggle."""

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from caveat.data.numbers import read_numbers
from caveat.data.schema import Kind
from caveat.importers._base import LEFT_OUT, Dropped, ReadOptions, TableStream
from caveat.importers.fastchat_battles import pseudonym
from caveat.importers.translating import Mask, Sieve, columns_of, source_chunks, text_ids, texts

_BATTLE = frozenset({"model_a", "model_b"})
_WON = ("winner_model_a", "winner_model_b", "winner_tie", "winner_both_bad")
_OUTCOMES = ("a", "b", "tie", "both_bad")
_VOTER = "arena_user"
_TEXTS = (
    "conversation_a", "conversation_b", "response_a", "response_b", "openai_moderation",
    "toxic_chat_tag",
)  # fmt: skip
ONE_HOT = "of the winner columns of a row exactly one must be 1 and the others 0"
KAGGLE_NOTICE = (
    "kaggle_arena: the winner is the one column of winner_model_a, winner_model_b, winner_tie "
    "that is 1; the item is a hash of the prompt; answers are not kept"
)


class KaggleArena:
    """Reads the winner out of one column for each outcome."""

    name = "kaggle_arena"
    doc = "arena battles with columns winner_model_a, winner_model_b, winner_tie"
    kind: Kind = "votes"
    roles: Mapping[str, str] = {
        "id": "battle",
        "prompt": "item",
        **dict.fromkeys(_WON, "outcome"),
        **dict.fromkeys(_TEXTS, LEFT_OUT),
    }

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for both models and a column for each winner."""
        return names >= _BATTLE | set(_WON[:2]) and "winner" not in names

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:
        """Return the votes; a row with no winner or several is refused."""

        def chunks(
            wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            for first_row, batch in source_chunks(stream, self.roles, wanted, dropped):
                sieve = Sieve(
                    file=file,
                    first_row=first_row,
                    length=batch.num_rows,
                    options=options,
                    dropped=dropped,
                )
                yield from sieve.runs(_one_hot(batch, sieve))

        kept = (self.roles.get(n, n) for n in stream.names if self.roles.get(n) != LEFT_OUT)
        return TableStream(
            names=tuple(dict.fromkeys((*kept, "outcome"))),
            text_only=stream.text_only,
            rows=stream.rows,
            notices=(*stream.notices, KAGGLE_NOTICE),
            chunks=chunks,
        )


def _one_hot(batch: pa.RecordBatch, sieve: Sieve) -> pa.RecordBatch:
    columns = columns_of(batch, needed=_WON[:2])
    present = [name for name in _WON if name in columns]
    marks = [read_numbers(columns.pop(name)).values for name in present]
    flags = np.vstack([np.nan_to_num(mark, nan=-1.0) for mark in marks])
    wrong: Mask = ~(np.isin(flags, (0, 1)).all(axis=0) & (flags.sum(axis=0) == 1))
    shown = pa.array(["/".join(f"{v:g}" for v in row) for row in flags.T], pa.string())
    sieve.refuse(wrong, column="/".join(present), rule=ONE_HOT, values=shown)
    places = np.array([_WON.index(name) for name in present], np.int32)
    code = places[flags.argmax(axis=0)]
    votes = {
        "outcome": pa.DictionaryArray.from_arrays(
            pa.array(code, mask=wrong), pa.array(_OUTCOMES, pa.string())
        )
    }
    for name, column in columns.items():
        if name == "prompt":
            votes["item"] = text_ids(column)
        else:
            votes["battle" if name == "id" else name] = column
    return pa.RecordBatch.from_pydict(votes)


class FastChatTable:
    """Reads battles whose voter stands in the column of the judge."""

    name = "fastchat_table"
    doc = "arena battles as a table with winner, judge, anony and tstamp"
    kind: Kind = "votes"
    roles: Mapping[str, str] = {"judge": "voter", **dict.fromkeys(_TEXTS, LEFT_OUT)}

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for a judge, and the marks of the arena's first releases."""
        return names >= _BATTLE | {"winner", "judge", "anony", "tstamp"}

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:  # noqa: ARG002 - the protocol's
        """Return the votes; a judge called `arena_user_...` is a voter, any other a judge."""

        def chunks(
            wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            for first_row, batch in source_chunks(stream, self.roles, wanted, dropped):
                columns = columns_of(batch, needed=("judge",))
                columns |= _who(columns.pop("judge"))
                yield first_row, pa.RecordBatch.from_pydict(columns)

        kept = (n for n in stream.names if self.roles.get(n) != LEFT_OUT)
        return TableStream(
            names=tuple(dict.fromkeys((*kept, "voter"))),
            text_only=stream.text_only,
            rows=stream.rows,
            notices=stream.notices,
            chunks=chunks,
        )


def _who(judge: pa.Array) -> dict[str, pa.Array]:
    names = texts(judge) if pa.types.is_string(judge.type) or not judge.type.num_fields else judge
    if names is judge:  # a list of judge and template
        return {"judge": pa.array([_joined(v) for v in judge.to_pylist()], pa.string())}
    people = pc.fill_null(pc.starts_with(names, _VOTER), False)  # noqa: FBT003 - Arrow
    known = pc.unique(names.filter(people)).to_pylist()
    hidden = {name: pseudonym(name) for name in known}
    voters = [hidden.get(name) for name in names.to_pylist()]
    return {
        "voter": pa.array(voters, pa.string()),
        "judge": pc.if_else(people, None, names),
    }


def _joined(value: object) -> str | None:
    return "/".join(map(str, value)) if isinstance(value, list) else None
