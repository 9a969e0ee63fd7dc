"""A small vote set whose every name is hostile, with all columns that any stress test reads."""

import json

import numpy as np
import pyarrow as pa

NAMES = (
    '<script>alert("x")</script>',
    "</script><img src=x onerror=alert(1)>",
    "a'b\"c&amp;d",
    "two\nlines\r\n\ttab",
    "\u202egnp.exe",
    "\x1b[31mred\x1b[0m",
    "[bold red]markup[/bold red]",
    "{{ 7 * 7 }}{% raw %}",
    "نموذج",
    "zero\u200bwidth\ufeff",
    "👩‍🔬🇩🇪",
    "`tick` $x$ =cmd|' /C calc'!A0",
    "m" * 250 + "<b>" + "n" * 250,
    "]]>--><!--",
)
PLAIN = tuple(f"model-{sorted(NAMES).index(name):02d}" for name in NAMES)
"""In the same order as the hostile ones: names break ties, and models are numbered by them."""
ENDING = "</td><svg/onload=alert(2)>"
"""Put behind voters, items, judges, providers and levels of attributes."""


def tables(models=NAMES, *, ending=ENDING, n=1200, seed=5):
    """Votes, voters and models as Arrow tables."""
    random = np.random.default_rng(seed)
    m = len(models)
    strength = np.linspace(1.2, -1.2, m)
    a = random.integers(0, m, n)
    b = (a + random.integers(1, m, n)) % m
    draw = random.random(n)
    win = 0.85 / (1 + np.exp(strength[b] - strength[a]))
    outcome = np.where(draw < win, "a", np.where(draw < 0.85, "b", "tie"))
    voter = random.integers(0, 60, n)
    # one voter backs the last model, again and again
    backed = np.flatnonzero((a == m - 1) | (b == m - 1))[:80]
    voter[backed] = 0
    outcome[backed] = np.where(a[backed] == m - 1, "a", "b")
    gone = (a == 3) | (b == 3)
    day = np.where(gone, random.integers(0, 60, n), random.integers(0, 180, n))
    at = np.datetime64("2026-01-01") + day.astype("timedelta64[D]")
    names = np.array(models, dtype=object)
    tokens = random.integers(20, 900, (2, n))
    votes = {
        "model_a": names[a].tolist(),
        "model_b": names[b].tolist(),
        "winner": outcome.tolist(),
        "voter": [f"v{k}{ending}" for k in voter],
        "item": [f"i{k}{ending}" for k in random.integers(0, 40, n)],
        "judge": [("human" if k else "robot") + ending for k in random.integers(0, 2, n)],
        "battle": [str(k) for k in range(n)],
        "at": [str(day) for day in at],
        "tokens_a": tokens[0].tolist(),
        "tokens_b": tokens[1].tolist(),
    }
    voters = {
        "voter": [f"v{k}{ending}" for k in range(60)],
        "age" + ending: [("young" if k % 2 else "old") + ending for k in range(60)],
    }
    declared = {
        "model": list(models),
        "provider": [f"p{k % 4}{ending}" for k in range(m)],
        "variants_tested": [5 if k == 0 else None for k in range(m)],
    }
    return pa.table(votes), pa.table(voters), pa.table(declared)


def margins(folder, *, ending=ENDING):
    """Write the margins of a population, and return the file."""
    path = folder / "people.toml"
    path.write_text(
        f"[margins.{json.dumps('age' + ending)}]\n"
        f"{json.dumps('young' + ending)} = 0.3\n{json.dumps('old' + ending)} = 0.7\n",
        encoding="utf-8",
    )
    return str(path)
