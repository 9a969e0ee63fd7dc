"""Randomness enters here and nowhere else."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def as_generator(seed: "int | np.random.Generator") -> "np.random.Generator":
    """Turn a seed into a generator; a generator is passed through and advances."""
    import numpy as np

    return np.random.default_rng(seed)
