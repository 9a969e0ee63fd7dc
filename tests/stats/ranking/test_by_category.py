import math

import numpy as np
import pyarrow as pa
import pytest

from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.stats.ranking.by_category import LEAST, MOST, by_category
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import Errors, rate
from caveat.stats.ranking.scale import POINTS
from caveat.stats.ranking.splitting import split_votes


def votes(rows, **columns):
    """Evidence from (model_a, model_b, outcome, task, number) rows."""
    flat = [row[:4] for row in rows for _ in range(row[4])]
    names = ("model_a", "model_b", "outcome", "task")
    table = {
        name: pa.array([row[k] for row in flat], pa.string()).dictionary_encode()
        for k, name in enumerate(names)
    }
    return Evidence(kind="votes", table=pa.table(table | columns))


def board(evidence, method="auto"):
    return fit_board(count_votes(evidence), method=method)


# x beats y 3 : 1 in code and loses 1 : 3 in law
OPPOSED = [
    ("x", "y", "a", "code", 90), ("x", "y", "b", "code", 30),
    ("x", "y", "a", "law", 30), ("x", "y", "b", "law", 90),
]  # fmt: skip


def test_by_hand():
    # code: odds 3, law: odds 1/3. The rating of x against the mean is half the distance, so it
    # shifts by ln 3 / 2 - (-ln 3 / 2) = ln 3 logits; each distance varies by 1 / (120 * 3/16)
    found = by_category(board(votes(OPPOSED)), "task")
    assert [one.name for one in found.categories] == ["code", "law"]
    code, law = found.categories
    assert (code.lead.leader, law.lead.leader) == ("x", "y")
    assert code.lead.difference == pytest.approx(POINTS * math.log(3))
    assert (code.n_votes, code.share) == (120, 0.5)
    x = next(m for m in code.models if m.model == "x")
    assert x.shift == pytest.approx(POINTS * math.log(3))
    assert x.shift_se == pytest.approx(POINTS * math.sqrt(2 / (120 * 3 / 16) / 4))
    assert x.p_adjusted < 1e-6
    assert sorted(m.shift for m in law.models) == pytest.approx([-x.shift, x.shift])


def test_one_category_is_the_board_itself():
    rows = [("x", "y", "a", "all", 90), ("x", "y", "b", "all", 30), ("y", "z", "a", "all", 60),
            ("y", "z", "tie", "all", 50), ("z", "x", "a", "all", 20)]  # fmt: skip
    evidence = votes(rows)
    (one,) = by_category(board(evidence), "task").categories
    want = rate(count_votes(evidence))
    assert [(m.model, m.rank) for m in one.models] == [
        (m.model, k) for k, m in enumerate(want.models, start=1)
    ]
    for got, model in zip(one.models, want.models, strict=True):
        assert got.rating == pytest.approx(model.rating)
        assert (got.low, got.high) == pytest.approx((model.low, model.high))
        assert got.rank_overall == got.rank
        assert math.isnan(got.shift)
        assert math.isnan(got.p_adjusted)
    assert one.tau == 1.0


def test_a_part_is_the_board_of_its_votes():
    rng = np.random.default_rng(3)
    rows = [
        (f"m{a}", f"m{b}", o, f"t{k}", int(rng.integers(5, 20)))
        for k in range(3)
        for a in range(4)
        for b in range(4)
        for o in ("a", "b", "tie", "both_bad")
        if a != b
    ]
    evidence = votes(rows)
    found = by_category(board(evidence), "task")
    for one in found.categories:
        own = votes([row for row in rows if row[3] == one.name])
        want = rate(count_votes(own), method="davidson", anchor=one.anchor)
        assert {m.model: m.rating for m in one.models} == {
            m.model: pytest.approx(m.rating) for m in want.models
        }


@pytest.mark.parametrize("extra", ["count", "weight"])
def test_counts_and_weights_are_split_as_they_stand(extra):
    evidence = votes(OPPOSED)
    column = pa.array(np.random.default_rng(0).integers(1, 4, 240).astype(float))
    evidence = Evidence(kind="votes", table=evidence.table.append_column(extra, column))
    one = board(evidence)
    fast, slow = split_votes(one, "task"), split_votes(one, "task", by_rows=True)
    for k in range(2):
        for part in ("part", "rest"):
            a, b = (getattr(split, part)(k) for split in (fast, slow))
            assert a.models == b.models
            for name in ("count", "weight", "weight2"):
                assert getattr(a.cells, name) == pytest.approx(getattr(b.cells, name))
            assert (a.cells.outcome == b.cells.outcome).all()


