"""Small findings to plant things in; for each code one that fires and one that must not."""

import runpy
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from caveat.results.agreement import Agreement, ModelScore, ScoreEstimate, Scores
from caveat.results.provenance import Provenance, Source
from caveat.results.quality import (
    DegenerateItems,
    Duplicates,
    Fill,
    GoldConflict,
    MissingItems,
    ResponseQuality,
    UnparsedShare,
)
from caveat.results.ranking import (
    Dependence,
    Group,
    Judge,
    Judges,
    Lead,
    Ranking,
    RatedModel,
)
from caveat.results.report import BenchmarkFindings, Findings

MODELS = ("A", "B", "C", "D")


def provenance(kind):
    return Provenance(sources=(Source(name=f"{kind}.csv", importer="tidy", kind=kind),))


def rated(model="A", *, rank=1, tier=1, **changes):
    """One model with a narrow interval and a rank of its own."""
    rating = 1100.0 - 50 * rank
    base = RatedModel(
        model=model,
        rating=rating,
        se=5.0,
        low=rating - 10,
        high=rating + 10,
        rank_low=rank,
        rank_high=rank,
        tier=tier,
        n_votes=1200,
        n_opponents=3,
    )
    return replace(base, **changes)


def unrated(model):
    nan = float("nan")
    return rated(model, tier=None, rating=nan, se=nan, low=nan, high=nan, reason="unbeaten")


def lead(*, z=5.6, separable=True, difference=14.0):
    return Lead(
        leader="A",
        runner_up="B",
        difference=difference,
        se=difference / z,
        z=z,
        win_probability=0.52,
        separable=separable,
    )


def board(models=None, *, tiers=None, **changes):
    """Four models, each apart from the next, 400 votes between any two."""
    if models is None:
        models = [
            rated(m, rank=k, tier=(tiers or (1, 2, 3, 4))[k - 1])
            for k, m in enumerate(MODELS, start=1)
        ]
    m = len(models)
    votes = 400.0 * (1 - np.eye(m))
    base = Ranking(
        method="bradley-terry",
        models=tuple(models),
        n_votes=int(votes.sum() / 2),
        lead=lead(),
        groups=(Group(models=tuple(x.model for x in models), relation="main", n_votes=2400),),
        wins=votes / 2,
        votes=votes,
        level=0.95,
        critical=3.1,
        interval="sandwich",
        n_bootstrap=0,
        n_bootstrap_failed=0,
        converged=True,
        iterations=5,
        order_known=True,
        seed=0,
        provenance=provenance("votes"),
    )
    return replace(base, **changes)


def shared(column="item", *, z=4.0, ratio=1.1, n_clusters=200, critical=3.2):
    """The lead with the votes of one item together; harmless as it stands."""
    return Dependence(
        column=column,
        n_votes=2400,
        n_clusters=n_clusters,
        votes_per_cluster=2400 / n_clusters,
        largest=30,
        se=14.0 / z,
        z=z,
        error_ratio=ratio,
        critical=critical,
        separable=z > critical,
    )


def judged(*shares, ranked=0.0, models=()):
    """Judges j1, j2, ... with shares of the votes; the first of them are the models given."""
    return Judges(
        n_judges=len(shares),
        n_unnamed=0,
        listed=tuple(
            Judge(
                judge=f"j{k}",
                n_votes=round(2400 * share),
                share=share,
                model=models[k - 1] if k <= len(models) else None,
                lead=lead() if 0.05 <= share < 1 else None,
            )
            for k, share in enumerate(shares, start=1)
        ),
        ranked_share=ranked,
    )


def estimate(score=0.5, *, n=200, method="t", reason=""):
    return ScoreEstimate(
        score=score,
        se=0.03,
        low=score - 0.06,
        high=score + 0.06,
        n=n,
        n_clusters=n,
        method=method,
        reason=reason,
    )


def model_score(model, score, *, n=200, method="t"):
    return ModelScore(
        model=model,
        n=n,
        unparsed=0,
        refused=0,
        errors=0,
        missing=0,
        unscored=0,
        overall=estimate(score, n=n, method=method),
    )


