"""Attack a board with rigged votes: what it gains, and after how many votes it is found."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat._blas import single_threaded
from caveat._rng import as_generator
from caveat.errors import InputError
from caveat.kernels.counts import win_matrix
from caveat.kernels.lifting import Lifts, lifts
from caveat.kernels.paired import fit, units_of_wins
from caveat.kernels.rigging_attacks import (
    ABSTAIN,
    FIRST,
    SECOND,
    TIE,
    Arena,
    Attacker,
    Elsewhere,
    Strategy,
)
from caveat.kernels.ties import chances
from caveat.kernels.voter_cells import VoterCells
from caveat.results.stress.rigging_simulation import GainPoint, PowerPoint, RiggingSimulation
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.scale import POINTS
from caveat.stats.robustness.rigging_history import history
from caveat.stats.robustness.voter_votes import PairedCells

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Sampling = Literal["board", "uniform"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """How rigging voters vote.

    Attributes
    ----------
    strategy : str
        `target-only` votes for the target wherever it is recognised; `omnipresent` casts every
        vote where it moves the target's lead over the next model above it upwards.
    elsewhere : str
        What `target-only` does in all other battles: `honest`, `random` (either model or a tie),
        `tie`, or `abstain`.
    accuracy : float
        Chance to recognise the two models of a battle, in (0, 1].
    sampling : str
        Which pairs the arena shows: `board`, as often as it has votes on them; `uniform`, all
        pairs of rated models alike.
    """

    strategy: Strategy = "target-only"
    elsewhere: Elsewhere = "honest"
    accuracy: float = 1.0
    sampling: Sampling = "board"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """How much is simulated.

    Attributes
    ----------
    votes : tuple of int
        Votes that each rigging voter casts, one point of the power curve each.
    battles : tuple of int
        Battles of all rigging voters together, one point of the curve of gains each.
    n_rigging, n_honest : int
        Rigging and honest voters that are tested together.
    honest_votes : float
        Mean votes of an honest voter; geometric, so that most cast few and some many.
    repeats : int
        Repetitions of each point of the power curve.
    fdr : float
    min_votes : int
    """

    votes: tuple[int, ...] = (10, 20, 50, 100, 200, 500)
    battles: tuple[int, ...] = (1000, 5000, 20_000)
    n_rigging: int = 5
    n_honest: int = 1000
    honest_votes: float = 20.0
    repeats: int = 4
    fdr: float = 0.05
    min_votes: int = 5


def simulate_rigging(
    board: FittedBoard,
    *,
    target: str,
    attack: Attack | None = None,
    scene: Scene | None = None,
    seed: int | np.random.Generator = 0,
) -> RiggingSimulation:
    """Simulate rigging voters among honest ones, on top of the votes of a board.

    Use it to know what a defence is worth: how many votes a voter could rig before the test of
    `rigging` finds it, how often honest voters are flagged beside it, and what the target gains.

    Parameters
    ----------
    board : FittedBoard
        Its votes are the history; honest voters vote as they say, pair by pair.
    target : str
        Rated model to lift.
    attack : Attack, optional
    scene : Scene, optional
    seed : int or Generator

    Returns
    -------
    RiggingSimulation

    Raises
    ------
    InputError
        If the target is not rated, or an option is out of range.

    References
    ----------
    Min et al. (2025), https://arxiv.org/abs/2501.17858.

    Examples
    --------
    >>> import caveat
    >>> from caveat.stats.ranking.counting import count_votes
    >>> from caveat.stats.ranking.fitted import fit_board
    >>> rows = [{"model_a": "x", "model_b": "y", "winner": w, "count": n} for w, n in
    ...         (("a", 800), ("b", 150), ("tie", 50))]
    >>> board = fit_board(count_votes(caveat.read_votes(rows)))
    >>> scene = Scene(votes=(3, 30), battles=(2000,), n_honest=50, repeats=1)
    >>> found = simulate_rigging(board, target="y", scene=scene)
    >>> [point.power for point in found.power], [point.rank for point in found.gain]
    ([0.0, 1.0], [2, 1])
    """
    attack, scene = attack or Attack(), scene or Scene()
    _check(attack, scene)
    goal = board.code(target)
    rng = as_generator(seed)
    wins = win_matrix(board.cells, board.cells.count)
    ground = _ground(board, attack.sampling)
    with single_threaded():
        push = lifts(wins + wins.T, board.fit.theta)
        attacker = _attacker(attack, goal, push)
        power = tuple(_power(ground, attacker, push, n, scene, rng) for n in scene.votes)
        gain = _gains(ground.arena, attack, goal, wins, scene.battles, rng)
    return RiggingSimulation(
        target=target,
        strategy=attack.strategy,
        elsewhere=attack.elsewhere,
        sampling=attack.sampling,
        accuracy=attack.accuracy,
        power=power,
        gain=gain,
        fdr=scene.fdr,
        n_models=len(board.names),
        seed=seed if isinstance(seed, int) else None,
    )


def _check(attack: Attack, scene: Scene) -> None:
    _validate.choice("strategy", attack.strategy, get_args(Strategy))
    _validate.choice("elsewhere", attack.elsewhere, get_args(Elsewhere))
    _validate.choice("sampling", attack.sampling, get_args(Sampling))
    if not 0.0 < attack.accuracy <= 1.0:
        raise InputError(f"accuracy must be above 0 and at most 1, got {attack.accuracy!r}")
    _validate.probability("fdr", scene.fdr)
    for name in ("n_rigging", "n_honest", "repeats", "min_votes"):
        _validate.at_least(name, getattr(scene, name), 1)
    if not scene.honest_votes >= 1.0:
        raise InputError(f"honest_votes must be at least 1, got {scene.honest_votes!r}")
    for name, numbers in (("votes", scene.votes), ("battles", scene.battles)):
        if any(number < 1 for number in numbers) or list(numbers) != sorted(set(numbers)):
            raise InputError(f"{name} must be whole numbers above 0 in order, got {numbers!r}")


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """An arena with the decisive votes there already are on each pair."""

    n_models: int
    arena: Arena
    wins: Floats
    losses: Floats


def _ground(board: FittedBoard, sampling: Sampling) -> _Ground:
    """Pairs of rated models, with the outcomes they had or, unmet, the board expects."""
    cells, m = board.cells, len(board.names)
    first, second = np.triu_indices(m, k=1)
    swapped = (cells.a > cells.b) & (cells.outcome < TIE)
    outcome = np.minimum(np.where(swapped, 1 - cells.outcome, cells.outcome), TIE)
    square = np.zeros((m, m, 3))
    np.add.at(
        square, (np.minimum(cells.a, cells.b), np.maximum(cells.a, cells.b), outcome), cells.count
    )
    counts = square[first, second]
    number = counts.sum(axis=1)
    fitted = board.fit
    model = chances(fitted.ties, eta=fitted.theta[first] - fitted.theta[second], tie=fitted.tie)
    expected = np.column_stack([model.win, model.loss, model.tie])
    chance = np.where(number[:, None] > 0, counts / np.maximum(number, 1.0)[:, None], expected)
    keep = number > 0 if sampling == "board" else np.ones(first.size, dtype=bool)
    often = number[keep] if sampling == "board" else np.ones(first.size)
    arena = Arena(first[keep], second[keep], often / often.sum(), chance[keep])
    return _Ground(m, arena, counts[keep, FIRST], counts[keep, SECOND])


def _attacker(attack: Attack, target: int, push: Lifts) -> Attacker:
    """Make an attacker who knows the board."""
    # The second half of the contrasts is against the next model above.
    row = push.target.size // 2 + target
    return Attacker(attack.strategy, target, attack.elsewhere, attack.accuracy, push.push[row])


def _power(
    ground: _Ground,
    attacker: Attacker,
    push: Lifts,
    votes: int,
    scene: Scene,
    rng: np.random.Generator,
) -> PowerPoint:
    """Test rigging and honest voters together, again and again."""
    n, rigging = scene.n_rigging + scene.n_honest, scene.n_rigging
    found, wrong, discoveries = 0, 0, []
    for _ in range(scene.repeats):
        rigged = _cast(ground.arena, attacker, rigging * votes, rng)
        cast = rng.geometric(1.0 / scene.honest_votes, scene.n_honest)
        pair = ground.arena.battles(int(cast.sum()), rng)
        paired = _paired(
            ground,
            n,
            np.concatenate(
                [np.repeat(np.arange(rigging), votes), np.repeat(np.arange(rigging, n), cast)]
            ),
            np.concatenate([rigged[0], pair]),
            np.concatenate([rigged[1], ground.arena.honest(pair, rng)]),
        )
        flagged = history(paired, push, fdr=scene.fdr, min_votes=scene.min_votes).flagged
        found += int(flagged[:rigging].sum())
        wrong += int(flagged[rigging:].sum())
        discoveries.append(flagged[rigging:].sum() / max(int(flagged.sum()), 1))
    return PowerPoint(
        votes=votes,
        power=found / (scene.repeats * rigging),
        false_alarms=wrong / (scene.repeats * scene.n_honest),
        false_discoveries=float(np.mean(discoveries)),
        n_rigging=scene.repeats * rigging,
        n_honest=scene.repeats * scene.n_honest,
    )


def _cast(
    arena: Arena, attacker: Attacker, votes: int, rng: np.random.Generator
) -> tuple[Codes, Codes]:
    """Pairs and outcomes of so many votes cast: battles without a vote do not count."""
    abstains = attacker.strategy == "target-only" and attacker.elsewhere == "abstain"
    if not abstains:
        pair = arena.battles(votes, rng)
        return pair, attacker.votes(arena, pair, rng)
    own = (arena.first == attacker.target) | (arena.second == attacker.target)
    pair = rng.choice(np.flatnonzero(own), size=votes, p=arena.often[own] / arena.often[own].sum())
    return pair, np.where(arena.first[pair] == attacker.target, FIRST, SECOND)


def _paired(
    ground: _Ground, n_voters: int, voter: Codes, pair: Codes, outcome: Codes
) -> PairedCells:
    """Add decisive votes up, beside those there are already."""
    size = ground.arena.often.size
    key, place = np.unique((voter * size + pair)[outcome != TIE], return_inverse=True)
    who, where = np.divmod(key, size)
    kind = outcome[outcome != TIE]
    wins, losses = (
        np.bincount(place, weights=kind == side, minlength=key.size).astype(float)
        for side in (FIRST, SECOND)
    )
    pool = [
        before + np.bincount(where, weights=votes, minlength=size)
        for before, votes in ((ground.wins, wins), (ground.losses, losses))
    ]
    cells = VoterCells(
        n_voters=n_voters,
        n_models=ground.n_models,
        voter=who,
        first=ground.arena.first[where],
        second=ground.arena.second[where],
        wins=wins,
        losses=losses,
        pool_wins=pool[0][where],
        pool_losses=pool[1][where],
    )
    return PairedCells(cells, where)


def _gains(
    arena: Arena,
    attack: Attack,
    target: int,
    wins: Floats,
    points: tuple[int, ...],
    rng: np.random.Generator,
) -> tuple[GainPoint, ...]:
    """Fit the board again while rigged votes come in; the attackers see each new board."""
    theta = before = fit(units_of_wins(wins)).theta
    wins, seen, votes = wins.copy(), 0, 0
    made = [GainPoint(battles=0, votes=0, rank=_rank(theta, target), points=0.0)]
    for goal in points:
        for battles in _blocks(goal - seen, points[-1]):
            attacker = _attacker(attack, target, lifts(wins + wins.T, theta))
            pair = arena.battles(battles, rng)
            outcome = attacker.votes(arena, pair, rng)
            _add(wins, arena, pair, outcome)
            votes += int((outcome != ABSTAIN).sum())
            theta = fit(units_of_wins(wins), start=theta).theta
        seen = goal
        gained = float(POINTS * (theta - before)[target])
        made.append(GainPoint(battles=goal, votes=votes, rank=_rank(theta, target), points=gained))
    return tuple(made)


def _blocks(battles: int, most: int) -> list[int]:
    """Cut battles into blocks, at most one in forty of all each."""
    size = -(-most // 40)
    return [min(size, battles - done) for done in range(0, battles, size)]


def _add(wins: Floats, arena: Arena, pair: Codes, outcome: Codes) -> None:
    first, second = arena.first[pair], arena.second[pair]
    for side, score in ((FIRST, 1.0), (SECOND, 0.0), (TIE, 0.5)):
        on = outcome == side
        np.add.at(wins, (first[on], second[on]), score)
        np.add.at(wins, (second[on], first[on]), 1.0 - score)


def _rank(theta: Floats, model: int) -> int:
    return int((theta > theta[model]).sum()) + 1
