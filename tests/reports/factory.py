"""Results made by hand, in the shapes that reports meet. The figures are invented."""

import math

import numpy as np

from caveat.results.agreement import Agreement, ModelScore, ScoreEstimate, Scores
from caveat.results.caveat import Caveat, Severity
from caveat.results.provenance import Account, Drop, Provenance, Source
from caveat.results.quality import (
    DegenerateItems,
    Duplicates,
    Fill,
    GoldConflict,
    MissingItems,
    ResponseQuality,
    UnparsedShare,
)
from caveat.results.ranking import Group, Lead, Ranking, RatedModel
from caveat.results.report import BenchmarkFindings, Findings, NotRun, Report

NAN = math.nan
HOSTILE = (
    '<script>alert("x")</script>',
    "</script><img src=x onerror=alert(1)>",
    "a'b\"c&amp;d",
    "two\nlines\r\n\ttab",
    "\u202egnp.exe",
    "\x1b[31mred\x1b[0m",
    "[bold red]markup[/bold red]",
    "{{ 7 * 7 }}{% raw %}",
    "نموذج",
    "line\u2028separator\x00nul",
    "lone\ud800surrogate",
    "]]>--><!--",
)


def names(count):
    stems = ("atlas", "borealis-instruct", "cedar-chat", "delta-mini", "ember-large-preview")
    return tuple(f"{stems[i % 5]}-{i // 5 + 1}" for i in range(count))


def rated(name, place, *, rating=None, tier=None, spread=6.0):
    value = 1280.0 - 4.1 * place if rating is None else rating
    return RatedModel(
        model=name,
        rating=value,
        se=spread / 2,
        low=value - spread,
        high=value + spread,
        rank_low=max(1, place - 2),
        rank_high=place + 2,
        tier=tier or 1 + (place - 1) // 5,
        n_votes=9000 - 40 * place,
        n_opponents=12,
    )


def unrated(name):
    return RatedModel(
        model=name,
        rating=NAN,
        se=NAN,
        low=NAN,
        high=NAN,
        rank_low=0,
        rank_high=0,
        tier=None,
        n_votes=12,
        n_opponents=1,
        reason="never lost a vote",
    )


EIGHT = names(8)


def ranking(models=EIGHT, *, with_unrated=False, met=0.8):
    rows = [rated(name, i + 1, spread=4.0 + i % 7) for i, name in enumerate(models)]
    if with_unrated:
        rows.append(unrated("newcomer"))
    m = len(rows)
    random = np.random.default_rng(7)
    votes = np.triu(random.integers(40, 900, (m, m)) * (random.random((m, m)) < met), 1)
    votes = (votes + votes.T).astype(float)
    rating = np.array([row.rating if math.isfinite(row.rating) else 1000.0 for row in rows])
    share = 1 / (1 + 10 ** ((rating[None, :] - rating[:, None]) / 200))
    wins = np.triu(np.round(votes * share * 2) / 2, 1)
    wins = wins + np.tril(votes - wins.T, -1)
    main = tuple(models)
    groups = (Group(models=main, relation="main", n_votes=int(votes.sum() / 2)),)
    if with_unrated:
        groups += (Group(models=("newcomer",), relation="unbeaten", n_votes=12),)
    lead = None
    if len(models) > 1:
        lead = Lead(
            leader=models[0],
            runner_up=models[1],
            difference=4.1,
            se=2.05,
            z=2.0,
            win_probability=0.506,
            separable=False,
        )
    return Ranking(
        method="bradley-terry",
        models=tuple(rows),
        n_votes=int(votes.sum() / 2),
        lead=lead,
        groups=groups,
        wins=wins,
        votes=votes,
        level=0.95,
        critical=3.4,
        interval="sandwich",
        n_bootstrap=0,
        n_bootstrap_failed=0,
        converged=True,
        iterations=6,
        order_known=True,
        seed=0,
    )


def estimate(score, n=1000):
    return ScoreEstimate(
        score=score, se=0.012, low=score - 0.024, high=score + 0.024, n=n, n_clusters=n, method="t"
    )


