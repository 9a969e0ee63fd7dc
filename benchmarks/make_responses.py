"""Answers of simulated models to multiple-choice items as dictionary-encoded Parquet."""

import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def main(path: str, n_models: int, n_items: int = 12_032, n_options: int = 10) -> None:
    rng = np.random.default_rng(20260102)
    gold = rng.integers(0, n_options, n_items)
    lure = (gold + rng.integers(1, n_options, n_items)) % n_options
    difficulty = rng.normal(size=n_items)
    letters = pa.array([chr(65 + i) for i in range(n_options)])
    items = pa.array([str(i) for i in range(n_items)])
    models = pa.array([f"model-{i:04d}" for i in range(n_models)])
    coded = pa.dictionary(pa.int32(), pa.string())
    names = ("item", "model", "prediction", "target")
    schema = pa.schema([*((name, coded) for name in names), ("n_options", pa.int8())])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for model in range(n_models):
            skill = rng.normal(0.3, 1.0)
            right = rng.random(n_items) < 1 / (1 + np.exp(difficulty - skill))
            wrong = np.where(rng.random(n_items) < 0.4, lure, rng.integers(0, n_options, n_items))
            answer = np.where(right, gold, wrong)
            empty = rng.random(n_items) < 0.05
            columns = [
                (np.arange(n_items), items, None),
                (np.full(n_items, model), models, None),
                (answer, letters, empty),
                (gold, letters, None),
            ]
            arrays = [
                pa.DictionaryArray.from_arrays(pa.array(x.astype(np.int32), mask=mask), values)
                for x, values, mask in columns
            ]
            arrays.append(pa.array(np.full(n_items, n_options, dtype=np.int8)))
            writer.write_table(pa.table(arrays, schema=schema))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
