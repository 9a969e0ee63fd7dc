import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lmsim.metrics import CAPA, EC

from caveat.data.matrix import response_matrix
from caveat.stats.agreement.pairs import agreement
from caveat.stats.comparison.disagreement import disagreement


def of(evidence, *, policy="drop", groups=None, **options):
    matrix = response_matrix(evidence, "bench")
    return disagreement(matrix, agreement(matrix, policy=policy), groups=groups, **options)


def by(rows, name, value):
    (found,) = [row for row in rows if getattr(row, name) == value]
    return found


def forty(**models):
    """Forty items with gold A."""
    return "A" * 40, {name: letters.ljust(40, "A") for name, letters in models.items()}


def test_policies_by_hand(grid):
    # of 40: x and y answer 2 differently; 3 of x are unread, 1 of them of y, too
    gold, models = forty(x="BB...", y="CA.AA")
    found = of(grid(gold, **models), points=0.1)
    assert (found.over, found.n_matched) == ("matched", 1)  # 35 and 38 right: 7.5 points apart
    drop, apart, option = (
        by(found.policies, "policy", p) for p in ("drop", "as-disagreement", "as-option")
    )
    assert (drop.fewest, apart.fewest, option.fewest) == (37, 40, 40)
    assert drop.highest == pytest.approx(2 / 37)
    assert apart.highest == pytest.approx(5 / 40)
    assert option.highest == pytest.approx(4 / 40)
    (pair,) = found.pairs
    assert pair.policies == {
        "drop": pytest.approx(2 / 37),
        "as-disagreement": pytest.approx(5 / 40),
        "as-option": pytest.approx(4 / 40),
    }


@pytest.mark.parametrize("policy", ["drop", "as-disagreement", "as-option"])
def test_the_policy_of_the_run_does_not_move_the_three(grid, policy):
    gold, models = forty(x="BB...", y="CA.AA")
    found, other = of(grid(gold, **models), policy=policy), of(grid(gold, **models))
    assert found.policies == other.policies
    assert found.n_matched == other.n_matched
    (pair,) = found.pairs
    assert pair.disagree == pytest.approx(pair.policies[policy])


def test_pairs_are_matched_on_common_items(grid):
    # y has not got the ten items that x gets wrong: 75% and 100%, but equal where both answered
    gold = "A" * 40
    found = of(grid(gold, x="B" * 10 + "A" * 30, y=" " * 10 + "A" * 30))
    assert found.n_matched == 1
    (pair,) = found.pairs
    assert (pair.score_a, pair.score_b) == (1, 1)
    assert math.isnan(pair.position)


def test_margin_and_few_items(grid):
    gold, models = forty(x="BB", y="AAAA")  # 95% and 100%
    assert of(grid(gold, **models)).over == "matched"
    closer = of(grid(gold, **models), points=0.049)
    assert (closer.over, closer.n_matched) == ("all", 0)
    assert "no two models within 4.9 points" in closer.reasons["matched"]
    assert by(closer.policies, "policy", "drop").n_pairs == 1
    few = of(grid("A" * 29, x="A" * 29, y="A" * 29))
    assert few.over == "all"
    assert "30 common items" in few.reasons["matched"]


def test_tasks_by_hand(responses):
    rows = [
        {
            "item": k,
            "model": m,
            "task": "hard" if k < 12 else "easy" if k < 32 else "tiny",
            "prediction": "A" if m == "x" or k >= 6 else "B",
            "target": "B" if k % 2 and k < 6 else "A",
        }
        for m in "xy"
        for k in range(36)
    ]
    found = of(responses(rows))
    assert [row.task for row in found.tasks] == ["hard", "easy", "tiny"]
    hard, easy, tiny = found.tasks
    assert (hard.n_items, hard.median, hard.share) == (12, 0.5, 1.0)
    assert (easy.median, easy.n_pairs) == (0.0, 1)
    assert hard.share_items == pytest.approx(12 / 36)
    assert math.isnan(tiny.median)  # four items are too few
    assert found.pairs[0].tasks["hard"] == 0.5
    assert found.to_dict()["disagreement"]["pairs"][0]["tasks"][0].keys() == {"task", "disagree"}


