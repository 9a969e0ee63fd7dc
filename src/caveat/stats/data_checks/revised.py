"""Does an id name the same item for all models?"""

from typing import TYPE_CHECKING

import numpy as np

from caveat.data.column_arrays import codes
from caveat.results.data_checks import Revised
from caveat.stats.data_checks.repeated import HASHES

if TYPE_CHECKING:
    import pyarrow as pa

LISTED = 10


def revised(rows: "pa.Table") -> tuple[Revised, ...]:
    """Find ids under which different content stands: revised items, or ids that are row numbers.

    Parameters
    ----------
    rows : pyarrow.Table
        Rows of one benchmark; a column such as `doc_hash` or `sample_hash` tells what an item
        asks.

    Returns
    -------
    tuple of Revised
        One for each such column with any.
    """
    found = [_by(rows, name) for name in HASHES if name in rows.column_names]
    return tuple(one for one in found if one is not None)


def _by(rows: "pa.Table", name: str) -> Revised | None:
    from caveat.data.encoding import is_text

    if not is_text(rows[name].type):
        return None
    content, contents = codes(rows, name)
    item, items = codes(rows, "item")
    known = content >= 0
    if not known.any():
        return None
    width = np.int64(len(contents))
    pairs = np.unique(item[known].astype(np.int64) * width + content[known])
    kinds = np.bincount(pairs // width, minlength=len(items))
    several = np.flatnonzero(kinds > 1)
    if not several.size:
        return None
    return Revised(
        by=name,
        items=int(several.size),
        n_items=int((kinds > 0).sum()),
        examples=tuple((items[k], int(kinds[k])) for k in several[:LISTED].tolist()),
    )
