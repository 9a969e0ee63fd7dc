"""AGR320 to AGR323: few items, few choices, loose ranks, a lucky leader."""

import numpy as np

from caveat.data.matrix import ResponseMatrix
from caveat.stats.comparison.choices import choices
from caveat.stats.comparison.item_removal import item_removal
from caveat.stats.comparison.rank_intervals import rank_intervals
from caveat.stats.comparison.winner import winners_curse


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
        status=np.zeros((n, m), dtype=np.int32),
        task=task,
        cluster=None,
        n_options=np.full(n, 4.0),
        has_answers=True,
        repeated=0,
    )


def answers(*shares, n=200, seed=1):
    """Each model right on its share of the items, whichever they are."""
    rng = np.random.default_rng(seed)
    made = np.zeros((n, len(shares)))
    for model, share in enumerate(shares):
        made[rng.permutation(n)[: round(share * n)], model] = 1.0
    return made


def planted(make):
    def found(part):
        return make.findings(benchmark=make.bench(parts=(part,)))

    apart, level = matrix(answers(0.9, 0.7, 0.5, 0.3)), matrix(answers(0.52, 0.52, 0.51, 0.5))
    ahead = matrix(answers(0.9025, 0.9, 0.5, 0.3, n=400))
    # A leads by the items of the large task, B by all of the small one
    task = np.repeat([1, 0], [180, 20]).astype(np.int32)
    split = answers(0.5, 0.5, 0.3, 0.2)
    split[:, 0] = np.repeat([1.0, 0.0, 0.0], [120, 60, 20])
    split[:, 1] = np.repeat([1.0, 0.0, 1.0], [95, 85, 20])
    firm = np.array(split)
    firm[180:, :2] = [1.0, 0.0]
    return {
        "AGR320": make.Planted(found(item_removal(ahead)), found(item_removal(apart))),
        "AGR321": make.Planted(
            found(choices(matrix(split, task))), found(choices(matrix(firm, task)))
        ),
        "AGR322": make.Planted(found(rank_intervals(level)), found(rank_intervals(apart))),
        "AGR323": make.Planted(found(winners_curse(level)), found(winners_curse(apart))),
    }
