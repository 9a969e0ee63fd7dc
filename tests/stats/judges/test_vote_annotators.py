import numpy as np
import pyarrow as pa
import pytest

import caveat
from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.stats.judges.alternative_annotator import Margin
from caveat.stats.judges.vote_annotators import vote_annotators

NAMES = ("model_a", "model_b", "outcome", "item", "judge", "voter")


def votes(rows, *, order_known=True, **columns):
    kept = [n for k, n in enumerate(NAMES) if any(row[k] is not None for row in rows)]
    table = {
        name: pa.array([row[NAMES.index(name)] for row in rows], pa.string()).dictionary_encode()
        for name in kept
    }
    table |= {name: pa.array(values) for name, values in columns.items()}
    return Evidence(kind="votes", table=pa.table(table), order_known=order_known)


def panel(verdicts):
    """Verdicts on x against y, item by item: of the persons p0, p1, ..., and last of the judge."""
    rows = []
    for k, each in enumerate(verdicts):
        for n, outcome in enumerate(each[:-1]):
            rows.append(("x", "y", outcome, f"i{k}", "human", f"p{n}"))
        rows.append(("x", "y", each[-1], f"i{k}", "m", None))
    return rows


def found(rows, **columns):
    return vote_annotators(votes(rows, **columns), margin=Margin(min_items=2))


def test_by_hand():
    # 30 items on which all say a, 10 on which p1 says b: the judge, with p0 and p2, is better there
    made = found(panel([("a", "a", "a", "a")] * 30 + [("a", "b", "a", "a")] * 10))
    (test,) = made.tests
    assert (test.judge, test.n_items, test.n_people) == ("m", 40, 3)
    by_name = {row.person: row for row in test.against}
    assert by_name["p1"].difference == -0.25
    assert by_name["p0"].difference == by_name["p2"].difference == 0.0
    # pairs of people: 30 * 3 of 3 alike, 10 * 1 of 3
    assert made.people_agree == pytest.approx((90 + 10) / 120)
    assert made.matched_on == ("item", "models", "order")
    assert made.n_comparisons == 40


def test_models_and_not_sides_are_compared():
    rows = panel([("a", "b", "a", "a"), ("b", "b", "tie", "a")] * 20)
    other = {"a": "b", "b": "a"}
    turned = [
        (b, a, other.get(o, o), *rest) if k % 3 else (a, b, o, *rest)
        for k, (a, b, o, *rest) in enumerate(rows)
    ]
    one, two = found(rows, order_known=False), found(turned, order_known=False)
    assert one.tests == two.tests
    assert one.people_agree == two.people_agree


def test_a_judge_that_turns_with_the_order_says_neither():
    rows = panel([("a", "a", "b")] * 30)
    again = [("y", "x", "b", row[3], "m", None) for row in rows if row[4] == "m"]
    made = found([*rows, *again], order_known=False)  # m: y, then x: as often the one as the other
    assert made.tests[0].against[0].difference == 1.0
    agreed = found([*rows, *again, *again], order_known=False)  # x twice, y once
    assert agreed.tests[0].against[0].difference == 0.0


def test_the_same_order_is_asked_for_where_it_is_seen():
    rows = panel([("a", "a", "a")] * 30)
    assert found(rows).matched_on == ("item", "models", "order")
    flipped = [("y", "x", "b", *row[3:]) if row[4] == "m" else row for row in rows]
    made = found(flipped)
    assert made.matched_on == ("item", "models")
    assert made.tests[0].n_items == 30


def test_votes_count_as_often_as_they_say():
    rows = panel([("a", "a", "a")] * 30)
    rows += [("x", "y", "b", row[3], "m", None) for row in rows if row[4] == "m"]
    made = found(rows, count=[1] * 90 + [2] * 30)
    assert made.tests[0].against[0].difference == 1.0


def test_people_may_be_judges_by_name():
    rows = [
        (*row[:4], row[4] if row[5] is None else f"expert {row[5]}", None)
        for row in panel([("a", "a", "a")] * 30)
    ]
    assert {row.person for row in found(rows).tests[0].against} == {"expert p0", "expert p1"}


def test_called_for_only_where_people_and_models_judged():
    rows = panel([("a", "a", "a")] * 30)
    assert found([row for row in rows if row[4] == "m"]) is None
    assert found([row for row in rows if row[4] != "m"]) is None
    assert found([(*row[:4], None, row[5]) for row in rows]) is None


def test_what_is_missing_is_named():
    rows = panel([("a", "a", "a")] * 30)
    with pytest.raises(InputError, match="do not name the voter"):
        found([(*row[:5], None) for row in rows])
    with pytest.raises(InputError, match="votes name no item"):
        found([(*row[:3], None, *row[4:]) for row in rows])


def test_order_of_rows_does_not_matter():
    rows = panel([("a", "b", "a", "a"), ("b", "b", "tie", "a"), ("a", "a", "a", "b")] * 15)
    shuffled = [rows[k] for k in np.random.default_rng(2).permutation(len(rows))]
    assert found(rows).tests == found(shuffled).tests


@pytest.mark.shared
def test_llmfao(shared):
    made = vote_annotators(caveat.read_votes(shared / "votes" / "llmfao.parquet"))
    weak, strong = made.tests
    assert (strong.judge, strong.passes, weak.passes) == ("gpt-4", False, False)
    assert (len(strong.against), strong.n_few, strong.n_items) == (49, 75, 2124)
    assert strong.advantage == pytest.approx(0.6948, abs=5e-5)
    assert (strong.low, strong.high) == pytest.approx((0.1118, 0.1889), abs=5e-5)
    assert made.people_agree == pytest.approx(0.5322, abs=5e-5)


@pytest.mark.shared
def test_vicuna_names_no_voters(shared):
    with pytest.raises(InputError, match="do not name the voter"):
        vote_annotators(caveat.read_votes(shared / "votes" / "vicuna80.parquet"))
