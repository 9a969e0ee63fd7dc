import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.kernels.e_bh import e_bh
from caveat.kernels.rasch import RaschFit, rasch
from caveat.kernels.wrong_keys import most_given, wrong_keys

NAN = float("nan")
STRONG = float(np.log(3))


def fit(ability, node=(0.0,), weight=(1.0,)):
    """Abilities and difficulties that are known."""
    m, none = len(ability), np.zeros(0)
    return RaschFit(
        ability=np.array(ability, dtype=float),
        covariance=np.eye(m),
        difficulty=none,
        sd=none,
        low=none,
        high=none,
        node=np.array(node, dtype=float),
        weight=np.array(weight, dtype=float),
        loglik=NAN,
        n_parameters=0,
        iterations=0,
        converged=True,
    )


def judge(answers, key, *, options=3, ability=(STRONG, STRONG, -STRONG), **changes):
    answers = np.array(answers, dtype=np.int32)
    n = len(answers)
    return wrong_keys(
        answers,
        np.broadcast_to(np.array(key), n).astype(np.intp),
        np.full(n, float(options)),
        fit(ability),
        **{"concentration": 2.0} | changes,
    )


def simulated(rng, n, m, *, options=4, wrong=0.0, draw=2.0):
    """Answers to n items, of which the first share has a wrong key; key is 0 and the truth."""
    ability = rng.normal(size=m) * 1.2
    ability -= ability.mean()
    chance = 1 / (1 + np.exp(-(ability - (0.3 + 1.3 * rng.normal(size=n))[:, None])))
    right = rng.random((n, m)) < chance
    urn = rng.dirichlet(np.full(options - 1, draw / (options - 1)), size=n)
    cut = urn.cumsum(axis=1)
    other = 1 + (rng.random((n, m))[:, :, None] > cut[:, None, :]).sum(axis=2)
    answer = np.where(right, 0, np.minimum(other, options - 1)).astype(np.int32)
    key = np.zeros(n, dtype=np.intp)
    bad = rng.random(n) < wrong
    key[bad] = rng.integers(1, options, bad.sum())
    return answer, key, bad