def test_groups(grid):
    gold, models = forty(x="BB", y="BB", z="CC")
    families = {"family": {"xs": ["x", "y", "elsewhere"], "one": ["z"], "every": ["x", "y", "z"]}}
    found = of(grid(gold, **models), groups=families)
    assert [(g.kind, g.group, g.models) for g in found.groups] == [
        ("all", "all models", ("x", "y", "z")),
        ("family", "xs", ("x", "y")),
    ]
    assert found.groups[1].observed.value == 1


def test_errors_by_hand(grid):
    # 120 items: x and y wrong on the same 40, 20 of them alike; four options
    gold = "A" * 120
    found = of(grid(gold, x="B" * 40 + "A" * 80, y="B" * 20 + "C" * 20 + "A" * 80))
    shared = found.shared
    assert shared.n_pairs == 1
    assert shared.same_when_wrong == 0.5
    assert shared.same_by_chance == pytest.approx(1 / 3)
    assert shared.error_consistency == (1, 1, 1)
    # CAPA: same 100/120; by chance 4/9 + 1/9/3 = 13/27
    assert shared.capa[1] == pytest.approx((100 / 120 - 13 / 27) / (1 - 13 / 27))
    (pair,) = shared.most_alike
    assert pair.capa.low < pair.capa.value < pair.capa.high
    assert math.isnan(pair.error_consistency.low)  # nothing varies


def test_matched_figures_are_those_of_all_pairs(grid):
    rng = np.random.default_rng(3)
    gold = "".join(rng.choice(list("ABCD"), 80))

    def model():
        return "".join(g if rng.random() < 0.6 else rng.choice(list("ABCD.")) for g in gold)

    evidence = grid(gold, **{name: model() for name in "vwxyz"})
    matrix = response_matrix(evidence, "bench")
    compared = agreement(matrix)
    place = {name: k for k, name in enumerate(matrix.models)}
    found = disagreement(matrix, compared, points=1.0)
    assert len(found.pairs) == 10
    for pair in found.pairs:
        i, j = place[pair.a], place[pair.b]
        for name in ("kappa", "capa", "error_consistency"):
            assert getattr(pair, name).value == pytest.approx(getattr(compared, name)[i, j])
        assert pair.low <= pair.disagree <= pair.high
        assert pair.feasible_low - 1e-12 <= pair.disagree <= pair.feasible_high + 1e-12
    shares = [pair.disagree for pair in found.pairs]
    assert shares == sorted(shares, reverse=True)


# ---- bad input -----------------------------------------------------------------------


def test_all_right(grid):
    found = of(grid("A" * 120, x="A" * 120, y="A" * 120))
    assert by(found.policies, "policy", "drop").highest == 0
    assert math.isnan(found.shared.capa[1])
    assert math.isnan(found.shared.same_when_wrong)
    assert found.shared.most_alike == ()
    assert math.isnan(found.groups[0].alpha.value)
    assert found.groups[0].reason


def test_all_wrong(grid):
    found = of(grid("A" * 120, x="B" * 120, y="C" * 120))
    (pair,) = found.pairs
    assert (pair.disagree, pair.position, pair.both_wrong) == (1, 1, 1)
    assert math.isnan(pair.error_consistency.value)
    assert found.shared.same_when_wrong == 0


def test_one_item(grid):
    found = of(grid("A", x="A", y="B"))
    assert found.over == "all"
    assert found.shared is None
    assert by(found.policies, "policy", "drop").highest == 1


def test_nothing_parsed(grid):
    found = of(grid("A" * 40, x="." * 40, y="." * 40), policy="as-option")
    assert by(found.policies, "policy", "drop").n_pairs == 0
    assert math.isnan(by(found.policies, "policy", "drop").highest)
    assert by(found.policies, "policy", "as-disagreement").highest == 1
    assert by(found.policies, "policy", "as-option").highest == 0


@pytest.mark.parametrize("score", [87.5, -1.0])
def test_scores_outside_0_to_1_match_nobody(responses, score):
    rows = [
        {"item": k, "model": m, "prediction": "A", "score": score} for m in "xy" for k in range(40)
    ]
    found = of(responses(rows))
    assert found.over == "all"
    assert "scores outside 0 to 1" in found.reasons["matched"]
    assert "other than 0 and 1" in found.reasons["shared"]
    assert found.shared is None
    assert math.isnan(found.pairs[0].capa.value)


