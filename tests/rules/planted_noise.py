"""AGR310 to AGR313: noise, equal scores that differ, relatives, prompts and parsers."""

from dataclasses import replace

from caveat.results.comparison.interchange import Criterion, Interchange, PairVerdict
from caveat.results.comparison.noise import ModelNoise, NoiseFloor, NoiseSource, PairNoise
from caveat.results.comparison.relatives import Family, KinshipTest, Relatives
from caveat.results.comparison.sensitivity import (
    ModelSpan,
    Sensitivity,
    VariantOrder,
    VariantSensitivity,
)


def source(kind="repeat"):
    row = ModelNoise(model="A", replicates=2, n=200, disagree=0.2, low=0.15, high=0.26)
    return NoiseSource(
        source=kind,
        variants=("1", "2") if kind != "host" else (),
        disagree=0.2,
        low=0.15,
        high=0.26,
        models=(row, replace(row, model="B", disagree=0.1)),
    )


def pair_noise(a="A", b="B", *, beyond=False, own="both"):
    excess = 0.2 if beyond else 0.01
    return PairNoise(
        a=a,
        b=b,
        n=200,
        disagree=0.2 + excess,
        floor=0.2,
        excess=excess,
        low=excess - 0.04,
        high=excess + 0.04,
        ratio=(0.2 + excess) / 0.2,
        own=own,
        beyond=beyond,
    )


def noise(within, matched, *, kind="repeat", left_out=None):
    pairs = (pair_noise(), pair_noise("A", "C", beyond=True, own="one"))
    return NoiseFloor(
        sources=(source(kind),),
        pairs=pairs,
        matched=matched,
        matched_within=within,
        points=0.05,
        considered=4,
        n_models=4,
        left_out=left_out or {},
        level=0.95,
    )


def criterion(name, state, estimate=0.0, **changes):
    base = Criterion(name=name, state=state, estimate=estimate, low=-0.004, high=0.004, limit=0.01)
    return replace(base, **changes)


def verdict(a="A", b="B", *, score="met", answers="open", tasks="met", spread=0.02, items=None):
    states = {score, answers, tasks}
    return PairVerdict(
        a=a,
        b=b,
        verdict="different"
        if "failed" in states
        else "undecided"
        if "open" in states
        else "interchangeable",
        n=200,
        disagree=0.3,
        equal_within=0.004,
        same_weights=False,
        criteria=(
            criterion("score", score),
            criterion("disagreement", answers, 0.1),
            criterion("tasks", tasks, spread),
        ),
        items=items,
    )


def interchange(*pairs, floor="repeat", clusters=(), tasks=5):
    verdicts = [pair.verdict for pair in pairs]
    return Interchange(
        pairs=pairs,
        clusters=clusters,
        counts={n: verdicts.count(n) for n in ("interchangeable", "undecided", "different")},
        floor=floor,
        considered=4,
        n_models=4,
        limits={"score": 0.01, "excess": 0.05, "tasks": 0.05, "disagree": float("nan")},
        tasks=tasks,
        level=0.95,
    )


def kinship(p=0.002, effect=0.05):
    row = Family(
        family="x",
        models=("A", "B"),
        pairs=1,
        effect=effect,
        p=p,
        p_adjusted=2 * p,
        disagree=0.3,
        disagree_less=0.04,
    )
    test = KinshipTest(
        measure="capa",
        within=0.4,
        between=0.3,
        effect=effect,
        p=p,
        disagree_within=0.3,
        disagree_between=0.35,
        disagree_less=0.04 if effect > 0 else -0.04,
        explained=0.7,
        pairs_within=1,
        pairs_between=5,
        shuffles=9_999,
        seed=0,
        families=(row,),
    )
    return Relatives(column="family", unplaced=2, test=test)


def sensitivity(p=0.5, *, first="A", changes=0.6, kind="prompt"):
    ranks = {"A": (1, 2), "B": (2, 1)} if first == "B" else {"A": (1, 1), "B": (2, 2)}
    spans = tuple(
        ModelSpan(model=m, scores=(0.7 - 0.1 * k, 0.55 - 0.1 * k), ranks=ranks[m], n=200)
        for k, m in enumerate("AB")
    )
    return Sensitivity(
        sources=(
            VariantSensitivity(
                source=kind,
                variants=(
                    VariantOrder(variant="plain", first="A", tau=1.0, turned=0, turned_surely=0),
                    VariantOrder(
                        variant="polite",
                        first=first,
                        tau=-1.0 if first == "B" else 1.0,
                        turned=int(first == "B"),
                        turned_surely=0,
                    ),
                ),
                models=spans,
                n_items=200,
                tau=-1.0 if first == "B" else 1.0,
                tau_expected=0.95,
                p=p,
                firsts=2 if first == "B" else 1,
                first_changes_expected=changes,
                share_items=0.2,
                share_common=0.3,
                share_own=0.5,
                sd_items=0.02,
                sd_common=0.025,
                sd_own=0.03,
                left_out={"D": "lacks a variant"},
                draws=1_000,
                seed=0,
            ),
        )
    )


def planted(make):
    def pair(fires, silent):
        return make.Planted(
            *(make.findings(benchmark=make.bench(parts=(part,))) for part in (fires, silent))
        )

    return {
        "AGR310": pair(noise(2, 4), noise(1, 4)),
        "AGR311": pair(
            interchange(verdict(tasks="failed", spread=0.09)),
            interchange(verdict(score="failed", tasks="failed"), verdict("A", "C")),
        ),
        "AGR312": pair(kinship(0.049), kinship(0.05)),
        "AGR313": pair(sensitivity(0.009, first="B"), sensitivity(0.01, first="B")),
    }
