import json
import math

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import caveat
from caveat.data.matrix import response_matrix
from caveat.errors import InputError, TooFewError
from caveat.stats.comparison.items import items


def judged(evidence, benchmark="bench", **options):
    return items(response_matrix(evidence, benchmark), **options)


def simulated(seed=0, *, n=120, m=8, wrong_keys=0, free_text=False):
    """Rows of m models, able from -1.5 to 1.5; the first items have a wrong key."""
    rng = np.random.default_rng(seed)
    ability = np.linspace(-1.5, 1.5, m)
    difficulty = rng.normal(size=n)
    right = rng.random((n, m)) < 1 / (1 + np.exp(difficulty[:, None] - ability))
    rows = []
    for i in range(n):
        for j in range(m):
            wrong = "BCD"[rng.integers(3)]
            answer = "A" if right[i, j] else wrong
            if i < wrong_keys:  # the able agree on B, the others follow the key
                answer = "B" if j >= m // 2 - 1 else "A"
            rows.append(
                {
                    "item": f"q{i:03d}",
                    "model": f"m{j}",
                    "target": f"{i} A" if free_text else "A",
                    "prediction": f"{i} {answer}" if free_text else answer,
                    **({} if free_text else {"n_options": 4}),
                }
            )
    return rows


@pytest.fixture(name="sound", scope="module")
def _sound(responses):
    return judged(responses(simulated(m=12, wrong_keys=2)))


def test_by_hand(grid):
    # Items: all right, one wrong (B, by y), two wrong (C and C), all wrong (B, B, C).
    found = judged(grid("AAAA", x="AACB", y="ABCB", z="AAAC"))
    row = found.row(2)
    assert (row.n, row.right, row.key) == (3, pytest.approx(1 / 3), "A")
    assert (row.wrong_answer, row.wrong_number, row.answered) == ("C", 2, 3)
    assert row.wrong_models == ("x", "y")
    assert (found.n_scored, found.all_right, found.all_wrong) == (4, 1, 1)
    assert found.saturated == 0.5
    # Variances 0, 2/9, 2/9, 0: two items of equal weight.
    assert found.effective == pytest.approx(2)
    assert found.all_same_wrong == 0
    assert "needs at least 10 items" in found.reasons["difficulty"]


def test_items_all_get_wrong_the_same_way_are_counted(grid):
    found = judged(grid("AAA", x="BBA", y="BBA", z="B.A"))
    assert found.all_same_wrong == 1  # two answers to the second are too few


def test_wrong_keys_stand_first(sound):
    first = sound.suspects(2)
    assert {row.item for row in first} == {"q000", "q001"}
    assert all(row.rival == "B" and row.key == "A" and row.suspected for row in first)
    assert all(row.rival_ability > row.key_ability for row in first)
    assert sound.suspected == 2
    assert [row.item for row in sound.inverted(2)] == [
        row.item for row in sorted(first, key=lambda row: row.item_rest)
    ]


def test_figures_of_models_and_items_are_on_one_scale(sound):
    assert sound.abilities[0].model == "m11"
    assert sum(row.ability for row in sound.abilities) == pytest.approx(0)
    assert all(row.low < row.ability < row.high for row in sound.abilities)
    hard = sound.columns.right.argsort()
    assert sound.columns.difficulty[hard[0]] > sound.columns.difficulty[hard[-1]]
    assert (sound.columns.low < sound.columns.difficulty).all()


def test_without_evidence_no_item_gets_a_slope(responses):
    found = judged(responses(simulated()))
    assert found.chosen == "rasch"
    assert "Rasch" in found.reasons["discrimination"]
    assert np.isnan(found.columns.discrimination).all()
    assert [fit.name for fit in found.fits] == ["rasch", "2pl"]


def test_free_text_is_judged_as_free_text(responses):
    found = judged(responses(simulated(wrong_keys=2, free_text=True)))
    assert {row.item for row in found.suspects(2)} == {"q000", "q001"}
    assert found.suspects(1)[0].rival.endswith(" B")
    assert any("free text" in note for note in found.notes)


def test_right_answers_written_differently_are_one(responses):
    rows = simulated(free_text=True)
    for k, row in enumerate(rows):
        row["score"] = float(row["prediction"] == row["target"])
        if row["score"] and k % 2:
            row["prediction"] += ".0"
    found, plain = judged(responses(rows)), judged(responses(simulated(free_text=True)))
    assert found.columns.log10_e == pytest.approx(plain.columns.log10_e, nan_ok=True)


def test_keys_are_found_by_scores_where_targets_are_written_otherwise(responses):
    rows = [{**row, "score": float(row["prediction"] == "A"), "target": "1"} for row in simulated()]
    found = judged(responses(rows))
    assert {row.key for row in map(found.row, range(5))} == {"A"}


def test_everything_as_plain_data(sound):
    plain = sound.to_dict()["items"]
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert len(plain["table"]["item"]) == len(plain["table"]["difficulty"]) == 120
    table = sound.to_arrow()
    assert table.num_rows == 120
    assert table["wrong_models"].to_pylist()[0] == list(sound.row(0).wrong_models)
    assert "<table" in sound._repr_html_()


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 1000))
def test_order_of_rows_and_names_of_answers_play_no_part(responses, seed):
    rows = simulated(seed=1, n=60, m=6, wrong_keys=1)
    names = dict(zip("ABCD", np.random.default_rng(seed).permutation(list("WXYZ")), strict=True))
    other = [{**row, "target": names["A"], "prediction": names[row["prediction"]]} for row in rows]
    np.random.default_rng(seed).shuffle(other)
    first, second = judged(responses(rows)), judged(responses(other))
    assert [row.model for row in first.abilities] == [row.model for row in second.abilities]
    place = [second.items.index(item) for item in first.items]
    for name in ("difficulty", "item_rest", "splits", "log10_e"):
        assert getattr(second.columns, name)[place] == pytest.approx(
            getattr(first.columns, name), abs=1e-5, nan_ok=True
        )
    assert [r.item for r in first.suspects(5)] == [r.item for r in second.suspects(5)]


