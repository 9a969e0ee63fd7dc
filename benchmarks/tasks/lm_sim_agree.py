"""lm-sim: CAPA of all pairs, items both answered; one-hot vectors made before the clock starts."""

import itertools
import sys

import numpy as np
import pyarrow.parquet as pq
from _clock import Clock
from lmsim.metrics import CAPA

frame = pq.read_table(sys.argv[1]).to_pandas()
answers = frame.pivot(index="item", columns="model", values="prediction")
gold = frame.drop_duplicates("item").set_index("item")["target"][answers.index]
one_hot = {letter: row for letter, row in zip("ABCDEFGHIJ", np.eye(10), strict=True)}
target = np.array([ord(g) - 65 for g in gold])
vectors = {m: answers[m].astype(object).map(one_hot).to_numpy() for m in answers.columns}
present = {m: answers[m].notna().to_numpy() for m in answers.columns}
clock = Clock()
found = []
for a, b in itertools.combinations(answers.columns, 2):
    both = present[a] & present[b]
    capa = CAPA(prob=False).compute_k(vectors[a][both], vectors[b][both], target[both])
    found.append(float(capa))
clock.done(f"CAPA of the first pair {found[0]:.6f}")
