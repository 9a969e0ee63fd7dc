import math

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import t as student

import caveat
from caveat.data.evidence import Evidence
from caveat.stats.robustness.judging import judging
from caveat.workflows.options import Options
from caveat.workflows.rank import rank_fitted

NAMES = ("model_a", "model_b", "outcome", "item", "judge")


def votes(rows, *, order_known=True, **columns):
    """Evidence from (model_a, model_b, outcome, item, judge) rows; an item None leaves it out."""
    names = [n for k, n in enumerate(NAMES) if any(row[k] is not None for row in rows)]
    table = {
        name: pa.array([row[NAMES.index(name)] for row in rows], pa.string()).dictionary_encode()
        for name in names
    }
    table |= {name: pa.array(values) for name, values in columns.items()}
    return Evidence(kind="votes", table=pa.table(table), order_known=order_known)


def judged(rows, *, declared=None, **columns):
    ranked, fitted = rank_fitted(votes(rows, **columns), options=Options())
    return judging(fitted, ranked, declared=declared)


def from_file(path):
    ranked, fitted = rank_fitted(caveat.read_votes(path), options=Options())
    return judging(fitted, ranked)


def both(verdicts, judges=("human", "x-1"), models=("x-1", "y")):
    """Verdicts of two judges, item by item."""
    return [
        (*models, outcome, f"i{k}", judge)
        for k, pair in enumerate(verdicts)
        for judge, outcome in zip(judges, pair, strict=True)
    ]


def test_agreement_and_own_kind_by_hand():
    # 10 items with x by both, 8 with y by both, 6 where only the judge says x, 2 where only people
    # do, 2 ties against x. Agreement is 18 / 28. The judge gives x 10 + 6 + 1 of 28 points, people
    # 10 + 2 + 2: a difference of 3 / 28, since each of 28 items is +1 (6), -1 (2), -1/2 (2) or 0.
    verdicts = [("a", "a")] * 10 + [("b", "b")] * 8 + [("b", "a")] * 6
    verdicts += [("a", "b")] * 2 + [("a", "tie")] * 2
    found = judged(both(verdicts))
    (pair,) = found.pairs
    assert {pair.a, pair.b} == {"human", "x-1"}
    assert (pair.n, pair.n_items, pair.reason) == (28, 28, "")
    assert pair.agree == pytest.approx(18 / 28)
    # verdicts of people: 14, 14, 0; of the judge: 16, 10, 2; chance (14 * 16 + 14 * 10) / 28^2
    chance = (14 * 16 + 14 * 10) / 28**2
    assert pair.kappa == pytest.approx((18 / 28 - chance) / (1 - chance))
    judge = next(j for j in found.judges if j.judge == "x-1")
    own = judge.own
    assert (own.models, own.how, own.reference, own.n) == (("x-1",), "name", "human", 28)
    assert own.share == pytest.approx(17 / 28)
    assert own.reference_share == pytest.approx(14 / 28)
    each = np.array([1.0] * 6 + [-1.0] * 2 + [-0.5] * 2 + [0.0] * 18)
    half = student.ppf(0.975, 27) * each.std(ddof=1) / math.sqrt(28)
    assert (own.low, own.high) == pytest.approx((3 / 28 - half, 3 / 28 + half))
    assert judge.model == "x-1"
    assert dict(next(j for j in found.judges if j.people).reasons)["own"] == "people are no model"


def test_a_judge_that_says_what_people_say():
    found = judged(both([("a", "a"), ("b", "b")] * 12))
    (pair,) = found.pairs
    assert (pair.agree, pair.kappa, pair.tau) == (1.0, 1.0, pytest.approx(math.nan, nan_ok=True))
    own = found.judges[1].own or found.judges[0].own
    assert own.difference == 0.0


def test_which_side_a_model_stood_on_does_not_matter():
    verdicts = [("a", "a")] * 10 + [("b", "a")] * 8 + [("b", "b")] * 6
    one = judged(both(verdicts))
    turned = [
        (b, a, {"a": "b", "b": "a"}[o], item, judge) for a, b, o, item, judge in both(verdicts)
    ]
    other = judged(turned)
    assert one.pairs[0].kappa == pytest.approx(other.pairs[0].kappa)


