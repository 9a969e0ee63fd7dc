import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp, wilcoxon

from caveat.kernels.alternative_annotator import (
    Wins,
    alternative_annotator,
    margin_score,
    margin_t,
)


def wins(labels, judges, *, fit="same"):
    labels, judges = np.asarray(labels), np.asarray(judges)
    known = np.isfinite(labels) if fit == "distance" else labels >= 0
    item, person = np.nonzero(known)
    return alternative_annotator(
        item, person, labels[known], judges, n_people=labels.shape[1], fit=fit
    )


def naive(labels, judge, *, fit="same"):
    """The definition of the paper, item by item and person by person; S in full."""
    missing = (lambda x: x != x) if fit == "distance" else (lambda x: x < 0)

    def score(x, others):
        if fit == "same":
            return sum(x == o for o in others) / len(others)
        return -np.sqrt(np.mean([(x - o) ** 2 for o in others]))

    made = []
    for j in range(labels.shape[1]):
        d = []
        for i in range(labels.shape[0]):
            others = [x for k, x in enumerate(labels[i]) if k != j and not missing(x)]
            if missing(labels[i, j]) or missing(judge[i]) or not others:
                continue
            f, h = score(judge[i], others), score(labels[i, j], others)
            d.append(int(h >= f - 1e-12) - int(f >= h - 1e-12))
        made.append(d)
    return made


def test_by_hand():
    # item 0: people say 0, 0, 1 and the judge 0. Others of the first: 0, 1; judge 1/2, person 1/2.
    # Others of the third: 0, 0; judge 1, person 0: the judge is better.
    # item 1: 1, 1, missing, judge 0. Others of the first: 1; judge 0, person 1: worse; so too 2nd.
    # item 2: only one person. item 3: 0, 1, 2, no judge.
    labels = [[0, 0, 1], [1, 1, -1], [0, -1, -1], [0, 1, 2]]
    got = wins(labels, [[0], [0], [0], [-1]])
    assert got.better[:, 0].tolist() == [0, 0, 1]
    assert got.worse[:, 0].tolist() == [1, 1, 0]
    assert got.equal[:, 0].tolist() == [1, 1, 0]


def test_distances_by_hand():
    # people 1, 2, 4; judge 3. First: others 2, 4; judge (1 + 1) / 2, person (1 + 9) / 2: better.
    # Second: others 1, 4; judge (4 + 1) / 2, person (1 + 4) / 2: equal.
    # Third: others 1, 2; judge (4 + 1) / 2, person (9 + 4) / 2: better.
    got = wins([[1.0, 2.0, 4.0]], [[3.0]], fit="distance")
    assert (got.better[:, 0].tolist(), got.equal[:, 0].tolist()) == ([1, 0, 1], [0, 1, 0])


def test_a_judge_that_repeats_one_person_ties_with_that_person():
    labels = np.random.default_rng(1).integers(0, 3, (50, 4))
    got = wins(labels, labels[:, [2]])
    assert got.equal[2, 0] == 50
    assert got.better[2, 0] == got.worse[2, 0] == 0


tables = st.integers(1, 9).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(st.integers(-1, 3), min_size=4, max_size=4), min_size=n, max_size=n),
        st.lists(st.lists(st.integers(-1, 3), min_size=2, max_size=2), min_size=n, max_size=n),
    )
)


@given(tables)
def test_as_the_definition(table):
    labels, judges = (np.array(part) for part in table)
    got = wins(labels, judges)
    for judge in range(2):
        for person, d in enumerate(naive(labels, judges[:, judge])):
            assert got.worse[person, judge] == d.count(1)
            assert got.better[person, judge] == d.count(-1)
            assert got.equal[person, judge] == d.count(0)


@given(tables, st.sampled_from([1.0, 0.1, 1e6, 1 / 3]))
def test_as_the_definition_for_numbers_of_any_scale(table, scale):
    labels, judges = (np.array(part, dtype=float) for part in table)
    labels, judges = np.where(labels < 0, np.nan, labels), np.where(judges < 0, np.nan, judges)
    got = wins(labels * scale, judges * scale, fit="distance")
    for person, d in enumerate(naive(labels, judges[:, 0], fit="distance")):
        assert got.worse[person, 0] == d.count(1)
        assert got.better[person, 0] == d.count(-1)


