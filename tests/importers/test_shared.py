"""Real data beside the checkout."""

from pathlib import Path

import pytest

from caveat.data.dedupe import deduplicate
from caveat.importers._base import ReadOptions
from caveat.importers.reading import read_path

SHARED = Path(__file__).parents[2] / "../shared/data"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(
        not SHARED.is_dir(), reason="the real data (shared/data beside the checkout) is not here"
    ),
]

# rows, kind, importer: rows as the data's own README states them
FILES = {
    "items/mmlu_pro.parquet": (347_215, "responses", "parquet"),
    "items/gpqa_original_baselines.parquet": (13 * 546, "responses", "parquet"),
    "items/llmbar_judges.parquet": (44 * 419, "responses", "parquet"),
    "items/simple_evals_ru_mc.parquet": (10_685, "responses", "parquet"),
    "items/simple_evals_ru_open.parquet": (20_687, "responses", "parquet"),
    "votes/llmfao.parquet": (8_931 + 6_472, "votes", "parquet"),
    "votes/vicuna80.parquet": (7_040 + 8_160, "votes", "parquet"),
    "votes/qlora_gpt4_judge.parquet": (43_011, "votes", "parquet"),
    "votes/football_international.parquet": (49_520, "votes", "parquet"),
    "votes/chatbot_arena_20240814_counts.parquet": (3_460 * 4, "votes", "parquet, pair counts"),
    "formats/fastchat/clean_battle.json": (12, "votes", "fastchat"),
    "formats/mmlu_pro/out/math_result.json": (4, "responses", "mmlu_pro"),
}


@pytest.mark.parametrize("name", FILES)
def test_real_files(name):
    (evidence,) = read_path(SHARED / name)
    account = deduplicate(evidence, bad_rows="drop").provenance.account
    source = evidence.provenance.sources[0]
    assert (account.rows_read, evidence.kind, source.importer) == FILES[name]
    assert account.rows_read == account.kept + account.dropped


def test_chatbot_arena_votes():
    (evidence,) = read_path(SHARED / "votes/chatbot_arena_20240814_counts.parquet")
    assert sum(evidence.table.column("count").to_pylist()) == 1_670_250
    assert len(evidence.table.column("model_a").chunk(0).dictionary) == 129


def test_published_predictions_are_scored_anew():
    options = ReadOptions(mapping={"prediction": "prediction_published"})
    (evidence,) = read_path(SHARED / "items/mmlu_pro.parquet", options=options)
    frame = evidence.table.to_pandas()
    assert (frame.score == frame.correct_published.astype(float)).mean() > 0.999
    assert {"prediction_source", "score_source"} <= set(frame.columns)
    fills = frame[frame.prediction_source.isna() & frame.prediction.notna()]
    per_model = fills.groupby("model", observed=True).prediction.value_counts()
    assert per_model[per_model > 0].size > 0


def test_code_benchmarks_without_answers_are_scored():
    (evidence,) = read_path(SHARED / "items/simple_evals_ru_open.parquet")
    frame = evidence.table.to_pandas()
    code = frame[frame.benchmark == "humaneval"]
    assert (code.status == "scored").all()
    assert evidence.table.column("cost_usd").null_count > 0