def test_the_same_order_is_asked_for_where_it_is_seen():
    rows = both([("a", "a"), ("b", "b")] * 12)
    assert judged(rows).matched_on == ("item", "models", "order")
    assert judged(rows, order_known=False).matched_on == ("item", "models")
    # people saw x first, the judge y: only the items and models are the same
    flipped = [
        row if row[4] == "human" else (row[1], row[0], {"a": "b", "b": "a"}[row[2]], *row[3:])
        for row in rows
    ]
    found = judged(flipped)
    assert found.matched_on == ("item", "models")
    assert found.pairs[0].agree == 1.0


def test_a_comparison_is_one_whatever_its_number_of_votes():
    # three people on each item, two of whom say x: 2/3 agree with a judge who says x
    rows = []
    for k in range(30):
        for outcome in ("a", "a", "b"):
            rows.append(("x", "y", outcome, f"i{k}", "people"))
        rows.append(("x", "y", "a" if k % 3 else "b", f"i{k}", "j"))
    (pair,) = judged(rows).pairs
    assert pair.n == 30
    assert pair.agree == pytest.approx((20 * 2 / 3 + 10 * 1 / 3) / 30)


def test_without_items_there_are_boards_but_no_agreement():
    rows = [(*row[:3], None, row[4]) for row in both([("a", "a"), ("b", "a"), ("b", "b")] * 9)]
    found = judged(rows)
    assert found.matched_on == ()
    assert found.pairs[0].reason == "votes name no item"
    assert math.isnan(found.pairs[0].kappa)
    assert found.pairs[0].n_models == 2


def test_judges_of_other_items_have_no_agreement():
    rows = both([("a", "a"), ("b", "b")] * 9)
    rows = [(*row[:3], row[3] + row[4], row[4]) for row in rows]
    (pair,) = judged(rows).pairs
    assert pair.reason.startswith("they judged no answers of the same two models")
    assert pair.n == 0


def test_one_judge_or_judges_of_few_votes_are_nothing_to_compare():
    rows = both([("a", "a"), ("b", "b")] * 20)
    assert judged([row for row in rows if row[4] == "human"]) is None
    few = [row for row in rows if row[4] == "human"] + rows[1:4:2]
    assert judged(few) is None
    assert judged([(*row[:4], None) for row in rows]) is None


def test_without_people_a_judge_is_held_against_the_others():
    rows = both([("a", "a"), ("b", "a"), ("b", "b")] * 10, judges=("j", "x-1"))
    own = next(j.own for j in judged(rows).judges if j.judge == "x-1")
    assert own.reference == "j"
    rows += [("x-1", "y", "b", f"i{k}", "k") for k in range(30)]
    own = next(j.own for j in judged(rows).judges if j.judge == "x-1")
    assert own.reference == "the other judges"
    # j gives x one of three, k none: together 1/6
    assert own.reference_share == pytest.approx(1 / 6)


def test_what_a_table_of_models_declares_decides_what_is_its_own():
    rows = both([("a", "a"), ("b", "b")] * 12, judges=("human", "J"))
    declared = {"J": {"provider": "P"}, "y": {"provider": "P"}}
    own = next(j.own for j in judged(rows, declared=declared).judges if j.judge == "J")
    assert (own.models, own.how) == (("y",), "declared provider")


def test_few_comparisons_give_no_preference():
    found = judged(both([("a", "a"), ("b", "b")] * 9))
    judge = next(j for j in found.judges if j.judge == "x-1")
    assert judge.own is None
    assert "needs at least 20, got 18" in dict(judge.reasons)["own"]


def test_position_and_length_of_each_judge():
    # people do not mind the order or the length, the judge takes the first and the longer
    rng = np.random.default_rng(4)
    rows, a, b = [], [], []
    for k in range(400):
        turned, long = rng.random() < 0.5, rng.random() < 0.5
        models = ("y", "x") if turned else ("x", "y")
        for judge, lean in (("human", 0.0), ("j", 1.0)):
            eta = lean * (1.0 + (1.0 if long else -1.0))
            won = rng.random() < 1 / (1 + math.exp(-eta))
            rows.append((*models, "a" if won else "b", f"i{k}", judge))
            a.append(300 if long else 100)
            b.append(100 if long else 300)
    found = judged(rows, chars_a=a, chars_b=b)
    people, judge = sorted(found.judges, key=lambda j: not j.people)
    assert judge.prefers_position
    assert judge.prefers_longer
    assert not people.prefers_position
    assert not people.prefers_longer
    assert judge.length_column == "chars"


