"""Paired tests of the scores of all models of one benchmark, and the tiers they leave."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from caveat.results._plain import to_plain

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]

LISTED = 200
"""Best models whose pairs JSON lists; all pairs of more would fill gigabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """Two models on the items both have a score for; nan where undefined.

    Attributes
    ----------
    a, b : str
    n, n_clusters : int
        Common items, and the clusters they fall in; the same without clusters.
    score_a, score_b, difference : float
        On the common items; a less b.
    se, se_plain, df : float
        Standard error of the difference, by cluster where there are clusters; as if items were
        independent; and degrees of freedom.
    low, high : float
        Interval of the difference at the level of the result.
    only_a, only_b : float
        Items only a, and only b, gets right; nan for scores other than 0 and 1.
    p, p_holm, p_bh : float
        Of no difference; adjusted over all pairs by Holm, by Benjamini and Hochberg.
    cohen_g : float
        Share of the items that tell the two apart which a gets right, less one half.
    dz : float
        Difference in standard deviations of the differences of single items.
    detectable : float
        Least true difference that so many items find with the power of the result.
    needed, needed_wanted : float
        Items needed to find the observed difference, and the wanted one.
    p_equivalent : float
        Of a difference at or beyond the margin (two one-sided tests).
    reason : str
        Why figures are undefined.
    """

    a: str
    b: str
    n: int
    n_clusters: int
    score_a: float
    score_b: float
    difference: float
    se: float
    se_plain: float
    df: float
    low: float
    high: float
    only_a: float
    only_b: float
    p: float
    p_holm: float
    p_bh: float
    cohen_g: float
    dz: float
    detectable: float
    needed: float
    needed_wanted: float
    p_equivalent: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedTests:
    """All pairs of models of one benchmark, tested on the items both have a score for.

    Attributes
    ----------
    benchmark : str
    models : tuple of str
        Best first: by the mean of their differences from all others, each on common items. Where
        all have the same items that is the order of scores. The matrices follow it.
    advantage : float array, shape (m,)
        That mean; nan for a model that shares no scored item with another.
    tier : tuple of (int or None)
        1 for the models not shown to be worse than the first, and so on down; None without scores
        on common items, and for models left out by `clustered_among`.
    n, n_clusters, score, difference, se, se_plain, df, low, high, only, p, p_holm, p_bh, cohen_g, \
dz, detectable, needed, needed_wanted, p_equivalent : float array, shape (m, m)
        As in `PairTest`; entry (i, j) is about i less j. `score[i, j]` is that of i on the items
        common with j, `only[i, j]` counts the items that i gets right and j wrong.
    test : str
        `exact McNemar`, `paired t`, `clustered paired t`, or `exact McNemar or paired t` where
        some models have scores other than 0 and 1.
    clustered_among : int or None
        Best models among which errors are by cluster where it would take too long for all; None
        where it is all or where there are no clusters.
    n_tests : int
        Size of the family of tests.
    level, power, margin, wanted : float
        Of intervals and tests; of `detectable` and `needed`; of equivalence; and the difference
        that `needed_wanted` is about.
    """

    benchmark: str
    models: tuple[str, ...]
    advantage: "Matrix"
    tier: tuple[int | None, ...]
    n: "Matrix"
    n_clusters: "Matrix"
    score: "Matrix"
    difference: "Matrix"
    se: "Matrix"
    se_plain: "Matrix"
    df: "Matrix"
    low: "Matrix"
    high: "Matrix"
    only: "Matrix"
    p: "Matrix"
    p_holm: "Matrix"
    p_bh: "Matrix"
    cohen_g: "Matrix"
    dz: "Matrix"
    detectable: "Matrix"
    needed: "Matrix"
    needed_wanted: "Matrix"
    p_equivalent: "Matrix"
    test: str
    clustered_among: int | None
    n_tests: int
    level: float
    power: float
    margin: float
    wanted: float

    def first_tier(self) -> tuple[str, ...]:
        """Models not shown to be worse than the first."""
        return tuple(m for m, t in zip(self.models, self.tier, strict=True) if t == 1)

    @property
    def equivalent_pairs(self) -> int:
        """Pairs shown to differ by less than the margin, each at the error 1 - level."""
        return int((self.p_equivalent < 1.0 - self.level).sum()) // 2

    def pair(self, a: str, b: str) -> PairTest:
        """Return the test of two models, by name."""
        return self.at(self.models.index(a), self.models.index(b))

    def at(self, i: int, j: int) -> PairTest:
        """Return the test of two models, by place in `models`."""
        return PairTest(
            a=self.models[i],
            b=self.models[j],
            n=int(self.n[i, j]),
            n_clusters=int(self.n_clusters[i, j]) if self.n_clusters[i, j] > 0 else 0,
            score_a=float(self.score[i, j]),
            score_b=float(self.score[j, i]),
            difference=float(self.difference[i, j]),
            se=float(self.se[i, j]),
            se_plain=float(self.se_plain[i, j]),
            df=float(self.df[i, j]),
            low=float(self.low[i, j]),
            high=float(self.high[i, j]),
            only_a=float(self.only[i, j]),
            only_b=float(self.only[j, i]),
            p=float(self.p[i, j]),
            p_holm=float(self.p_holm[i, j]),
            p_bh=float(self.p_bh[i, j]),
            cohen_g=float(self.cohen_g[i, j]),
            dz=float(self.dz[i, j]),
            detectable=float(self.detectable[i, j]),
            needed=float(self.needed[i, j]),
            needed_wanted=float(self.needed_wanted[i, j]),
            p_equivalent=float(self.p_equivalent[i, j]),
            reason=self._why(i, j),
        )

    def pairs(self) -> Iterator[PairTest]:
        """Every unordered pair of the best `LISTED` models once, best first."""
        for i, j in combinations(range(min(len(self.models), LISTED)), 2):
            yield self.at(i, j)

    def _why(self, i: int, j: int) -> str:
        """Say what is undefined first, of all that may be."""
        left_out = self.clustered_among is not None and self.se[i, j] != self.se[i, j]
        causes = (
            (not self.n[i, j], "no common item"),
            (self.n[i, j] < 2, "one common item says nothing"),
            (
                left_out,
                f"clustered errors are made among the best {self.clustered_among} models only",
            ),
            (not self.n_clusters[i, j] > 1, "one cluster says nothing about spread"),
            (self.p[i, j] != self.p[i, j], "all differences are equal: nothing to test them with"),
            (
                self.difference[i, j] == 0.0,
                "equal scores: no number of items would tell them apart",
            ),
            (
                self.detectable[i, j] != self.detectable[i, j],
                "too few items tell them apart to say what they could find",
            ),
        )
        return next((why for holds, why in causes if holds), "")

    def to_dict(self) -> dict[str, Any]:
        """Return it under the names it has in `caveat agree --json`."""
        return {
            "paired": {
                "test": self.test,
                "level": self.level,
                "power": self.power,
                "margin": self.margin,
                "wanted": self.wanted,
                "n_tests": self.n_tests,
                "clustered_among": self.clustered_among,
                "tiers": [
                    {"model": m, "tier": t, "advantage": to_plain(a)}
                    for m, t, a in zip(self.models, self.tier, self.advantage.tolist(), strict=True)
                ],
                "pairs_of_the_best": LISTED if len(self.models) > LISTED else None,
                "pairs": [to_plain(pair) for pair in self.pairs()],
            }
        }
