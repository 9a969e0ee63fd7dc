"""Agreement of a whole group of models, from how often each answer was given to each item.

Notation of Gwet, Handbook of Inter-Rater Reliability (2014): item u got r_u answers, c_uk of them
label k; w_kl is how much of an agreement k and l are (1 on the diagonal; 0 off it for labels that
are just different).

Observed agreement of an item: s_u = sum_k c_uk ((W c_u)_k - 1) / (r_u (r_u - 1)); p_a is its mean
over the items with two answers or more. Expected agreement p_e, with pi_k the mean share of label
k:

* Fleiss (1971), https://doi.org/10.1037/h0031619: sum_kl w_kl pi_k pi_l;
* Gwet's AC1, AC2 (2008), https://doi.org/10.1348/000711006X126600:
  sum(W) sum_k pi_k (1 - pi_k) / (q (q - 1)).

Krippendorff's alpha, https://doi.org/10.1080/19312450709336664: with N_k the number of answers k
on items with two answers or more and N their sum,
1 - (N - 1) sum_u sum_kl c_uk c_ul (1 - w_kl) / (r_u - 1) / sum_kl N_k N_l (1 - w_kl).

Errors are from each item's (or cluster's) part in the coefficient to first order, which for AC and
Fleiss is Gwet's published variance.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from caveat.kernels.cluster_sums import ClusterRows, cluster_rows, cluster_variance
from caveat.kernels.coincidence import NO_OPTION, Codes, Floats

_NO_ROOM = 1e-12


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient with its t interval; nan where undefined."""

    value: float
    se: float
    low: float
    high: float


UNDEFINED = Coefficient(float("nan"), float("nan"), float("nan"), float("nan"))


@dataclass(frozen=True, slots=True, eq=False)
class GroupAgreement:
    """Coefficients of one group.

    Attributes
    ----------
    observed : Coefficient
        Mean share of pairs of answers to an item that are the same.
    fleiss, gwet, alpha : Coefficient
    n_items : int
        Items with two answers or more.
    n_single : int
        Items with one answer; they count in the shares of labels of Fleiss and Gwet.
    n_answers : int
        Answers to items with two or more.
    n_clusters : int
        Independent units the errors rest on.
    unlabelled : bool
        Whether some answers equal no other.
    """

    observed: Coefficient
    fleiss: Coefficient
    gwet: Coefficient
    alpha: Coefficient
    n_items: int
    n_single: int
    n_answers: int
    n_clusters: int
    unlabelled: bool


def answer_counts(answers: Codes, n_labels: int) -> tuple[Floats, Floats]:
    """How often each label was given to each item.

    Parameters
    ----------
    answers : int array, shape (items, m)
        Codes from 0; `ABSENT`, or `NO_OPTION` for an answer that equals no other.
    n_labels : int

    Returns
    -------
    counts : float array, shape (items, n_labels)
    answered : float array, shape (items,)
        Answers to the item, those that equal no other among them.
    """
    counts = np.zeros((answers.shape[0], n_labels))
    for column in answers.T:
        rows = np.flatnonzero(column >= 0)
        counts[rows, column[rows]] += 1.0
    return counts, counts.sum(axis=1) + (answers == NO_OPTION).sum(axis=1)


def group_agreement(
    counts: Floats,
    answered: Floats,
    *,
    weights: Floats | None = None,
    cluster: npt.NDArray[np.integer] | None = None,
    level: float,
) -> GroupAgreement:
    """Agreement coefficients of one group of models.

    Parameters
    ----------
    counts : float array, shape (items, q)
        How often each label was given to each item.
    answered : float array, shape (items,)
        Answers to each item; more than the counts add up to where some equal no other. Gwet's
        coefficient is then undefined: its chance is one over all labels, and these have none.
    weights : float array, shape (q, q), optional
        Symmetric, 1 on the diagonal; the identity by default.
    cluster : int array, shape (items,), optional
        Every item its own cluster by default.
    level : float
        Coverage of the intervals, in (0, 1).
    """
    used = answered >= 1.0
    units = _Units(
        counts=counts[used],
        answered=answered[used],
        weights=weights,
        cluster=None if cluster is None else cluster[used],
        level=level,
    )
    several = units.several
    n_items = int(several.sum())
    unlabelled = bool((units.answered > units.counts.sum(axis=1)).any())
    with np.errstate(invalid="ignore", divide="ignore"):
        label_share = units.by_item.mean(axis=0) if used.any() else counts.sum(axis=0) * np.nan
        fleiss = label_share if weights is None else weights @ label_share
        gwet = _gwet_scale(counts.shape[1], weights) * (1.0 - label_share)
        return GroupAgreement(
            observed=units.interval(units.share[several], among=several, room=(0.0, 1.0)),
            fleiss=units.adjusted(label_share, fleiss),
            gwet=UNDEFINED if unlabelled else units.adjusted(label_share, gwet),
            alpha=units.alpha(),
            n_items=n_items,
            n_single=int(used.sum()) - n_items,
            n_answers=int(units.answered[several].sum()),
            n_clusters=n_items
            if units.cluster is None
            else cluster_rows(units.cluster[several]).starts.size,
            unlabelled=unlabelled,
        )


