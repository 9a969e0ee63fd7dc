"""DAT111 to DAT122 and CST502: signs that responses are not what they seem."""

from caveat.results.data_checks import (
    Alike,
    Break,
    Canary,
    Contradicted,
    DataChecks,
    FlatCost,
    LostFormat,
    NotAtRandom,
    OptionsDiffer,
    Repeated,
    Shuffled,
    Unmatched,
    Zeros,
)
from caveat.results.quality import Reading

LOST = LostFormat(
    model="A", reading="full", n=200, score=0.5, other_score=0.6, gain=0.1, usual=0.01
)
ABSENT = NotAtRandom(
    model="A",
    missing=20,
    items=200,
    score_missing=0.2,
    score_present=0.6,
    z=-8.0,
    tasks=(("t1", 18, 20),),
    p_tasks=1e-9,
)
FAR = Unmatched(
    model="A",
    task="",
    metric="",
    published=0.95,
    computed=0.9,
    low=0.89,
    high=0.9,
    reading="mean over items",
    n=200,
    source="",
)


def gained(gain, excess=0.05):
    return Break(
        model="A",
        column="split",
        part="split = public",
        n=100,
        n_rest=100,
        gain=gain,
        low=gain - 0.01,
        high=gain + 0.01,
        p=1e-6,
        p_adjusted=4e-6,
        excess=excess,
    )


def wrong(scores):
    return Contradicted(model="A", n=10000, right_scored_wrong=scores, wrong_scored_right=0)


def read(metric, used):
    return Reading(metric=metric, filter="", rows=200, used=used)


def planted(make):
    """Pairs by code."""

    def pair(fires, silent=None):
        return make.Planted(
            *(
                make.findings(benchmark=make.bench(parts=(DataChecks(**found),)))
                for found in (fires, silent or {})
            )
        )

    return {
        "DAT111": pair(
            {"readings": (read("acc", 200), read("acc_norm", 0))},
            {"readings": (read("acc", 200), read("f1", 200))},  # of tasks of their own
        ),
        "DAT112": pair({"lost": (LOST,)}),
        "DAT113": pair(
            {"shuffled": Shuffled(models=("A",), n=300, differ=0.75, others_differ=0.0)}
        ),
        "DAT114": pair({"not_at_random": (ABSENT,)}),
        "DAT115": pair(
            {"repeated": (Repeated(by="doc_hash", groups=(("4", "5"),), items=1, n_items=200),)}
        ),
        "DAT116": pair({"zeros": (Zeros(column="cost_usd", models=("A",), n=200, others=3),)}),
        "DAT117": pair(
            {"alike": (Alike(a="A", b="B", n=200, same=200, both_wrong=60, what="answers"),)}
        ),
        "DAT118": pair({"unmatched": (FAR,), "published": 2}, {"published": 2}),
        "DAT119": pair({"contradicted": (wrong(10),)}, {"contradicted": (wrong(9),)}),
        "DAT120": pair({"breaks": (gained(0.02),)}, {"breaks": (gained(0.019),)}),
        "DAT121": pair({"canaries": (Canary(model="A", answers=1, example="q9"),)}),
        "DAT122": pair({"options": OptionsDiffer(items=1, n_items=200, examples=(("q1", 3, 4),))}),
        "CST502": pair(
            {"flat_cost": FlatCost(models=5, ratio=1.2, n=200, token_ratio=float("nan"))}
        ),
    }