@given(tables, st.permutations(range(4)))
def test_names_of_labels_and_order_of_people_do_not_matter(table, order):
    labels, judges = (np.array(part) for part in table)
    new = np.array([5, 2, 7, 0, -1])
    one, other = wins(labels, judges), wins(new[labels][:, order], new[judges])
    assert np.array_equal(one.better[list(order)], other.better)
    assert np.array_equal(one.worse[list(order)], other.worse)


def counts(better, worse, equal):
    return Wins(*(np.array([[x]]) for x in (better, worse, equal)))


def test_t_as_scipy():
    d = np.array([1] * 7 + [-1] * 4 + [0] * 29)
    expected = ttest_1samp(d, 0.15, alternative="less").pvalue
    assert margin_t(counts(4, 7, 29), epsilon=0.15)[0, 0] == pytest.approx(expected, rel=1e-12)


def test_t_without_variation():
    # no d is 1: under H0 each is with at least 0.1, so that p <= 0.9^30 = 0.0424 (SciPy says 0)
    assert margin_t(counts(0, 0, 30), epsilon=0.1)[0, 0] == pytest.approx(0.9**30)
    assert margin_t(counts(30, 0, 0), epsilon=0.1)[0, 0] == pytest.approx(0.9**30)
    assert margin_t(counts(0, 30, 0), epsilon=0.1)[0, 0] == 1.0
    assert np.isnan(margin_t(counts(0, 0, 0), epsilon=0.1)[0, 0])


def test_score_by_hand():
    # no d is 1 or -1 in 30: the nearest point of H0 has P(1) = 0.1, P(-1) = 0, so that
    # z = -3 / sqrt(30 * 0.1 * 0.9) = -1.8257, p = 0.033945
    assert margin_score(counts(0, 0, 30), epsilon=0.1)[0, 0] == pytest.approx(0.033945, abs=1e-6)
    assert np.isnan(margin_score(counts(0, 0, 0), epsilon=0.1)[0, 0])


def test_score_without_margin_is_mcnemars():
    # z = (b - c) / sqrt(b + c) = (3 - 11) / sqrt(14) = -2.1381
    got = margin_score(counts(11, 3, 40), epsilon=1e-12)[0, 0]
    assert got == pytest.approx(0.016255, abs=2e-6)


def share_rejected(test, chances, *, epsilon, n, draws=20_000):
    """How often H0 is rejected at 5% where the judge is exactly epsilon worse."""
    draw = np.random.default_rng(7).multinomial(n, chances, size=draws)
    made = Wins(draw[:, [0]], draw[:, [1]], draw[:, [2]])
    return float((test(made, epsilon=epsilon) <= 0.05).mean())


ERROR = 4 * (0.05 * 0.95 / 20_000) ** 0.5  # 4 binomial standard errors
BOTH = (0.15, 0.25, 0.6)
ONE_SIDED = (0.0, 0.1, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 100, 200])
def test_level_where_both_sides_win_at_times(n):
    assert share_rejected(margin_t, BOTH, epsilon=0.1, n=n) <= 0.055 + ERROR
    assert share_rejected(margin_score, BOTH, epsilon=0.1, n=n) <= 0.055 + ERROR


@pytest.mark.slow
@pytest.mark.parametrize(("n", "by_t", "by_score"), [(30, 0.184, 0.042), (100, 0.117, 0.058)])
def test_level_where_the_judge_never_wins(n, by_t, by_score):
    """The t test of the paper rejects too often: P(Bin(30, 0.1) <= 1), P(Bin(100, 0.1) <= 6)."""
    assert share_rejected(margin_t, ONE_SIDED, epsilon=0.1, n=n) == pytest.approx(by_t, abs=0.011)
    got = share_rejected(margin_score, ONE_SIDED, epsilon=0.1, n=n)
    assert got == pytest.approx(by_score, abs=0.007)


@pytest.mark.slow
def test_signed_ranks_are_no_test_of_the_mean():
    """Why there is no Wilcoxon below 30 items, which the paper names: it rejects 37% and 91%."""
    draw = np.random.default_rng(1)
    for chances, least in ((BOTH, 0.3), (ONE_SIDED, 0.85)):
        d = draw.choice([-1, 1, 0], p=chances, size=(1_000, 25)) - 0.1
        p = [wilcoxon(row, alternative="less", method="approx").pvalue for row in d]
        assert np.mean(np.array(p) <= 0.05) > least
