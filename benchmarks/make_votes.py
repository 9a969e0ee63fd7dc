"""Votes of a simulated arena as dictionary-encoded Parquet."""

import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def main(path: str, n_votes: int = 10_000_000, n_models: int = 100) -> None:
    rng = np.random.default_rng(20260101)
    theta = rng.normal(0, 0.7, n_models)
    popularity = rng.gamma(1.0, 1.0, n_models)
    names = pa.array([f"model-{i:03d}" for i in range(n_models)])
    outcomes = pa.array(["a", "b", "tie", "both_bad"])
    schema = pa.schema(
        [(c, pa.dictionary(pa.int32(), pa.string())) for c in ("model_a", "model_b", "winner")]
    )
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, n_votes, 1_000_000):
            size = min(1_000_000, n_votes - start)
            a = rng.choice(n_models, size, p=popularity / popularity.sum())
            b = (a + rng.integers(1, n_models, size)) % n_models
            won = rng.random(size) < 1 / (1 + np.exp(theta[b] - theta[a]))
            u = rng.random(size)
            o = np.where(u < 0.12, 2, np.where(u < 0.2, 3, np.where(won, 0, 1)))
            columns = [
                pa.DictionaryArray.from_arrays(pa.array(x.astype(np.int32)), values)
                for x, values in ((a, names), (b, names), (o, outcomes))
            ]
            writer.write_table(pa.table(columns, schema=schema))


if __name__ == "__main__":
    main(sys.argv[1])
