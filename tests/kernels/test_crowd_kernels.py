"""Votes, threes of models, and how many independent models a crowd is worth."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from caveat.kernels.crowd_size import crowd_size, majority_if_correlated, majority_if_independent
from caveat.kernels.plurality import chance_if_independent, growing_votes
from caveat.kernels.triples import greedy_cover, majority_credit, triples


def answers(seed, n=60, m=6, *, labels=4, empty=0.15):
    """Answers with 0 as the right one, and whether they are right."""
    rng = np.random.default_rng(seed)
    answer = rng.integers(0, labels, (n, m))
    answer = np.where(rng.random((n, m)) < 0.4, 0, answer)
    answer = np.where(rng.random((n, m)) < empty, -2, answer).astype(np.int32)
    return answer, answer == 0


def vote(answer, right):
    """Credit of the answer that most of a few models give."""
    given = [a for a in answer if a >= 0]
    if not given:
        return 0.0
    counts = {a: given.count(a) for a in given}
    first = [a for a, c in counts.items() if c == max(counts.values())]
    return sum(any(r for x, r in zip(answer, right, strict=True) if x == a) for a in first) / len(
        first
    )


class TestVotes:
    def test_votes_by_hand(self):
        # Right is 0. All right; 2 against 1; a tie of two, one of them right; nobody answers.
        answer = np.array([[0, 0, 0], [1, 1, 0], [0, 1, -2], [-2, -2, -2]], dtype=np.int32)
        (votes,) = growing_votes(answer, (answer == 0).astype(float), (0, 1, 2), (3,))
        assert votes.credit.tolist() == [1, 0, 0.5, 0]
        assert votes.top.tolist() == [3, 2, 1, 0]
        assert votes.answered.tolist() == [3, 3, 2, 0]
        assert votes.tied.tolist() == [1, 1, 2, 0]

    def test_one_voter_is_that_model(self):
        answer, right = answers(1)
        first, *_ = growing_votes(answer, right.astype(float), (2, 0, 1), (1, 3))
        assert first.credit.tolist() == right[:, 2].tolist()

    def test_an_answer_scored_apart_is_worth_the_mean(self):
        # Two models give the same answer and the source scores one right and one wrong.
        answer = np.zeros((1, 2), dtype=np.int32)
        (votes,) = growing_votes(answer, np.array([[1.0, 0.0]]), (0, 1), (2,))
        assert votes.credit.tolist() == [0.5]

    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 2**31))
    def test_votes_are_counted_item_by_item(self, seed):
        answer, right = answers(seed)
        for k, votes in enumerate(
            growing_votes(answer, right.astype(float), range(6), range(1, 7)), start=1
        ):
            expected = [vote(a[:k], r[:k]) for a, r in zip(answer.tolist(), right, strict=True)]
            assert votes.credit == pytest.approx(expected)

    def test_what_independent_votes_promise_by_hand(self):
        # Two models right with 3/4 and 1/2, three options. They agree: 3/4 * 1/2 against each of
        # two wrong options 1/8 * 1/4: 3/8 / (3/8 + 2/32) = 6/7. Apart, on 0 and 1: 0 right
        # 3/4 * 1/4, 1 right 1/8 * 1/2, the third right 1/8 * 1/4; both tie for first place:
        # (6/32 + 2/32) / 2 / (9/32) = 4/9.
        answer = np.array([[0, 0], [0, 1], [-2, -2]], dtype=np.int32)
        found = chance_if_independent(answer, np.array([0.75, 0.5]), np.full(3, 3.0))
        assert found[:2] == pytest.approx([6 / 7, 4 / 9])
        assert np.isnan(found[2])

    @pytest.mark.slow
    def test_the_promise_holds_for_independent_models(self):
        rng = np.random.default_rng(20261206)
        share, n = np.array([0.8, 0.6, 0.5, 0.4, 0.4]), 40_000
        right = rng.random((n, 5)) < share
        answer = np.where(right, 0, rng.integers(1, 4, (n, 5))).astype(np.int32)
        promised = chance_if_independent(answer, share, np.full(n, 4.0))
        (votes,) = growing_votes(answer, right.astype(float), range(5), (5,))
        for low, high in ((0.2, 0.5), (0.5, 0.8), (0.8, 1.0)):
            chosen = (promised >= low) & (promised < high)
            error = np.sqrt(promised[chosen].mean() * (1 - promised[chosen].mean()) / chosen.sum())
            assert abs(votes.credit[chosen].mean() - promised[chosen].mean()) < 4 * error


class TestTriples:
    @settings(max_examples=15, deadline=None)
    @given(st.integers(0, 2**31))
    def test_every_three_is_counted_item_by_item(self, seed):
        answer, right = answers(seed)
        part = np.random.default_rng(seed).integers(0, 3, len(answer))
        found = triples(answer, right, part, 3)
        assert found.members.tolist() == [list(c) for c in combinations(range(6), 3)]
        for t, members in enumerate(found.members):
            own = [
                vote(a, r)
                for a, r in zip(answer[:, members].tolist(), right[:, members], strict=True)
            ]
            assert majority_credit(answer, right, members) == pytest.approx(own)
            covered = right[:, members].any(axis=1)
            for code in range(3):
                chosen = part == code
                # The products are sums in single precision.
                assert found.majority[code, t] == pytest.approx(
                    np.array(own)[chosen].sum(), abs=1e-3
                )
                assert found.covered[code, t] == pytest.approx(covered[chosen].sum(), abs=1e-3)
        assert found.single.sum(axis=0).tolist() == right.sum(axis=0).tolist()
        assert found.items.tolist() == np.bincount(part, minlength=3).tolist()

    def test_three_copies_vote_as_one(self):
        answer, right = answers(2, m=1)
        found = triples(np.repeat(answer, 3, 1), np.repeat(right, 3, 1), np.zeros(60, int), 1)
        assert found.majority[0, 0] == found.covered[0, 0] == right.sum()

    def test_greedy_cover_by_hand(self):
        # The first covers 3 of 5; then the last adds 2, the second only 1.
        right = np.array([[1, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 1, 1]], dtype=bool).T
        assert greedy_cover(right, 2) == [0, 2]
        assert greedy_cover(right, 9) == [0, 2, 1]


class TestSize:
    def test_condorcet(self):
        # Three jurors of 0.6: 0.6^3 + 3 * 0.6^2 * 0.4 = 0.648.
        assert majority_if_independent(np.full(3, 0.6)) == pytest.approx(0.648)
        # Unequal ones: 0.9, 0.6, 0.5: .27 + .9*.6*.5 + .9*.4*.5 + .1*.6*.5 = .27 + .27 + .18 + .03.
        assert majority_if_independent(np.array([0.9, 0.6, 0.5])) == pytest.approx(0.75)
        # Two of 0.6: both 0.36, one of the two 0.48, half of which counts.
        assert majority_if_independent(np.full(2, 0.6)) == pytest.approx(0.6)

    def test_equal_jurors_are_binomial(self):
        assert majority_if_independent(np.full(101, 0.55)) == pytest.approx(
            binom(101, 0.55).sf(50), rel=1e-9
        )

    def test_correlation_leads_from_the_jury_to_one_juror(self):
        jury = majority_if_independent(np.full(9, 0.6))
        found = [
            majority_if_correlated(0.6, r, 9) for r in (-0.1, 0.0, 0.001, 0.3, 0.7, 0.999, 1.0)
        ]
        assert found[0] == found[1] == pytest.approx(jury)
        assert found[2] == pytest.approx(jury, abs=1e-2)
        assert found[-2] == pytest.approx(0.6, abs=1e-2)
        assert found == sorted(found, reverse=True)

    def test_two_correlated_jurors_by_hand(self):
        # Both right p^2 + r p (1 - p) = 0.36 + 0.12, one right 2 (1 - r) p (1 - p) = 0.24, halved.
        assert majority_if_correlated(0.6, 0.5, 2) == pytest.approx(0.48 + 0.12)

    def test_kish(self):
        # Errors of three models on items (0, 1), (0, 1), (2,): phi of the first two is 1, of each
        # with the third -1: mean -1/3, design effect 1 - 2/3.
        wrong = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=bool)
        found = crowd_size(~wrong)
        assert found.mean == pytest.approx((1 - 1 - 1) / 3)
        assert found.design_effect == pytest.approx(1 - 2 / 3)
        assert found.correlation[0, 1] == pytest.approx(1)

    def test_copies_are_worth_one_and_strangers_all(self):
        rng = np.random.default_rng(1)
        copies = crowd_size(np.repeat(rng.random((500, 1)) < 0.5, 7, axis=1))
        assert copies.effective == pytest.approx(1)
        assert copies.effective_spectral == pytest.approx(1)
        # All 16 patterns of four models once: no correlation at all.
        strangers = crowd_size(np.array(np.meshgrid(*[[0, 1]] * 4)).reshape(4, -1).T.astype(bool))
        assert strangers.effective == pytest.approx(4)
        assert strangers.effective_spectral == pytest.approx(4)

    def test_a_model_always_right_is_not_counted(self):
        rng = np.random.default_rng(2)
        right = np.column_stack([rng.random((50, 3)) < 0.5, np.ones(50, dtype=bool)])
        found = crowd_size(right)
        assert found.used == 3
        assert np.isnan(found.correlation[3]).all()
        assert np.isnan(crowd_size(np.ones((5, 3), dtype=bool)).effective)

    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 2**31))
    def test_the_variance_of_the_mean_error_is_that_of_the_effective_number(self, seed):
        right = np.random.default_rng(seed).random((80, 5)) < 0.5
        found = crowd_size(right)
        z = (right - right.mean(axis=0)) / right.std(axis=0)
        assert 1 / found.effective == pytest.approx(z.mean(axis=1).var())
        assert 1 - 1e-9 <= found.effective_spectral <= 5 + 1e-9

    @pytest.mark.slow
    def test_majorities_of_correlated_models_are_beta_binomial(self):
        rng = np.random.default_rng(20261207)
        r, n, m = 0.3, 20_000, 11
        level = rng.beta(0.6 * (1 / r - 1), 0.4 * (1 / r - 1), n)
        right = rng.random((n, m)) < level[:, None]
        observed = (right.sum(axis=1) > m / 2).mean()
        expected = majority_if_correlated(0.6, crowd_size(right).mean, m)
        assert abs(observed - expected) < 4 * np.sqrt(expected * (1 - expected) / n)
