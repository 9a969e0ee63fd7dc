"""Is an item the same for all models?"""

from typing import TYPE_CHECKING

import numpy as np

from caveat.data.column_arrays import codes, floats
from caveat.results.data_checks import OptionsDiffer

if TYPE_CHECKING:
    import pyarrow as pa

LISTED = 10


def options_differ(rows: "pa.Table") -> OptionsDiffer | None:
    """Find items whose number of options is not the same in all rows: revised items.

    Parameters
    ----------
    rows : pyarrow.Table
        Rows of one benchmark.
    """
    number = floats(rows, "n_options")
    known = np.isfinite(number)
    if not known.any():
        return None
    item, items = codes(rows, "item")
    least, most = np.full(len(items), np.inf), np.full(len(items), -np.inf)
    np.minimum.at(least, item[known], number[known])
    np.maximum.at(most, item[known], number[known])
    which = np.flatnonzero(most > least)
    if not which.size:
        return None
    return OptionsDiffer(
        items=int(which.size),
        n_items=len(items),
        examples=tuple((items[k], int(least[k]), int(most[k])) for k in which[:LISTED].tolist()),
    )
