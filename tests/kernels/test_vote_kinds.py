import csv

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from caveat.kernels.counts import VoteCells
from caveat.kernels.paired import evaluate, fit, information, slopes, units_of
from caveat.kernels.tie_limits import tie_parameter_exists
from caveat.kernels.vote_kinds import Pull, moves, sort_votes
from caveat.kernels.warm_refit import inverse_information, islands

TIES = ("half-win", "davidson", "rao-kupper")


def cells_of(rows, m, weight=1.0):
    """Cells from (first, second, outcome, count) rows, each vote of one weight."""
    a, b, o, n = np.array(rows).T
    n = n.astype(float)
    return VoteCells(m, a, b, o, n, n * weight, n * weight**2)


def pull_of(kinds, contrast, ties):
    fitted = fit(kinds.pairs, ties=ties)
    inverse = inverse_information(kinds.pairs, fitted.parameters, ties=ties)
    return Pull(fitted.parameters, inverse, inverse @ contrast, ties)


boards = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(1, 30)),
    min_size=8,
    max_size=40,
).map(lambda rows: [r for r in rows if r[0] != r[1]] or [(0, 1, 0, 1)])


def test_one_vote_by_hand():
    # 30 wins and 20 losses: p = 0.6, the information about the difference is 50 * 0.24 = 12, and
    # each vote has the leverage 0.24 / 12 = 0.02. A win has the residual 0.4, a loss -0.6:
    # without a win the difference falls by 0.4 / 12 / 0.98, with a further loss by 0.6 / 12 / 1.02.
    made = sort_votes(cells_of([(0, 1, 0, 30), (0, 1, 1, 20)], 2))
    pull = pull_of(made.kinds, np.array([1.0, -1.0]), "half-win")
    away, more = (moves(made.kinds, pull, votes=v) for v in (-1.0, 1.0))
    assert away == pytest.approx([-0.4 / 12 / 0.98, 0.6 / 12 / 0.98])
    assert more == pytest.approx([0.4 / 12 / 1.02, -0.6 / 12 / 1.02])


def test_both_orders_of_a_pair_and_both_kinds_of_ties_are_one_kind():
    rows = [(0, 1, 0, 5), (1, 0, 1, 2), (1, 0, 0, 3), (0, 1, 2, 1), (1, 0, 3, 4)]
    made = sort_votes(cells_of(rows, 2))
    assert made.kinds.count.tolist() == [7, 3, 5]
    assert made.kinds.result.tolist() == [0, 1, 2]
    assert made.place.tolist() == [0, 0, 1, 2, 2]


def test_with_a_position_term_the_order_of_a_pair_stays():
    made = sort_votes(cells_of([(0, 1, 0, 5), (1, 0, 1, 2)], 2), position=True)
    assert made.kinds.pairs.a.tolist() == [0, 1]
    assert made.kinds.count.tolist() == [5, 2]


def test_votes_of_other_weights_are_other_kinds():
    light, heavy = cells_of([(0, 1, 0, 3)], 2, weight=0.5), cells_of([(0, 1, 0, 2)], 2, weight=2.0)
    both = VoteCells(
        2,
        *(
            np.concatenate([getattr(c, name) for c in (light, heavy)])
            for name in ("a", "b", "outcome", "count", "weight", "weight2")
        ),
    )
    kinds = sort_votes(both).kinds
    assert kinds.weight.tolist() == [0.5, 2.0]
    assert kinds.pairs.wins.tolist() == [5.5]
    assert kinds.with_counts(np.array([3.0, 0.0])).wins.tolist() == [1.5]


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("position", [False, True])
@pytest.mark.parametrize("votes", [-1.0, 1.0, -2.5])
def test_a_move_is_one_step_of_newton_without_the_vote(ties, position, votes):
    rng = np.random.default_rng(5)
    rows = [(i, j, o, int(rng.integers(2, 9))) for i in range(4) for j in range(4) if i != j
            for o in range(3)]  # fmt: skip
    kinds = sort_votes(cells_of(rows, 4), position=position).kinds
    p = 4 + (ties != "half-win") + position
    contrast = np.zeros(p)
    contrast[:2] = 1.0, -1.0
    pull = pull_of(kinds, contrast, ties)
    got = moves(kinds, pull, votes=votes)
    for k in range(kinds.count.size):
        count = kinds.count.copy()
        count[k] += votes
        changed = kinds.with_counts(count)
        at = evaluate(changed, pull.parameters, ties=ties)
        # the common shift is filled as on the whole board
        matrix = information(changed, at, ties=ties)
        matrix[:4, :4] += float(kinds.pairs.n_votes.sum()) / 16
        one = slopes(
            kinds.pairs.a[kinds.pair[[k]]],
            kinds.pairs.b[kinds.pair[[k]]],
            kinds.result[[k]],
            fitted=fit(kinds.pairs, ties=ties),
        )
        effect = one.effect(np.linalg.solve(matrix, contrast), n_models=4, ties=ties)
        assert got[k] == pytest.approx(votes * effect[0], rel=1e-8, abs=1e-12)