def scores(models=EIGHT, *, tasks=("biology", "law", "maths"), benchmark="mmlu-pro"):
    return Scores(
        benchmark=benchmark,
        models=tuple(
            ModelScore(
                model=name,
                n=1000,
                unparsed=3 * i,
                refused=0,
                errors=0,
                missing=i % 3,
                unscored=0,
                overall=estimate(0.82 - 0.5 * i / max(len(models), 8)),
                tasks={t: estimate(0.8 - 0.4 * i / max(len(models), 8), 300) for t in tasks},
            )
            for i, name in enumerate(models)
        ),
        n_items=1000,
        level=0.95,
    )


def agreement(models=EIGHT, *, benchmark="mmlu-pro"):
    m = len(models)
    score = 0.82 - 0.5 * np.arange(m) / max(m, 8)
    group = np.arange(m) % 4
    gap = np.abs(score[:, None] - score[None, :])
    disagree = 0.28 + 0.9 * gap + 0.12 * (group[:, None] != group[None, :])
    disagree = np.clip(disagree, 0, 0.95)
    np.fill_diagonal(disagree, 0.0)
    return Agreement(
        benchmark=benchmark,
        models=tuple(models),
        policy="drop",
        n=np.full((m, m), 980.0),
        disagree=disagree,
        low=disagree - 0.03,
        high=disagree + 0.03,
        both_wrong=np.full((m, m), 0.2),
        same_wrong=np.full((m, m), 0.08),
        one_right=np.full((m, m), 0.2),
        limits={
            name: (np.full((m, m), share - 0.02), np.full((m, m), share + 0.02))
            for name, share in (("both_wrong", 0.2), ("same_wrong", 0.08), ("one_right", 0.2))
        },
        kappa=1 - disagree,
        capa=np.full((m, m), NAN),
        error_consistency=np.full((m, m), 0.4),
        feasible_low=gap,
        feasible_high=np.minimum(1.0, 2.0 - score[:, None] - score[None, :]),
        position=np.clip(disagree, 0, 1),
        score=score,
        common_score=np.repeat(score[:, None], m, axis=1),
        pair_score=np.repeat(score[:, None], m, axis=1),
        order=tuple(int(i) for i in np.argsort(group, kind="stable")),
        level=0.95,
        reasons={"capa": "needs the number of options of each item"},
    )


def quality(models=EIGHT, *, benchmark="mmlu-pro", sound=False):
    if sound:
        return ResponseQuality(benchmark=benchmark, n_models=len(models), n_items=1000)
    return ResponseQuality(
        benchmark=benchmark,
        n_models=len(models),
        n_items=1000,
        missing=(MissingItems(model=models[0], missing=40, items=1000, tasks=(("law", 40, 300),)),),
        unparsed=(UnparsedShare(model=models[0], unparsed=30, n=1000, share=0.03),),
        fills=(
            Fill(
                model=models[0],
                reference="prediction",
                unparseable=50,
                filled=50,
                answer="G",
                n_answer=50,
                expected=0.1,
                p=1e-30,
                constant=True,
                correct=6,
            ),
        ),
        gold=GoldConflict(items=2, n_items=1000, examples=(("q1", ("A", "B")),)),
        degenerate=DegenerateItems(one_option=3, gold_outside=1, n_items=1000),
        skipped=(("DAT105 gold differs", "no gold answers"),),
    )


def benchmark(models=EIGHT, *, name="mmlu-pro", sound=False):
    return BenchmarkFindings(
        scores=scores(models, benchmark=name),
        agreement=agreement(models, benchmark=name),
        quality=quality(models, benchmark=name, sound=sound),
    )


