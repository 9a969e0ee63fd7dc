import numpy as np
import pytest

from caveat.kernels.common_score import common_score

NAN = np.nan


def test_by_hand():
    # the second model has not got the hard items: the first is better where both answered
    found = common_score(np.array([[1, 0], [1, 1], [0, NAN], [0, NAN]], dtype=float))
    np.testing.assert_allclose(found, [[0.5, 1.0], [0.5, 0.5]])


def test_all_items_of_all_models_are_the_plain_means():
    score = np.random.default_rng(0).random((20, 3))
    np.testing.assert_allclose(common_score(score), np.repeat(score.mean(axis=0)[:, None], 3, 1))


@pytest.mark.parametrize("kind", ["right or wrong", "any"])
def test_equals_pair_by_pair(kind):
    rng = np.random.default_rng(1)
    score = rng.random((30, 4)) if kind == "any" else rng.integers(0, 2, (30, 4)).astype(float)
    score[rng.random(score.shape) < 0.3] = NAN
    found = common_score(score)
    for i in range(4):
        for j in range(4):
            both = np.isfinite(score[:, i] + score[:, j])
            assert found[i, j] == pytest.approx(score[both, i].mean(), abs=1e-12)


def test_nothing_in_common():
    found = common_score(np.array([[1, NAN], [NAN, 0]]))
    assert np.isnan(found[0, 1])
    assert found[0, 0] == 1
    assert np.isnan(common_score(np.zeros((0, 2)))).all()
