import numpy as np

from caveat.kernels.connectivity import components, is_connected


def wins(m, *edges):
    w = np.zeros((m, m))
    for winner, loser in edges:
        w[winner, loser] += 1
    return w


def groups(w):
    return [(c.members.tolist(), c.relation) for c in components(w)]


def test_a_cycle_is_one_board():
    w = wins(3, (0, 1), (1, 2), (2, 0))
    assert is_connected(w)
    assert groups(w) == [([0, 1, 2], "main")]


def test_an_unbeaten_and_a_winless_model_stand_apart():
    w = wins(4, (0, 1), (1, 2), (2, 1), (0, 2), (1, 3))
    assert not is_connected(w)
    assert groups(w) == [([1, 2], "main"), ([0], "unbeaten"), ([3], "winless")]


def test_an_island_is_isolated():
    w = wins(4, (0, 1), (1, 0), (0, 1), (2, 3), (3, 2))
    assert groups(w) == [([0, 1], "main"), ([2, 3], "isolated")]


def test_one_way_on_both_sides_is_between():
    # 0 and 1 trade wins; 0 beats 2, 2 beats 3, nothing comes back
    w = wins(4, (0, 1), (1, 0), (0, 2), (2, 3))
    assert dict((tuple(m), r) for m, r in groups(w))[(2,)] == "between"


def test_a_tie_counts_both_ways():
    w = np.array([[0.0, 0.5], [0.5, 0.0]])
    assert is_connected(w)


def test_votes_of_a_component_count_those_with_others():
    w = wins(3, (0, 1), (1, 0), (2, 0))
    main, other = components(w)
    assert main.votes == 3
    assert other.votes == 1