def agreement(scores=(0.9, 0.7, 0.5, 0.3), *, n=200, disagree=0.5, low=None, models=MODELS):
    """All pairs alike, except for their scores."""
    m = len(scores)
    full = np.full((m, m), 1.0)
    low = disagree - 0.07 if low is None else low
    return Agreement(
        benchmark="quiz",
        models=tuple(models[:m]),
        policy="drop",
        n=full * n,
        disagree=full * disagree,
        low=full * low,
        high=full * (disagree + 0.07),
        both_wrong=full * 0.1,
        same_wrong=full * 0.05,
        one_right=full * 0.3,
        limits={
            name: (full * (share - 0.02), full * (share + 0.02))
            for name, share in (("both_wrong", 0.1), ("same_wrong", 0.05), ("one_right", 0.3))
        },
        kappa=full * 0.5,
        capa=full * 0.5,
        error_consistency=full * 0.5,
        feasible_low=full * 0.0,
        feasible_high=full * 1.0,
        position=full * disagree,
        score=np.array(scores, dtype=float),
        common_score=full * np.array(scores, dtype=float)[:, None],
        pair_score=full * np.array(scores, dtype=float)[:, None],
        order=tuple(range(m)),
        level=0.95,
        provenance=provenance("responses"),
    )


def bench(*, pairs=None, scores=(0.9, 0.7, 0.5, 0.3), method="t", name="quiz", parts=(), **quality):
    """Four models far apart in score on 200 items, with nothing wrong in the data."""
    pairs = agreement(scores) if pairs is None else pairs
    return BenchmarkFindings(
        scores=Scores(
            benchmark=name,
            models=tuple(
                model_score(m, s, method=method)
                for m, s in zip(pairs.models, pairs.score.tolist(), strict=True)
            ),
            n_items=200,
            level=0.95,
            provenance=provenance("responses"),
        ),
        agreement=replace(pairs, benchmark=name),
        quality=replace(
            ResponseQuality(
                benchmark=name,
                n_models=len(pairs.models),
                n_items=200,
                provenance=provenance("responses"),
            ),
            **quality,
        ),
        parts=tuple(parts),
    )


def with_unscored(number):
    """The last model has that many answers without a score beside 150 scored ones."""
    plain = bench()
    *others, last = plain.scores.models
    models = (*others, replace(last, n=150, unscored=number))
    return replace(plain, scores=replace(plain.scores, models=models))


def fill(model="A", *, constant=True, filled=40, answer="G", **changes):
    base = Fill(
        model=model,
        reference="prediction_strict",
        unparseable=50,
        filled=filled,
        answer=answer,
        n_answer=filled,
        expected=0.09,
        p=1e-9 if constant else 0.4,
        constant=constant,
        correct=4,
        chance=0.1,
        p_chance=0.6,
    )
    return replace(base, **changes)


def gap(model="A", missing=3, *, items=200, tasks=()):
    return MissingItems(model=model, missing=missing, items=items, tasks=tasks)


def unparsed(model="A", share=0.06, *, n=200):
    return UnparsedShare(model=model, unparsed=round(share * n), n=n, share=share)


# ---- all together ------------------------------------------------------------------

PRICES = {m: {"price_input": 1.0, "price_output": 0.0} for m in MODELS}


def findings(*, ranking=None, benchmark=None, **changes):
    """Votes, responses and prices without a fault."""
    base = Findings(
        ranking=ranking or board(),
        benchmarks=(benchmark or bench(),),
        models=PRICES,
        model_names=MODELS,
    )
    return replace(base, **changes)


@dataclass(frozen=True)
class Planted:
    """`fires` raises exactly one caveat of the code; `silent` differs little and raises none."""

    fires: Findings
    silent: Findings


def duplicates(count):
    return findings(duplicates=(Duplicates(kind="votes", count=count, rows_read=2400),))


def split_board():
    """E beat all others in every vote: it stays outside."""
    four = [rated(m, rank=k, tier=k) for k, m in enumerate(MODELS, start=1)]
    groups = (
        Group(models=MODELS, relation="main", n_votes=2400),
        Group(models=("E",), relation="unbeaten", n_votes=400),
    )
    return board([*four, unrated("E")], groups=groups)


def thin_board(n_votes):
    """D met A `n_votes` times, B 400 times and C never."""
    votes = 400.0 * (1 - np.eye(4))
    votes[3] = votes[:, 3] = (n_votes, 400, 0, 0)
    return board(votes=votes)


def weak_board(n_votes):
    four = [rated(m, rank=k, tier=k) for k, m in enumerate(MODELS, start=1)]
    return board([*four[:3], replace(four[3], n_votes=n_votes)])


