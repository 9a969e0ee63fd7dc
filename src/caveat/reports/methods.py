"""Rating systems and intervals as they are written."""

from caveat.reports.numbers import counted, whole
from caveat.results.ranking import Ranking

_SYSTEMS = {
    "bradley-terry": "Bradley-Terry",
    "davidson": "Davidson",
    "rao-kupper": "Rao-Kupper",
    "elo": "Elo in vote order",
    "elo-shuffled": "Elo over random orders",
    "glicko2": "Glicko-2",
    "trueskill": "TrueSkill",
    "win-rate": "Average win rate",
    "pagerank": "PageRank",
    "eigenvector": "Eigenvector",
    "baseline": "Win rate against a baseline",
}


def system_name(method: str) -> str:
    """Write the name of a rating system.

    Examples
    --------
    >>> system_name("davidson")
    'Davidson'
    >>> system_name("win-rate")
    'Average win rate'
    """
    return _SYSTEMS.get(method) or method.replace("-", " ").capitalize()


def interval_words(ranking: Ranking) -> str:
    """Say where the intervals of a board come from."""
    if ranking.interval != "bootstrap":
        return f"{ranking.interval} intervals"
    failed = (
        f", {whole(ranking.n_bootstrap_failed)} of them failed"
        if ranking.n_bootstrap_failed
        else ""
    )
    return f"bootstrap intervals from {counted(ranking.n_bootstrap, 'replicate')}{failed}"
