"""AGR315 to AGR317: probably wrong keys, items that tell nobody apart, votes that are wrong."""

from dataclasses import replace

import numpy as np

from caveat.results.comparison.crowd import Crowd, MajoritySize, SharedErrors
from caveat.results.comparison.items import Ability, ItemColumns, Items

FIVE = ("A", "B", "C", "D", "E")


def items(*, suspected=0, all_right=40, n=200, models=FIVE, **changes):
    """Items of which the first so many have a probably wrong key, answered b instead of a."""
    floats = np.zeros(n)
    ints = np.zeros(n, dtype=np.int64)
    marked = np.arange(n) < suspected
    columns = {name: floats for name in ItemColumns.__slots__}
    columns |= {
        "n": ints + len(models),
        "right": floats + 0.5,
        "key": ints,
        "wrong_answer": ints + 1,
        "wrong_number": ints + 3,
        "answered": ints + 5,
        "rival": ints + 1,
        "rival_number": ints + 3,
        "key_number": ints + 2,
        "rival_ability": floats + 0.8,
        "key_ability": floats - 0.9,
        "log10_e": np.where(marked, 4.5, -1.0),
        "suspected": marked,
    }
    fields = {
        "benchmark": "quiz",
        "models": models,
        "items": tuple(f"q{k:03d}" for k in range(n)),
        "answers": ("a", "b"),
        "tasks": (),
        "columns": ItemColumns(**columns),
        "grades": np.zeros((n, len(models)), dtype=np.int8),
        "abilities": tuple(
            Ability(model=m, n=n, score=0.5, ability=0.0, low=-0.1, high=0.1) for m in models
        ),
        "fits": (),
        "chosen": "rasch",
        "n_scored": n,
        "all_right": all_right,
        "all_wrong": 10,
        "all_same_wrong": 2,
        "effective": 120.0,
        "matched_pairs": 0,
        "judged": n,
        "suspected": suspected,
        "margin": 0.05,
        "fdr": 0.05,
        "level": 0.95,
        "reasons": {"discrimination": "no evidence", "splits": "no pair"},
    }
    return Items(**(fields | changes))


def agreed(*, items=100, wrong=6, low=0.875):
    return MajoritySize(
        from_share=1.0,
        to_share=1.0,
        items=items,
        wrong=wrong,
        accuracy=1.0 - wrong / items,
        low=low,
        high=1.0 - wrong / items + 0.03,
        if_independent=0.9999,
    )


def crowd(*, models=FIVE, unanimous=None, **changes):
    fields = {
        "benchmark": "quiz",
        "models": models,
        "left_out": (),
        "n_items": 200,
        "best_single": 0.8,
        "plurality": 0.78,
        "low": 0.72,
        "high": 0.83,
        "tied": 4,
        "by_size": (),
        "by_majority": (unanimous or agreed(),),
        "unanimous": unanimous or agreed(),
        "errors": SharedErrors(
            models=len(models),
            mean_correlation=0.4,
            design_effect=2.6,
            effective=1.9,
            effective_spectral=2.8,
            majority=0.75,
            majority_if_independent=0.9,
            majority_if_correlated=0.76,
        ),
        "trios": None,
        "level": 0.95,
        "seed": 0,
    }
    return Crowd(**(fields | changes))


def with_part(make, part):
    return make.findings(benchmark=replace(make.bench(), parts=(part,)))


def planted(make):
    """Pairs by code."""
    return {
        "AGR315": make.Planted(
            with_part(make, items(suspected=1)), with_part(make, items(suspected=0))
        ),
        "AGR316": make.Planted(
            with_part(make, items(all_right=90)),  # 100 of 200
            with_part(make, items(all_right=89)),
        ),
        "AGR317": make.Planted(
            with_part(make, crowd()),
            with_part(make, crowd(unanimous=agreed(wrong=3))),  # 97% plus 3 points
        ),
    }
