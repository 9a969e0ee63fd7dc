"""What written evidence tells about itself, in the metadata of its Parquet or Arrow schema."""

from typing import Any

import orjson
import pyarrow as pa

from caveat.data.evidence import ORDER_KNOWN, Evidence

_KIND = b"caveat.kind"
_HISTORY = b"caveat.history"


def metadata_of(evidence: Evidence) -> dict[bytes, bytes]:
    """Return kind, order and history of evidence that is about to be written."""
    account = evidence.provenance.account
    history = {
        "sources": [
            {"name": _without_folders(s.name), "sha256": s.sha256, "importer": s.importer}
            for s in evidence.provenance.sources
        ],
        "rows_read": account.rows_read,
        "drops": [{"reason": d.reason, "count": d.count} for d in account.drops],
        "notices": list(evidence.provenance.notices),
    }
    return {
        _KIND: evidence.kind.encode(),
        ORDER_KNOWN: str(evidence.order_known).lower().encode(),
        _HISTORY: orjson.dumps(history),
    }


def order_known(schema: pa.Schema) -> bool:
    """Whether `model_a` is the answer shown first, as far as the schema tells."""
    return bool((schema.metadata or {}).get(ORDER_KNOWN) != b"false")


def history(schema: pa.Schema) -> tuple[str, ...]:
    """Return notices of where written evidence came from and what was dropped on the way."""
    text = (schema.metadata or {}).get(_HISTORY)
    if text is None:
        return ()
    try:
        told = orjson.loads(text)
        return (_summary(told), *map(str, told["notices"]))
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return ()


def _without_folders(name: str) -> str:
    """Return a source's name without the folders of this machine."""
    file, sign, inside = name.partition("!")
    return file.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] + sign + inside


def _summary(told: dict[str, Any]) -> str:  # values are whatever JSON holds
    names = ", ".join(f"{s['name']} (sha256 {str(s['sha256'])[:12]})" for s in told["sources"])
    dropped = sum(drop["count"] for drop in told["drops"])
    reasons = "; ".join(f"{drop['reason']}: {drop['count']}" for drop in told["drops"])
    why = f" ({reasons})" if reasons else ""
    return f"imported before from {names}: {told['rows_read']} rows read, {dropped} dropped{why}"
