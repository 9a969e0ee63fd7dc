"""Who judged, and what each judge alone would say."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from caveat.data.column_arrays import codes
from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.results.ranking import Judge, Judges, Lead, Ranking
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.rate import Errors, rate
from caveat.stats.ranking.rated_votes import has_values, rated_votes

COLUMNS = ("model_a", "model_b", "outcome", "count", "weight")
LISTED = 50
"""Judges listed at most."""
OWN_BOARD = 0.05
"""Share of the votes from which a judge's votes are rated by themselves."""


def judges(evidence: Evidence, board: Ranking) -> Judges | None:
    """List the judges, which of them stand on the board, and the first place by each alone.

    Parameters
    ----------
    evidence : Evidence
        The votes that `board` was fitted to.
    board : Ranking

    Returns
    -------
    Judges or None
        None where no judge is named or nothing is rated. A judge is taken for a model on the
        board when their names have the same letters and digits: `gpt-4` is `GPT 4`.

    Examples
    --------
    >>> import caveat
    >>> rows = {"model_a": ["x", "y"], "model_b": ["y", "x"], "winner": ["a", "a"],
    ...         "judge": ["X", "human"]}
    >>> [(j.judge, j.model) for j in caveat.rank(rows).judges.listed]
    [('X', 'x'), ('human', None)]
    """
    if board.lead is None or not has_values(evidence.table, "judge"):
        return None
    votes = rated_votes(evidence.table, board)
    code, names = codes(evidence.table, "judge")
    cast = np.bincount(code[votes.rows] + 1, weights=votes.count, minlength=len(names) + 1)
    share = cast[1:] / max(votes.n_votes, 1.0)
    models = {_plain(model.model): model.model for model in board.models}
    which = [models.get(_plain(name)) for name in names]
    voted = np.flatnonzero(cast[1:])
    chosen = sorted(voted, key=lambda j: (which[j] is None, -share[j], names[j]))[:LISTED]
    return Judges(
        n_judges=int(voted.size),
        n_unnamed=round(float(cast[0])),
        listed=tuple(
            Judge(
                judge=names[j],
                n_votes=round(float(cast[j + 1])),
                share=float(share[j]),
                model=which[j],
                lead=_lead_alone(evidence, code == j, board)
                if OWN_BOARD <= share[j] < 1.0
                else None,
            )
            for j in sorted(chosen, key=lambda j: (-share[j], names[j]))
        ),
        ranked_share=float(sum(share[j] for j in voted if which[j] is not None)),
    )


def _plain(name: str) -> str:
    """Letters and digits of a name; the name itself where it has none."""
    return "".join(filter(str.isalnum, name.casefold())) or name


def _lead_alone(evidence: Evidence, rows: npt.NDArray[np.bool_], board: Ranking) -> Lead | None:
    """First against second place by some of the votes."""
    table = evidence.table
    columns = [name for name in COLUMNS if name in table.column_names]
    own = replace(evidence, table=table.select(columns).filter(pa.array(rows)), places=None)
    votes = count_votes(own)
    errors = Errors(level=board.level, seed=board.seed or 0)
    if board.method == "bradley-terry":
        return rate(votes, method="bradley-terry", errors=errors).lead
    if board.method == "rao-kupper":
        try:
            return rate(votes, method="rao-kupper", errors=errors).lead
        except InputError:  # too few ties among these
            return rate(votes, method="bradley-terry", errors=errors).lead
    return rate(votes, errors=errors).lead