def test_what_the_votes_do_not_tell_has_a_reason():
    found = judged(both([("a", "a"), ("b", "b")] * 12), order_known=False)
    reasons = dict(found.judges[0].reasons)
    assert "which answer came first" in reasons["position"]
    assert reasons["length"] == "the votes do not tell how long the answers were"


def test_a_judge_that_rates_no_two_models_has_no_board():
    rows = both([("a", "a"), ("b", "a")] * 12)
    found = judged(rows)
    judge = next(j for j in found.judges if j.judge == "x-1")
    assert (judge.models, judge.lead) == ((), None)
    assert "models" in dict(judge.reasons)
    assert found.pairs[0].a_first_tier is None or found.pairs[0].b_first_tier is None


@pytest.mark.shared
def test_gpt4_prefers_its_own_on_llmfao(shared):
    found = from_file(shared / "votes" / "llmfao.parquet")
    judge = next(j for j in found.judges if j.judge == "gpt-4")
    assert set(judge.own.models) == {"GPT 4", "GPT 3.5 Turbo", "GPT 3.5 Turbo (16k)"}
    assert judge.own.n == 216
    assert judge.own.share == pytest.approx(0.958, abs=5e-4)
    assert judge.own.reference_share == pytest.approx(0.675, abs=5e-4)
    assert judge.own.low == pytest.approx(0.085, abs=5e-4)
    people = next(p for p in found.pairs if {p.a, p.b} == {"human", "gpt-4"})
    assert (people.n, people.n_items) == (2139, 13)
    assert people.kappa == pytest.approx(0.149, abs=5e-4)


@pytest.mark.shared
def test_vicuna80_against_scikit_learn(shared):
    metrics = pytest.importorskip("sklearn.metrics")
    pd = pytest.importorskip("pandas")
    found = from_file(shared / "votes" / "vicuna80.parquet")
    assert found.matched_on == ("item", "models", "order")
    table = pd.read_parquet(shared / "votes" / "vicuna80.parquet")
    table = table.astype({name: str for name in ("model_a", "model_b", "winner", "judge")})
    key = ["item", "model_a", "model_b"]
    # two judges of one vote each; gpt35 judged some answers twice
    one, other = (table[table.judge == j].set_index(key)["winner"] for j in ("gpt4", "bard"))
    common = one.index.intersection(other.index)
    want = metrics.cohen_kappa_score(one[common], other[common])
    pair = next(p for p in found.pairs if {p.a, p.b} == {"gpt4", "bard"})
    assert pair.n == len(common)
    # by model instead of by side: agreement is the same, chance agreement is not
    flipped = [(o if a < b else {"a": "b", "b": "a"}.get(o, o)) for (_, a, b), o in
               zip(common, one[common], strict=True)]  # fmt: skip
    turned = [(o if a < b else {"a": "b", "b": "a"}.get(o, o)) for (_, a, b), o in
              zip(common, other[common], strict=True)]  # fmt: skip
    assert pair.kappa == pytest.approx(metrics.cohen_kappa_score(flipped, turned), abs=1e-12)
    assert pair.kappa == pytest.approx(want, abs=0.2)
    bard = next(j for j in found.judges if j.judge == "bard")
    assert bard.position.advantage == pytest.approx(351, abs=1)


@pytest.mark.slow
def test_the_preference_is_covered_with_items_as_clusters():
    # 60 items of 6 comparisons; on each item the judge's liking of its own is another
    rng, reps, hits = np.random.default_rng(6), 200, 0

    def drawn(items):
        rows = []
        for i in range(items):
            liking = rng.normal(0.5, 0.8)
            for k in range(6):
                for judge, lean in (("human", 0.0), ("x-1", liking)):
                    won = rng.random() < 1 / (1 + math.exp(-lean))
                    rows.append(("x-1", f"m{k}", "a" if won else "b", f"i{i}", judge))
        return rows

    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    mean = float(weights @ (1 / (1 + np.exp(-(0.5 + 0.8 * nodes))))) / weights.sum()
    for _ in range(reps):
        own = next(j.own for j in judged(drawn(60)).judges if j.judge == "x-1")
        hits += own.low <= mean - 0.5 <= own.high
    assert abs(hits / reps - 0.95) < 4 * math.sqrt(0.95 * 0.05 / reps)
