"""Each check of the data: hand cases, what must stay silent, invariance, other software."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from caveat.data.item_values import item_values
from caveat.data.matrix import matrix_of
from caveat.stats.agreement.pairs import agreement
from caveat.stats.data_checks.alike import alike
from caveat.stats.data_checks.breaks import canaries, held_out_break, release_break
from caveat.stats.data_checks.contradicted import contradicted
from caveat.stats.data_checks.costs import flat_cost, zeros
from caveat.stats.data_checks.missingness import not_at_random
from caveat.stats.data_checks.options import options_differ
from caveat.stats.data_checks.published import unmatched
from caveat.stats.data_checks.repeated import repeated
from caveat.stats.data_checks.revised import revised
from caveat.stats.data_checks.shuffled import shuffled

NAMES = [f"m{k:02d}" for k in range(40)]


def rows_of(answers, target, **columns):
    """A table of responses from an items x models array of letters ('' for no row)."""
    answers = np.asarray(answers)
    n, m = answers.shape
    kept = [(k, j) for j in range(m) for k in range(n) if answers[k, j] != ""]
    made = {
        "item": [f"q{k}" for k, _ in kept],
        "model": [NAMES[j] for _, j in kept],
        "prediction": [None if answers[k, j] == "-" else str(answers[k, j]) for k, j in kept],
        "target": [str(target[k]) for k, _ in kept],
        "score": [float(answers[k, j] == target[k]) for k, j in kept],
        "status": ["unparsed" if answers[k, j] == "-" else "scored" for k, j in kept],
    }
    for name, values in columns.items():
        values = np.asarray(values)
        made[name] = [values[k] if values.ndim == 1 else values[k, j] for k, j in kept]
    return pa.table({name: pa.array(list(values)) for name, values in made.items()})


def noise(n, m, *, share=0.5, seed=0, letters="ABCD"):
    """Random answers, right with the given chance; and the key."""
    rng = np.random.default_rng(seed)
    key = rng.choice(list(letters), n)
    wrong = rng.choice(list(letters), (n, m))
    return np.where(rng.random((n, m)) < share, key[:, None], wrong), key


def of(answers, key, **columns):
    rows = rows_of(answers, key, **columns)
    return rows, matrix_of(rows, "b")


# ---- shuffled ----------------------------------------------------------------------


def turned(letters):
    return np.array(["ABCD"[("ABCD".index(x) + 1) % 4] if x in "ABCD" else x for x in letters])


def test_letters_one_further_on_are_found():
    answers, key = noise(200, 4, share=0.7)
    rows, _ = of(answers, key)
    score = rows["score"]
    answers[:, 3] = turned(answers[:, 3])
    moved = rows_of(answers, key).set_column(4, "score", score)
    found = shuffled(matrix_of(moved, "b"))
    assert found.models == (NAMES[3],)
    # A right answer of the others is never the letter that follows the key.
    assert (found.differ, found.others_differ) == (1.0, 0.0)
    assert found.how == "names"


def test_an_order_of_its_own_for_each_item():
    answers, key = noise(200, 4, share=0.7)
    score = rows_of(answers, key)["score"]
    steps = np.random.default_rng(5).integers(0, 4, 200)
    answers[:, 3] = [
        "ABCD"[("ABCD".index(x) + s) % 4] for x, s in zip(answers[:, 3], steps, strict=True)
    ]
    found = shuffled(matrix_of(rows_of(answers, key).set_column(4, "score", score), "b"))
    assert (found.models, found.how) == ((NAMES[3],), "order")
    assert found.differ == pytest.approx(0.75, abs=0.1)


def test_letters_of_one_order_are_not():
    _, matrix = of(*noise(200, 6))
    assert shuffled(matrix) is None


def test_texts_and_few_items_say_nothing():
    answers, key = noise(10, 3)
    assert shuffled(of(answers, key)[1]) is None
    texts = np.array([[f"text {k} {j}" for j in range(3)] for k in range(60)])
    assert shuffled(of(texts, np.array(["x"] * 60))[1]) is None


@given(st.permutations(range(5)))
@settings(max_examples=15, deadline=None)
def test_the_order_of_models_does_not_matter(order):
    answers, key = noise(150, 5, share=0.8, seed=3)
    score = (answers == key[:, None]).astype(float)
    answers[:, 4] = turned(answers[:, 4])
    names = [NAMES[j] for j in order]
    n = len(key)
    rows = pa.table(
        {
            "item": [f"q{k}" for _ in order for k in range(n)],
            "model": [name for name in names for _ in range(n)],
            "prediction": [str(x) for j in order for x in answers[:, j]],
            "score": [float(x) for j in order for x in score[:, j]],
            "status": ["scored"] * (5 * n),
        }
    )
    assert shuffled(matrix_of(rows, "b")).models == (NAMES[4],)


@pytest.mark.slow
def test_models_of_one_order_are_never_told():
    for seed in range(200):
        answers, key = noise(60, 6, share=0.5, seed=seed, letters="AB")
        assert shuffled(of(answers, key)[1]) is None


# ---- copies ------------------------------------------------------------------------


def test_a_copy_is_found_and_a_twin_but_for_one_item_is_not():
    answers, key = noise(100, 3)
    copied = np.column_stack([answers, answers[:, 1]])
    (found,) = alike(of(copied, key)[1])
    assert (found.a, found.b, found.n) == (NAMES[1], NAMES[3], 100)
    assert found.both_wrong == int((answers[:, 1] != key).sum())
    copied[7, 3] = "A" if copied[7, 3] != "A" else "B"
    assert alike(of(copied, key)[1]) == ()


def test_models_that_are_all_right_are_no_copies():
    key = np.array(list("ABCD") * 25)
    assert alike(of(np.column_stack([key, key]), key)[1]) == ()


@pytest.mark.parametrize(("other", "copies"), [(2, 0), (30, 1)])
def test_one_letter_to_nearly_everything_is_no_copy(other, copies):
    column = np.array(["B"] * other + ["A"] * (100 - other))
    answers, key = np.column_stack([column, column]), np.array(["C"] * 50 + ["A"] * 50)
    # Alike by chance on one item: 0.98^2 + 0.02^2 = 0.9608, on all 100: 0.018.
    # With 30 of B 0.7^2 + 0.3^2 = 0.58: 2e-24.
    assert len(alike(of(answers, key)[1])) == copies


def test_equal_scores_without_answers():
    graded = np.random.default_rng(0).random((40, 1))
    rows = pa.table(
        {
            "item": [f"q{k}" for k in range(40)] * 2,
            "model": ["a"] * 40 + ["b"] * 40,
            "score": [*graded[:, 0], *graded[:, 0]],
            "status": ["scored"] * 80,
        }
    )
    (found,) = alike(matrix_of(rows, "b"))
    assert (found.what, found.same) == ("scores", 40)


@pytest.mark.parametrize(("differ", "near"), [(1, 1), (2, 0)])
def test_a_copy_with_few_other_answers(differ, near):
    answers, key = noise(200, 3, share=0.5, seed=4)
    answers[:, 2] = answers[:, 1]
    wrong = np.flatnonzero(answers[:, 1] != key)  # about 75 of 200, so 1 differs by 1.3 % of them
    answers[wrong[:differ], 2] = key[wrong[:differ]]
    matrix = of(answers, key)[1]
    found = alike(matrix, agreement(matrix))
    assert [(one.a, one.b, one.n - one.same) for one in found] == [(NAMES[1], NAMES[2], 1)] * near
    assert alike(matrix) == ()


def test_answers_that_nobody_could_read_are_no_copies():
    unread = np.full((100, 2), "-")
    assert alike(of(unread, np.array(["A"] * 100))[1]) == ()


# ---- contradictions ----------------------------------------------------------------


def test_scores_against_prediction_and_target():
    rows = pa.table(
        {
            "item": ["1", "2", "3", "4", "5", "6"],
            "model": ["m"] * 6,
            "prediction": ["A", "A", "B", "a long text", None, "C"],
            "target": ["A", "A", "A", "another text", "A", "A"],
            "score": [1.0, 0.0, 1.0, 1.0, 1.0, 0.5],
        }
    )
    # Row 2 is right and scores 0; row 3 is another letter and scores 1; texts may be right in
    # other words, an unread answer may have been read by somebody, and 0.5 is neither.
    (found,) = contradicted(rows)
    assert (found.right_scored_wrong, found.wrong_scored_right, found.n) == (1, 1, 4)


def test_exact_match_contradicts_nothing():
    assert contradicted(of(*noise(50, 3))[0]) == ()


# ---- zeros and flat costs ----------------------------------------------------------


def test_a_model_that_costs_nothing():
    answers, key = noise(10, 2)
    costs = np.column_stack([np.zeros(10), np.linspace(0, 1, 10)])
    (found,) = zeros(of(answers, key, cost_usd=costs)[0])
    assert (found.column, found.models, found.n, found.others) == ("cost_usd", (NAMES[0],), 10, 1)


def test_costs_that_hardly_differ():
    answers, key = noise(20, 5)
    rows, matrix = of(answers, key, cost_usd=np.full((20, 5), [0.010, 0.011, 0.012, 0.010, 0.013]))
    found = flat_cost(lambda column: item_values(rows, matrix, column))
    assert found.ratio == pytest.approx(1.3)
    assert (found.models, found.n) == (5, 20)


@pytest.mark.parametrize("prices", [[1, 2, 1, 1, 1], [1, 1.1, 1, 1]])
def test_prices_that_differ_or_are_few(prices):
    answers, key = noise(20, len(prices))
    costs = np.full((20, len(prices)), np.array(prices, dtype=float))
    rows, matrix = of(answers, key, cost_usd=costs)
    assert flat_cost(lambda column: item_values(rows, matrix, column)) is None


# ---- missing items -----------------------------------------------------------------


def test_a_skipped_task_by_hand_and_by_scipy():
    answers, key = noise(200, 5, share=0.6, seed=5)
    hard = np.arange(200) < 40
    answers[hard, :4] = turned(key[hard])[:, None]  # the others are all wrong there
    answers[:30, 4] = ""
    answers[150:152, 4] = ""
    task = np.where(hard, "hard", "rest")
    (found,) = not_at_random(of(answers, key, task=task)[1])
    assert (found.model, found.missing) == (NAMES[4], 32)
    others = (answers[:, :4] == key[:, None]).mean(axis=1)
    gone = answers[:, 4] == ""
    welch = stats.ttest_ind(others[gone], others[~gone], equal_var=False)
    assert found.z == pytest.approx(welch.statistic)
    assert found.score_missing == pytest.approx(others[gone].mean())
    table = [[30, 2], [10, 158]]
    assert found.p_tasks == pytest.approx(stats.chi2_contingency(table, correction=False).pvalue)
    assert found.tasks == (("hard", 30, 40),)


def test_items_missing_at_random_are_silent():
    rng = np.random.default_rng(6)
    answers, key = noise(400, 4, seed=6)
    answers[rng.choice(400, 60, replace=False), 3] = ""
    assert not_at_random(of(answers, key, task=np.arange(400) % 8)[1]) == ()


@pytest.mark.slow
def test_items_missing_at_random_are_seldom_told():
    rng = np.random.default_rng(7)
    told = 0
    for seed in range(400):
        answers, key = noise(200, 4, seed=seed)
        answers[rng.choice(200, 40, replace=False), 3] = ""
        told += bool(not_at_random(of(answers, key, task=np.arange(200) % 5)[1]))
    assert told / 400 <= 0.005


def test_small_tasks_are_tested_by_their_largest_excess():
    answers, key = noise(300, 4, seed=1)
    task = np.where(np.arange(300) < 12, "small", "large")
    answers[:10, 3] = ""
    (found,) = not_at_random(of(answers, key, task=task)[1])
    # 10 of 12, where 10 of 300 are missing: 0.4 by chance, so no chi-square.
    assert found.p_tasks == pytest.approx(2 * stats.binom.sf(9, 12, 10 / 300))
    assert found.tasks == (("small", 10, 12),)


def test_a_failed_run_is_missing():
    answers, key = noise(200, 4, share=0.6, seed=2)
    answers[:40, :3] = turned(key[:40])[:, None]
    rows = rows_of(answers, key)
    names = zip(rows["item"].to_pylist(), rows["model"].to_pylist(), strict=True)
    failed = [model == NAMES[3] and int(item[1:]) < 40 for item, model in names]
    score = [None if bad else x for bad, x in zip(failed, rows["score"].to_pylist(), strict=True)]
    (found,) = not_at_random(matrix_of(rows.set_column(4, "score", pa.array(score)), "b"))
    assert (found.model, found.missing, found.score_missing) == (NAMES[3], 40, 0.0)


def test_one_score_on_each_side():
    score = np.repeat([[0.0], [1.0]], [20, 30], axis=0) * np.ones((1, 3))
    answers = np.where(score == 1, "A", "B").astype(object)
    answers[:20, 2] = ""
    (found,) = not_at_random(of(answers, np.array(["A"] * 50))[1])
    assert (found.score_missing, found.score_present, found.z) == (0.0, 1.0, -np.inf)


@pytest.mark.slow
def test_items_missing_at_random_from_tasks_of_any_size_are_seldom_told():
    rng = np.random.default_rng(3)
    answers, key = noise(1020, 3, seed=3)
    task = np.repeat(np.arange(25), [200] * 5 + [1] * 20)
    told = 0
    for _ in range(400):
        here = answers.copy()
        here[rng.choice(1020, 40, replace=False), 2] = ""
        rows = rows_of(here[:, 1:], key, task=task)
        told += bool(not_at_random(matrix_of(rows, "b")))
    assert told / 400 <= 0.0002 + 4 * np.sqrt(0.0002 / 400)  # two tests at 0.0001


# ---- repeats -----------------------------------------------------------------------


def test_one_hash_under_two_ids():
    answers, key = noise(10, 2)
    rows, matrix = of(answers, key, doc_hash=["a", "b", "a", "c", "d", "a", "e", "f", "g", "h"])
    (found,) = repeated(rows, matrix)
    assert found.groups == (("q0", "q2", "q5"),)
    assert (found.by, found.items, found.n_items) == ("doc_hash", 2, 10)


def test_items_that_all_models_answer_alike():
    answers, key = noise(300, 25, share=0.3, seed=8)
    answers[50] = answers[51]
    (found,) = repeated(*of(answers, key))
    assert (found.by, found.groups) == ("answers", (("q50", "q51"),))


def test_easy_items_are_no_repeats():
    answers, key = noise(300, 25, share=0.97, seed=9)
    assert repeated(*of(answers, key)) == ()
    two = np.where(np.random.default_rng(1).random((300, 12)) < 0.5, "A", "B")
    assert repeated(*of(two, np.array(["A"] * 300))) == ()


# ---- published scores --------------------------------------------------------------


def test_published_scores_and_the_readings_that_meet_them():
    answers, key = noise(100, 2)
    answers[:50, 0] = key[:50]
    answers[50:80, 0] = turned(key[50:80])
    answers[80:90, 0] = "-"
    answers[90:, 0] = ""
    matrix = of(answers, key)[1]
    # 50 right of 90 scored: 55.6%; of 80 readable: 62.5%; of all 100: 50%.
    for value in (0.556, 62.5, 50):
        assert unmatched(matrix, [{"model": NAMES[0], "value": value}]) == ((), 1)
    found, compared = unmatched(matrix, [{"model": NAMES[0], "value": 0.7}])
    assert compared == 1
    assert found[0].computed == pytest.approx(0.625)
    assert (found[0].low, found[0].high) == pytest.approx((0.5, 0.625))
    assert unmatched(matrix, [{"model": "another", "value": 0.1}]) == ((), 0)


# ---- items that may have been seen -------------------------------------------------


def parted(gain, *, seed=10, n=600, m=6):
    rng = np.random.default_rng(seed)
    answers, key = noise(n, m, seed=seed)
    public = np.arange(n) % 2 == 0
    more = public & (rng.random(n) < gain)
    answers[more, 0] = key[more]
    return (*of(answers, key, split=np.where(public, "public", "private")), answers == key[:, None])


def test_a_gain_on_public_items_is_a_difference_of_differences():
    rows, matrix, right = parted(0.4)
    found = {one.model: one for one in held_out_break(rows, matrix, level=0.95)}
    lead = right[:, 0] - right[:, 1:].mean(axis=1)
    here, there = lead[::2], lead[1::2]
    assert found[NAMES[0]].gain == pytest.approx(here.mean() - there.mean())
    welch = stats.ttest_ind(here, there, equal_var=False).statistic
    se = found[NAMES[0]].gain / welch
    assert found[NAMES[0]].high - found[NAMES[0]].gain == pytest.approx(1.959964 * se, rel=1e-5)
    assert found[NAMES[0]].part == "split = public"


def test_p_values_are_adjusted_by_holm():
    rows, matrix, right = parted(0.4)
    leads = right - (right.sum(axis=1, keepdims=True) - right) / 5
    welch = [stats.ttest_ind(x[::2], x[1::2], equal_var=False).statistic for x in leads.T]
    adjusted = multipletests(2 * stats.norm.sf(np.abs(welch)), method="holm")[1]
    found = held_out_break(rows, matrix, level=0.95)
    assert [one.p_adjusted for one in found] == pytest.approx(
        sorted(a for a in adjusted if a < 0.05)
    )


@pytest.mark.slow
def test_no_gain_is_told_as_seldom_as_the_level_says():
    told = sum(
        bool(held_out_break(*parted(0.0, seed=seed, n=200)[:2], level=0.95)) for seed in range(600)
    )
    assert told / 600 <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 600)


def test_items_from_before_the_release():
    answers, key = noise(400, 5, seed=11)
    old = np.arange(400) < 200
    answers[old, 2] = key[old]
    dates = np.where(old, "2023-01-01", "2025-01-01")
    rows, matrix = of(answers, key, item_date=dates)
    models = {name: {"released": "2024-01-01"} for name in NAMES[:5]}
    found = {one.model: one for one in release_break(rows, matrix, models, level=0.95)}
    assert found[NAMES[2]].gain > 0.3
    assert release_break(rows, matrix, {}, level=0.95) is None


def test_without_parts_nothing_is_said():
    rows, matrix = of(*noise(50, 3))
    assert held_out_break(rows, matrix, level=0.95) is None


# ---- canaries and options ----------------------------------------------------------


def test_a_canary_is_counted_by_model():
    answers, key = noise(30, 2)
    answers = answers.astype(object)
    answers[4, 1] = "... canary GUID 1234"
    (found,) = canaries(of(answers, key)[0])
    assert (found.model, found.answers, found.example) == (NAMES[1], 1, "q4")
    assert canaries(of(*noise(30, 2))[0]) == ()


def test_options_that_differ_between_models():
    answers, key = noise(5, 2)
    options = np.full((5, 2), 4.0)
    options[2, 1] = 10
    found = options_differ(of(answers, key, n_options=options)[0])
    assert (found.items, found.n_items, found.examples) == (1, 5, (("q2", 4, 10),))
    assert options_differ(of(answers, key, n_options=np.full(5, 4.0))[0]) is None


def test_ids_with_two_contents():
    answers, key = noise(10, 2)
    hashes = np.array([[f"h{k}"] * 2 for k in range(10)])
    hashes[3, 1] = "other"
    rows, matrix = of(answers, key, doc_hash=hashes)
    (found,) = revised(rows)
    assert (found.by, found.items, found.n_items, found.examples) == (
        "doc_hash",
        1,
        10,
        (("q3", 2),),
    )
    assert repeated(rows, matrix) == ()
    assert revised(of(answers, key, doc_hash=[f"h{k}" for k in range(10)])[0]) == ()


def test_ids_that_are_row_numbers_are_serious(make_check):
    answers, key = noise(40, 2)
    hashes = np.array([[f"h{k}", f"h{(7 * k) % 40}"] for k in range(40)])
    (found,) = make_check(rows_of(answers, key, doc_hash=hashes), "DAT122")
    assert found.severity == "serious"
    assert "ids may name other items for some models" in found.claim


@pytest.fixture
def make_check():
    import caveat

    def run(rows, code):
        return [one for one in caveat.check(rows) if one.code == code]

    return run


# ---- real data ---------------------------------------------------------------------


@pytest.mark.shared
def test_the_traps_of_mmlu_pro(shared):
    import caveat
    from caveat.results.data_checks import DataChecks
    from caveat.workflows.agree import agree_all
    from caveat.workflows.options import Options

    path = shared / "items" / "mmlu_pro.parquet"
    codes = {c.code for c in caveat.check(path)}
    assert {"DAT114", "DAT115", "DAT122"} <= codes
    strict = Options(mapping={"prediction": "prediction_strict"})
    (bench,) = agree_all(path, options=strict)
    (lost,) = bench.part(DataChecks).lost
    assert lost.model == "DeepSeek-Coder-V2"
    assert lost.score == pytest.approx(0.537, abs=5e-4)


@pytest.mark.shared
def test_displayed_letters_against_another_source(shared):
    import pyarrow.parquet as pq

    import caveat

    russian = pq.read_table(shared / "items" / "simple_evals_ru_mc.parquet").to_pandas()
    russian = russian[russian.benchmark == "mmlu_pro_s200"]
    other = pq.read_table(shared / "items" / "mmlu_pro.parquet").to_pandas()
    ids = set(russian.item_id.astype(str))
    other = other[other.item_id.astype(str).isin(ids)]
    names = [*russian.model.unique()[:5], *other.model.unique()[:8]]

    def codes(column):
        frames = []
        for frame, letters in ((russian, column), (other, "prediction")):
            part = frame[frame.model.isin(names)]
            frames.append(
                {
                    "benchmark": ["mmlu_pro"] * len(part),
                    "item": part.item_id.astype(str).tolist(),
                    "model": part.model.tolist(),
                    "prediction": part[letters].tolist(),
                    "score": part.correct.astype(float).tolist(),
                }
            )
        rows = {name: frames[0][name] + frames[1][name] for name in frames[0]}
        return {caveat.code for caveat in caveat_check(rows)}

    def caveat_check(rows):
        return caveat.check(rows)

    assert "DAT113" in codes("prediction_displayed")
    assert "DAT113" not in codes("prediction")
