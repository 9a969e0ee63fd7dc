import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lmsim.metrics import CAPA, EC
from statsmodels.stats.inter_rater import cohens_kappa

from caveat.kernels.coincidence import ABSENT, NO_OPTION
from caveat.kernels.pair_kappas import pair_kappas

FIGURES = ("kappa", "capa", "error_consistency")


def of(one, two, gold, *, n_labels=4, options=4.0, **settings):
    answers = np.array([one, two], dtype=np.int32).T
    return pair_kappas(
        answers,
        answers == np.asarray(gold)[:, None],
        first=np.array([0]),
        second=np.array([1]),
        n_labels=n_labels,
        n_options=np.full(len(gold), options),
        **{"level": 0.95, **settings},
    )


def test_by_hand():
    # gold A on 10 items; x right on 7, y on 6, both on 5, both wrong on 2 (once alike)
    x = [0, 0, 0, 0, 0, 0, 0, 1, 1, 2]
    y = [0, 0, 0, 0, 0, 3, 3, 0, 1, 1]
    found = of(x, y, [0] * 10)
    # right or wrong together 7 of 10; by chance 0.7 * 0.6 + 0.3 * 0.4 = 0.54
    assert found.error_consistency.value[0] == pytest.approx((0.7 - 0.54) / 0.46)
    # same answer 6 of 10; by chance 0.7 * 0.6 + 0.3 * 0.4 / 3 = 0.46
    assert found.capa.value[0] == pytest.approx((0.6 - 0.46) / 0.54)
    # shares of letters: 0.7 * 0.6 + 0.2 * 0.2 + 0.1 * 0 = 0.46
    assert found.kappa.value[0] == pytest.approx((0.6 - 0.46) / 0.54)


def test_all_right_leaves_nothing_to_adjust():
    found = of([0, 0, 0], [0, 0, 0], [0, 0, 0])
    for figure in FIGURES:
        assert np.isnan(getattr(found, figure).value[0])
        assert np.isnan(getattr(found, figure).low[0])


def test_all_wrong_is_error_consistent_by_definition_of_nothing():
    found = of([1, 2, 3], [1, 2, 1], [0, 0, 0])
    # expected 1: undefined; CAPA: same 2/3, by chance 1/3
    assert np.isnan(found.error_consistency.value[0])
    assert found.capa.value[0] == pytest.approx(0.5)


def test_no_common_items_and_one():
    nothing = of([0, ABSENT], [ABSENT, 0], [0, 0])
    assert all(np.isnan(getattr(nothing, figure).value[0]) for figure in FIGURES)
    one = of([0, ABSENT], [1, 0], [0, 0])
    # by chance 0: the figure is the observed agreement, 0, and one item has no error
    assert one.error_consistency.value[0] == 0
    assert np.isnan(one.error_consistency.se[0])


def test_no_pairs():
    none = np.array([], dtype=int)
    answers = np.zeros((3, 2), dtype=np.int32)
    found = pair_kappas(
        answers,
        answers == 0,
        first=none,
        second=none,
        n_labels=2,
        n_options=np.full(3, 2.0),
        level=0.9,
    )
    assert found.kappa.value.shape == (0,)


def draw(rng, n, labels=4):
    gold = rng.integers(0, labels, n)
    hard = rng.random(n)
    common = rng.integers(0, labels, n)
    one, two = (
        np.where(
            hard < 0.6, gold, np.where(rng.random(n) < 0.4, common, rng.integers(0, labels, n))
        )
        for _ in range(2)
    )
    return one, two, gold


@pytest.mark.parametrize("seed", range(3))
def test_equals_peers(seed):
    one, two, gold = draw(np.random.default_rng(seed), 200)
    found = of(one, two, gold)
    hot = np.eye(4)
    for figure, peer in (("capa", CAPA(prob=False)), ("error_consistency", EC())):
        theirs = peer.compute_k(list(hot[one]), list(hot[two]), list(gold))
        assert getattr(found, figure).value[0] == pytest.approx(float(theirs), abs=1e-12)
    for figure, codes in (
        ("kappa", (one, two)),
        ("error_consistency", (one == gold, two == gold)),
    ):
        table = np.zeros((4, 4))
        np.add.at(table, tuple(x.astype(int) for x in codes), 1)
        peer = cohens_kappa(table[np.ix_(*(np.flatnonzero(table.sum(0) + table.sum(1)),) * 2)])
        ours = getattr(found, figure)
        assert ours.value[0] == pytest.approx(peer.kappa, abs=1e-12)
        # the published variance has n where a sample has n - 1
        assert ours.se[0] == pytest.approx(np.sqrt(peer.var_kappa * 200 / 199), abs=1e-9)


