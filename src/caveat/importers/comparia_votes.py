"""The vote table of compar:IA, the arena of the French Ministry of Culture."""

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from caveat.data.cells import FlagReader
from caveat.data.schema import Kind
from caveat.importers._base import LEFT_OUT, Dropped, ReadOptions, TableStream
from caveat.importers.translating import (
    Mask,
    Sieve,
    columns_of,
    same_text,
    source_chunks,
    text_ids,
    texts,
)

_NEEDED = frozenset({"model_a_name", "model_b_name", "chosen_model_name", "both_equal"})
_RENAMED = {
    "model_a_name": "model_a",
    "model_b_name": "model_b",
    "conversation_pair_id": "battle",
    "conv_turns": "turn",
    "timestamp": "at",
    "selected_category": "task",
    "session_hash": "session_hash",
    **{f"total_conv_{side}_output_tokens": f"tokens_{side}" for side in "ab"},
    **{f"total_tokens_{side}": f"tokens_{side}" for side in "ab"},
    **{f"total_conv_{side}_kwh": f"kwh_{side}" for side in "ab"},
    **{f"total_conso_{side}": f"kwh_{side}" for side in "ab"},
}
_COMPUTED = {
    "chosen_model_name": "outcome",
    "both_equal": "outcome",
    "visitor_id": "voter",
    "opening_msg": "item",
    "archived": "rows that are not counted",
}
_LEFT_OUT = (
    "conversation_a conversation_b system_prompt_a system_prompt_b conv_comments_a conv_comments_b "
    "model_pair_name short_summary keywords ip ip_map"
)
UNKNOWN = "must be the model_a_name or the model_b_name of its row"
BOTH = "must be empty where both_equal is true"
ARCHIVED = "archived by compar:IA"
NOTICE = (
    "comparia: the voter is visitor_id or, where there is none, 'session:' and the session_hash; "
    "the item is a hash of the opening message; conversations, prompts and comments are not kept"
)


class CompariaVotes:
    """Reads who was chosen; both-equal is a tie, and a row with neither is no vote."""

    name = "comparia"
    doc = "votes of compar:IA: Parquet, JSON lines or TSV with chosen_model_name and both_equal"
    kind: Kind = "votes"
    roles: Mapping[str, str] = {
        **_RENAMED,
        **_COMPUTED,
        **dict.fromkeys(_LEFT_OUT.split(), LEFT_OUT),
    }

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for both models, the chosen one and both-equal."""
        return names >= _NEEDED

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:
        """Return the votes; the texts of the conversations are never read."""

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
                yield from sieve.runs(_votes(batch, sieve, self.roles))

        names = dict.fromkeys(_new_names(stream.names, self.roles))
        return TableStream(
            names=tuple(names),
            text_only=stream.text_only,
            rows=stream.rows,
            order_known=stream.order_known,
            notices=(*stream.notices, NOTICE),
            chunks=chunks,
        )


def _new_names(names: tuple[str, ...], roles: Mapping[str, str]) -> Iterator[str]:
    for name in names:
        if name == "archived" or roles.get(name) == LEFT_OUT:
            continue
        if name == "session_hash":
            yield "voter"
        yield roles.get(name, name)


def _votes(batch: pa.RecordBatch, sieve: Sieve, roles: Mapping[str, str]) -> pa.RecordBatch:
    columns = columns_of(batch, needed=_NEEDED)
    models = {roles[name]: columns.pop(name) for name in ("model_a_name", "model_b_name")}
    votes = {**models, "outcome": _outcomes(columns, models, sieve)}
    voter = _voters(columns)
    if voter is not None:
        votes["voter"] = voter
    if "opening_msg" in columns:
        votes["item"] = text_ids(columns["opening_msg"])
    if "archived" in columns:
        sieve.drop(_true(columns["archived"]), ARCHIVED)
    for name, column in columns.items():
        if name not in _COMPUTED:
            votes.setdefault(roles.get(name, name), column)
    return pa.RecordBatch.from_pydict(votes)


def _outcomes(columns: dict[str, pa.Array], models: dict[str, pa.Array], sieve: Sieve) -> pa.Array:
    first, second = texts(models["model_a"]), texts(models["model_b"])
    chosen, flags = texts(columns["chosen_model_name"]), FlagReader().read(columns["both_equal"])
    if flags.bad is not None:
        sieve.refuse(flags.bad, column="both_equal", rule=flags.rule, values=columns["both_equal"])
    equal = np.asarray(pc.fill_null(flags.values, False), dtype=bool)  # noqa: FBT003 - Arrow
    won_a, won_b = same_text(chosen, first), same_text(chosen, second)
    named = _valid(chosen)
    sieve.refuse(named & equal, column="chosen_model_name", rule=BOTH, values=chosen)
    stranger = named & ~equal & ~won_a & ~won_b & _valid(first) & _valid(second)
    sieve.refuse(stranger, column="chosen_model_name", rule=UNKNOWN, values=chosen)
    code = np.where(equal, 2, np.where(won_a, 0, np.where(won_b, 1, -1))).astype(np.int32)
    return pa.DictionaryArray.from_arrays(
        pa.array(code, mask=code < 0), pa.array(["a", "b", "tie"])
    )


def _voters(columns: dict[str, pa.Array]) -> pa.Array | None:
    visitors = texts(columns["visitor_id"]) if "visitor_id" in columns else None
    if "session_hash" not in columns:
        return visitors
    sessions = pc.binary_join_element_wise("session:", texts(columns["session_hash"]), "")
    return sessions if visitors is None else pc.coalesce(visitors, sessions)


def _true(array: pa.Array) -> Mask:
    flags = FlagReader().read(array).values
    return np.asarray(pc.fill_null(flags, False), dtype=bool)  # noqa: FBT003 - Arrow


def _valid(array: pa.Array) -> Mask:
    return np.asarray(array.is_valid(), dtype=bool)