def test_few_votes_or_no_two_models_have_a_reason():
    rows = [
        *OPPOSED,
        ("x", "y", "a", "few", LEAST - 1),
        ("x", "y", "a", "one way", LEAST),
    ]
    found = {one.name: one for one in by_category(board(votes(rows)), "task").categories}
    assert found["few"].reason == f"fewer than {LEAST} votes"
    assert found["one way"].reason == "its votes tie no two models together"
    assert found["few"].models == ()
    assert math.isnan(found["few"].tau)


def test_a_model_that_is_unrated_here_is_named():
    rows = [
        *OPPOSED,
        ("z", "x", "a", "code", 9),
        ("z", "x", "a", "law", 9),
        ("x", "z", "a", "law", 9),
    ]
    found = {one.name: one for one in by_category(board(votes(rows)), "task").categories}
    assert found["code"].unrated == ("z",)
    assert found["law"].unrated == ()
    assert {m.model for m in found["law"].models} == {"x", "y", "z"}


def test_votes_without_a_category_are_counted_and_enter_no_category():
    rows = [*OPPOSED, ("x", "y", "a", None, 50)]
    found = by_category(board(votes(rows)), "task")
    assert found.n_unnamed == 50
    assert sum(one.n_votes for one in found.categories) == 240
    assert found.categories[0].share == pytest.approx(120 / 290)


def test_only_the_largest_categories_are_shown():
    rows = [("x", "y", o, f"t{k:02d}", 1 + k % 2) for k in range(MOST + 3) for o in ("a", "b")]
    found = by_category(board(votes(rows)), "task")
    assert len(found.categories) == MOST
    assert (found.n_left_out, found.n_votes_left_out) == (3, 6)


def test_ties_that_a_part_does_not_have_are_not_modelled_there():
    rows = [*OPPOSED, ("x", "y", "tie", "law", 40)]
    evidence = votes(rows)
    found = {one.name: one for one in by_category(board(evidence), "task").categories}
    assert board(evidence).method == "davidson"
    assert found["code"].lead.difference == pytest.approx(POINTS * math.log(3))


def test_clusters_widen_the_shifts():
    item = [str(k // 6) for k in range(240)]
    evidence = votes(OPPOSED, item=item)
    plain = by_category(board(evidence), "task")
    together = by_category(board(evidence), "task", errors=Errors(cluster="item"))
    assert together.cluster == "item"
    one, other = (found.categories[0].models[0] for found in (plain, together))
    assert other.shift == pytest.approx(one.shift)
    assert other.shift_se > 2 * one.shift_se
    assert other.p_adjusted > one.p_adjusted


def test_a_column_that_is_not_there():
    with pytest.raises(InputError, match="by must name a column that the votes have, got 'topic'"):
        by_category(board(votes(OPPOSED)), "topic")


def test_the_anchor_is_that_of_all_votes_where_it_is_rated():
    rows = [*OPPOSED, ("z", "w", "a", "other", 80), ("z", "w", "b", "other", 60),
            ("z", "x", "a", "law", 20), ("x", "z", "a", "law", 20)]  # fmt: skip
    found = {o.name: o for o in by_category(board(votes(rows)), "task", anchor="x").categories}
    assert found["code"].anchor == found["law"].anchor == "x"
    assert found["other"].anchor in ("z", "w")


@pytest.mark.slow
def test_models_of_the_same_strength_everywhere_are_rarely_named():
    # 8 models, 4 tasks, no shift: at most 5% of runs may name any model at an adjusted p of 0.05
    rng, reps, named = np.random.default_rng(2), 250, 0
    theta = np.linspace(0.6, -0.6, 8)
    for _ in range(reps):
        n = 2400
        a = rng.integers(0, 8, n)
        b = (a + rng.integers(1, 8, n)) % 8
        won = rng.random(n) < 1 / (1 + np.exp(theta[b] - theta[a]))
        tie = rng.random(n) < 0.15
        names = np.array([f"m{k}" for k in range(8)])
        table = {
            "model_a": pa.array(names[a]).dictionary_encode(),
            "model_b": pa.array(names[b]).dictionary_encode(),
            "outcome": pa.array(np.where(tie, "tie", np.where(won, "a", "b"))).dictionary_encode(),
            "task": pa.array([f"t{k}" for k in rng.integers(0, 4, n)]).dictionary_encode(),
        }
        found = by_category(board(Evidence(kind="votes", table=pa.table(table))), "task")
        named += any(m.p_adjusted < 0.05 for one in found.categories for m in one.models)
    assert named / reps < 0.05 + 4 * math.sqrt(0.05 * 0.95 / reps)
    assert named > 0
