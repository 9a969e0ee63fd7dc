"""Battles of an arena, honest votes on them, and rigged ones.

Attacks: Min et al. (2025), https://arxiv.org/abs/2501.17858. The target-only attack votes for the
target where it recognises it; the omnipresent one casts every vote where it moves the lead of the
target over the next model above it upwards, here by the sign of the vote's first-order effect.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

Strategy = Literal["target-only", "omnipresent"]
Elsewhere = Literal["honest", "random", "tie", "abstain"]

FIRST, SECOND, TIE, ABSTAIN = 0, 1, 2, -1


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """Which pairs meet, and how honest voters vote on them.

    Attributes
    ----------
    first, second : int array, shape (p,)
        Codes of the models.
    often : float array, shape (p,)
        Probability of each pair.
    chance : float array, shape (p, 3)
        Probability of a vote for the first, for the second, and of a tie.
    """

    first: Codes
    second: Codes
    often: Floats
    chance: Floats

    def battles(self, n: int, rng: np.random.Generator) -> Codes:
        """Draw pairs; shape (n,)."""
        return np.asarray(rng.choice(self.often.size, size=n, p=self.often), dtype=np.int64)

    def honest(self, pair: Codes, rng: np.random.Generator) -> Codes:
        """Draw honest votes on pairs; shape (n,)."""
        u = rng.random(pair.size)
        edge = np.cumsum(self.chance, axis=1)
        later = (u >= edge[pair, 0]).astype(np.int64)
        return np.asarray(later + (u >= edge[pair, 1]), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Attacker:
    """How a rigging voter votes.

    Attributes
    ----------
    strategy : str
    target : int
        Code of the model to lift.
    elsewhere : str
        What the target-only attack does in all other battles.
    accuracy : float
        Chance to recognise the models of a battle.
    push : float array, shape (m,)
        A vote for i over j lifts the target if `push[i] > push[j]`; for the omnipresent attack.
    """

    strategy: Strategy
    target: int
    elsewhere: Elsewhere
    accuracy: float
    push: Floats

    def votes(self, arena: Arena, pair: Codes, rng: np.random.Generator) -> Codes:
        """Cast a vote in each battle; shape (n,), `ABSTAIN` where there is none.

        A pair that is not recognised is taken for another one: the target-only attack does not
        see the target then, the omnipresent one votes either way.
        """
        seen = rng.random(pair.size) < self.accuracy
        first, second = arena.first[pair], arena.second[pair]
        if self.strategy == "omnipresent":
            up = self.push[first] > self.push[second]
            coin = rng.random(pair.size) < 0.5
            return np.where(np.where(seen, up, coin), FIRST, SECOND)
        for_target = np.where(first == self.target, FIRST, SECOND)
        on = seen & ((first == self.target) | (second == self.target))
        return np.where(on, for_target, self._elsewhere(arena, pair, rng))

    def _elsewhere(self, arena: Arena, pair: Codes, rng: np.random.Generator) -> Codes:
        if self.elsewhere == "honest":
            return arena.honest(pair, rng)
        if self.elsewhere == "random":
            return rng.integers(FIRST, TIE, size=pair.size, endpoint=True)
        return np.full(pair.size, TIE if self.elsewhere == "tie" else ABSTAIN)
