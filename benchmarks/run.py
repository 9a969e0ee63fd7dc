"""Run all scenarios and write docs/benchmarks.md."""

import argparse
import math
import platform
import statistics
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import make_responses
import make_samples
import make_style_votes
import make_votes
import pyarrow.parquet as pq
from measure import Run, run

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
PACKAGES = (
    *("caveat", "numpy", "scipy", "pyarrow", "numba"),
    *("evalica", "arena-rank", "choix", "scikit-learn", "leaderbot", "arenakit", "lm-sim"),
    *("errorbars", "evalstats"),
)
SCENARIOS = {
    "10 million votes of 100 models, dictionary-encoded Parquet: a board": (
        "votes10m.parquet",
        [
            ("caveat, sandwich errors and rank intervals", "caveat_rank", ("0", "bradley-terry")),
            ("caveat, Davidson instead", "caveat_rank", ("0", "davidson")),
            ("caveat, 1,000 bootstraps besides", "caveat_rank", ("1000", "bradley-terry")),
            ("caveat, 1,000 bootstraps and drop-a-few", "caveat_board", ("bradley-terry",)),
            ("caveat, the same by Davidson", "caveat_board", ("davidson",)),
            ("numpy scan and Newton, nothing else", "bare_scan", ()),
            ("evalica, ratings only", "evalica_rank", ()),
            ("arena-rank, sandwich errors", "arena_rank_rank", ()),
            ("choix, ratings only", "choix_rank", ()),
            ("FastChat's formula in scikit-learn, ratings only", "fastchat_formula", ()),
            ("leaderbot, Bradley-Terry, ratings only", "leaderbot_rank", ("bradley-terry",)),
            ("leaderbot, Davidson, ratings only", "leaderbot_rank", ("davidson",)),
        ],
    ),
    "1 million of these votes: a board with 100 bootstraps": (
        "votes1m.parquet",
        [
            ("caveat, Bradley-Terry", "caveat_rank", ("100", "bradley-terry")),
            ("arenakit", "arenakit_rank", ("100",)),
        ],
    ),
    "10 million votes of 100 models: Elo (K = 32) in the order of the rows": (
        "votes10m.parquet",
        [
            ("caveat, ratings only", "caveat_elo", ()),
            ("evalica, ratings only", "evalica_elo", ()),
            ("caveat, the sequential kernels alone", "sequential_kernels", ()),
        ],
    ),
    "10 million votes of 100 models with four pairs of style columns: style held equal": (
        "style10m.parquet",
        [
            ("caveat, Bradley-Terry, sandwich errors", "caveat_style", ("bradley-terry",)),
            ("caveat, Davidson, sandwich errors", "caveat_style", ("auto",)),
            ("pyarrow scan of these columns, nothing else", "bare_scan_style", ()),
            ("arena-rank, no penalty, sandwich errors", "arena_rank_style", ()),
        ],
    ),
    "2 GB of samples of lm-evaluation-harness, choices with likelihoods: import": (
        f"samples_choices_{make_samples.STAMP}.jsonl",
        [
            ("caveat, all fields it uses, every row accounted for", "caveat_import", ()),
            ("json of the standard library, three fields", "json_import", ()),
            ("DuckDB, three fields", "duckdb_import", ("acc",)),
            ("pyarrow's JSON reader, one field kept", "pyarrow_import", ("acc",)),
        ],
    ),
    "2 GB of samples of lm-evaluation-harness, generated texts: import": (
        f"samples_texts_{make_samples.STAMP}.jsonl",
        [
            ("caveat, all fields it uses, every row accounted for", "caveat_import", ()),
            ("json of the standard library, three fields", "json_import", ()),
            ("DuckDB, three fields", "duckdb_import", ("exact_match",)),
            ("pyarrow's JSON reader, one field kept", "pyarrow_import", ("exact_match",)),
        ],
    ),
    "28 models x 12,032 items x 10 options: all pairs, after reading": (
        "responses28.parquet",
        [
            ("caveat, all figures", "caveat_agree", ()),
            ("lm-sim, CAPA only", "lm_sim_agree", ()),
        ],
    ),
    "1,000 models x 12,032 items x 10 options: all pairs, after reading": (
        "responses1000.parquet",
        [("caveat, all figures", "caveat_agree", ())],
    ),
    "28 models x 12,032 items x 10 options: scores and tests of all pairs": (
        "responses28.parquet",
        [
            ("caveat, all comparisons of `caveat agree`", "caveat_compare", ()),
            ("errorbars, leaderboard of 28 models", "errorbars_board", ()),
            ("evalstats, 5 models", "evalstats_compare", ("5",)),
            ("evalstats, 28 models", "evalstats_compare", ("28",)),
        ],
    ),
    "1,000 models x 12,032 items x 10 options: scores and tests of all pairs": (
        "responses1000.parquet",
        [("caveat, all comparisons of `caveat agree`", "caveat_compare", ())],
    ),
}


