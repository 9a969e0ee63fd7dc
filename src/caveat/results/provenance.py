"""Where evidence came from, and what became of each of its rows."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One input, precise enough to find it again.

    Attributes
    ----------
    name : str
        Path as given, or a name for data passed in memory.
    sha256 : str
        Digest of the bytes on disk; empty for data passed in memory.
    size : int
        Bytes on disk; 0 for data passed in memory.
    importer : str
        Name of the importer that read it.
    kind : str
        Kind of evidence it holds: `votes`, `responses`, `models`, `voters` or `published`.
    """

    name: str
    sha256: str = ""
    size: int = 0
    importer: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Rows left out for one reason, with the places of the first few."""

    reason: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What became of the rows: `rows_read == kept + dropped` always holds."""

    rows_read: int
    kept: int
    drops: tuple[Drop, ...] = ()

    @property
    def dropped(self) -> int:
        """Rows left out, for whatever reason."""
        return sum(drop.count for drop in self.drops)

    def __add__(self, other: "Account") -> "Account":
        merged: dict[str, Drop] = {}
        for drop in (*self.drops, *other.drops):
            seen = merged.get(drop.reason)
            merged[drop.reason] = Drop(
                reason=drop.reason,
                count=drop.count + (seen.count if seen else 0),
                examples=((seen.examples if seen else ()) + drop.examples)[:5],
            )
        return Account(
            rows_read=self.rows_read + other.rows_read,
            kept=self.kept + other.kept,
            drops=tuple(merged.values()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Sources of a result, the account of their rows, and what the reader was told on the way."""

    sources: tuple[Source, ...] = ()
    account: Account = field(default_factory=lambda: Account(rows_read=0, kept=0))
    notices: tuple[str, ...] = ()
