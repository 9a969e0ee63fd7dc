"""arenakit: a board with bootstrapped intervals and simultaneous separation of pairs."""

import sys

import pyarrow.parquet as pq
from _clock import Clock
from _counts import lead
from arenakit import Arena, Battle, bootstrap, separation

clock = Clock()
table = pq.read_table(sys.argv[1]).to_pydict()
label = {"a": "a", "b": "b"}
battles = [
    Battle(model_a=a, model_b=b, winner=label.get(w, "tie"))
    for a, b, w in zip(table["model_a"], table["model_b"], table["winner"], strict=True)
]
arena = Arena(battles)
drawn = bootstrap(arena, n_resamples=int(sys.argv[2]))
separation(drawn, arena.models)
clock.done(lead(arena.models, drawn.point))
