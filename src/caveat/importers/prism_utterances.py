"""PRISM's `utterances.jsonl`: one row for each scored reply."""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from caveat.data.schema import Kind
from caveat.importers._base import LEFT_OUT, Dropped, ReadOptions, TableStream
from caveat.importers.prism_pairs import COLUMNS, NO_PLACE, NOTICE, Exchange, Reply, votes_of
from caveat.importers.record_batches import batches
from caveat.importers.translating import text_id

_NEEDED = frozenset({"utterance_id", "conversation_id", "user_id", "turn", "model_name", "score"})


class PrismUtterances:
    """Reads pairs of replies to one prompt; the texts of the replies are never kept."""

    name = "prism_utterances"
    doc = "PRISM utterances.jsonl: pairs of scored replies to one prompt at one turn"
    kind: Kind = "votes"
    roles: Mapping[str, str] = {
        "conversation_id": "battle",
        "user_id": "voter",
        "turn": "turn",
        "conversation_type": "task",
        "user_prompt": "item",
        "model_name": "model_a and model_b",
        "score": "outcome, score_a and score_b",
        "included_in_balanced_subset": "included_in_balanced_subset",
        **dict.fromkeys(
            (
                "utterance_id",
                "interaction_id",
                "within_turn_id",
                "model_response",
                "model_provider",
                "if_chosen",
            ),
            LEFT_OUT,
        ),
    }

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for a scored utterance of a conversation."""
        return names >= _NEEDED

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:
        """Return the votes; rows are numbered by pair, replies in messages by row."""
        read = tuple(n for n in stream.names if self.roles.get(n, LEFT_OUT) != LEFT_OUT)

        def chunks(
            _wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            exchanges = _exchanges(stream, read, file, dropped)
            return batches(votes_of(exchanges, file=file, options=options, dropped=dropped))

        names = tuple(n for n in COLUMNS if n != "at")
        return TableStream(
            names=names, order_known=False, notices=(*stream.notices, NOTICE), chunks=chunks
        )


def _exchanges(
    stream: TableStream, read: tuple[str, ...], file: str, dropped: Dropped
) -> Iterator[Exchange]:
    """Gather the replies to each prompt, wherever in the file they stand."""
    found: dict[tuple[object, object], Exchange] = {}
    for first_row, batch in stream.chunks(read, dropped):
        known = batch.select([name for name in batch.schema.names if name in read])
        for row, record in enumerate(known.to_pylist(), first_row):
            key = (record.get("conversation_id"), record.get("turn"))
            if None in key:
                dropped(NO_PLACE, 1, f"{file}, row {row}")
                continue
            exchange = found.setdefault(key, Exchange(shared=_shared(record)))
            exchange.replies.append(
                Reply(model=record.get("model_name"), score=record.get("score"), row=row)
            )
    yield from found.values()


def _shared(record: dict[str, Any]) -> dict[str, Any]:
    return {
        "voter": record.get("user_id"),
        "task": record.get("conversation_type"),
        "battle": record["conversation_id"],
        "item": text_id(record.get("user_prompt")),
        "turn": record["turn"],
        "included_in_balanced_subset": record.get("included_in_balanced_subset"),
    }
