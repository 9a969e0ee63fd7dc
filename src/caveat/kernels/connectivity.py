"""Which models the votes tie into one board.

A Bradley-Terry maximum likelihood estimate exists and is unique exactly when every model can
be reached from every other along wins (Ford 1957, https://doi.org/10.1080/00029890.1957.11989117).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

Floats = npt.NDArray[np.float64]
Relation = Literal["main", "unbeaten", "winless", "between", "isolated"]


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """Models that reach each other along wins.

    Attributes
    ----------
    members : int array
        Codes, ascending.
    relation : str
        Towards all models outside: `main` for the component with most votes inside it.
    votes : float
        Votes that involve a member.
    """

    members: npt.NDArray[np.intp]
    relation: Relation
    votes: float


def is_connected(wins: Floats | npt.NDArray[np.bool_]) -> bool:
    """Whether all models form one strongly connected component of the graph of wins."""
    number, _ = connected_components(csr_array(wins > 0), directed=True, connection="strong")
    return bool(number == 1)


def components(wins: Floats) -> tuple[Component, ...]:
    """Strongly connected components of the graph of wins, the main one first.

    Parameters
    ----------
    wins : float array, shape (m, m)
        `wins[i, j]` > 0 where i beat or tied j at least once.

    Returns
    -------
    tuple of Component
        The main component (most votes inside; the larger, then the earlier one on a draw), then
        the others by votes.
    """
    beats = wins > 0
    number, label = connected_components(csr_array(beats), directed=True, connection="strong")
    votes = wins + wins.T
    found = []
    for code in range(number):
        inside = label == code
        members = np.flatnonzero(inside)
        within = float(votes[np.ix_(inside, inside)].sum()) / 2
        relation = _relation(beats, inside)
        involved = float(votes[inside].sum()) - within
        found.append((within, Component(members, relation, involved)))
    main = max(found, key=lambda f: (f[0], f[1].members.size, -f[1].members[0]))[1]
    others = sorted(
        (c for _, c in found if c is not main), key=lambda c: (-c.votes, int(c.members[0]))
    )
    return (Component(main.members, "main", main.votes), *others)


def _relation(beats: npt.NDArray[np.bool_], inside: npt.NDArray[np.bool_]) -> Relation:
    wins_outside = bool(beats[np.ix_(inside, ~inside)].any())
    losses_outside = bool(beats[np.ix_(~inside, inside)].any())
    if wins_outside and losses_outside:
        return "between"
    if wins_outside:
        return "unbeaten"
    return "winless" if losses_outside else "isolated"
