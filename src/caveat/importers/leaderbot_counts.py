"""Counts JSON of the leaderbot package: models, pairs, and four counts for each pair."""

import re

import numpy as np
import orjson
import pyarrow as pa
from numpy.typing import NDArray

from caveat.data.builder import TableBuilder
from caveat.data.evidence import Evidence
from caveat.data.schema import OUTCOMES, VOTES, Kind
from caveat.errors import InputError, SourceError
from caveat.importers._base import Head, ReadOptions
from caveat.importers.columns import bind
from caveat.importers.opening import Member
from caveat.importers.pair_counts import NOTICE, add_cells
from caveat.results.provenance import Source

_START = re.compile(rb'[\xef\xbb\xbf\s]*\{\s*"(models|X|Y)"\s*:\s*\[')


class LeaderbotCounts:
    """Reads `{"models": [...], "X": [[i, j], ...], "Y": [[n_a, n_b, n_tie, n_both_bad], ...]}`."""

    name = "leaderbot"
    doc = "leaderbot counts JSON: models, X (pairs) and Y (wins, losses, ties, both bad)"
    kind: Kind = "votes"

    def recognises(self, head: Head) -> bool:
        """Look for its three keys."""
        return bool(_START.match(head.data)) and (
            len(head.keys) < 2 or {"models", "X", "Y"} <= set(head.keys)
        )

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read each cell of Y as one row with its count."""
        options = bind(options, ("model_a", "model_b", "outcome", "count"), member.name)
        models, pairs, counts = _parts(member)
        builder = TableBuilder(
            VOTES, file=member.name, bad_rows=options.bad_rows, columns=options.columns
        )
        builder.notice(NOTICE)
        names = pa.array(models, pa.string())
        shared = {
            name: pa.DictionaryArray.from_arrays(pa.array(pairs[:, side]), names)
            for side, name in enumerate(("model_a", "model_b"))
        }
        for number, outcome in enumerate(OUTCOMES[: counts.shape[1]]):
            add_cells(
                builder,
                shared,
                outcome=outcome,
                count=pa.array(counts[:, number]),
                first_row=1,
                shown={"count": f"Y[{number}]", "model_a": "X[0]", "model_b": "X[1]"},
            )
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        return builder.finish(source, order_known=False)


def _parts(member: Member) -> tuple[list[str], NDArray[np.int32], NDArray[np.float64]]:
    try:
        data = orjson.loads(member.read_all().removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise SourceError(f"{member.name}: not valid JSON or cut short ({error})") from error
    missing = [key for key in ("models", "X", "Y") if key not in data]
    if missing:
        raise InputError(f"{member.name}: needs keys models, X and Y, lacks {', '.join(missing)}")
    models = [str(name) for name in data["models"]]
    pairs, counts = _matrix(data["X"], "X", member), _matrix(data["Y"], "Y", member)
    if pairs.shape[1] != 2 or counts.shape[1] not in (3, 4) or len(pairs) != len(counts):
        raise InputError(
            f"{member.name}: X must have 2 and Y 3 or 4 columns and as many rows, got X "
            f"{pairs.shape} and Y {counts.shape}"
        )
    if ((pairs < 0) | (pairs >= len(models)) | (pairs != np.floor(pairs))).any():
        raise InputError(f"{member.name}: X must hold places in models (0 to {len(models) - 1})")
    return models, pairs.astype(np.int32), counts


def _matrix(rows: object, name: str, member: Member) -> NDArray[np.float64]:
    try:
        matrix = np.array(rows, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{member.name}: {name} must be rows of numbers ({error})") from error
    if matrix.ndim != 2 or not len(matrix):
        raise InputError(f"{member.name}: {name} must be rows of numbers, got {matrix.shape}")
    return matrix
