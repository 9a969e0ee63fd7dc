import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa

from caveat.kernels.coincidence import ABSENT, NO_OPTION
from caveat.kernels.group_agreement import answer_counts, group_agreement


def of(answers, n_labels=4, **options):
    codes = np.asarray(answers, dtype=np.int32)
    counts, answered = answer_counts(codes, n_labels)
    return group_agreement(counts, answered, **{"level": 0.95, **options})


def test_by_hand():
    # three models, labels 0 and 1: items 000, 001, 011
    found = of([[0, 0, 0], [0, 0, 1], [0, 1, 1]], 2)
    # pairs that agree: 3 of 3, 1 of 3, 1 of 3
    assert found.observed.value == pytest.approx(5 / 9)
    # 6 of 9 answers are 0: chance 4/9 + 1/9 = 5/9
    assert found.fleiss.value == pytest.approx(0.0)
    # Gwet: 2 * (2/3 * 1/3) / (2 - 1) = 4/9
    assert found.gwet.value == pytest.approx((5 / 9 - 4 / 9) / (1 - 4 / 9))
    # alpha: unlike pairs 0 + 4/2 + 4/2 = 4; 81 - 36 - 9 = 36; 1 - 8 * 4 / 36
    assert found.alpha.value == pytest.approx(1 - 8 * 4 / 36)
    assert (found.n_items, found.n_single, found.n_answers, found.n_clusters) == (3, 0, 9, 3)


def test_answers_that_equal_no_other_by_hand():
    # items 00, 0?, 1? with ? equal to nothing: 1, 0 and 0 pairs agree
    found = of([[0, 0], [0, NO_OPTION], [1, NO_OPTION]], 2)
    assert found.observed.value == pytest.approx(1 / 3)
    # shares of labels: 0 (1 + 1/2) / 3, 1 1/6; chance 1/4 + 1/36
    assert found.fleiss.value == pytest.approx((1 / 3 - 10 / 36) / (1 - 10 / 36))
    assert np.isnan(found.gwet.value)
    # alpha: as if the two ? were labels of their own
    plain = of([[0, 0], [0, 2], [1, 3]])
    assert found.alpha.value == pytest.approx(plain.alpha.value)


def test_undefined():
    one = of([[0, 0, 1]])
    assert one.observed.value == pytest.approx(1 / 3)
    assert np.isnan(one.observed.se)
    assert np.isnan(one.alpha.low)
    alike = of([[2, 2], [2, 2]])
    assert np.isnan(alike.fleiss.value)
    assert np.isnan(alike.alpha.value)
    assert alike.gwet.value == 1
    assert np.isnan(alike.gwet.se)
    assert np.isnan(of([[0, 0], [0, 0]], 1).gwet.value)
    for nothing in ([[0, ABSENT], [ABSENT, 1]], [[ABSENT, ABSENT]], np.zeros((0, 3))):
        found = of(nothing)
        assert found.n_items == 0
        assert np.isnan([found.observed.value, found.fleiss.value, found.alpha.value]).all()


def test_perfect_agreement_is_one_for_all():
    found = of([[k, k, k] for k in range(4)])
    for figure in (found.observed, found.fleiss, found.gwet, found.alpha):
        assert figure.value == pytest.approx(1)
        assert np.isnan(figure.se)


def read(path, **types):
    with open(path) as file:
        return [{k: types.get(k, str)(v) for k, v in row.items()} for row in csv.DictReader(file)]


@pytest.mark.parametrize("case", ["whole", "gaps", "rare"])
@pytest.mark.parametrize("weights", ["identity", "quadratic"])
def test_equals_irr_cac_and_krippendorff(oracle, case, weights):
    rows = read(oracle / "group_agreement" / "ratings.csv")
    answers = [[int(row[f"rater_{k}"]) for k in range(5)] for row in rows if row["case"] == case]
    label = np.arange(4.0)
    chosen = None if weights == "identity" else 1 - (label[:, None] - label) ** 2 / 9
    found = of(answers, weights=chosen)
    ours = {"gwet": found.gwet, "fleiss": found.fleiss, "krippendorff": found.alpha}
    for row in read(oracle / "group_agreement" / "expected.csv"):
        if (row["case"], row["weights"]) != (case, weights):
            continue
        figure = ours[row["figure"]]
        assert figure.value == pytest.approx(float(row["value"]), abs=1e-11)
        if row["se"]:
            # alpha: see PROVENANCE.md
            gap = 0.01 if row["figure"] == "krippendorff" else 1e-10
            assert figure.se == pytest.approx(float(row["se"]), rel=gap)
            assert figure.low == pytest.approx(float(row["low"]), abs=max(gap / 10, 1e-9))


def jackknifed(answers, read_figure):
    left = np.array([read_figure(of(np.delete(answers, u, axis=0))) for u in range(len(answers))])
    n = left.size
    return np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())


def draw(rng, *, items, raters, missing=0.2):
    truth = rng.choice(4, size=(items, 1), p=(0.55, 0.25, 0.15, 0.05))
    found = np.where(rng.random((items, raters)) < 0.6, truth, rng.integers(0, 4, (items, raters)))
    return np.where(rng.random(found.shape) < missing, ABSENT, found)


@pytest.mark.parametrize("figure", ["fleiss", "gwet", "alpha"])
def test_errors_are_those_of_a_jackknife(figure):
    answers = draw(np.random.default_rng(5), items=300, raters=4)
    ours = getattr(of(answers), figure).se
    # both are right to first order; of 300 items the rest is under a hundredth
    assert ours == pytest.approx(jackknifed(answers, lambda g: getattr(g, figure).value), rel=0.01)


def test_fleiss_equals_statsmodels():
    answers = draw(np.random.default_rng(6), items=50, raters=6, missing=0.0)
    counts, _ = answer_counts(answers.astype(np.int32), 4)
    assert of(answers).fleiss.value == pytest.approx(fleiss_kappa(counts), abs=1e-12)


def test_copies_of_items_in_a_cluster_add_nothing():
    answers = draw(np.random.default_rng(7), items=60, raters=4)
    once = of(answers)
    twice = of(np.repeat(answers, 2, axis=0), cluster=np.repeat(np.arange(60), 2))
    for figure in ("observed", "fleiss", "gwet"):
        one, two = getattr(once, figure), getattr(twice, figure)
        assert two.value == pytest.approx(one.value)
        assert two.se == pytest.approx(one.se)
    # alpha itself moves a little with the number of answers
    assert twice.alpha.se == pytest.approx(once.alpha.se, rel=0.01)
    assert twice.n_clusters == once.n_items


small = st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=2, max_size=12)


@given(answers=small, seed=st.integers(0, 99))
def test_order_and_names_move_nothing(answers, seed):
    rng = np.random.default_rng(seed)
    codes = np.array(answers)
    names = np.append(rng.permutation(3), ABSENT)
    other = names[codes][rng.permutation(len(codes))][:, rng.permutation(3)]
    one, two = of(codes, 3), of(other, 3)
    for figure in ("observed", "fleiss", "gwet", "alpha"):
        ours, theirs = getattr(one, figure), getattr(two, figure)
        assert ours.value == pytest.approx(theirs.value, nan_ok=True)
        assert ours.se == pytest.approx(theirs.se, nan_ok=True, abs=1e-7)
        assert np.isnan(ours.low) or ours.low <= ours.value <= ours.high
