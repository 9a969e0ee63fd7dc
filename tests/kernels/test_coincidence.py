import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score

from caveat.kernels import coincidence as kernel
from caveat.kernels.coincidence import ABSENT, NO_OPTION

matrices = st.integers(1, 12).flatmap(
    lambda n: st.integers(2, 5).flatmap(
        lambda m: st.tuples(
            arrays(np.int32, (n, m), elements=st.integers(-2, 6)),
            arrays(np.bool_, (n, m)),
        )
    )
)


def naive(answers, correct):
    """Loop over pairs and items."""
    m = answers.shape[1]
    n, same, wrong, same_wrong, right = (np.zeros((m, m)) for _ in range(5))
    for i, j in itertools.product(range(m), repeat=2):
        for (x, y), (cx, cy) in zip(answers[:, [i, j]], correct[:, [i, j]], strict=True):
            if ABSENT in (x, y):
                continue
            equal = x == y and x >= 0
            n[i, j] += 1
            same[i, j] += equal
            wrong[i, j] += not cx and not cy
            same_wrong[i, j] += equal and not cx and not cy
            right[i, j] += cx
    return n, same, wrong, same_wrong, right


def check(answers, correct):
    correct = correct & (answers != ABSENT)
    got = kernel.coincidence(answers, correct)
    for ours, theirs in zip(
        (got.n, got.same, got.both_wrong, got.same_wrong, got.right),
        naive(answers, correct),
        strict=True,
    ):
        assert np.array_equal(ours, theirs)


@given(matrices)
def test_fast_equals_naive(data):
    check(*data)


@given(matrices)
def test_sparse_tail_equals_naive(data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "_FEW_ANSWERS", 0)
        patch.setattr(kernel, "_DENSE_SHARE", 0.3)
        check(*data)


def test_free_text_equals_naive():
    rng = np.random.default_rng(0)
    answers = np.minimum(rng.geometric(0.1, size=(60, 7)) * 13, 900).astype(np.int32)
    check(answers, rng.random((60, 7)) < 0.3)


def test_by_hand():
    # items: both A (right); A right against B; both C (wrong); B against C (wrong); missing
    answers = np.array([[0, 0], [0, 1], [2, 2], [1, 2], [0, ABSENT]], dtype=np.int32)
    correct = np.array([[1, 1], [1, 0], [0, 0], [0, 0], [1, 0]], dtype=bool)
    got = kernel.coincidence(answers, correct)
    assert got.n[0, 1] == 4
    assert got.same[0, 1] == 2
    assert got.both_wrong[0, 1] == 2
    assert got.same_wrong[0, 1] == 1
    assert got.right[0, 1] == 2
    assert got.right[1, 0] == 1


def test_an_answer_without_option_equals_nothing_not_even_itself():
    got = kernel.coincidence(
        np.array([[NO_OPTION, NO_OPTION]], dtype=np.int32), np.zeros((1, 2), dtype=bool)
    )
    assert got.n[0, 1] == 1
    assert got.same[0, 1] == 0


@given(matrices, st.randoms())
def test_order_of_items_and_names_of_options_do_not_matter(data, random):
    answers, correct = data
    rows = list(range(answers.shape[0]))
    random.shuffle(rows)
    options = list(range(7))
    random.shuffle(options)
    renamed = np.where(answers >= 0, np.array(options)[answers], answers)[rows].astype(np.int32)
    right = correct & (answers >= 0)
    one, other = kernel.coincidence(answers, right), kernel.coincidence(renamed, right[rows])
    assert np.array_equal(one.same, other.same)
    assert np.array_equal(one.same_wrong, other.same_wrong)


def kappa(answers, n_labels):
    counts = kernel.coincidence(answers, np.zeros(answers.shape, dtype=bool))
    chance = kernel.chance_agreement(answers, n_labels)
    return kernel.chance_adjusted(counts.same / counts.n, chance)[0, 1]


def test_kappa_by_hand():
    # 10 items: agree on 4 yes and 3 no; first says yes 6, second says yes 5
    # observed 0.7; expected 0.6 * 0.5 + 0.4 * 0.5 = 0.5; kappa 0.4
    first = [0] * 6 + [1] * 4
    second = [0] * 4 + [1] * 2 + [0] + [1] * 3
    answers = np.array([first, second], dtype=np.int32).T
    assert kappa(answers, 2) == pytest.approx(0.4, abs=1e-12)


@given(arrays(np.int32, (25, 2), elements=st.integers(0, 3)))
def test_kappa_equals_scikit_learn(answers):
    if np.unique(answers).size > 1:
        other = cohen_kappa_score(answers[:, 0], answers[:, 1])
        assert kappa(answers, 4) == pytest.approx(other, abs=1e-12)


def test_kappa_uses_common_items_only():
    answers = np.array([[0, 0], [1, 1], [0, 1], [1, ABSENT], [ABSENT, 0]], dtype=np.int32)
    other = cohen_kappa_score([0, 1, 0], [0, 1, 1])
    assert kappa(answers, 2) == pytest.approx(other, abs=1e-12)


def test_kappa_of_one_constant_answer_is_undefined():
    assert math.isnan(kappa(np.zeros((5, 2), dtype=np.int32), 1))


def test_identical_models_agree_beyond_chance_entirely():
    answers = np.repeat(np.arange(4, dtype=np.int32), 3)[:, None].repeat(2, axis=1)
    assert kappa(answers, 4) == pytest.approx(1.0)
