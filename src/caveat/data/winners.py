"""Winners that are written as the name of one of the two models of their row."""

import numpy as np
import pyarrow as pa

from caveat.data.cells import Cells, look_up
from caveat.data.coder import Coder
from caveat.data.encoding import encode
from caveat.data.schema import OUTCOMES, VOTES
from caveat.errors import InputError

LEAVE_OUT = "bad_rows='drop' (--bad-rows drop) leaves such rows out and counts them"
WRITE_A_OR_B = (
    "if the column names the winning model, write a or b: whether model_a or model_b won; "
    f"{LEAVE_OUT}"
)


class Winners:
    """Reads a winner's name as the side on which it stands, and counts such rows.

    Parameters
    ----------
    coder
        Codes the names of both models.
    """

    def __init__(self, coder: Coder) -> None:
        self._coder = coder
        self.count = 0

    def read(self, array: pa.Array, cells: dict[str, Cells]) -> Cells:
        """Return the outcomes with the names of this chunk's winners read.

        Parameters
        ----------
        array
            The outcomes as the source has them.
        cells
            All columns of the chunk.
        """
        outcome = cells["outcome"]
        unknown = outcome.bad
        if unknown is None:
            return outcome
        encoded = encode(array)
        names, _ = look_up(encoded.indices, self._coder.find(encoded.dictionary))
        first, second = cells["model_a"].values, cells["model_b"].values
        named = unknown & (names >= 0) & (first != second)
        won_a, won_b = named & (names == first), named & (names == second)
        self.count += int(won_a.sum()) + int(won_b.sum())
        values = np.where(won_a, np.int32(OUTCOMES.index("a")), outcome.values)
        values = np.where(won_b, np.int32(OUTCOMES.index("b")), values)
        bad = unknown & ~(won_a | won_b)
        return Cells(
            values=values,
            missing=outcome.missing,
            bad=bad if bad.any() else None,
            rule=outcome.rule,
        )

    def notice(self, file: str, column: str) -> str | None:
        """Return what a reader should know; refuse names that could be an outcome.

        Raises
        ------
        InputError
            When winners are named and a model is called like an outcome.
        """
        if not self.count:
            return None
        schema = VOTES.column("outcome")
        spellings = {spelling for spelling, _ in (schema.labels if schema else ())}
        names = [
            name for name in self._coder.values.to_pylist() if name.strip().lower() in spellings
        ]
        if names:
            raise InputError(
                f"{file}, column {column!r}: names winners, but a model is called {names[0]!a}, "
                "like an outcome; write a, b, tie or both_bad instead"
            )
        return (
            f"column {column!r}: {self.count} rows name the winning model; it was read as its side"
        )
