import math

import numpy as np
import pyarrow as pa
import pytest

import caveat
from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.kernels.both_orders import both_orders as kernel
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import covariance_of, position_of, rate_fitted
from caveat.stats.ranking.scale import POINTS
from caveat.stats.robustness.both_orders import both_orders
from caveat.stats.robustness.position import first_shown


def votes(rows, *, order_known=True, **columns):
    """Evidence from (model_a, model_b, outcome[, item, judge]) rows."""
    names = ("model_a", "model_b", "outcome", "item", "judge")[: len(rows[0])]
    table = {
        name: pa.array([row[k] for row in rows], pa.string()).dictionary_encode()
        for k, name in enumerate(names)
    }
    table |= {name: pa.array(values) for name, values in columns.items()}
    return Evidence(kind="votes", table=pa.table(table), order_known=order_known)


def board(evidence, method="bradley-terry"):
    return fit_board(count_votes(evidence), method=method)


def repeated(first, second, **numbers):
    return [(first, second, outcome) for outcome, n in numbers.items() for _ in range(n)]


def test_by_hand():
    # x first: odds 3, so d + g = ln 3; y first: y wins 20 of 40, so -d + g = 0. Both are ln 3 / 2,
    # with the variance (1 / 7.5 + 1 / 10) / 4; without the advantage the odds of x are 50 : 30.
    rows = repeated("x", "y", a=30, b=10) + repeated("y", "x", a=20, b=20)
    found = first_shown(board(votes(rows)))
    half = POINTS * math.log(3) / 2
    assert found.advantage.advantage == pytest.approx(half, rel=1e-8)
    assert found.advantage.se == pytest.approx(POINTS * math.sqrt(7 / 120), rel=1e-8)
    assert found.change.lead.difference == pytest.approx(POINTS * math.log(5 / 3), rel=1e-8)
    assert found.change.lead_after.difference == pytest.approx(half, rel=1e-8)
    assert (found.n_decisive, found.first_share) == (80, 50 / 80)
    assert found.turned_share == 0.5
    assert found.clear
    assert found.both_orders is None
    assert "votes name no item" in found.why_not


def test_a_board_shown_as_often_either_way_keeps_its_ratings_but_for_attenuation():
    rows = repeated("x", "y", a=25, b=15) + repeated("y", "x", a=25, b=15)
    found = first_shown(board(votes(rows)))
    assert found.change.lead.difference == pytest.approx(0, abs=1e-8)
    assert found.change.lead_after.difference == pytest.approx(0, abs=1e-8)
    assert found.advantage.advantage == pytest.approx(POINTS * math.log(5 / 3), rel=1e-8)


def test_a_board_already_fitted_with_the_advantage_says_the_same():
    rows = repeated("x", "y", a=30, b=10) + repeated("y", "x", a=20, b=20)
    evidence = votes(rows)
    fitted = fit_board(count_votes(evidence), method="bradley-terry", position=True)
    assert first_shown(fitted).advantage == first_shown(board(evidence)).advantage


def test_an_order_that_is_lost_or_never_turned_says_nothing():
    rows = repeated("x", "y", a=30, b=10)
    with pytest.raises(InputError, match="which answer came first"):
        first_shown(board(votes(rows, order_known=False)))
    with pytest.raises(InputError, match="no two models were shown in both orders"):
        first_shown(board(votes(rows)))


def test_three_models_in_one_order_each_are_told_apart_by_the_model_only():
    # additivity alone would give a figure, and any misfit of the model would be taken for it
    rows = repeated("x", "y", a=30, b=10) + repeated("y", "z", a=30, b=10)
    rows += repeated("x", "z", a=30, b=10)
    with pytest.raises(InputError, match="no two models were shown in both orders"):
        first_shown(board(votes(rows)))