class TestBadInput:
    def test_all_right_and_all_wrong(self, grid):
        for letters in ("A" * 30, "B" * 30):
            found = judged(grid("A" * 30, x=letters, y=letters, z=letters))
            assert found.saturated == 1
            assert math.isnan(found.effective)
            assert "10 items" in found.reasons["difficulty"]
            assert found.chosen is None
            assert found.suspected == found.judged == 0
            json.dumps(found.to_dict(), allow_nan=False)

    def test_one_item(self, grid):
        found = judged(grid("A", x="A", y="B", z="B"))
        assert (found.n_scored, found.saturated) == (1, 0)
        assert np.isnan(found.columns.difficulty).all()

    def test_one_model(self, grid):
        with pytest.raises(TooFewError, match="models of bench"):
            judged(grid("AAA", x="AAB"))

    def test_two_models_have_classical_figures_only(self, grid):
        found = judged(grid("A" * 40, x="A" * 20 + "B" * 20, y="AB" * 20))
        assert "at least 3 models" in found.reasons["difficulty"]
        assert np.isfinite(found.columns.right).all()

    def test_no_common_items(self, grid):
        with pytest.raises(TooFewError):
            judged(grid("AAAA", x="AB  ", y="  AB"))

    def test_no_predictions(self, responses):
        rows = [
            {"item": row["item"], "model": row["model"], "score": float(row["prediction"] == "A")}
            for row in simulated()
        ]
        found = judged(responses(rows))
        assert found.reasons["key"] == "no predictions in the source"
        assert np.isfinite(found.columns.difficulty).all()
        assert found.judged == 0

    def test_no_readable_answer(self, responses):
        rows = [
            {**row, "score": float(row["prediction"] == "A"), "prediction": None}
            for row in simulated(n=40)
        ]
        found = judged(responses(rows))
        assert found.reasons["key"] == "no readable answer"

    def test_partial_credit(self, responses):
        rows = [{**row, "score": 0.25 * (k % 5)} for k, row in enumerate(simulated(n=40))]
        found = judged(responses(rows))
        assert "other than 0 and 1" in found.reasons["difficulty"]
        assert "other than 0 and 1" in found.reasons["splits"]
        assert np.isfinite(found.columns.right).all()

    def test_a_model_right_everywhere_has_a_finite_ability(self, responses):
        rows = [{**r, "prediction": "A"} if r["model"] == "m0" else r for r in simulated()]
        found = judged(responses(rows))
        assert found.abilities[0].model == "m0"
        assert math.isfinite(found.abilities[0].high)

    def test_a_model_without_any_score_has_none(self, responses):
        rows = [
            *simulated(),
            *({"item": f"q{i:03d}", "model": "none", "score": None} for i in range(120)),
        ]
        for row in rows:
            row.setdefault("score", float(row.get("prediction") == "A"))
        found = judged(responses(rows))
        assert found.abilities[-1].model == "none"
        assert math.isnan(found.abilities[-1].ability)

    @pytest.mark.parametrize("options", [{"level": 1.0}, {"fdr": 0.0}, {"margin": -0.1}])
    def test_options_out_of_range(self, grid, options):
        with pytest.raises(InputError):
            judged(grid("AA", x="AB", y="BA"), **options)


@pytest.fixture(name="found", scope="module")
def _found(shared):
    return judged(caveat.read_responses(shared / "items" / "mmlu_pro.parquet"), "mmlu_pro")


@pytest.mark.shared
class TestMmluPro:
    def test_keys_that_were_revised_later_rank_high(self, shared, found):
        """33 items got another key; 26 of the 29 files have the old one."""
        table = pq.read_table(shared / "items" / "mmlu_pro.parquet", columns=["item_id", "answer"])
        keys = {}
        for item, key in zip(
            table["item_id"].to_pylist(), table["answer"].to_pylist(), strict=True
        ):
            keys.setdefault(str(item), set()).add(key)
        revised = np.array([len(keys[item]) > 1 for item in found.items])
        assert revised.sum() == 33
        evidence = found.columns.log10_e
        judgeable = np.isfinite(evidence)
        assert (revised & judgeable).sum() == 33
        assert roc_auc_score(revised[judgeable], evidence[judgeable]) == pytest.approx(
            0.910, abs=0.005
        )
        # The rival is the later key.
        other = [
            found.row(j).rival in keys[found.items[j]] - {found.row(j).key}
            for j in np.flatnonzero(revised)
        ]
        assert sum(other) == 28
        assert (evidence[revised] > 0).sum() == 29

    def test_what_the_items_are_like(self, found):
        assert (found.all_right, found.all_wrong) == (240, 658)
        assert found.chosen == "2pl"
        assert 100 < found.suspected < 160
        assert found.abilities[0].model == "gemini-1.5-pro-002"
        # It lacks the hard subjects: third by score over its own items, behind by ability.
        names = [row.model for row in found.abilities]
        scores = {row.model: row.score for row in found.abilities}
        llama = "Meta-Llama-3_1-70B-Instruct"
        assert scores["DeepSeek-Coder-V2"] > scores[llama]
        assert names.index("DeepSeek-Coder-V2") > names.index(llama)