@pytest.mark.parametrize("figure", FIGURES)
def test_errors_are_those_of_a_jackknife(figure):
    one, two, gold = draw(np.random.default_rng(8), 400)
    n = gold.size

    def value(keep):
        return getattr(of(one[keep], two[keep], gold[keep]), figure).value[0]

    left = np.array([value(np.arange(n) != u) for u in range(n)])
    jackknife = np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    assert getattr(of(one, two, gold), figure).se[0] == pytest.approx(jackknife, rel=0.01)


def test_items_of_unequal_options():
    one, two, gold = draw(np.random.default_rng(9), 300)
    options = np.random.default_rng(1).integers(4, 8, 300).astype(float)
    answers = np.array([one, two]).T.astype(np.int32)

    def capa(keep):
        found = pair_kappas(
            answers[keep],
            (answers == gold[:, None])[keep],
            first=np.array([0]),
            second=np.array([1]),
            n_labels=8,
            n_options=options[keep],
            level=0.95,
        ).capa
        return found.value[0], found.se[0]

    hot = [np.eye(int(k)) for k in options]
    theirs = CAPA(prob=False).compute_k(
        [h[c] for h, c in zip(hot, one, strict=True)],
        [h[c] for h, c in zip(hot, two, strict=True)],
        list(gold),
    )
    value, se = capa(np.arange(300))
    assert value == pytest.approx(float(theirs), abs=1e-12)
    left = np.array([capa(np.arange(300) != u)[0] for u in range(300)])
    jackknife = np.sqrt(299 / 300 * ((left - left.mean()) ** 2).sum())
    assert se == pytest.approx(jackknife, rel=0.01)


def test_copies_of_items_in_a_cluster_add_nothing():
    one, two, gold = draw(np.random.default_rng(10), 100)
    once = of(one, two, gold)
    twice = of(*(np.repeat(x, 2) for x in (one, two, gold)), cluster=np.repeat(np.arange(100), 2))
    for figure in FIGURES:
        a, b = getattr(once, figure), getattr(twice, figure)
        assert a.value[0] == pytest.approx(b.value[0])
        assert a.se[0] == pytest.approx(b.se[0])


codes = st.lists(st.integers(NO_OPTION, 3), min_size=6, max_size=6)


@given(one=codes, two=codes, gold=st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_order_and_sides_move_nothing(one, two, gold):
    ours = of(one, two, gold)
    for theirs in (of(two, one, gold), of(one[::-1], two[::-1], gold[::-1])):
        for figure in FIGURES:
            a, b = getattr(ours, figure), getattr(theirs, figure)
            assert a.value[0] == pytest.approx(b.value[0], nan_ok=True)
            assert a.se[0] == pytest.approx(b.se[0], nan_ok=True, abs=1e-7)


def test_many_pairs_are_those_one_by_one():
    rng = np.random.default_rng(11)
    answers = rng.integers(-2, 4, (40, 14)).astype(np.int32)
    gold = rng.integers(0, 4, 40)
    first, second = np.triu_indices(14, k=1)  # 91 pairs, more than are worked on at once
    together = pair_kappas(
        answers,
        answers == gold[:, None],
        first=first,
        second=second,
        n_labels=4,
        n_options=np.full(40, 4.0),
        level=0.95,
    )
    for k in (0, 63, 64, 90):
        alone = of(answers[:, first[k]], answers[:, second[k]], gold)
        for figure in FIGURES:
            a, b = getattr(together, figure), getattr(alone, figure)
            assert a.value[k] == pytest.approx(b.value[0])
            assert a.high[k] == pytest.approx(b.high[0])


def test_without_labels_only_kappa_is_undefined():
    # Items 1 and 2 of four have the same answer; x gets them right, and so does y.
    answers = np.array([[0, 0], [1, 1], [0, 2], [3, 4]])
    found = pair_kappas(
        answers,
        np.array([[True, True], [True, True], [False, False], [False, False]]),
        first=np.array([0]),
        second=np.array([1]),
        n_labels=0,
        n_options=np.full(4, np.nan),
        level=0.95,
    )
    assert np.isnan(found.kappa.value[0])
    # Right and wrong together on all four: 1 observed, 0.5 * 0.5 + 0.5 * 0.5 expected.
    assert found.error_consistency.value[0] == 1.0
