"""What the rules say of real answers and real votes; that folder's README names the sources."""

from pathlib import Path

import pytest

import caveat
from caveat.workflows.options import Options

DATA = Path(__file__).parents[3] / "shared/data"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.is_dir(), reason="the real data is not beside the checkout"),
]


@pytest.fixture(scope="module")
def mmlu_pro():
    return caveat.report(DATA / "items/mmlu_pro.parquet")


@pytest.fixture(scope="module")
def arena():
    return caveat.report(DATA / "votes/chatbot_arena_20240814_counts.parquet")


def of(report, code):
    return [found for found in report.caveats if found.code == code]


def test_same_score_different_answers(mmlu_pro):
    (found,) = of(mmlu_pro, "AGR301")
    assert "74 of the 74 pairs" in found.claim
    assert "28.6-66.8%" in found.claim
    assert "74 pairs within 5 points disagree on 28.6-66.8% of items" in mmlu_pro.verdict


def test_the_gap_and_its_tasks(mmlu_pro):
    (found,) = of(mmlu_pro, "DAT101")
    gap = "DeepSeek-Coder-V2 1,681 of 12,032 (826 of them in engineering and 788 in chemistry)"
    assert gap in found.claim


def test_the_constant_fill_of_five_models():
    path = DATA / "items/mmlu_pro.parquet"
    options = Options(mapping={"prediction": "prediction_published"}, select=("DAT104",))
    found = of(caveat.report(path, options=options), "DAT104")
    five, one = found
    assert [c.severity for c in found] == ["serious", "serious"]
    assert [c.evidence["answer"] for c in found] == ["G", "I"]
    assert "G on 1,982 of the 2,701 answers that stand where" in five.claim
    assert one.subject == "gemini-1.5-flash-002"
    assert {row["model"] for row in five.evidence["models"]} == {
        "Meta-Llama-3_1-8B",
        "Meta-Llama-3_1-8B-Instruct",
        "Meta-Llama-3_1-70B",
        "Meta-Llama-3_1-70B-Instruct",
        "mathstral-7B",
    }


def test_readings_of_a_last_resort_are_no_constant_fill():
    path = DATA / "items/mmlu_pro.parquet"
    options = Options(mapping={"prediction": "prediction_lenient"}, select=("DAT104",))
    serious = [c for c in caveat.report(path, options=options).caveats if c.severity == "serious"]
    assert [(c.subject, c.evidence["answer"]) for c in serious] == [("gemini-1.5-flash-002", "I")]


def test_a_first_place_by_judges_that_are_ranked_is_not_called_real():
    report = caveat.report(DATA / "votes/vicuna80.parquet")
    assert report.verdict.startswith(
        "gpt4 leads claude by 55 points (z = 6.7) if every vote counts alike, but judges that are "
        "ranked themselves cast 53.7% of them; "
    )
    (judges,) = of(report, "RNK207")
    assert judges.severity == "warning"
    assert "alone, human puts gpt4 first (z = 0.2 before claude)" in judges.claim
    (shared,) = of(report, "RNK206")
    assert shared.severity == "notice"


def test_a_first_place_that_items_do_not_bear_out_is_not_called_real():
    report = caveat.report(DATA / "votes/qlora_gpt4_judge.parquet")
    assert "First place is real" not in report.verdict
    (shared,) = of(report, "RNK206")
    assert shared.severity == "warning"
    assert "with the votes of one item counted together z is 2.6, and 3.1 would be" in shared.claim


def test_the_first_place_of_the_arena_is_real(arena):
    assert arena.verdict.startswith(
        "First place is real: chatgpt-4o-latest leads gemini-1.5-pro-exp-0801 by 26 points "
        "(z = 5.6)"
    )
    assert "ranks 4-8 are not separable" in arena.verdict
    codes = {c.code for c in arena.caveats}
    assert codes >= {"CST501", "RNK205"}
    assert not codes & {"RNK201", "RNK202", "RNK206", "RNK207"}
