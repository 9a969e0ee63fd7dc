import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.coincidence import ABSENT, NO_OPTION, coincidence
from caveat.kernels.policy_shares import policy_shares
from caveat.kernels.task_shares import task_shares


def shares(answers):
    codes = np.array(answers, dtype=np.int32)
    same = coincidence(codes, np.zeros(codes.shape, dtype=bool)).same
    return policy_shares(codes, same)


def test_policies_by_hand():
    # the same; different; one unreadable; both unreadable; one has no row
    found = shares([[0, 0], [0, 1], [0, NO_OPTION], [NO_OPTION, NO_OPTION], [0, ABSENT]])
    assert {name: n[0, 1] for name, n in found.n.items()} == {
        "drop": 2,
        "as-disagreement": 4,
        "as-option": 4,
    }
    assert found.disagree["drop"][0, 1] == 1 / 2
    assert found.disagree["as-disagreement"][0, 1] == 3 / 4
    assert found.disagree["as-option"][0, 1] == 2 / 4


def test_nothing_readable():
    found = shares([[NO_OPTION, NO_OPTION], [NO_OPTION, NO_OPTION]])
    assert np.isnan(found.disagree["drop"][0, 1])
    assert found.disagree["as-disagreement"][0, 1] == 1
    assert found.disagree["as-option"][0, 1] == 0


rows = st.lists(st.lists(st.integers(-2, 3), min_size=3, max_size=3), min_size=1, max_size=10)


@given(answers=rows)
def test_one_count_of_same_answers_serves_all_policies(answers):
    codes = np.array(answers, dtype=np.int32)
    found = shares(answers)
    recoded = {
        "drop": np.where(codes == NO_OPTION, ABSENT, codes),
        "as-disagreement": codes,
        "as-option": np.where(codes == NO_OPTION, 4, codes),
    }
    off = ~np.eye(3, dtype=bool)
    for policy, own in recoded.items():
        counts = coincidence(own.astype(np.int32), np.zeros(own.shape, dtype=bool))
        np.testing.assert_array_equal(found.n[policy], counts.n)
        expected = np.where(counts.n > 0, 1 - counts.same / np.maximum(counts.n, 1), np.nan)
        np.testing.assert_allclose(found.disagree[policy][off], expected[off], atol=1e-12)
    # where all count, an unreadable answer is at best one more that agrees
    known = np.isfinite(found.disagree["as-option"])
    assert (found.disagree["as-option"] <= found.disagree["as-disagreement"] + 1e-12)[known].all()


def test_tasks_by_hand():
    answers = np.array([[0, 0], [0, 1], [0, -2], [1, 1], [-1, 1]], dtype=np.int32)
    found = task_shares(
        answers, np.array([2, 0, 0, 2, 0]), 3, first=np.array([0]), second=np.array([1])
    )
    np.testing.assert_array_equal(found.n[:, 0], [2, 0, 2])
    np.testing.assert_array_equal(found.differ[:, 0], [2, 0, 0])
    shared = found.shares(min_items=2)[:, 0]
    assert shared[0] == 1
    assert np.isnan(shared[1])
    assert shared[2] == 0
    assert np.isnan(found.shares(min_items=3)).all()


@given(answers=rows, seed=st.integers(0, 9))
def test_tasks_add_up(answers, seed):
    codes = np.array(answers, dtype=np.int32)
    task = np.random.default_rng(seed).integers(-1, 3, len(codes))
    first, second = np.triu_indices(3, k=1)
    found = task_shares(codes, task, 3, first=first, second=second)
    counts = coincidence(codes[task >= 0], np.zeros((int((task >= 0).sum()), 3), dtype=bool))
    np.testing.assert_array_equal(found.n.sum(axis=0), counts.n[first, second])
    np.testing.assert_array_equal(found.differ.sum(axis=0), (counts.n - counts.same)[first, second])


@pytest.mark.parametrize("pairs", [0, 1, 300])
def test_any_number_of_pairs(pairs):
    rng = np.random.default_rng(3)
    answers = rng.integers(0, 3, (20, 30)).astype(np.int32)
    first, second = (x[:pairs] for x in np.triu_indices(30, k=1))
    found = task_shares(answers, np.zeros(20, dtype=int), 1, first=first, second=second)
    assert found.n.shape == (1, pairs)
    np.testing.assert_array_equal(
        found.differ[0], (answers[:, first] != answers[:, second]).sum(axis=0)
    )
