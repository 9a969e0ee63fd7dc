"""Score and status of responses, derived from what the source gives."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from caveat.data.cells import CodedReader, LabelReader, NumberReader, Reader
from caveat.data.schema import RESPONSES, STATUSES
from caveat.errors import InputError

NULLS = frozenset({"nan", "none", "null", "<na>", "nat"})
"""What programs write for no value, in lower case."""
SCORED, UNPARSED, REFUSED, ERROR, UNSCORED = range(len(STATUSES))


def complete_responses(
    chunks: dict[str, list[pa.Array]],
    readers: dict[str, Reader],
    lengths: list[int],
    notices: dict[str, None],
) -> None:
    """Fill in `score` and `status`, chunk by chunk, in place.

    - No score but prediction and target: score is 1 where they are equal, else 0; an answer
      that could not be read scores 0 and has status `unparsed`, unless its benchmark has no
      prediction at all: then there is nothing to score.
    - No status: `unparsed` where a benchmark has predictions and this row has none (unless it
      scored above 0: then somebody read it), `unscored` where there is no score, else `scored`.
    - Status `error`: no score, whatever the source says.
    """
    if not chunks:
        return
    if "prediction" not in chunks and "score" not in chunks:
        raise InputError(
            "responses need a prediction or a score, got neither; "
            "name one with --map prediction=COLUMN or --map score=COLUMN"
        )
    _leave_out_nulls(chunks, readers, notices)
    if "score" in chunks and _says_nothing(chunks):
        notices["the column of scores is empty throughout: it is left aside"] = None
        del chunks["score"]
    if "score" not in chunks:
        _score(chunks, readers, lengths, notices)
    answered = _benchmarks_with_answers(chunks)
    statuses = chunks.get("status") or [np.full(n, -1, np.int32) for n in lengths]
    for number, given in enumerate(statuses):
        score = chunks["score"][number]
        derived = np.where(np.isnan(score), UNSCORED, SCORED).astype(np.int32)
        if "prediction" in chunks:
            unread = chunks["prediction"][number] < 0
            unread &= answered[chunks["benchmark"][number]]
            derived[unread & ~(score > 0)] = UNPARSED
        status = np.where(given >= 0, given, derived)
        statuses[number] = status
        chunks["score"][number] = np.where(status == ERROR, np.nan, score)
    chunks["status"] = statuses
    column = RESPONSES.column("status")
    if column is not None:
        readers.setdefault("status", LabelReader(column))


def _leave_out_nulls(
    chunks: dict[str, list[pa.Array]], readers: dict[str, Reader], notices: dict[str, None]
) -> None:
    """Take predictions such as "NaN" for none, unless some target says the same."""
    reader = readers.get("prediction")
    if "prediction" not in chunks or not isinstance(reader, CodedReader):
        return
    texts = reader.coder.values.to_pylist()
    nulls = [
        k for k, text in enumerate(texts) if text is not None and text.strip().lower() in NULLS
    ]
    if not nulls:
        return
    golds = chunks.get("target", ())
    nulls = [k for k in nulls if not any((np.asarray(gold) == k).any() for gold in golds)]
    which = [np.isin(codes, nulls) for codes in chunks["prediction"]]
    count = sum(int(one.sum()) for one in which)
    if not count:
        return
    chunks["prediction"] = [
        np.where(one, np.int32(-1), codes)
        for one, codes in zip(which, chunks["prediction"], strict=True)
    ]
    words = ", ".join(sorted({texts[k] for k in nulls}))
    notices[f"{count:,} predictions are words for nothing ({words}): read as no answer"] = None


def _says_nothing(chunks: dict[str, list[pa.Array]]) -> bool:
    """Return whether no row has a score although its prediction and target could be compared."""
    if not {"prediction", "target"} <= set(chunks) or "status" in chunks:
        return False
    return all(bool(np.isnan(score).all()) for score in chunks["score"])


def _score(
    chunks: dict[str, list[pa.Array]],
    readers: dict[str, Reader],
    lengths: list[int],
    notices: dict[str, None],
) -> None:
    readers["score"] = NumberReader()
    if "target" not in chunks:
        chunks["score"] = [np.full(n, np.nan) for n in lengths]
        notices["no score and no target: answers are kept as unscored"] = None
        return
    answered = _benchmarks_with_answers(chunks)
    rows = zip(chunks["benchmark"], chunks["prediction"], chunks["target"], strict=True)
    chunks["score"] = [
        np.where(answered[benchmark], _equal(prediction, target), np.nan)
        for benchmark, prediction, target in rows
    ]
    notices[
        "score: computed here as prediction == target; unparsed answers score 0 "
        "and keep the status unparsed"
    ] = None


def _equal(prediction: NDArray[np.int32], target: NDArray[np.int32]) -> NDArray[np.float64]:
    return np.where(target < 0, np.nan, (prediction == target).astype(float))


def _benchmarks_with_answers(chunks: dict[str, list[pa.Array]]) -> NDArray[np.bool_]:
    """Return, for each benchmark code, whether any of its rows has a prediction."""
    size = 1 + max((int(c.max()) for c in chunks["benchmark"] if c.size), default=0)
    answered = np.zeros(size, dtype=bool)
    for benchmark, prediction in zip(
        chunks["benchmark"], chunks.get("prediction", ()), strict=False
    ):
        answered[benchmark[prediction >= 0]] = True
    return answered
