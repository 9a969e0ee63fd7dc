"""Do scores follow from predictions and targets?"""

import re
from typing import TYPE_CHECKING

import numpy as np

from caveat.data.column_arrays import codes, floats
from caveat.results.data_checks import Contradicted

if TYPE_CHECKING:
    import pyarrow as pa

_DRESS = re.compile(r"[^\w]+|_+")
"""What may stand around an option without changing it: (A), A., *a*."""


def contradicted(rows: "pa.Table") -> tuple[Contradicted, ...]:
    """Count scores that prediction and target contradict.

    Parameters
    ----------
    rows : pyarrow.Table
        Rows of one benchmark, one reading of each answer.

    Returns
    -------
    tuple of Contradicted
        Models with any, most first. A prediction that is the target and scores 0 is counted
        whatever it is. One that differs and scores 1 is counted only where both are a single
        letter, or both a single digit, whatever their case and the signs around them: texts and
        numbers may be right in other words.
    """
    if not {"prediction", "target"} <= set(rows.column_names):
        return ()
    prediction, answers = codes(rows, "prediction")
    target, golds = codes(rows, "target")
    place = {text: k for k, text in enumerate(answers)}
    gold = np.array([*(place.get(text, -2) for text in golds), -3], dtype=np.int64)[target]
    kinds: dict[str, int] = {}
    option = np.array([*(_option(_bare(text), kinds) for text in answers), -1], dtype=np.int64)[
        prediction
    ]
    wanted = np.array([*(_option(_bare(text), kinds) for text in golds), -1], dtype=np.int64)[
        target
    ]
    score = floats(rows, "score")
    judged = (prediction >= 0) & (target >= 0) & np.isin(score, (0.0, 1.0))
    same = prediction == gold
    missed = judged & same & (score == 0.0)
    # Even numbers stand for digits, odd ones for letters: 1 and A may be one option.
    alike = (option >= 0) & (wanted >= 0) & (option % 2 == wanted % 2)
    given = judged & (score == 1.0) & alike & (option != wanted)
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


def _bare(text: str) -> str:
    return _DRESS.sub("", text).casefold()


def _option(bare: str, kinds: dict[str, int]) -> int:
    """Give a single letter or digit a number, letters odd and digits even; -1 for anything else."""
    if len(bare) != 1:
        return -1
    return 2 * kinds.setdefault(bare, len(kinds)) + (0 if bare.isdigit() else 1)
