"""Votes of a simulated arena with length, headers, lists and bold of both answers."""

import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

WORTH = (0.30, 0.10, -0.05, 0.15)
"""True worth of a typical difference, in logits."""
SPREAD = (0.43, 0.49, 0.41, 0.48)


def main(path: str, n_votes: int = 10_000_000, n_models: int = 100) -> None:
    rng = np.random.default_rng(20260102)
    theta, wordy = rng.normal(0, 0.6, n_models), rng.normal(0, 0.4, n_models)
    popularity = rng.gamma(1.5, 1.0, n_models)
    names = pa.array([f"model-{i:03d}" for i in range(n_models)])
    outcomes = pa.array(["a", "b", "tie"])
    coded = pa.dictionary(pa.int32(), pa.string())
    style = [f"{name}_{side}" for name in ("tokens", "headers", "lists", "bold") for side in "ab"]
    schema = pa.schema(
        [(c, coded) for c in ("model_a", "model_b", "winner")] + [(c, pa.int32()) for c in style]
    )
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, n_votes, 500_000):
            size = min(500_000, n_votes - start)
            a = rng.choice(n_models, size, p=popularity / popularity.sum())
            b = (a + rng.integers(1, n_models, size)) % n_models
            first, second = (answers(rng, wordy[side]) for side in (a, b))
            z = [(x - y) / np.maximum(x + y, 1) for x, y in zip(first, second, strict=True)]
            pull = sum(w * c / s for w, c, s in zip(WORTH, z, SPREAD, strict=True))
            won = rng.random(size) < 1 / (1 + np.exp(theta[b] - theta[a] - pull))
            o = np.where(rng.random(size) < 0.2, 2, np.where(won, 0, 1))
            columns = [
                pa.DictionaryArray.from_arrays(pa.array(x.astype(np.int32)), values)
                for x, values in ((a, names), (b, names), (o, outcomes))
            ]
            columns += [pa.array(x) for pair in zip(first, second, strict=True) for x in pair]
            writer.write_table(pa.table(columns, schema=schema))


def answers(rng: np.random.Generator, wordy: np.ndarray) -> list[np.ndarray]:
    tokens = np.maximum(1, np.exp(rng.normal(5.5 + wordy, 0.7)))
    counts = [rng.poisson(rate * tokens) for rate in (0.004, 0.02, 0.01)]
    return [np.asarray(x, dtype=np.int32) for x in (tokens, *counts)]


if __name__ == "__main__":
    main(sys.argv[1])
