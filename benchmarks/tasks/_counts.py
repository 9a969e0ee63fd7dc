"""Pair counts of a votes file, for peers that start from them."""

import numpy as np
import pyarrow.parquet as pq


def pair_counts(path):
    """Names, and votes for the row, for the column and for neither; each shape (m, m)."""
    table = pq.read_table(path).combine_chunks()
    names = sorted(
        {name for side in ("model_a", "model_b") for name in table[side].unique().to_pylist()}
    )
    place = {name: k for k, name in enumerate(names)}
    codes = []
    for side in ("model_a", "model_b"):
        column = table[side].combine_chunks()
        if not hasattr(column, "dictionary"):
            column = column.dictionary_encode()
        order = np.array([place[name] for name in column.dictionary.to_pylist()])
        codes.append(order[column.indices.to_numpy()])
    winner = table["winner"].combine_chunks()
    if not hasattr(winner, "dictionary"):
        winner = winner.dictionary_encode()
    label = np.array([{"a": 0, "b": 1}.get(w, 2) for w in winner.dictionary.to_pylist()])
    outcome = label[winner.indices.to_numpy()]
    m = len(names)
    flat = (outcome * m + codes[0]) * m + codes[1]
    first, second, ties = np.bincount(flat, minlength=3 * m * m).reshape(3, m, m).astype(float)
    return names, first + second.T, ties + ties.T


def lead(names, logits):
    """The leader and its distance to the second, in points."""
    order = np.argsort(-np.asarray(logits))
    points = 400 / np.log(10) * (logits[order[0]] - logits[order[1]])
    return f"{names[order[0]]} {points:.4f}"
