"""Crowds of honest voters, and odd ones to plant among them."""

from types import SimpleNamespace

import numpy as np
import pytest

import caveat
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board

MODELS = ("A", "B", "C", "D")
CHANCE = {  # of a win of the first and of a tie
    ("A", "B"): (0.45, 0.25),
    ("A", "C"): (0.55, 0.20),
    ("A", "D"): (0.70, 0.15),
    ("B", "C"): (0.45, 0.25),
    ("B", "D"): (0.55, 0.20),
    ("C", "D"): (0.45, 0.25),
}
PAIRS = tuple(CHANCE)


def honest(n_voters=60, votes=30, *, seed=1, prefix="v"):
    """Rows of voters who meet all pairs alike."""
    rng = np.random.default_rng(seed)
    rows = []
    for who in range(n_voters):
        for k in rng.integers(0, len(PAIRS), votes):
            pair = PAIRS[k]
            win, tie = CHANCE[pair]
            u = rng.random()
            outcome = "a" if u < win else "tie" if u < win + tie else "b"
            rows.append((*pair, outcome, f"{prefix}{who}"))
    return rows


def backer(model, votes=40, *, voter="rigger", seed=2):
    """Rows of a voter who always votes for one model."""
    rng = np.random.default_rng(seed)
    own = [pair for pair in PAIRS if model in pair]
    rows = []
    for k in rng.integers(0, len(own), votes):
        first, second = own[k]
        rows.append((first, second, "a" if first == model else "b", voter))
    return rows


def columns(rows, **extra):
    names = ("model_a", "model_b", "winner", "voter")
    return {name: [row[k] for row in rows] for k, name in enumerate(names)} | extra


def read(rows, **extra):
    """Votes and the board fitted to them."""
    votes = caveat.read_votes(columns(rows, **extra))
    return votes, fit_board(count_votes(votes))


@pytest.fixture(scope="session")
def crowd():
    """The builders above, by name."""
    return SimpleNamespace(honest=honest, backer=backer, columns=columns, read=read, pairs=PAIRS)