def planted_data():
    return {
        "DAT101": Planted(
            findings(benchmark=bench(missing=(gap(missing=3),))),
            findings(benchmark=bench(missing=(gap(missing=0),))),
        ),
        "DAT102": Planted(duplicates(3), duplicates(0)),
        "DAT103": Planted(
            findings(benchmark=bench(unparsed=(unparsed(share=0.05),))),
            findings(benchmark=bench(unparsed=(unparsed(share=0.045),))),
        ),
        "DAT104": Planted(
            findings(benchmark=bench(fills=(fill(),))),
            findings(benchmark=bench(fills=(fill(filled=9),))),
        ),
        "DAT105": Planted(
            findings(benchmark=bench(gold=GoldConflict(items=1, n_items=200))),
            findings(benchmark=bench(gold=GoldConflict(items=0, n_items=200))),
        ),
        "DAT106": Planted(
            findings(
                benchmark=bench(
                    degenerate=DegenerateItems(one_option=1, gold_outside=0, n_items=200)
                )
            ),
            findings(
                benchmark=bench(
                    degenerate=DegenerateItems(one_option=0, gold_outside=0, n_items=200)
                )
            ),
        ),
        "DAT108": Planted(few_clusters(29), few_clusters(30)),
        "DAT107": Planted(
            findings(
                benchmark=bench(pairs=agreement((1.0, 1.0, 1.0, 1.0), disagree=0.0), method="exact")
            ),
            findings(
                benchmark=bench(pairs=agreement((1.0, 1.0, 1.0, 0.0), disagree=0.0), method="exact")
            ),
        ),
        "DAT110": Planted(
            findings(benchmark=with_unscored(2)),
            findings(benchmark=with_unscored(1)),
        ),
        "DAT109": Planted(
            findings(benchmark=bench(score_low=0.0, score_high=87.5)),
            findings(benchmark=bench(score_low=0.0, score_high=1.0)),
        ),
    }


def planted_votes():
    return {
        "RNK201": Planted(
            findings(ranking=board(tiers=(1, 1, 2, 3), lead=lead(z=1.2, separable=False))),
            findings(ranking=board(tiers=(1, 2, 2, 3))),
        ),
        "RNK202": Planted(findings(ranking=split_board()), findings(ranking=board())),
        "RNK203": Planted(
            findings(ranking=thin_board(40)),  # 400 of 440 votes against B are 91%
            findings(ranking=thin_board(45)),  # 400 of 445 are 89.9%
        ),
        "RNK204": Planted(findings(ranking=weak_board(99)), findings(ranking=weak_board(100))),
        "RNK205": Planted(
            findings(ranking=board(order_known=False)),
            findings(ranking=board(order_known=True)),
        ),
        "RNK206": Planted(
            findings(ranking=board(dependence=(shared(z=2.6),))),
            findings(ranking=board(dependence=(shared(ratio=1.2, n_clusters=20),))),
        ),
        "RNK207": Planted(
            findings(ranking=board(judges=judged(0.95, 0.05))),
            findings(ranking=board(judges=judged(0.96, 0.04))),
        ),
        "RNK208": Planted(
            findings(ranking=board(converged=False)),
            findings(ranking=board(n_bootstrap=100, n_bootstrap_failed=0)),
        ),
    }


def few_clusters(n_clusters):
    """Model A has a clustered error."""
    sound = bench()
    first, *others = sound.scores.models
    overall = replace(first.overall, method="clustered", n_clusters=n_clusters)
    models = (replace(first, overall=overall), *others)
    return findings(benchmark=replace(sound, scores=replace(sound.scores, models=models)))


def planted_answers_and_costs():
    matched = (0.90, 0.86, 0.5, 0.3)
    return {
        "AGR301": Planted(
            findings(benchmark=bench(pairs=agreement(matched, disagree=0.3))),
            findings(benchmark=bench(pairs=agreement(matched, disagree=0.12, low=0.09))),
        ),
        "AGR302": Planted(
            findings(benchmark=bench(pairs=agreement(n=29))),
            findings(benchmark=bench(pairs=agreement(n=30))),
        ),
        "CST501": Planted(
            findings(models={**PRICES, "D": {"price_input": 1.0, "price_output": None}}),
            findings(models=PRICES),
        ),
    }


@pytest.fixture(name="planted", scope="session")
def _planted():
    """One pair for each code: those above, and those of each `planted_*.py` beside this file."""
    pairs = planted_data() | planted_votes() | planted_answers_and_costs()
    for path in sorted(Path(__file__).parent.glob("planted_*.py")):
        pairs |= runpy.run_path(str(path))["planted"](builders())
    return pairs


def builders():
    """The small builders above, by name."""
    functions = (
        *(estimate, shared, judged, Planted, replace, provenance),
        *(findings, board, rated, unrated, lead, split_board, weak_board),
        *(bench, agreement, model_score, fill, gap, unparsed),
    )
    return SimpleNamespace(**{function.__name__: function for function in functions})


@pytest.fixture(scope="session")
def make():
    """The small builders above, by name."""
    return builders()
