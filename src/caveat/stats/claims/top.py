"""Is a model among the best k?

A model is in the top k where at least m - k of its m - 1 rivals are worse: a partial conjunction
(Benjamini and Heller 2008, https://doi.org/10.1111/j.1541-0420.2007.00984.x), which Bonferroni's
method rejects at k times the (m - k)-th smallest of the one-sided p values, whatever the dependence
between them. For k = 1 that is the largest p value: a model that beats every rival by itself is
first, and no correction is due.
"""

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from caveat.data.item_clusters import item_clusters
from caveat.errors import InputError
from caveat.kernels.paired_scores import paired_scores
from caveat.kernels.paired_tests import paired_tests
from caveat.results.claims import Claim, Figure, JudgedClaim, Verdict
from caveat.stats.claims import words
from caveat.stats.claims.ground import MOST_ITEMS, Ground, nothing_said

Floats = npt.NDArray[np.float64]


def judge_top(claim: Claim, ground: Ground, level: float) -> JudgedClaim:
    """Hold the claim that a model is in the top k against the scores."""
    part = ground.part(claim)
    mine = part.models.index(claim.a)
    rivals = np.array([j for j in range(len(part.models)) if j != mine], dtype=np.int64)
    n, lead, p = _against(part.score, mine, rivals, item_clusters(part))
    k = round(claim.limit)
    if rivals.size == 0:
        raise InputError(f"claim {claim.says!r}: responses must hold a rival, got one model")
    if not (n >= 2).any():
        return nothing_said(claim, int(n.max(initial=0)))
    above, below = one_sided(lead, p)
    best, worst = rank_bounds(above, below, error=1.0 - level)
    m, rank = rivals.size + 1, 1 + int((lead < 0).sum())
    verdict: Verdict = "supported" if worst <= k else "contradicted" if best > k else "undecided"
    figure = Figure(
        name="rank",
        estimate=float(rank),
        low=float(best),
        high=float(worst),
        limit=float(k),
        n=int(n.min()),
    )
    needed = None
    if verdict == "undecided":
        # The rival on whom it hangs, and the factor of its p value, as in `rank_bounds`.
        p, place, times = (above, rivals.size - k, k) if rank <= k else (below, k - 1, m - k)
        rival = int(np.argsort(p, kind="stable")[place])
        needed = _needed(float(n[rival]), float(p[rival]), error=(1.0 - level) / times)
    return JudgedClaim(
        claim=claim,
        verdict=verdict,
        why=words.top(claim, figure, len(part.models)),
        figures=(figure,),
        n=int(n.min()),
        items_needed=needed,
    )


def one_sided(lead: Floats, p: Floats) -> tuple[Floats, Floats]:
    """P values that the model is no better, and no worse, than each rival; 1 where unknown."""
    half = p / 2.0
    above = np.where(lead > 0, half, 1.0 - half)
    below = np.where(lead < 0, half, 1.0 - half)
    known = np.isfinite(p) & np.isfinite(lead)
    return np.where(known, above, 1.0), np.where(known, below, 1.0)


def rank_bounds(above: Floats, below: Floats, *, error: float) -> tuple[int, int]:
    """Return the best and the worst rank that cannot be ruled out, each with this error.

    Bounds are tested from the outermost inwards until one is not rejected, so that no correction
    is due for their number.
    """
    m = above.size + 1
    better, worse = np.sort(above), np.sort(below)
    worst = m
    while worst > 1 and (worst - 1) * better[m - worst] <= error:
        worst -= 1
    best = 1
    while best < m and (m - best) * worse[best - 1] <= error:
        best += 1
    return best, worst


def _against(
    score: Floats, mine: int, rivals: npt.NDArray[np.int64], cluster: npt.NDArray[np.int64] | None
) -> tuple[Floats, Floats, Floats]:
    """Compare the model with each rival: common items, lead and two-sided p value.

    Rivals are taken some at a time, so that not all pairs among them are worked out.
    """
    n, lead, p = (np.full(rivals.size, np.nan) for _ in range(3))
    for start in range(0, rivals.size, 50):
        some = rivals[start : start + 50]
        pairs = paired_scores(score[:, np.r_[mine, some]], cluster=cluster)
        tests = paired_tests(pairs, level=0.9, margin=0.5)
        here = slice(start, start + some.size)
        n[here], lead[here], p[here] = pairs.n[0, 1:], pairs.difference[0, 1:], tests.p[0, 1:]
    return n, lead, p


def _needed(n: float, p: float, *, error: float) -> int | None:
    """Items at which this p value would reach the error, if z grows with their square root."""
    z, wanted = -float(ndtri(p)), -float(ndtri(error))
    if not (z > 0 and n > 0):
        return None
    items = math.ceil(n * (wanted / z) ** 2)
    return items if items <= MOST_ITEMS else None
