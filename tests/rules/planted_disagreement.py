"""AGR306 to AGR308: errors in common, policies for unparsed answers, tasks."""

from dataclasses import replace

from caveat.results.comparison.disagreement import (
    Disagreement,
    PairErrors,
    PolicyRange,
    TaskRange,
)
from caveat.results.comparison.group_agreement import Bounded, GroupAgreement

FIVE = ("A", "B", "C", "D", "E")


def policy(name, lowest, median, highest):
    return PolicyRange(
        policy=name,
        n_pairs=3,
        lowest=lowest,
        median=median,
        highest=highest,
        lowest_pair=("A", "B"),
        highest_pair=("B", "C"),
        fewest=180,
        most=200,
    )


def task(name, median, n_items=60):
    return TaskRange(
        task=name,
        n_items=n_items,
        n_pairs=3,
        lowest=median - 0.1,
        median=median,
        highest=median + 0.1,
        share=0.5,
        share_items=0.5,
    )


def everyone(models=FIVE):
    half = Bounded(value=0.5, low=0.4, high=0.6)
    return GroupAgreement(
        kind="all",
        group="all models",
        models=models,
        policy="drop",
        weights="nominal",
        observed=half,
        fleiss=half,
        gwet=half,
        alpha=half,
        n_items=200,
        n_dropped=0,
        n_answers=1000,
        n_labels=4,
        n_clusters=200,
        level=0.95,
    )


def errors(capa):
    return PairErrors(
        n_pairs=10,
        min_items=100,
        capa=(0.0, capa, 0.6),
        error_consistency=(0.0, 0.3, 0.6),
        same_when_wrong=0.35,
        same_by_chance=1 / 3,
        most_alike=(),
    )


def disagreement(**changes):
    fields = {
        "benchmark": "quiz",
        "policy": "drop",
        "level": 0.95,
        "points": 0.05,
        "min_items": 30,
        "min_task_items": 10,
        "n_pairs": 10,
        "n_matched": 3,
        "over": "matched",
        "n_judged": 3,
        "policies": (
            policy("drop", 0.28, 0.40, 0.60),
            policy("as-disagreement", 0.30, 0.42, 0.64),
            policy("as-option", 0.29, 0.41, 0.62),
        ),
        "tasks": (task("law", 0.55), task("maths", 0.40)),
        "pairs": (),
        "groups": (everyone(),),
        "shared": errors(0.1),
    }
    return Disagreement(**(fields | changes))


def planted(make):
    """Pairs by code."""

    def found(**changes):
        part = disagreement(**changes)
        return make.findings(benchmark=replace(make.bench(), parts=(part,)))

    rest = disagreement().policies[1:]
    return {
        "AGR306": make.Planted(found(shared=errors(0.21)), found(shared=errors(0.19))),
        "AGR307": make.Planted(
            found(policies=(policy("drop", 0.28, 0.40, 0.58), *rest)),  # 0.64 - 0.58: 6 points
            found(policies=(policy("drop", 0.28, 0.40, 0.60), *rest)),
        ),
        "AGR308": make.Planted(
            found(tasks=(task("law", 0.56), task("maths", 0.30))),
            found(tasks=(task("law", 0.56), task("maths", 0.30, n_items=49))),
        ),
    }
