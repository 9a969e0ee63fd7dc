"""Evidence in memory: an integer-coded Arrow table with its provenance."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from caveat.data.schema import Kind
from caveat.results.provenance import Provenance

if TYPE_CHECKING:
    import pyarrow as pa

    from caveat.data.places import Places

ORDER_KNOWN = b"caveat.order_known"
"""Key of the metadata of a schema that says whether `model_a` is the answer shown first."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """One table of evidence.

    Attributes
    ----------
    kind : str
        `votes`, `responses`, `models`, `voters` or `published`.
    table : pyarrow.Table
        Columns named as in `caveat.data.schema`; text columns are dictionary-coded with one
        dictionary for all chunks. Extra columns of the source keep their names.
    provenance : Provenance
        Sources, the account of their rows, and notices.
    order_known : bool
        Votes only: whether `model_a` is the answer shown first.
    places : Places or None
        Where each row stood in its source, for messages; None where nobody kept it.
    """

    kind: Kind
    table: "pa.Table"
    provenance: Provenance = field(default_factory=Provenance)
    order_known: bool = True
    places: "Places | None" = None

    def __len__(self) -> int:
        return int(self.table.num_rows)


def told(evidence: Evidence, notice: str) -> Evidence:
    """Return the evidence with one notice more."""
    notices = (*evidence.provenance.notices, notice)
    return replace(evidence, provenance=replace(evidence.provenance, notices=notices))