class TestEvidence:
    def test_two_strong_models_against_a_weak_one_by_hand(self):
        # All difficulties 0: the strong are right with 3/4, the weak with 1/4. Answers 1, 1, 0 with
        # key 0. Key right: 1/4 * 1/4 * 1/4, and both wrong ones on the same of two options, urn of
        # 1 ball each: 1/2 * 2/3. Key 1 instead: (3/4)^3, and the one wrong one on 0: 1/2.
        # Ratio 27 * (1/2) / (1/3) = 40.5; over two rivals 20.25.
        found = judge([[1, 1, 0]], 0)
        assert np.exp(found.log_e[0]) == pytest.approx(20.25)
        assert found.rival[0] == 1
        assert (found.number[0], found.key_number[0], found.answered[0]) == (2, 1, 3)
        assert found.ability[0] == pytest.approx(np.log(3))
        assert found.key_ability[0] == pytest.approx(-np.log(3))

    def test_nobody_gives_the_key_by_hand(self):
        # All three give 1. Key right: 1/4 * 1/4 * 3/4, three times the same of two options:
        # 1/2 * 2/3 * 3/4. Key 1: 3/4 * 3/4 * 1/4. Ratio 3 / (1/4) = 12; over two rivals 6.
        found = judge([[1, 1, 1]], 0)
        assert np.exp(found.log_e[0]) == pytest.approx(6)
        assert np.isnan(found.key_ability[0])

    def test_free_text_by_hand(self):
        # Ewens' urn of concentration 2: key right: (1/4)^3, both wrong on one new answer:
        # 2 * 1 / (2 * 3) = 1/3. Key 1: (3/4)^3, one wrong on a new answer: 2 / 2 = 1; the key of
        # the benchmark is one of the 1 wrong answers or none: 1/2. 27 * 1 / (1/3) / 2 = 40.5.
        found = judge([[1, 1, 0]], 0, options=NAN)
        assert np.exp(found.log_e[0]) == pytest.approx(40.5)

    def test_models_that_follow_the_key_speak_for_it(self):
        assert judge([[0, 0, 1]], 0).log_e[0] < 0

    def test_nothing_is_said_without_a_rival_or_of_too_few_answers(self):
        found = judge([[0, 0, 0], [1, 1, -1], [-1, -1, -1]], 0)
        assert np.isnan(found.log_e).all()
        assert found.rival.tolist() == [-1, 1, -1]

    def test_one_option_leaves_no_rival(self):
        assert np.isnan(judge([[0, 0, 0]], 0, options=1).log_e[0])

    def test_distractors_that_draw_many_make_agreement_less_surprising(self):
        scattered = judge([[1, 1, 1]], 0, concentration=50.0)
        drawn = judge([[1, 1, 1]], 0, concentration=0.2)
        assert scattered.log_e[0] > drawn.log_e[0] + 0.3

    def test_the_mean_over_all_answers_is_at_most_one(self):
        # An e-value: the mean of the ratio under the key, summed over all 27 answers of 3 models.
        # Rivals that nobody gave are left out, so that the mean is below 1.
        ability = np.array([0.8, 0.1, -0.9])
        all_answers = np.array(np.meshgrid(*[range(3)] * 3)).reshape(3, -1).T.astype(np.int32)
        node, weight = np.array([-1.0, 0.0, 1.5]), np.array([0.2, 0.5, 0.3])
        found = wrong_keys(
            all_answers,
            np.zeros(27, dtype=np.intp),
            np.full(27, 3.0),
            fit(ability, node, weight),
            concentration=1.7,
        )
        chance = 1 / (1 + np.exp(-(ability - node[:, None])))
        total = mean = 0.0
        for row, log_e in zip(all_answers, found.log_e, strict=True):
            right = row == 0
            p = (weight * np.where(right, chance, 1 - chance).prod(axis=1)).sum()
            drawn = {1: 0, 2: 0}
            for step, answer in enumerate(row[~right]):
                p *= (0.85 + drawn[int(answer)]) / (1.7 + step)
                drawn[int(answer)] += 1
            total += p
            mean += p * (np.exp(log_e) if np.isfinite(log_e) else 0.0)
        assert total == pytest.approx(1)
        assert 0.75 < mean <= 1

    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 2**31))
    def test_names_of_answers_and_orders_play_no_part(self, seed):
        rng = np.random.default_rng(seed)
        answer, key, _ = simulated(rng, 40, 7)
        answer[rng.random(answer.shape) < 0.1] = -1
        ability = rng.normal(size=7)
        options = np.full(40, 4.0)
        found = wrong_keys(answer, key, options, fit(ability))
        names, items, models = rng.permutation(4), rng.permutation(40), rng.permutation(7)
        renamed = np.where(answer >= 0, names[answer], -1).astype(np.int32)[items][:, models]
        other = wrong_keys(renamed, names[key][items], options, fit(ability[models]))
        assert other.log_e == pytest.approx(found.log_e[items], nan_ok=True)
        assert other.concentration == found.concentration

    def test_the_concentration_is_found(self):
        answer, key, _ = simulated(np.random.default_rng(1), 3000, 15, options=5, draw=2.0)
        found = wrong_keys(answer, key, np.full(3000, 5.0), fit(np.zeros(15)))
        assert found.concentration == pytest.approx(2.0, rel=0.2)


def test_the_most_given_wrong_answer_by_hand():
    answers = np.array([[1, 1, 2, 0], [2, 1, -1, 0], [0, 0, 0, 0], [-1, -1, -1, -1]], np.int32)
    wrong, number, answered = most_given(answers, np.zeros(4, dtype=np.intp))
    assert wrong.tolist() == [1, 1, -1, -1]  # of equally frequent ones the first
    assert number.tolist() == [2, 1, 0, 0]
    assert answered.tolist() == [4, 3, 4, 0]


@pytest.mark.slow
def test_few_sound_keys_are_among_those_found():
    """3% wrong keys: of those found, less than 5% are sound; with 20 models a fifth is found."""
    rng = np.random.default_rng(20261204)
    found = false = planted = 0
    for _ in range(20):
        answer, key, bad = simulated(rng, 1500, 20, wrong=0.03)
        score = (answer == key[:, None]).astype(float)
        keys = wrong_keys(answer, key, np.full(1500, 4.0), rasch(score, ability_sd=3.0))
        judged = np.flatnonzero(np.isfinite(keys.log_e))
        rejected = judged[e_bh(keys.log_e[judged], 0.05).rejected]
        found += rejected.size
        false += int((~bad[rejected]).sum())
        planted += int(bad.sum())
    assert false / found < 0.05 + 4 * np.sqrt(0.05 * 0.95 / found)
    assert found - false > 0.15 * planted


@pytest.mark.slow
def test_without_wrong_keys_hardly_any_run_finds_one():
    rng = np.random.default_rng(20261205)
    runs = 0
    for _ in range(100):
        answer, key, _ = simulated(rng, 400, 20)
        score = (answer == key[:, None]).astype(float)
        keys = wrong_keys(answer, key, np.full(400, 4.0), rasch(score, ability_sd=3.0))
        judged = np.flatnonzero(np.isfinite(keys.log_e))
        runs += bool(e_bh(keys.log_e[judged], 0.05).rejected.any())
    assert runs / 100 < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 100)
