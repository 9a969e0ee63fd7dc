"""Attacks: what they gain, and when they are found."""

import json

import numpy as np
import pytest

import caveat
from caveat.errors import InputError
from caveat.kernels.rigging_attacks import ABSTAIN, FIRST, SECOND, TIE, Arena, Attacker
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.robustness.rigging_simulator import Attack, Scene, simulate_rigging

ARENA = Arena(
    first=np.array([0, 0, 1]),
    second=np.array([1, 2, 2]),
    often=np.array([0.5, 0.3, 0.2]),
    chance=np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
)
PAIR = np.array([0, 1, 2])


def attacker(**changes):
    settings = {
        "strategy": "target-only",
        "target": 1,
        "elsewhere": "honest",
        "accuracy": 1.0,
        "push": np.array([0.0, 2.0, 1.0]),
    }
    return Attacker(**settings | changes)


def test_votes_by_hand():
    rng = np.random.default_rng(0)
    assert ARENA.honest(PAIR, rng).tolist() == [FIRST, SECOND, TIE]
    # The target is second of pair 0 and first of pair 2, and not in pair 1.
    assert attacker().votes(ARENA, PAIR, rng).tolist() == [SECOND, SECOND, FIRST]
    assert attacker(elsewhere="abstain").votes(ARENA, PAIR, rng)[1] == ABSTAIN
    assert attacker(elsewhere="tie").votes(ARENA, PAIR, rng)[1] == TIE
    # Pushes 0, 2, 1: the second of pairs 0 and 1, the first of pair 2.
    omni = attacker(strategy="omnipresent")
    assert omni.votes(ARENA, PAIR, rng).tolist() == [SECOND, SECOND, FIRST]


def test_who_recognises_nothing_votes_as_elsewhere():
    rng = np.random.default_rng(1)
    blind = attacker(accuracy=1e-12, elsewhere="tie")
    assert (blind.votes(ARENA, np.repeat(PAIR, 50), rng) == TIE).all()
    coin = attacker(accuracy=1e-12, strategy="omnipresent")
    share = (coin.votes(ARENA, np.repeat(PAIR, 2000), rng) == FIRST).mean()
    assert share == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(6000))  # 4 standard errors


def board(scale=200):
    rng = np.random.default_rng(6)
    rows = []
    for i in range(6):
        for j in range(i + 1, 6):
            n = int(rng.integers(1, 5)) * scale
            win = 1 / (1 + np.exp(0.35 * (i - j)))
            a, t = round(0.8 * n * win), round(0.2 * n)
            for outcome, count in (("a", a), ("tie", t), ("b", n - a - t)):
                rows.append(
                    {"model_a": f"m{i}", "model_b": f"m{j}", "winner": outcome, "count": count}
                )
    return fit_board(count_votes(caveat.read_votes(rows)))


SCENE = Scene(votes=(4, 80), battles=(200, 4000), n_honest=100, repeats=2)


@pytest.mark.parametrize("strategy", ["target-only", "omnipresent"])
def test_many_votes_lift_the_target_and_are_found(strategy):
    found = simulate_rigging(
        board(), target="m5", attack=Attack(strategy=strategy, elsewhere="random"), scene=SCENE
    )
    few, many = found.power
    assert (few.power, many.power) == (0.0, 1.0)
    assert few.false_alarms == many.false_alarms == 0.0
    assert (many.n_rigging, many.n_honest) == (10, 200)
    before, _, after = found.gain
    assert (before.battles, before.votes, before.rank, before.points) == (0, 0, 6, 0.0)
    assert after.votes == after.battles == 4000
    assert after.rank < 6
    assert after.points > 100


def test_target_only_by_abstaining_casts_few_votes():
    found = simulate_rigging(board(), target="m5", attack=Attack(elsewhere="abstain"), scene=SCENE)
    after = found.gain[-1]
    share = 2 / 6  # of the battles, roughly: each model is in a third of the pairs
    assert after.votes == pytest.approx(4000 * share, rel=0.4)


def test_honest_attackers_gain_nothing_and_are_not_found():
    """Who never recognises the target is an honest voter."""
    found = simulate_rigging(board(), target="m5", attack=Attack(accuracy=1e-9), scene=SCENE)
    assert [point.power for point in found.power] == [0.0, 0.0]
    assert abs(found.gain[-1].points) < 30  # four errors of a rating moved by 4,000 votes


