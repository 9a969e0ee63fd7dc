"""json of the standard library, line by line: item, prediction and score, nothing checked."""

import json
import sys

from _clock import Clock

clock = Clock()
kept = []
with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        row = json.loads(line)
        kept.append((row["doc_id"], row["filtered_resps"][0], row[row["metrics"][0]]))
clock.done(f"{len(kept):,} rows, mean {sum(score for *_, score in kept) / len(kept):.5f}")