def test_leverages_add_up_to_the_parameters():
    # Under half-win the leverages p q x'Bx of all votes add up to the m - 1 free ratings.
    rng = np.random.default_rng(6)
    rows = [
        (i, j, o, int(rng.integers(1, 9))) for i in range(5) for j in range(i) for o in range(2)
    ]
    kinds = sort_votes(cells_of(rows, 5)).kinds
    contrast = np.array([1.0, -1.0, 0, 0, 0])
    pull = pull_of(kinds, contrast, "half-win")
    plain = moves(kinds, pull, votes=1e-9) * 1e9
    stepped = moves(kinds, pull, votes=-1.0)
    leverage = 1.0 + plain / stepped  # stepped = -plain / (1 - h)
    assert kinds.count @ leverage == pytest.approx(4.0, rel=1e-6)


@settings(max_examples=30, deadline=None)
@given(rows=boards, seed=st.integers(0, 1000))
def test_order_names_and_rows_split_in_two_change_nothing(rows, seed):
    cells = cells_of(rows, 4)
    assume(not islands(units_of(cells)).any())
    rng = np.random.default_rng(seed)
    contrast = np.array([1.0, -1.0, 0.0, 0.0])
    made = sort_votes(cells)
    worth = moves(made.kinds, pull_of(made.kinds, contrast, "half-win"), votes=-1.0)[made.place]
    name = rng.permutation(4)
    split = [(a, b, o, part) for a, b, o, n in rows for part in (n - n // 2, n // 2) if part]
    origin = [k for k, (*_, n) in enumerate(rows) for part in (n - n // 2, n // 2) if part]
    shuffle = rng.permutation(len(split))
    other = sort_votes(
        cells_of([(name[split[s][0]], name[split[s][1]], *split[s][2:]) for s in shuffle], 4)
    )
    turned = np.zeros(4)
    turned[name] = contrast
    again = moves(other.kinds, pull_of(other.kinds, turned, "half-win"), votes=-1.0)[other.place]
    assert again == pytest.approx(worth[np.array(origin)[shuffle]], rel=1e-7, abs=1e-9)


def test_the_authors_own_influences(oracle):
    folder = oracle / "drop_a_few"
    votes = list(csv.DictReader((folder / "votes.csv").read_text().splitlines()))
    expected = list(csv.DictReader((folder / "expected.csv").read_text().splitlines()))
    names = sorted({v["model_a"] for v in votes} | {v["model_b"] for v in votes})
    rows = [
        (names.index(v["model_a"]), names.index(v["model_b"]), 1 - int(v["a_wins"]), 1)
        for v in votes
    ]
    made = sort_votes(cells_of(rows, len(names)))
    contrast = np.zeros(len(names))
    contrast[names.index(expected[0]["above"])] = 1.0
    contrast[names.index(expected[0]["below"])] = -1.0
    pull = pull_of(made.kinds, contrast, "half-win")
    gain = -moves(made.kinds, pull, votes=-1.0)[made.place]
    # their regression stops at a tolerance of 1e-4
    assert gain == pytest.approx([float(row["gain"]) for row in expected], abs=1e-5)
    assert contrast @ pull.parameters == pytest.approx(float(expected[0]["gap"]), abs=1e-4)


@pytest.mark.parametrize("ties", TIES[1:])
def test_the_tie_models_know_ties(ties):
    # with a tie parameter a further tie of equals moves nothing between them
    cells = cells_of([(0, 1, 0, 9), (0, 1, 1, 9), (0, 1, 2, 4)], 2)
    assert tie_parameter_exists(cells)
    kinds = sort_votes(cells).kinds
    contrast = np.array([1.0, -1.0, 0.0])
    got = moves(kinds, pull_of(kinds, contrast, ties), votes=1.0)
    assert got[2] == pytest.approx(0.0, abs=1e-12)
    assert got[0] == pytest.approx(-got[1])
