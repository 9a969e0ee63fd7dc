import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.tiers import tiers


def better(m, *pairs):
    made = np.zeros((m, m), dtype=bool)
    for i, j in pairs:
        made[i, j] = True
    return made


def test_by_hand():
    # 0 is better than 2 and 3; 2 is not better than 3
    assert tiers(np.array([4.0, 3, 2, 1]), better(4, (0, 2), (0, 3))).tolist() == [1, 1, 2, 2]


def test_nobody_and_everybody_told_apart():
    assert tiers(np.array([1.0, 3, 2]), better(3)).tolist() == [1, 1, 1]
    everyone = better(3, (1, 2), (1, 0), (2, 0))
    assert tiers(np.array([1.0, 3, 2]), everyone).tolist() == [3, 1, 2]


def test_a_model_asked_little_stands_with_the_best():
    assert tiers(np.array([3.0, 2, 1]), better(3, (0, 1))).tolist() == [1, 2, 1]


def test_no_place_no_tier():
    assert tiers(np.array([np.nan, 1.0]), better(2)).tolist() == [0, 1]


@given(st.integers(0, 2**32 - 1))
def test_renaming_models_moves_nothing(seed):
    rng = np.random.default_rng(seed)
    place = rng.permutation(6).astype(float)
    shown = (place[:, None] > place) & (rng.random((6, 6)) < 0.5)
    mixed = rng.permutation(6)
    again = tiers(place[mixed], shown[np.ix_(mixed, mixed)])
    assert (again == tiers(place, shown)[mixed]).all()