def test_no_scores(responses):
    rows = [
        {"item": k, "model": m, "prediction": "A", "status": "unscored"}
        for m in "xy"
        for k in range(40)
    ]
    found = of(responses(rows))
    assert "no scores" in found.reasons["matched"]
    assert found.pairs[0].disagree == 0


def test_answers_and_targets_that_are_lists(responses):
    rows = [
        {"item": k, "model": m, "prediction": str(["A", m]), "target": str(["A", "x"])}
        for m in "xy"
        for k in range(40)
    ]
    found = of(responses(rows))
    assert found.pairs[0].disagree == 1
    assert found.pairs[0].one_right == 1


def test_many_pairs_are_judged_by_task_among_the_best(grid):
    from caveat.stats.comparison import disagreement as module

    rng = np.random.default_rng(2)
    models = {f"m{k:02d}": "".join(rng.choice(list("AB"), 40)) for k in range(40)}
    found = of(grid("A" * 40, **models), points=1.0)
    assert found.n_matched == 780
    assert found.n_judged == module.JUDGED
    assert len(found.pairs) == module.LISTED
    assert by(found.policies, "policy", "drop").n_pairs == 780


letters = st.text(alphabet="ABC. ", min_size=35, max_size=35).map(lambda text: "A" + text)


@settings(max_examples=20, deadline=None)
@given(x=letters, y=letters, z=letters, seed=st.integers(0, 20))
def test_order_of_rows_moves_nothing(grid, responses, x, y, z, seed):
    rows = grid("A" * 36, x=x, y=y, z=z).table.to_pylist()
    order = np.random.default_rng(seed).permutation(len(rows))
    one, two = of(responses(rows)), of(responses([rows[k] for k in order]))
    for a, b in zip(one.policies, two.policies, strict=True):
        for name in ("n_pairs", "lowest", "median", "highest"):
            assert getattr(a, name) == pytest.approx(getattr(b, name), nan_ok=True)
    ours, theirs = one.groups[0].alpha.value, two.groups[0].alpha.value
    assert ours == pytest.approx(theirs, nan_ok=True)


# ---- real data -----------------------------------------------------------------------


def table_of(shared):
    import pyarrow.parquet as pq

    return pq.read_table(shared / "items" / "mmlu_pro.parquet")


def mmlu_pro(shared, answers="prediction", right="correct"):
    """29 models' answers to 12,032 MMLU-Pro items by one reading of their texts."""
    import pyarrow as pa

    from caveat.data.evidence import Evidence

    table = table_of(shared)

    def coded(name):
        return table[name].cast(pa.string()).combine_chunks().dictionary_encode()

    columns = {
        "benchmark": coded("benchmark"),
        "item": coded("item_id"),
        "model": coded("model"),
        "task": coded("category"),
        "prediction": coded(answers),
        "score": table[right].cast(pa.int8()).cast(pa.float64()),
        "n_options": table["n_options"].cast(pa.float64()),
    }
    status = pa.array(["scored"] * table.num_rows).dictionary_encode()
    return Evidence(kind="responses", table=pa.table({**columns, "status": status}))


def ranges(found):
    return {
        row.policy: (row.n_pairs, round(100 * row.lowest, 1), round(100 * row.highest, 1))
        for row in found.policies
    }


def measured(shared, **columns):
    matrix = response_matrix(mmlu_pro(shared, **columns), "mmlu_pro")
    return disagreement(matrix, agreement(matrix))


@pytest.mark.shared
def test_mmlu_pro_policies_side_by_side(shared):
    found = measured(shared)
    assert ranges(found) == {
        "drop": (74, 28.6, 66.8),
        "as-disagreement": (74, 33.6, 74.9),
        "as-option": (74, 33.4, 70.1),
    }
    assert found.tasks[0].task == "chemistry"
    assert round(found.tasks[0].median, 3) == 0.704
    assert round(found.groups[0].alpha.value, 4) == 0.3456


