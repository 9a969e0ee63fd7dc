"""The JSON every command answers with: one head, then what the command found."""

from collections.abc import Iterable, Mapping
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.caveat import Caveat
from caveat.results.provenance import Account, Provenance
from caveat.results.report import SCHEMA_VERSION

_NOTHING = Provenance(account=Account(rows_read=0, kept=0))


def document(
    command: str,
    result: Mapping[str, Any],
    *,
    settings: Mapping[str, Any] | None = None,
    provenance: Provenance = _NOTHING,
    caveats: Iterable[Caveat] = (),
) -> dict[str, Any]:
    """Return `schema_version`, `command`, `settings`, `sources`, `caveats`, then the result."""
    return {
        "schema_version": SCHEMA_VERSION,
        "command": command,
        "settings": to_plain(settings or {}),
        "sources": to_plain(provenance.sources),
        "account": to_plain(provenance.account),
        "notices": list(provenance.notices),
        "caveats": [caveat.to_dict() for caveat in caveats],
        **to_plain(result),
    }


def error_document(kind: str, message: str) -> dict[str, Any]:
    """Return the one shape of an error."""
    return {"schema_version": SCHEMA_VERSION, "error": {"type": kind, "message": message}}