def caveat(code="RNK201", severity=Severity.WARNING, **fields):
    given = {
        "subject": "ranks 1 to 4",
        "claim": "4 models cannot be told apart: the widest gap among them is 12 points (z = 2.1).",
        "evidence": {"models": ["atlas-1", "cedar-chat-1"], "z": 2.1, "critical": 3.4},
        "remedy": "Speak of a leading group, or collect about 3,000 more votes among them.",
        "sources": ("votes.parquet",),
    }
    return Caveat(code=code, severity=severity, **(given | fields))


CAVEATS = (
    caveat(
        code="DAT104",
        severity=Severity.SERIOUS,
        subject="atlas-1",
        claim="50 of 50 answers that hold no choice carry the letter G, where 10% would be usual.",
        evidence={"filled": 50, "answer": "G", "p": 1e-30, "constant": True},
        remedy="Score these rows as unparsed, and correct the published score.",
        sources=("answers.jsonl",),
    ),
    caveat(),
    caveat(
        code="AGR101",
        subject="mmlu-pro",
        claim="Models within 5 points of each other differ on 28.6 to 66.8% of items.",
        evidence={
            "pairs": [
                {"a": "atlas-1", "b": "cedar-chat-1", "disagree": 0.412, "n": 980},
                {"a": "atlas-1", "b": "delta-mini-1", "disagree": 0.39, "n": 981},
            ]
        },
        remedy="Do not swap one for the other on the strength of the score.",
        sources=("answers.jsonl",),
    ),
    caveat(
        code="CST101",
        severity=Severity.NOTICE,
        subject="8 models",
        claim="No price is known for 8 of 8 models.",
        evidence={},
        remedy="Add a models table with price_input and price_output.",
        sources=(),
    ),
)


def provenance():
    return Provenance(
        sources=(
            Source(
                name="votes.parquet", sha256="ab" * 32, size=1234567, importer="tidy", kind="votes"
            ),
            Source(name="frame", importer="memory", kind="responses"),
        ),
        account=Account(
            rows_read=10_100,
            kept=10_000,
            drops=(Drop(reason="a model against itself", count=100, examples=("row 3", "row 9")),),
        ),
        notices=("3 identifiers were matched across Unicode normal forms",),
    )


def report(**fields):
    given = {
        "title": "Arena votes and MMLU-Pro answers",
        "verdict": (
            "The first 4 ranks are not separable, and models of equal score "
            "differ on up to two thirds of the items."
        ),
        "findings": Findings(
            ranking=ranking(with_unrated=True),
            benchmarks=(benchmark(),),
            duplicates=(
                Duplicates(kind="votes", count=5, rows_read=10_100, examples=("battle 7",)),
            ),
            model_names=names(8),
        ),
        "caveats": CAVEATS,
        "not_run": (
            NotRun(check="VOT101 a few voters carry the result", why="votes name no voters"),
        ),
        "settings": {"level": 0.95, "seed": 20240101, "policy": "drop", "select": []},
        "versions": {"caveat": "0.1.0", "python": "3.11.2", "numpy": "2.4.6"},
        "command": "caveat report votes.parquet answers.jsonl --seed 20240101",
        "created": "2026-01-31T12:00:00Z",
        "provenance": provenance(),
    }
    return Report(**(given | fields))


def empty_report():
    return report(findings=Findings(), caveats=(), provenance=Provenance(), not_run=())


def votes_only(models=EIGHT, **fields):
    return report(findings=Findings(ranking=ranking(models, **fields), model_names=tuple(models)))


def responses_only(models=EIGHT):
    return report(findings=Findings(benchmarks=(benchmark(models),), model_names=tuple(models)))


def hostile_report(models=HOSTILE):
    first = models[0]
    return report(
        title=f"About {first}",
        verdict=f"{first} leads.",
        findings=Findings(
            ranking=ranking(models),
            benchmarks=(benchmark(models, name=first),),
            model_names=tuple(models),
        ),
        caveats=tuple(
            caveat(subject=name, claim=f"{name} is odd.", evidence={name: name, "models": [name]})
            for name in models
        ),
        not_run=(NotRun(check=first, why=first),),
        settings={first: first},
        versions={first: first},
        command=f"caveat report {first}",
    )
