"""Real data beside the checkout."""

from pathlib import Path

import pytest

import caveat
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
    "votes/alpaca_eval2_items.parquet": (46_680, "votes", "parquet, alpaca_eval"),
    "formats/alpaca_eval/res/weighted_alpaca_eval_gpt4_turbo/annotations.json": (
        6,
        "votes",
        "json, alpaca_eval",
    ),
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


# models, and votes by outcome: a, b, tie, both_bad. Counted in the files with pandas, apart from
# the last two: 58.1 % of qlora's decisive verdicts go to the first and 22.7 % of matches are ties,
# as the data's own README says (58 %, 23 %).
VOTES = {
    "llmfao": (70, (6_273, 5_207, 3_923, 0)),
    "vicuna80": (9, (7_179, 6_408, 1_613, 0)),
    "chatbot_arena_20240814_counts": (129, (595_570, 498_305, 281_121, 295_254)),
    "alpaca_eval2_items": (58, (40_291, 5_440, 144, 0)),
    "qlora_gpt4_judge": (11, (21_387, 15_398, 6_226, 0)),
    "football_international": (337, (24_265, 13_997, 11_258, 0)),
}


@pytest.mark.parametrize("name", VOTES)
def test_every_file_of_votes(name):
    votes = caveat.read_votes(SHARED / f"votes/{name}.parquet").table.to_pandas()
    count = votes["count"] if "count" in votes else votes["outcome"].notna().astype(int)
    by_outcome = count.groupby(votes.outcome.astype(str)).sum()
    models = len(set(votes.model_a) | set(votes.model_b))
    found = tuple(int(by_outcome.get(o, 0)) for o in ("a", "b", "tie", "both_bad"))
    assert (models, found) == VOTES[name]


def test_people_and_judges_of_llmfao():
    votes = caveat.read_votes(SHARED / "votes/llmfao.parquet").table.to_pandas()
    people = votes[votes.judge == "human"]
    assert (len(people), people.voter.nunique()) == (8_931, 124)


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
