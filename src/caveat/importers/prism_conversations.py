"""PRISM's `conversations.jsonl`: one row for each conversation, with its whole history."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson
import pyarrow as pa

from caveat.data.schema import Kind
from caveat.importers._base import LEFT_OUT, Dropped, ReadOptions, TableStream
from caveat.importers.prism_pairs import COLUMNS, NO_HISTORY, NOTICE, Exchange, Reply, votes_of
from caveat.importers.record_batches import batches
from caveat.importers.translating import text_id

_NEEDED = frozenset({"conversation_id", "user_id", "conversation_history", "conversation_type"})
_READ = (
    "conversation_id",
    "user_id",
    "conversation_history",
    "conversation_type",
    "generated_datetime",
    "included_in_balanced_subset",
)
_LEFT_OUT = (
    "opening_prompt open_feedback performance_attributes choice_attributes conversation_turns "
    "timing_duration_s timing_duration_mins"
)


class PrismConversations:
    """Reads the same votes as from the utterances, with the time of the conversation."""

    name = "prism_conversations"
    doc = "PRISM conversations.jsonl: the same votes as utterances.jsonl, with times"
    kind: Kind = "votes"
    roles: Mapping[str, str] = {
        "conversation_id": "battle",
        "user_id": "voter",
        "conversation_history": "model_a, model_b, outcome, item, turn, score_a and score_b",
        "conversation_type": "task",
        "generated_datetime": "at",
        "included_in_balanced_subset": "included_in_balanced_subset",
        **dict.fromkeys(_LEFT_OUT.split(), LEFT_OUT),
    }

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for a conversation of a user with its history."""
        return names >= _NEEDED

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:
        """Return the votes; rows are numbered by pair, conversations in messages by row."""
        read = tuple(name for name in stream.names if name in _READ)

        def chunks(
            _wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            exchanges = _exchanges(stream, read, file, dropped)
            return batches(votes_of(exchanges, file=file, options=options, dropped=dropped))

        return TableStream(
            names=COLUMNS, order_known=False, notices=(*stream.notices, NOTICE), chunks=chunks
        )


def _exchanges(
    stream: TableStream, read: tuple[str, ...], file: str, dropped: Dropped
) -> Iterator[Exchange]:
    for first_row, batch in stream.chunks(read, dropped):
        known = batch.select([name for name in batch.schema.names if name in read])
        for row, record in enumerate(known.to_pylist(), first_row):
            turns = _history(record.get("conversation_history"))
            if turns is None or record.get("conversation_id") is None:
                dropped(NO_HISTORY, 1, f"{file}, row {row}")
                continue
            yield from _of_conversation(record, turns, row)


def _history(value: object) -> list[dict[str, Any]] | None:
    """Return the messages; columns of mixed types come as JSON."""
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return None
    if not isinstance(value, list) or not all(isinstance(turn, dict) for turn in value):
        return None
    return value


def _of_conversation(
    record: dict[str, Any], turns: list[dict[str, Any]], row: int
) -> Iterator[Exchange]:
    found: dict[object, Exchange] = {}
    for message in turns:
        turn = message.get("turn")
        shared = {
            "voter": record.get("user_id"),
            "task": record.get("conversation_type"),
            "battle": record["conversation_id"],
            "turn": turn,
            "at": record.get("generated_datetime"),
            "included_in_balanced_subset": record.get("included_in_balanced_subset"),
        }
        exchange = found.setdefault(turn, Exchange(shared=shared))
        if message.get("role") == "user":
            exchange.shared["item"] = text_id(message.get("content"))
        elif message.get("role") == "model":
            exchange.replies.append(
                Reply(model=message.get("model_name"), score=message.get("score"), row=row)
            )
    yield from found.values()
