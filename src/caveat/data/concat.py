"""Evidence of one kind from several sources as one table."""

import pyarrow as pa

from caveat.data.encoding import TEXT, encode, is_text
from caveat.data.evidence import Evidence
from caveat.data.schema import SCHEMAS
from caveat.errors import InputError
from caveat.results.provenance import Account, Provenance


def concat(parts: list[Evidence]) -> Evidence:
    """Put evidence of one kind together; the accounts add up, repeats stay (see `deduplicate`).

    A column that one part lacks is null there, except `count` and `weight`, which are 1.

    Raises
    ------
    InputError
        When there is nothing to put together, or the kinds differ.
    """
    if not parts:
        raise InputError("parts must hold at least one table, got none")
    kinds = sorted({part.kind for part in parts})
    if len(kinds) > 1:
        raise InputError(f"parts must be of one kind, got {', '.join(kinds)}")
    if len(parts) == 1:
        return parts[0]
    names = _names(parts)
    columns = {name: _column(name, parts) for name in names}
    places = [part.places for part in parts]
    joined = places[0]
    for more in places[1:]:
        joined = None if joined is None or more is None else joined + more
    return Evidence(
        kind=parts[0].kind,
        table=pa.table(columns),
        provenance=_provenance(parts),
        order_known=all(part.order_known for part in parts),
        places=joined,
    )


def _names(parts: list[Evidence]) -> list[str]:
    present = dict.fromkeys(name for part in parts for name in part.table.schema.names)
    known = SCHEMAS.get(parts[0].kind).names
    return [n for n in known if n in present] + [n for n in present if n not in known]


def _column(name: str, parts: list[Evidence]) -> pa.ChunkedArray:
    present = [p.table.column(name) for p in parts if name in p.table.schema.names]
    kind = _common([column.type for column in present])
    chunks: list[pa.Array] = []
    for part in parts:
        if name in part.table.schema.names:
            chunks += [_as(chunk, kind) for chunk in part.table.column(name).chunks]
        elif name in ("count", "weight"):
            chunks.append(pa.repeat(pa.scalar(1, kind), len(part)))
        else:
            chunks.append(pa.nulls(len(part), kind))
    column = pa.chunked_array(chunks, kind)
    return column.unify_dictionaries() if pa.types.is_dictionary(kind) else column


def _common(kinds: list[pa.DataType]) -> pa.DataType:
    if all(is_text(kind) for kind in kinds):
        return TEXT
    if all(kind == kinds[0] for kind in kinds):
        return kinds[0]
    if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in kinds):
        return pa.float64()
    return TEXT


def _as(chunk: pa.Array, kind: pa.DataType) -> pa.Array:
    if chunk.type == kind:
        return chunk
    return encode(chunk) if kind == TEXT else chunk.cast(kind, safe=False)


def _provenance(parts: list[Evidence]) -> Provenance:
    account = Account(rows_read=0, kept=0)
    for part in parts:
        account = account + part.provenance.account
    return Provenance(
        sources=tuple(s for part in parts for s in part.provenance.sources),
        account=account,
        notices=tuple(dict.fromkeys(n for part in parts for n in part.provenance.notices)),
    )
