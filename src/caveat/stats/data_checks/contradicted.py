"""Do scores follow from predictions and targets?"""

from typing import TYPE_CHECKING

import numpy as np

from caveat.data.column_arrays import codes, floats
from caveat.results.data_checks import Contradicted

if TYPE_CHECKING:
    import pyarrow as pa

LONGEST = 2
"""Characters of an answer that is an option: a letter, a digit, two of them."""


def contradicted(rows: "pa.Table") -> tuple[Contradicted, ...]:
    """Count scores that prediction and target contradict.

    Parameters
    ----------
    rows : pyarrow.Table
        Rows of one benchmark, one reading of each answer.

    Returns
    -------
    tuple of Contradicted
        Models with any, most first. A right prediction that scores 0 is counted whatever it is; a
        wrong one that scores 1 only among letters and digits, for texts may be right in other
        words, and only where the target is a single one.
    """
    if not {"prediction", "target"} <= set(rows.column_names):
        return ()
    prediction, answers = codes(rows, "prediction")
    target, golds = codes(rows, "target")
    place = {label: k for k, label in enumerate(answers)}
    gold = np.array([*(place.get(label, -2) for label in golds), -3], dtype=np.int64)[target]
    option = np.array([*(len(label.strip()) <= LONGEST for label in answers), False])
    gold_option = np.array([*(len(label.strip()) <= LONGEST for label in golds), False])
    score = floats(rows, "score")
    judged = (prediction >= 0) & (target >= 0) & np.isin(score, (0.0, 1.0))
    same = prediction == gold
    missed = judged & same & (score == 0.0)
    given = judged & ~same & (score == 1.0) & option[prediction] & gold_option[target]
    model, names = codes(rows, "model")
    counts = [np.bincount(model[which], minlength=len(names)) for which in (judged, missed, given)]
    found = [
        Contradicted(
            model=names[j],
            n=int(counts[0][j]),
            right_scored_wrong=int(counts[1][j]),
            wrong_scored_right=int(counts[2][j]),
        )
        for j in np.flatnonzero(counts[1] + counts[2]).tolist()
    ]
    return tuple(
        sorted(found, key=lambda c: (-(c.right_scored_wrong + c.wrong_scored_right), c.model))
    )