def inputs(work: Path) -> None:
    """Write the synthetic inputs that are not there yet."""
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "votes10m.parquet").exists():
        make_votes.main(str(work / "votes10m.parquet"))
    if not (work / "votes1m.parquet").exists():
        first = pq.read_table(work / "votes10m.parquet").slice(0, 1_000_000)
        pq.write_table(first, work / "votes1m.parquet")
    if not (work / "style10m.parquet").exists():
        make_style_votes.main(str(work / "style10m.parquet"))
    for kind in ("choices", "texts"):
        samples = work / f"samples_{kind}_{make_samples.STAMP}.jsonl"
        if not samples.exists():
            make_samples.main(str(samples), 2000, kind)
    for n in (28, 1000):
        if not (work / f"responses{n}.parquet").exists():
            make_responses.main(str(work / f"responses{n}.parquet"), n)


def median(runs: list[Run], field: str) -> float:
    """Middle value of one figure over the runs."""
    return statistics.median(getattr(one, field) for one in runs)


def times(ratio: float) -> str:
    """Format a ratio with two digits or all before the point."""
    return f"{ratio:.0f} x" if ratio >= 10 else f"{ratio:.2g} x"


def table(file: Path, tasks: list[tuple[str, str, tuple[str, ...]]], repeats: int) -> list[str]:
    """Run the tasks in turn, `repeats` times, and format their medians."""
    runs: dict[str, list[Run]] = {label: [] for label, _, _ in tasks}
    for _ in range(repeats):
        for label, task, more in tasks:
            runs[label].append(run(task, str(file), *more))
            print(f"  {label}: {runs[label][-1]}", flush=True)
    ours = median(runs[tasks[0][0]], "work")
    lines = [
        "| | start-up, CPU s | work, CPU s | whole, CPU s | peak, MB | work, ratio | result |",
        "|---|---|---|---|---|---|---|",
    ]
    for label, found in runs.items():
        stopped = any(math.isnan(one.work) for one in found)
        work = median(found, "total" if stopped else "work")
        over = "over " if stopped else ""
        figures = [
            "" if stopped else f"{median(found, 'startup'):.2f}",
            f"{over}{work:.2f}",
            f"{over}{median(found, 'total'):.2f}",
            f"{median(found, 'peak_mb'):.0f}",
            over + times(work / ours),
        ]
        cells = [label, *figures, found[0].check]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("demo/bench"))
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    inputs(options.work)
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Medians of "
        f"{options.repeats} runs, tasks in turn; CPU seconds are user and system time of all "
        "threads. Machines differ: read the ratios.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}; "
        + ", ".join(f"{p} {version(p)}" for p in PACKAGES)
        + ".",
    ]
    for title, (name, tasks) in SCENARIOS.items():
        print(title, flush=True)
        lines += ["", f"## {title}", "", *table(options.work / name, tasks, options.repeats)]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