@pytest.mark.shared
def test_mmlu_pro_by_the_letters_of_its_own_files(shared):
    # "The policy alone moves the upper end from 66.8 to 77.9%": 77.9% is with the letters and
    # scores that the source's files hold, unparsed as disagreement; with the same letters and
    # unparsed left out it is 66.9%. 66.8% is by the careful reading (above).
    found = measured(shared, answers="prediction_published", right="correct_published")
    assert ranges(found) == {
        "drop": (70, 29.6, 66.9),
        "as-disagreement": (70, 33.4, 77.9),
        "as-option": (70, 33.4, 71.0),
    }


def by_lm_sim(shared, a, b, *, longest):
    """CAPA and error consistency by lm-sim on the items both answered, with one gold each.

    With `longest`, an item has the most options that any model's file gives it; otherwise those
    in the file of `a`.
    """
    frame = (
        table_of(shared)
        .select(["model", "item_id", "answer", "prediction", "n_options"])
        .to_pylist()
    )
    gold, most, rows = {}, {}, {a: {}, b: {}}
    for row in frame:
        item = row["item_id"]
        gold.setdefault(item, set()).add(row["answer"])
        most[item] = max(most.get(item, 0), row["n_options"])
        if row["model"] in rows:
            rows[row["model"]][item] = row
    one, two, right = [], [], []
    for item, first in rows[a].items():
        second = rows[b].get(item)
        if second is None or len(gold[item]) > 1 or first["n_options"] < 2:
            continue
        k = most[item] if longest else first["n_options"]
        codes = [ord(x or "?") - ord("A") for x in (first["prediction"], second["prediction"])]
        if min(codes) >= 0 and max(codes) < k:
            one.append(np.eye(k)[codes[0]])
            two.append(np.eye(k)[codes[1]])
            right.append(ord(first["answer"]) - ord("A"))
    capa = CAPA(prob=False).compute_k(one, two, right)
    return len(one), round(float(capa), 5), round(float(EC().compute_k(one, two, right)), 5)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("a", "b", "longest", "expected"),
    [
        ("gemini-1.5-pro-002", "gemini-1.5-flash-002", False, (11_488, 0.40145, 0.50431)),
        ("Mistral-7B-v0.1", "Mistral-7B-v0.2-hf", False, (10_075, 0.48984, 0.60411)),
        # One of these items was revised to more options in other models' files; with that number
        # of options CAPA is the 0.48986 that was reported.
        ("Mistral-7B-v0.1", "Mistral-7B-v0.2-hf", True, (10_075, 0.48986, 0.60411)),
    ],
)
def test_mmlu_pro_equals_lm_sim(shared, a, b, longest, expected):
    assert by_lm_sim(shared, a, b, longest=longest) == expected


@pytest.mark.shared
def test_mmlu_pro_errors_of_two_pairs(shared):
    # by us on all common items that both parsed: answers outside the options count as wrong, items
    # whose number of options differs between files are left out of CAPA only
    matrix = response_matrix(mmlu_pro(shared), "mmlu_pro")
    compared = agreement(matrix)
    place = {name: k for k, name in enumerate(matrix.models)}
    pairs = {
        ("gemini-1.5-pro-002", "gemini-1.5-flash-002"): (11_521, 0.40059, 0.50392),
        ("Mistral-7B-v0.1", "Mistral-7B-v0.2-hf"): (10_109, 0.48993, 0.60449),
    }
    for (a, b), (n, capa, consistent) in pairs.items():
        i, j = place[a], place[b]
        assert compared.n[i, j] == n
        assert compared.capa[i, j] == pytest.approx(capa, abs=5e-6)
        assert compared.error_consistency[i, j] == pytest.approx(consistent, abs=5e-6)


@pytest.mark.shared
def test_mmlu_pro_disagreement_lies_within_what_scores_allow(shared):
    matrix = response_matrix(mmlu_pro(shared), "mmlu_pro")
    for policy in ("drop", "as-disagreement", "as-option"):
        compared = agreement(matrix, policy=policy)
        for i, j in itertools.combinations(range(29), 2):
            low, high = compared.feasible_low[i, j], compared.feasible_high[i, j]
            assert low <= compared.disagree[i, j] <= high
            assert 0 <= compared.position[i, j] <= 1
