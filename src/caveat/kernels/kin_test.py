"""Are models of one family more alike than their scores explain?

Likeness of pairs is regressed on what the two scores are: their mean, its square and their
distance. Of the residuals, the mean within families less the mean between them is set against its
distribution when family names are shuffled among models: a Mantel test (Mantel, 1967) of a
dissimilarity against group membership, with residuals for covariates as in Smouse, Long and Sokal
(1986), https://doi.org/10.2307/2413122.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]
_GATHERED = 30_000_000
"""Pairs looked up over all shuffles."""
_HELD = 4_000_000
"""Pairs looked up at a time."""
_FEWEST_SHUFFLES = 199


@dataclass(frozen=True, slots=True, eq=False)
class KinTest:
    """Likeness within families against that between them.

    Attributes
    ----------
    residual : float array, shape (m, m)
        Likeness beyond what the scores of the two explain; nan where undefined.
    within, between : float
        Mean likeness of pairs of one family, and of others.
    effect : float
        Mean residual within less that between.
    p : float
        One-sided: relatives are more alike.
    family_effect, family_p : float array, shape (f,)
        The same of each family by itself; nan for a family without a pair.
    family_pairs : int array, shape (f,)
    pairs_within, pairs_between, shuffles : int
    explained : float
        Share of the variance of likeness that the scores explain.
    """

    residual: Floats
    within: float
    between: float
    effect: float
    p: float
    family_effect: Floats
    family_p: Floats
    family_pairs: Codes
    pairs_within: int
    pairs_between: int
    shuffles: int
    explained: float


def score_residual(likeness: Floats, score: Floats) -> tuple[Floats, float]:
    """Likeness less what the two scores explain; and the share of variance they explain.

    Parameters
    ----------
    likeness : float array, shape (m, m)
        Symmetric; nan where undefined.
    score : float array, shape (m,)
    """
    m = score.size
    one, other = np.triu_indices(m, k=1)
    y = likeness[one, other]
    middle, gap = (score[one] + score[other]) / 2.0, np.abs(score[one] - score[other])
    design = np.column_stack([np.ones(y.size), middle, middle**2, gap])
    known = np.isfinite(y) & np.isfinite(middle)
    found = np.full((m, m), np.nan)
    if not known.any():
        return found, float("nan")
    coefficients, *_ = np.linalg.lstsq(design[known], y[known], rcond=None)
    left = np.where(known, y - design @ coefficients, np.nan)
    found[one, other] = found[other, one] = left
    spread = float(np.var(y[known]))
    return found, 1.0 - float(np.var(left[known])) / spread if spread > 0 else float("nan")


def kin_test(
    likeness: Floats, score: Floats, family: Codes, *, shuffles: int, rng: np.random.Generator
) -> KinTest:
    """Test whether relatives are more alike.

    Parameters
    ----------
    likeness : float array, shape (m, m)
        Symmetric; nan where undefined.
    score : float array, shape (m,)
    family : int array, shape (m,)
        From 0; -1 for models of no family, which are nobody's relatives.
    shuffles : int
        At most; fewer where there are very many pairs of relatives.
    rng : Generator
    """
    residual, explained = score_residual(likeness, score)
    one, other = np.triu_indices(score.size, k=1)
    kin = (family[one] == family[other]) & (family[one] >= 0)
    first, second, owner = one[kin], other[kin], family[one[kin]]
    f = int(family.max(initial=-1)) + 1
    left = residual[one, other]
    total, n = float(np.nansum(left)), int(np.isfinite(left).sum())
    shuffles = max(min(shuffles, _GATHERED // max(first.size, 1)), _FEWEST_SHUFFLES)

    def statistics(place: Codes) -> tuple[Floats, Floats]:
        """Effect over all, and of each family, with models put in other places."""
        sums, counts = np.zeros((place.shape[0], f)), np.zeros((place.shape[0], f))
        for k in range(f):
            mine = np.flatnonzero(owner == k)
            for part in np.array_split(mine, max(1, mine.size * place.shape[0] // _HELD)):
                seen = residual[place[:, first[part]], place[:, second[part]]]
                there = np.isfinite(seen)
                sums[:, k] += np.where(there, seen, 0.0).sum(axis=1)
                counts[:, k] += there.sum(axis=1)
        inside, number = sums.sum(axis=1), counts.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            outside = (total - inside) / (n - number)
            return inside / number - outside, sums / counts - outside[:, None]

    here = np.arange(score.size)[None]
    effect, own = statistics(here)
    drawn = rng.permuted(np.tile(here, (shuffles, 1)), axis=1)
    chance, own_chance = statistics(drawn)
    raw = likeness[one, other]
    return KinTest(
        residual=residual,
        within=_mean(raw[kin]),
        between=_mean(raw[~kin]),
        effect=float(effect[0]),
        p=float(_share_as_large(chance, effect[0])),
        family_effect=own[0],
        family_p=np.where(np.isnan(own[0]), np.nan, _share_as_large(own_chance, own[0])),
        family_pairs=np.bincount(owner[np.isfinite(left[kin])], minlength=f),
        pairs_within=int(np.isfinite(left[kin]).sum()),
        pairs_between=int(np.isfinite(left[~kin]).sum()),
        shuffles=shuffles,
        explained=explained,
    )


def _share_as_large(chance: Floats, observed: Floats) -> Floats:
    """One-sided p of a permutation test, the data counting as one of the shuffles."""
    reached = (chance >= observed - 1e-12).sum(axis=0)
    return np.asarray((1.0 + reached) / (1.0 + chance.shape[0]), dtype=np.float64)


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")
