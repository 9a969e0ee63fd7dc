import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from caveat.kernels import paired
from caveat.kernels.connectivity import is_connected
from caveat.kernels.counts import VoteCounter, win_matrix
from caveat.kernels.position_limits import position_exists
from caveat.kernels.tie_limits import tie_parameter_exists

SLOWLY = settings(
    deadline=None, max_examples=50, suppress_health_check=[HealthCheck.filter_too_much]
)
MODELLED = ("davidson", "rao-kupper")


def cells_of(rows, m):
    """Cells from (first, second, outcome) rows, one vote each."""
    counter = VoteCounter(m)
    counter.add(*np.array([row[:3] for row in rows]).T)
    return counter.cells()


@st.composite
def boards(draw, most=8):
    m = draw(st.integers(2, 4))
    code, outcome = st.integers(0, m - 1), st.integers(0, 2)
    rows = draw(st.lists(st.tuples(code, code, outcome), min_size=2, max_size=most))
    rows = [row for row in rows if row[0] != row[1]]
    assume(rows)
    cells = cells_of(rows, m)
    assume(is_connected(win_matrix(cells, cells.count)))
    return cells


def recedes(cells, *, modelled, position):
    """Look for a direction of ratings, tie parameter and advantage along which nothing is lost.

    Each parameter in turn is pushed up and down as far as the votes let it.
    """
    m = cells.n_models
    p = m + modelled + position
    rows = []
    for a, b, outcome in zip(cells.a, cells.b, cells.outcome, strict=True):
        eta = np.zeros(p)
        eta[a], eta[b] = 1.0, -1.0
        if position:
            eta[-1] = 1.0
        tie = np.zeros(p)
        if modelled:
            tie[m] = 1.0
        # a win must not lose: eta >= c; a tie: -c <= eta <= c; half-win: c is 0
        wanted = {0: (eta - tie,), 1: (-eta - tie,)}.get(outcome, (eta + tie, tie - eta))
        rows += list(wanted)
    bounds = [(0, 0), *[(-1, 1)] * (p - 1)]
    best = 0.0
    for j in range(1, p):
        for way in (1, -1):
            aim = np.zeros(p)
            aim[j] = -way
            best = max(best, -linprog(aim, A_ub=-np.array(rows), b_ub=[0] * len(rows),
                                      bounds=bounds).fun)  # fmt: skip
    return best > 1e-7


def test_a_tie_between_neighbours_and_wins_over_two_steps_by_hand():
    # x ties y, y ties z, x beats z, z ties x: delta = (1, 0, -1) and c = 1 would need |x - z| <= 1
    # for the last tie; without it the likelihood rises for ever
    rows = [(0, 1, 2), (1, 2, 2), (0, 2, 0)]
    assert not tie_parameter_exists(cells_of(rows, 3))
    # a win each way between x and z is a circle of wins
    assert tie_parameter_exists(cells_of([*rows, (0, 2, 1)], 3))
    # two wins on a circle with one tie: x beats y, y beats z, z ties x
    assert tie_parameter_exists(cells_of([(0, 1, 0), (1, 2, 0), (2, 0, 2)], 3))
    # one win on a circle with two ties
    assert not tie_parameter_exists(cells_of([(0, 1, 0), (1, 2, 2), (2, 0, 2)], 3))
    # as many wins as ties: x beats y, y ties x
    assert not tie_parameter_exists(cells_of([(0, 1, 0), (1, 0, 2)], 2))


def test_without_ties_or_without_wins_there_is_no_tie_parameter():
    assert not tie_parameter_exists(cells_of([(0, 1, 0), (0, 1, 1)], 2))
    assert not tie_parameter_exists(cells_of([(0, 1, 2), (0, 1, 3)], 2))
    assert tie_parameter_exists(cells_of([(0, 1, 0), (0, 1, 1), (0, 1, 3)], 2))


@SLOWLY
@given(boards())
def test_the_condition_is_that_of_a_linear_program(cells):
    no_ties = not (cells.outcome >= 2).any()
    wanted = not (no_ties or recedes(cells, modelled=True, position=False))
    assert tie_parameter_exists(cells) == wanted


@SLOWLY  # a hundred steps where there is no end
@given(boards())
def test_the_fit_converges_exactly_where_the_parameter_exists(cells):
    assume((cells.outcome >= 2).any() and (cells.outcome < 2).any())
    units = paired.units_of(cells)
    for ties in MODELLED:
        got = paired.fit(units, ties=ties)
        # a rising likelihood may level off below rounding, but far out only
        finite = got.converged and np.abs(got.parameters).max() < 9
        assert finite == tie_parameter_exists(cells)


def test_advantage_and_rating_of_one_who_always_goes_first_are_one():
    rows = [(0, 1, 0), (0, 1, 1), (0, 1, 2)]
    cells = cells_of(rows, 2)
    for ties in ("half-win", *MODELLED):
        assert not position_exists(cells, ties=ties)
        assert position_exists(cells_of([*rows, (1, 0, 0), (1, 0, 1)], 2), ties=ties)


def test_where_the_first_always_wins_the_advantage_has_no_bound():
    cells = cells_of([(0, 1, 0), (1, 0, 0)], 2)
    assert not position_exists(cells, ties="half-win")
    # three on a circle, everybody beaten once when first: no pair goes either way in both orders
    circle = [(0, 1, 0), (1, 2, 0), (2, 0, 0), (0, 1, 1), (1, 2, 1), (2, 0, 1)]
    assert position_exists(cells_of(circle, 3), ties="half-win")


@SLOWLY
@given(boards(12), st.sampled_from(["half-win", *MODELLED]))
def test_the_condition_of_the_advantage_is_that_of_a_linear_program(cells, ties):
    modelled = ties != "half-win"
    assume(not modelled or tie_parameter_exists(cells))
    assert position_exists(cells, ties=ties) != recedes(cells, modelled=modelled, position=True)


@SLOWLY
@given(boards(12), st.sampled_from(["half-win", *MODELLED]))
def test_the_fit_with_an_advantage_converges_where_it_exists(cells, ties):
    assume(ties == "half-win" or tie_parameter_exists(cells))
    assume(position_exists(cells, ties=ties))
    got = paired.fit(paired.units_of(cells, position=True), ties=ties)
    assert got.converged
    assert np.abs(got.parameters).max() < 15


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["half-win", *MODELLED])
def test_many_boards(ties):
    rng = np.random.default_rng(8)
    seen = {True: 0, False: 0}
    for _ in range(800):
        m, n = rng.integers(2, 6), rng.integers(3, 14)
        a = rng.integers(0, m, n)
        b = (a + rng.integers(1, m, n)) % m
        cells = cells_of(np.column_stack([a, b, rng.integers(0, 3, n)]), m)
        if not is_connected(win_matrix(cells, cells.count)):
            continue
        modelled = ties != "half-win"
        if modelled:
            exists = tie_parameter_exists(cells)
            no_ties = not (cells.outcome >= 2).any()
            assert exists == (not no_ties and not recedes(cells, modelled=True, position=False))
            if not exists:
                continue
        found = position_exists(cells, ties=ties)
        assert found != recedes(cells, modelled=modelled, position=True)
        seen[found] += 1
    assert min(seen.values()) > 20
