"""AGR303 to AGR305: scores that are not apart, weights of tasks, and items that a model lacks."""

from dataclasses import replace

import numpy as np

from caveat.data.matrix import ResponseMatrix
from caveat.stats.comparison.paired import paired_tests
from caveat.stats.scores.accuracy import scores


def matrix(score, task=None):
    n, m = score.shape
    return ResponseMatrix(
        benchmark="quiz",
        models=tuple("ABCD"[:m]),
        items=tuple(str(k) for k in range(n)),
        labels=(),
        tasks=("small", "large") if task is not None else (),
        answer=np.zeros((n, m), dtype=np.int32),
        score=score,
        status=np.where(np.isfinite(score), 0, -1).astype(np.int32),
        task=task,
        cluster=None,
        n_options=np.full(n, 4.0),
        has_answers=True,
        repeated=0,
    )


def staircase(*right, n=200):
    """Each model right on the first so many items."""
    return (np.arange(n)[:, None] < np.array(right)).astype(float)


def planted(make):
    def found(score, task=None):
        made = matrix(score, task)
        told = replace(scores(made), provenance=make.provenance("responses"))
        plain = make.bench(parts=(paired_tests(made),))
        return make.findings(benchmark=replace(plain, scores=told))

    apart, near = staircase(180, 140, 100, 60), staircase(180, 178, 100, 60)

    task = np.repeat([1, 0], [160, 40]).astype(np.int32)  # 160 items of the large one first
    weighed = staircase(0, 0, 60, 40)
    weighed[:, 1] = np.repeat([1.0, 0.0, 1.0], [95, 65, 40])  # B: 59 % of it, all of the small
    weighed[:, 0] = np.repeat([1.0, 0.0], [160, 40])  # A: all of the large task, none of the small

    lacking = staircase(150, 140, 100, 60)
    easier = lacking.copy()
    easier[150:, 1] = np.nan  # B: 140 of 150, and behind A on those
    harmless = lacking.copy()
    harmless[:3, 1] = np.nan
    return {
        "AGR303": make.Planted(found(near), found(apart)),
        "AGR304": make.Planted(found(weighed, task), found(apart, task)),
        "AGR305": make.Planted(found(easier), found(harmless)),
    }
