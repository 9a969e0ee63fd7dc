import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score

import caveat
from caveat.data.judged_pairs import has_both_orders, judged_pairs
from caveat.data.matrix import matrix_of, rows_of
from caveat.errors import InputError
from caveat.stats.judges.pair_judges import pair_judges


def table(rows):
    """Rows of a benchmark from dicts; text is coded, numbers are kept."""
    rows = [{**row, "status": "scored" if row["prediction"] else "unparsed"} for row in rows]
    names = list(dict.fromkeys(name for row in rows for name in row))
    made = {}
    for name in names:
        values = [row.get(name) for row in rows]
        text = all(value is None or isinstance(value, str) for value in values)
        made[name] = pa.array(values, pa.string()).dictionary_encode() if text else pa.array(values)
    return pa.table(made)


def rows(verdicts, *, judge="m", gold="1", **columns):
    """One row for each (prediction, prediction in the other order), items from i0 on."""
    return [
        {
            "item": f"i{k}",
            "model": judge,
            "target": gold if isinstance(gold, str) else gold[k],
            "prediction": one,
            "prediction_swapped": other,
            **{name: values[k] for name, values in columns.items()},
        }
        for k, (one, other) in enumerate(verdicts)
    ]


def judged(made, **changes):
    data = table(made)
    matrix = matrix_of(data, "quiz")
    return pair_judges(matrix, judged_pairs(data, matrix), **changes)


GOLD = ["1", "2"] * 20


def test_by_hand():
    # 40 pairs: 20 right both times; 12 say 1 then 2 (the first shown wins both times), half of
    # these right at first; 4 say 2 then 1; 2 are wrong both times, 2 unread in the other order.
    gold = ["1"] * 20 + ["1"] * 6 + ["2"] * 6 + ["2"] * 4 + ["1"] * 4
    said = [("1", "1")] * 20 + [("1", "2")] * 12 + [("2", "1")] * 4
    said += [("2", "2")] * 2 + [("1", None)] * 2
    found = judged(rows(said, gold=gold))
    (row,) = found.judges
    assert (row.n, row.n_unread) == (40, 0)
    assert row.accuracy == (20 + 6 + 4 + 0 + 2) / 40
    order = row.order
    assert (order.n, order.first_both, order.second_both) == (38, 12, 4)
    assert order.consistent == pytest.approx(22 / 38)
    assert order.first_share == 12 / 16
    assert order.p == pytest.approx(binomtest(12, 16).pvalue)
    assert (order.n_right_both, order.n_gold) == (20, 38)
    assert found.sides == ("1", "2")
    assert set(found.reasons) == {"annotators", "own", "longer"}


def test_kappas_as_scikit_learn():
    draw = np.random.default_rng(5)
    made, sides = [], np.array(["1", "2", "tie"])
    gold = sides[draw.integers(0, 2, 60)]
    said = {}
    for judge, noise in (("a", 0.1), ("b", 0.4), ("c", 0.9)):
        said[judge] = np.where(draw.random(60) < noise, sides[draw.integers(0, 3, 60)], gold)
        made += rows([(v, v) for v in said[judge].tolist()], judge=judge, gold=gold.tolist())
    found = judged(made)
    for row in found.judges:
        assert row.kappa == pytest.approx(cohen_kappa_score(said[row.judge], gold), abs=1e-12)
    for pair in found.pairs:
        expected = cohen_kappa_score(said[pair.a], said[pair.b])
        assert pair.kappa == pytest.approx(expected, abs=1e-12)
        assert pair.agree == pytest.approx((said[pair.a] == said[pair.b]).mean())
    assert [row.judge for row in found.judges] == ["a", "b", "c"]


def test_a_judge_that_is_always_right_and_one_that_says_first():
    made = rows([(g, g) for g in GOLD], judge="right", gold=GOLD)
    made += rows([("1", "2")] * 40, judge="first", gold=GOLD)
    right, first = judged(made).judges
    assert (right.kappa, right.accuracy, right.order.consistent) == (1.0, 1.0, 1.0)
    assert np.isnan(right.order.p)
    assert np.isnan(right.order.first_share)
    assert (first.kappa, first.accuracy, first.order.consistent) == (0.0, 0.5, 0.0)
    assert first.order.first_share == 1.0
    assert first.order.p == pytest.approx(2 * 0.5**40)


