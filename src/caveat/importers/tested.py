"""Versions of the tools whose files each format was tested with."""

TESTED: dict[str, str] = {
    "every_eval_ever": "every_eval_ever 0.3.0 (schema 0.3.0)",
    "lm_eval": "lm-evaluation-harness 0.4.2, 0.4.3, 0.4.5, 0.4.7, 0.4.9.1 and 0.4.13",
    "inspect": "inspect-ai 0.3.45, 0.3.120, 0.3.200 and 0.3.285 (log versions 1 and 2)",
    "helm": "crfm-helm 0.5.16",
    "lighteval": "the columns of lighteval at 3fd1526; no run was at hand",
    "hf_eval_results": "huggingface_hub 1.33.0",
    "hf_model_index": "huggingface_hub 1.33.0",
    "promptfoo": "promptfoo 0.121.20 and 0.80.3 (results versions 3 and 2)",
    "openai_evals": "openai-evals 3.0.1.post1",
    "simple_evals": "simple-evals at ee3b031",
    "deepeval": "DeepEval 4.3.1",
    "pydantic_evals": "pydantic-evals 2.62.0",
    "mmlu_pro": "MMLU-Pro at f418b11",
    "fastchat": "FastChat at 0e6d3e4",
    "fastchat_log": "FastChat at 0e6d3e4",
    "mt_bench_single": "FastChat at 0e6d3e4",
    "mt_bench_pair": "FastChat at 0e6d3e4",
    "alpaca_eval": "alpaca_eval 0.6.6",
    "alpaca_outputs": "alpaca_eval 0.6.6",
    "alpaca_leaderboard": "alpaca_eval 0.6.6",
    "braintrust": "braintrust 0.48.1 (results of the SDK)",
    "langfuse": "its field reference only",
    "leaderbot": "leaderbot 0.4.3",
}
"""Name of an importer to what it was tested with; formats without versions are not here."""


def tested_with(importer: str) -> str:
    """Return what an importer was tested with; empty for plain tables and unversioned formats.

    Examples
    --------
    >>> tested_with("json, alpaca_eval"), tested_with("csv")
    ('alpaca_eval 0.6.6', '')
    """
    parts = [part.strip() for part in importer.split(",")]
    return next((TESTED[part] for part in reversed(parts) if part in TESTED), "")
