"""Samples of lm-evaluation-harness as large as wanted: choices with their likelihoods, or texts."""

import hashlib
import json
import random
import sys

CHOICES = 4
STAMP = "2026-01-01T00-00-00.000001"


def main(path: str, megabytes: int, kind: str) -> None:
    """Write a samples file of `choices` (about 3.6 kB a line) or `texts` (3.2 kB)."""
    rng = random.Random(0)
    words = [hashlib.md5(str(i).encode()).hexdigest()[: rng.randint(2, 9)] for i in range(5000)]
    pool = [" ".join(rng.choices(words, k=120)) for _ in range(500)]
    sample = {"choices": _choices, "texts": _texts}[kind]
    written = number = 0
    with open(path, "w", encoding="utf-8") as file:
        while written < megabytes * 1_000_000:
            line = json.dumps(sample(number, rng, pool)) + "\n"
            file.write(line)
            written += len(line)
            number += 1


def _common(number: int, target: str) -> dict[str, object]:
    return {
        "doc_id": number,
        "target": target,
        "doc_hash": hashlib.sha256(str(number).encode()).hexdigest(),
        "prompt_hash": "0" * 64,
        "target_hash": "1" * 64,
    }


def _choices(number: int, rng: random.Random, pool: list[str]) -> dict[str, object]:
    question, right = rng.choice(pool), rng.randrange(CHOICES)
    choices = [rng.choice(pool)[:40] for _ in range(CHOICES)]
    likelihoods = [-rng.random() * 20 for _ in range(CHOICES)]
    replies = [[str(value), "False"] for value in likelihoods]
    best = likelihoods.index(max(likelihoods))
    return {
        **_common(number, str(right)),
        "doc": {"question": question, "choices": choices, "subject": f"s{number % 14}"},
        "arguments": {
            f"gen_args_{i}": {"arg_0": question[:400], "arg_1": f" {choice}"}
            for i, choice in enumerate(choices)
        },
        "resps": [[reply] for reply in replies],
        "filtered_resps": replies,
        "filter": "none",
        "metrics": ["acc"],
        "acc": float(best == right),
    }


def _texts(number: int, rng: random.Random, pool: list[str]) -> dict[str, object]:
    question, right, given = rng.choice(pool), str(rng.randrange(100)), str(rng.randrange(100))
    return {
        **_common(number, right),
        "doc": {"question": question, "answer": rng.choice(pool)[:300]},
        "arguments": {"gen_args_0": {"arg_0": [question], "arg_1": {"until": ["\n"]}}},
        "resps": [[f"{rng.choice(pool)} {given}"]],
        "filtered_resps": [given],
        "filter": "flexible-extract",
        "metrics": ["exact_match"],
        "exact_match": float(given == right),
    }


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