def _gwet_scale(n_labels: int, weights: Floats | None) -> float:
    if n_labels < 2:
        return float("nan")
    total = float(n_labels if weights is None else weights.sum())
    return total / (n_labels * (n_labels - 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """Items with an answer, and what their coefficients are made of."""

    counts: Floats
    answered: Floats
    weights: Floats | None
    cluster: npt.NDArray[np.integer] | None
    level: float

    @property
    def several(self) -> npt.NDArray[np.bool_]:
        """Where two answers or more can be compared."""
        return self.answered >= 2.0

    @property
    def by_item(self) -> Floats:
        """Share of each label among the answers to an item."""
        shares: Floats = self.counts / self.answered[:, None]
        return shares

    @property
    def weighted(self) -> Floats:
        """How much of each label's agreement the answers to an item give."""
        return self.counts if self.weights is None else self.counts @ self.weights

    @property
    def share(self) -> Floats:
        """Observed agreement of each item; 0 where there is nothing to compare."""
        same = (self.counts * self.weighted).sum(axis=1) - self.counts.sum(axis=1)
        return np.where(self.several, same / (self.answered * (self.answered - 1.0)), 0.0)

    def adjusted(self, label_share: Floats, chance: Floats) -> Coefficient:
        """(observed - expected) / (1 - expected) with `chance` of agreeing on each label."""
        expected = float(label_share @ chance)
        if not 1.0 - expected > _NO_ROOM or not self.several.any():
            return UNDEFINED
        n, several = self.answered.size, self.several
        seen = n / several.sum() * (self.share - expected * several) / (1.0 - expected)
        value = float(seen.mean())
        moved = 2.0 * (1.0 - value) * (self.by_item @ chance - expected) / (1.0 - expected)
        return self.interval(seen - moved, among=np.ones(n, dtype=bool), value=value)

    def alpha(self) -> Coefficient:
        """Krippendorff's alpha; its parts are sums over items, and so are its first derivatives."""
        several = self.several
        counts, answered = self.counts[several], self.answered[several]
        alone = answered - counts.sum(axis=1)  # equal to no other, yet to themselves
        same = (counts * self.weighted[several]).sum(axis=1) + alone
        unlike = (answered**2 - same) / (answered - 1.0)
        label = counts.sum(axis=0)
        likely = label if self.weights is None else self.weights @ label
        total, apart = float(answered.sum()), float(unlike.sum())
        room = total**2 - float(label @ likely) - float(alone.sum())
        if not room > _NO_ROOM * total:
            return UNDEFINED
        widened = 2.0 * (total * answered - counts @ likely) - alone
        part = (
            apart * (total - 1.0) / room**2 * widened
            - (total - 1.0) / room * unlike
            - apart / room * answered
        )
        value = 1.0 - (total - 1.0) * apart / room
        return self.interval(part * answered.size + value, among=several, value=value)

    def interval(
        self,
        part: Floats,
        *,
        among: npt.NDArray[np.bool_],
        value: float | None = None,
        room: tuple[float, float] = (-np.inf, 1.0),
    ) -> Coefficient:
        """Interval of a mean of the parts that items have in a coefficient."""
        if not part.size:
            return UNDEFINED
        # None is above 1 but by rounding.
        centre = min(float(part.mean()) if value is None else value, room[1])
        deviation = part - part.mean()
        if self.cluster is None:
            groups = ClusterRows(np.arange(part.size), np.arange(part.size))
        else:
            groups = cluster_rows(self.cluster[among])
        found = cluster_variance(
            np.asarray(groups.sums(deviation), dtype=np.float64) ** 2,
            np.asarray(groups.sums(np.ones(part.size)), dtype=np.float64),
        )
        se = float(np.sqrt(found.variance))
        if not se > _NO_ROOM:  # nothing varies, or one unit only
            return Coefficient(centre, *(float("nan"),) * 3)
        half = float(stdtrit(found.df, (1.0 + self.level) / 2.0)) * se
        return Coefficient(centre, se, max(centre - half, room[0]), min(centre + half, room[1]))