def test_the_clusters_with_the_largest_error_are_taken():
    rows = repeated("x", "y", a=30, b=10) + repeated("y", "x", a=20, b=20)
    voter = [str(k // 5) for k in range(80)]
    found = first_shown(board(votes(rows, voter=voter, battle=[str(k) for k in range(80)])))
    assert (found.cluster, found.n_clusters) == ("voter", 16)
    assert found.advantage.se > 1.5 * first_shown(board(votes(rows))).advantage.se


# ---- both orders -------------------------------------------------------------------


def twice(item, first, second, judge="j"):
    """Verdicts on x and y, x shown first and then y."""
    return [("x", "y", first, item, judge), ("y", "x", second, item, judge)]


def judged(**numbers):
    """`x=10` items for x in both orders, `f` for whatever is first, `s` second, `t` ties, ..."""
    verdicts = {
        "x": ("a", "b"), "y": ("b", "a"), "f": ("a", "a"), "s": ("b", "b"), "t": ("tie", "tie"),
        "ft": ("a", "tie"), "st": ("b", "both_bad"),
    }  # fmt: skip
    rows = []
    for name, n in numbers.items():
        for _ in range(n):
            rows += twice(f"i{len(rows)}", *verdicts[name])
    return rows


def found_in(rows, method="bradley-terry", **columns):
    one = board(votes(rows, **columns), method)
    return both_orders(one, rate_fitted(one))


def test_pairs_by_hand():
    got = found_in(judged(x=10, y=4, f=6, s=2, t=3, ft=2, st=1))
    assert (got.n_pairs, got.n_repeated, got.n_single) == (28, 0, 0)
    assert (got.same_model, got.same_tie) == (14, 3)
    assert (got.first_both, got.second_both, got.first_half, got.second_half) == (6, 2, 2, 1)
    assert got.consistent == pytest.approx(17 / 28)
    assert got.advantage == pytest.approx(POINTS * math.log(3) / 2)
    assert got.cluster is None


def test_the_averaged_board_by_hand():
    # x has 20 items and half of the 12 that turn, of 40: odds 26 : 14, information 40 p q. The
    # squared residuals of the averaged verdicts, in units: 20 q^2 + 8 p^2 + 12 (1/2 - p)^2, up to
    # G / (G - 1) = 40 / 39.
    got = found_in(judged(x=20, y=8, f=12)).change.lead_after
    p = 13 / 20
    assert got.difference == pytest.approx(POINTS * math.log(13 / 7), rel=1e-8)
    squares = 20 * (1 - p) ** 2 + 8 * p**2 + 12 * (0.5 - p) ** 2
    error = math.sqrt(squares * 40 / 39) / (40 * p * (1 - p))
    assert got.se == pytest.approx(POINTS * error, rel=1e-8)


def test_a_second_vote_in_one_order_is_averaged_but_makes_no_pair():
    rows = [*judged(x=10, y=4, f=6), *twice("r", "a", "a"), ("x", "y", "b", "r", "j")]
    got = found_in(rows)
    assert (got.n_pairs, got.n_repeated) == (20, 1)
    # of this item, x has half of the first order and none of the second: a quarter of a vote
    assert got.change.lead_after.difference == pytest.approx(
        POINTS * math.log(13.25 / 7.75), rel=1e-8
    )


def test_other_judges_items_and_rows_without_an_item_are_no_second_order():
    rows = [
        *judged(x=3, y=2),
        ("x", "y", "a", "p", "j"), ("y", "x", "a", "p", "k"),
        ("x", "y", "a", "q", "j"), ("y", "x", "a", "r", "j"),
        ("x", "y", "a", None, "j"), ("y", "x", "a", None, "j"),
    ]  # fmt: skip
    got = found_in(rows)
    assert (got.n_pairs, got.n_single) == (5, 4)


def test_voters_under_one_judge_are_each_their_own():
    rows = judged(x=2, y=2)
    rows += [("x", "y", "a", "p", "j"), ("y", "x", "a", "p", "j")]
    voter = ["v"] * 8 + ["v", "w"]
    got = found_in(rows, voter=voter)
    assert (got.n_pairs, got.n_single) == (4, 2)


def test_items_shared_by_pairs_are_their_clusters():
    rows = []
    for k in range(8):
        item, way = f"i{k // 2}", ("a", "b") if k % 2 else ("b", "a")
        rows += [("x", "y", way[0], item, f"j{k}"), ("y", "x", way[1], item, f"j{k}")]
    got = found_in(rows)
    assert (got.cluster, got.n_clusters) == ("item", 4)


def test_nothing_in_both_orders():
    with pytest.raises(InputError, match="no judge judged the same two answers"):
        found_in([("x", "y", "a", "p", "j"), ("x", "y", "b", "q", "j")])
    with pytest.raises(InputError, match="no item"):
        found_in(repeated("x", "y", a=3, b=2))


@pytest.mark.slow
def test_the_advantage_of_the_fit_is_covered_in_clusters():
    # 40 items with an advantage of their own; the truth is that of a million votes
    rng, reps, hits, plain = np.random.default_rng(8), 300, 0, 0

    def drawn(n, groups):
        item = rng.integers(0, groups, n)
        turned = rng.random(n) < 0.4
        eta = np.where(turned, -0.5, 0.5) + (0.3 + rng.normal(0, 0.6, groups))[item]
        won = rng.random(n) < 1 / (1 + np.exp(-eta))
        names = np.array(["x", "y"])
        table = {
            "model_a": pa.array(names[turned.astype(int)]).dictionary_encode(),
            "model_b": pa.array(names[1 - turned.astype(int)]).dictionary_encode(),
            "outcome": pa.array(np.where(won, "a", "b")).dictionary_encode(),
            "item": pa.array([f"i{k}" for k in item]).dictionary_encode(),
        }
        return board(Evidence(kind="votes", table=pa.table(table)))

    truth = first_shown(drawn(1_000_000, 100_000)).advantage.advantage
    for _ in range(reps):
        one = drawn(800, 40)
        got = first_shown(one)
        hits += got.advantage.low <= truth <= got.advantage.high
        bare = fit_board(one.votes, method="bradley-terry", position=True)
        at = position_of(bare.fit, covariance_of(bare, None), n_clusters=None, level=0.95)
        plain += at.low <= truth <= at.high
    slack = 4 * math.sqrt(0.95 * 0.05 / reps)
    assert abs(hits / reps - 0.95) < slack
    assert plain / reps < 0.95 - slack


@pytest.mark.shared
def test_qlora_gpt4_prefers_the_first_answer(shared):
    evidence = caveat.read_votes(shared / "votes" / "qlora_gpt4_judge.parquet")
    found = first_shown(board(evidence, "auto"))
    assert found.first_share == pytest.approx(0.581, abs=5e-4)  # 58% as the source's readers found
    assert found.advantage.advantage == pytest.approx(74.7, abs=0.1)
    pairs = found.both_orders
    assert (pairs.n_pairs, pairs.first_both, pairs.second_both) == (20_826, 2357, 372)
    assert pairs.consistent == pytest.approx(0.712, abs=5e-4)
    assert pairs.advantage == pytest.approx(POINTS * math.log(2357 / 372) / 2)
    assert found.change.lead_after.leader == "answer-gpt4"


@pytest.mark.shared
def test_vicuna80_counted_by_hand(shared):
    pd = pytest.importorskip("pandas")
    table = pd.read_parquet(shared / "votes" / "vicuna80.parquet")
    table = table.astype({name: str for name in ("model_a", "model_b", "winner", "judge")})
    key = ["judge", "item", "model_a", "model_b"]
    alone = table[table.groupby(key)["winner"].transform("size") == 1].set_index(key)["winner"]
    code = {"a": 0, "b": 1, "tie": 2}
    verdicts = [
        (code[won], code[alone[judge, item, b, a]])
        for (judge, item, a, b), won in alone.items()
        if a < b and (judge, item, b, a) in alone.index
    ]
    want = kernel(*np.array(verdicts).T, level=0.95)
    evidence = caveat.read_votes(shared / "votes" / "vicuna80.parquet")
    got = first_shown(board(evidence, "auto")).both_orders
    assert got.n_pairs == len(verdicts) == 3920
    assert (got.first_both, got.second_both) == (want.first_both, want.second_both)
    assert got.consistent == want.consistent