def test_own_kind_and_length_by_hand():
    # gpt-4 wrote answer 1 of all pairs; it takes it on 30 of 40, the right verdicts on 20. The
    # longer answer is 2 on the first 20 pairs and 1 on the rest: the judge takes it 0 + 20 - ...
    said = [("1", "1")] * 30 + [("2", "2")] * 10
    words = [(10, 20)] * 20 + [(20, 10)] * 20
    made = rows(
        said,
        judge="gpt-4",
        gold=GOLD,
        author_1=["gpt-3.5"] * 40,
        author_2=["claude"] * 40,
        words_1=[w for w, _ in words],
        words_2=[w for _, w in words],
    )
    (row,) = judged(made).judges
    assert row.own.by == ("gpt-3.5",)
    assert (row.own.n, row.own.share, row.own.reference_share) == (40, 0.75, 0.5)
    assert row.own.difference == 0.25
    # longer: verdict 1 on the first 20 is the shorter, on 10 of the rest the longer: 10 of 40;
    # right verdicts: half of either
    assert (row.longer.n, row.longer.share, row.longer.reference_share) == (40, 0.25, 0.5)
    assert row.longer.by == ("words_1", "words_2")


def test_few_pairs_of_its_own_have_a_reason():
    made = rows([("1", "1")] * 19, judge="gpt-4", author_1=["gpt-3"] * 19, author_2=["x"] * 19)
    (row,) = judged([*made, *rows([("2", "2")] * 19, judge="y")]).judges[:1]
    by_name = {j.judge: j for j in judged([*made, *rows([("2", "2")] * 19, judge="y")]).judges}
    assert row.own is None
    assert "needs at least 20, got 19" in by_name["gpt-4"].reasons["own"]
    assert "got 0" in by_name["y"].reasons["own"]


verdicts = st.lists(
    st.tuples(st.sampled_from(["1", "2", "tie", None]), st.sampled_from(["1", "2", "tie", None])),
    min_size=4,
    max_size=12,
).filter(lambda said: {"1", "2"} <= {label for pair in said for label in pair})


@given(verdicts)
def test_naming_the_answers_the_other_way_round_exchanges_first_and_second(said):
    other = {"1": "2", "2": "1", "tie": "tie", None: None}
    one = judged(rows(said)).judges[0]
    two = judged(rows([(other[a], other[b]) for a, b in said], gold="2")).judges[0]
    assert one.accuracy == pytest.approx(two.accuracy, nan_ok=True)
    assert one.kappa == pytest.approx(two.kappa, nan_ok=True)
    if one.order is not None:
        assert one.order.consistent == two.order.consistent
        assert one.order.first_both == two.order.second_both
        assert one.order.p == pytest.approx(two.order.p, nan_ok=True)


def test_answers_that_are_no_verdicts_are_refused():
    data = table(rows([("A", "B"), ("C", "D"), ("B", "A"), ("E", "E")], gold="A"))
    with pytest.raises(InputError, match="verdicts for one of two answers, got 4 labels"):
        judged_pairs(data, matrix_of(data, "quiz"))


def test_nothing_readable_has_no_figure():
    found = judged([*rows([(None, None)] * 5), *rows([("1", "2")] * 5, judge="n", gold="2")])
    none = next(row for row in found.judges if row.judge == "m")
    assert np.isnan(none.accuracy)
    assert np.isnan(none.kappa)
    assert none.n_unread == 5
    assert none.order is None
    assert none.reasons["order"] == "pairs judged in both orders: needs at least 1, got 0"


def test_people_among_the_models():
    draw = np.random.default_rng(4)
    truth = draw.integers(0, 3, 80)
    made = []
    for name, noise in (("ann", 0.2), ("bob", 0.2), ("cy", 0.2), ("m", 0.0), ("bad", 1.0)):
        label = np.where(draw.random(80) < noise, draw.integers(0, 3, 80), truth)
        made += [
            {"item": f"i{k}", "model": name, "prediction": "xyz"[code], "target": None}
            for k, code in enumerate(label.tolist())
        ]
    data = table(made)
    declared = {name: {"kind": "Human"} for name in ("ann", "bob", "cy")}
    found = pair_judges(matrix_of(data, "texts"), None, declared=declared)
    assert found.people == ("ann", "bob", "cy")
    assert {test.judge: test.passes for test in found.annotators} == {"m": True, "bad": False}
    assert found.judges == found.pairs == ()
    assert "annotators" not in found.reasons


@pytest.mark.shared
def test_llmbar(shared):
    evidence = caveat.read(shared / "items" / "llmbar_judges.parquet")["responses"]
    data = rows_of(evidence, "llmbar_natural")
    matrix = matrix_of(data, "llmbar_natural")
    assert has_both_orders(data)
    found = pair_judges(matrix, judged_pairs(data, matrix))
    assert (len(found.judges), len(found.pairs)) == (44, 946)
    by_name = {row.judge: row for row in found.judges}
    gpt, falcon = by_name["GPT-4|Vanilla"], by_name["Falcon|Swap"]
    assert (gpt.accuracy, gpt.order.consistent, gpt.order.n_right_both) == (0.95, 0.95, 93)
    assert (falcon.order.first_both, falcon.order.second_both) == (86, 0)