def test_gains_are_those_of_a_refit():
    """Oracle: cast the very votes, count them and fit with the board's own function."""
    small = Scene(votes=(5,), battles=(300,), n_honest=5, repeats=1)
    attack = Attack(elsewhere="abstain")
    found = simulate_rigging(board(), target="m5", attack=attack, scene=small)
    # All rigged votes beat other models; spread as the pairs are, near enough for the mean.
    rows = []
    cells = board().cells
    names = board().names
    often = np.zeros(6)
    for a, b, n in zip(cells.a, cells.b, cells.count, strict=True):
        rows.append((names[a], names[b], n))
        if names[a] == "m5" or names[b] == "m5":
            often[b if names[a] == "m5" else a] += n
    extra = often / often.sum() * found.gain[-1].votes
    table = [
        {
            "model_a": names[a],
            "model_b": names[b],
            "winner": ("a", "b", "tie")[min(o, 2)],
            "count": n,
        }
        for a, b, o, n in zip(cells.a, cells.b, cells.outcome, cells.count.astype(int), strict=True)
    ]
    table += [
        {"model_a": "m5", "model_b": names[k], "winner": "a", "count": round(n)}
        for k, n in enumerate(extra)
        if round(n)
    ]
    ends = []
    for each in (table[: cells.a.size], table):
        again = fit_board(count_votes(caveat.read_votes(each)), method="bradley-terry")
        ends.append(again.fit.theta[again.code("m5")])
    expected = 400 / np.log(10) * (ends[1] - ends[0])
    assert found.gain[-1].points == pytest.approx(expected, rel=0.05)


def test_uniform_sampling_shows_pairs_that_never_met():
    rows = [
        {"model_a": a, "model_b": b, "winner": w, "count": 50}
        for a, b in (("x", "y"), ("y", "z"))
        for w in ("a", "b")
    ]
    chain = fit_board(count_votes(caveat.read_votes(rows)))
    attack = Attack(strategy="omnipresent", sampling="uniform")
    found = simulate_rigging(chain, target="z", attack=attack, scene=SCENE)
    assert found.gain[-1].rank == 1
    assert found.sampling == "uniform"


def test_the_same_seed_gives_the_same_and_plain_data():
    one, two = (simulate_rigging(board(), target="m3", scene=SCENE, seed=4) for _ in range(2))
    assert one == two
    assert json.loads(json.dumps(one.to_dict(), allow_nan=False)) == one.to_dict()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target": "nobody"}, "model must be one of m0, m1, m2, m3, m4, m5, got 'nobody'"),
        ({"attack": Attack(accuracy=0.0)}, "accuracy must be above 0 and at most 1, got 0.0"),
        ({"attack": Attack(strategy="subtle")}, "strategy must be one of .*, got 'subtle'"),
        ({"scene": Scene(votes=(20, 10))}, r"votes must be whole numbers above 0 in order"),
        ({"scene": Scene(honest_votes=0.5)}, "honest_votes must be at least 1, got 0.5"),
        ({"scene": Scene(repeats=0)}, "repeats must be at least 1, got 0"),
    ],
)
def test_options_out_of_range(changes, message):
    with pytest.raises(InputError, match=message):
        simulate_rigging(board(), **{"target": "m1"} | changes)


@pytest.fixture(scope="module")
def arena_board(shared):
    votes = caveat.read_votes(shared / "votes" / "chatbot_arena_20240814_counts.parquet")
    return fit_board(count_votes(votes), method="bradley-terry")


@pytest.mark.shared
def test_gain_published_by_min_et_al(arena_board):
    """Their README: phi-3-small-8k-instruct gains 15 ranks in about 27,000 new votes.

    They start from a random 90% of the same votes and draw the models of a battle alike; we start
    from all of them.
    """
    scene = Scene(votes=(50,), battles=(27_000,), n_honest=200, repeats=1)
    attack = Attack(strategy="omnipresent", sampling="uniform")
    found = simulate_rigging(
        arena_board, target="phi-3-small-8k-instruct", attack=attack, scene=scene
    )
    start, end = found.gain
    assert start.rank == 73
    assert 13 <= start.rank - end.rank <= 17
    only = simulate_rigging(
        arena_board,
        target="phi-3-small-8k-instruct",
        attack=Attack(elsewhere="random", sampling="uniform"),
        scene=scene,
    )
    gained = only.gain[0].rank - only.gain[1].rank
    assert gained < start.rank - end.rank


@pytest.mark.slow
@pytest.mark.shared
def test_power_on_the_real_board(arena_board):
    """Votes by which four in five voters are found among 1,000 honest ones."""
    scene = Scene(votes=(20, 50), battles=(1000,), n_rigging=10, repeats=5)
    for target, attack, power in (
        ("llama-2-13b-chat", Attack(elsewhere="abstain"), (0.97, 1.0)),
        ("phi-3-small-8k-instruct", Attack(elsewhere="abstain"), (1.0, 1.0)),
        ("phi-3-small-8k-instruct", Attack(strategy="omnipresent"), (0.0, 1.0)),
        ("gemini-1.5-pro-exp-0801", Attack(elsewhere="abstain"), (0.0, 0.97)),
    ):
        found = simulate_rigging(arena_board, target=target, attack=attack, scene=scene)
        # Fifty voters each; 0.23 are four binomial standard errors of 0.8.
        assert [p.power for p in found.power] == pytest.approx(power, abs=0.23)
        assert all(p.false_alarms == 0.0 for p in found.power)
