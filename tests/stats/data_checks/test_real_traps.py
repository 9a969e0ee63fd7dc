"""The traps of real files, and that sound ones stay silent; the data's README names the sources."""

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import caveat
from caveat.workflows.options import Options

pytestmark = pytest.mark.shared
CODES = {f"DAT{n}" for n in range(111, 123)} | {"CST502"}


def found(path, **options):
    return {
        one.code: one for one in caveat.check(path, options=Options(**options)) if one.code in CODES
    }


@pytest.mark.parametrize(
    "name", ["gpqa_original_baselines", "simple_evals_ru_mc", "simple_evals_ru_open"]
)
def test_no_check_accuses_sound_files(shared, name):
    """Costs of self-hosted models are null there, not zero; two pairs are the same weights."""
    assert found(shared / "items" / f"{name}.parquet") == {}


def test_the_judges_price_is_not_the_models(shared):
    table = pq.read_table(shared / "votes" / "alpaca_eval2_items.parquet")
    rows = {
        "benchmark": ["alpaca_eval"] * table.num_rows,
        "item": pc.cast(table["item"], "string").to_pylist(),
        "model": table["model"].to_pylist(),
        "score": table["preference"].to_pylist(),
        "cost_usd": table["judge_price_usd"].to_pylist(),
    }
    codes = found(rows)
    assert set(codes) == {"CST502"}
    flat = codes["CST502"].evidence["flat"]
    assert (flat["models"], flat["n"]) == (52, 789)
    assert flat["ratio"] == pytest.approx(1.30, abs=0.005)


def test_configurations_that_share_their_first_verdicts(shared):
    """Judges asked in one order, and in both with the first kept where they conflict."""
    copies = [
        one
        for one in caveat.check(shared / "items" / "llmbar_judges.parquet")
        if one.code == "DAT117"
    ]
    assert len(copies) == 5
    for one in copies:
        pairs = {(row["a"], row["b"]) for row in one.evidence["alike"] if row["same"] == row["n"]}
        assert ("LLaMA2|CoT", "LLaMA2|Swap") in pairs
        assert ("PaLM2|Swap", "PaLM2|Swap_CoT") in pairs
    # Falcon says 1 on 45 of 47 pairs there: alike without any copying.
    (out,) = [one for one in copies if one.evidence["benchmark"].endswith("gptout")]
    assert "Falcon" not in out.claim


def test_mmlu_pro_as_published(shared):
    path = shared / "items" / "mmlu_pro.parquet"
    codes = found(path, mapping={"prediction": "prediction_published"})
    assert set(codes) == {"DAT112", "DAT114", "DAT115", "DAT122"}
    gap = codes["DAT114"].evidence["missing"]
    assert (gap["model"], gap["missing"]) == ("DeepSeek-Coder-V2", 1681)
    assert [row[0] for row in gap["tasks"]] == ["engineering", "chemistry"]
    assert codes["DAT115"].evidence["repeated"]["items"] == 23
    groups = codes["DAT115"].evidence["repeated"]["groups"]
    assert all(int(b) - int(a) == 1 for a, b in groups)  # repeats stand side by side
