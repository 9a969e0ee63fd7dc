"""TrueSkill, vote by vote."""

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from caveat.errors import InputError
from caveat.stats.ranking.system import (
    BoardVotes,
    Scored,
    System,
    SystemSettings,
    resamples,
)

Floats = npt.NDArray[np.float64]


def _draw_probability(board: BoardVotes, settings: SystemSettings) -> float:
    cells = board.cells
    share = float(cells.count[cells.outcome >= 2].sum() / cells.count.sum())
    if settings.draw_probability is None:
        # With nothing but ties the margin would be infinite.
        return min(share, 0.99)
    if share and not settings.draw_probability:
        raise InputError(
            f"draw_probability must be above 0 where votes are tied, got "
            f"{settings.draw_probability!r}"
        )
    return settings.draw_probability


def _score(board: BoardVotes, settings: SystemSettings, _: np.random.Generator) -> Scored:
    from caveat.kernels.trueskill import BETA, MU, SIGMA, TAU, draw_margin, trueskill

    votes = board.sequence.one_by_one("trueskill")
    probability = _draw_probability(board, settings)
    margin = draw_margin(probability)
    found = trueskill(votes.a, votes.b, votes.outcome, n_models=len(board.names), margin=margin)
    return Scored(
        rating=found.mu,
        own=found.sigma,
        chance=_chance(found.mu, found.sigma, margin=margin, beta=BETA),
        iterations=votes.a.size,
        settings={
            "order": votes.order,
            "votes_without_time": votes.untimed,
            "draw_probability": probability,
            "start": MU,
            "start_deviation": SIGMA,
            "beta": BETA,
            "tau": TAU,
        },
    )


def _resample(
    board: BoardVotes, settings: SystemSettings, replicates: int, rng: np.random.Generator
) -> Floats:
    from caveat.kernels.trueskill import draw_margin, trueskill
    from caveat.kernels.vote_copies import vote_copies

    votes, m = board.sequence.one_by_one("trueskill"), len(board.names)
    margin = draw_margin(_draw_probability(board, settings))
    return np.stack(
        [
            trueskill(
                votes.a,
                votes.b,
                votes.outcome,
                n_models=m,
                margin=margin,
                copies=vote_copies(votes.a.size, rng),
            ).mu
            for _ in range(resamples(replicates, plays=votes.a.size))
        ]
    )


def _chance(mu: Floats, sigma: Floats, *, margin: float, beta: float) -> Floats:
    """Chance to win given that there is no tie, over both skills and both performances."""
    spread = np.sqrt(2.0 * beta**2 + sigma[:, None] ** 2 + sigma[None, :] ** 2)
    gap = mu[:, None] - mu[None, :]
    win, loss = ndtr((gap - margin) / spread), ndtr((-gap - margin) / spread)
    decisive = win + loss
    chance: Floats = np.divide(win, decisive, out=np.full_like(win, 0.5), where=decisive > 0)
    return chance


TRUESKILL = System(
    name="trueskill",
    title="TrueSkill",
    unit="skill",
    order_dependent=True,
    score=_score,
    resample=_resample,
)
