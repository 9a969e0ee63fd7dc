"""Is a difference the same in every task?

One-way analysis of variance of paired differences by task whose errors may differ from task to
task: the statistic of Brown and Forsythe (1974), https://doi.org/10.1080/00401706.1974.10489158,
with Mehrotra's (1997) degrees of freedom of the numerator,
https://doi.org/10.1080/03610919708813431. Unlike weights by task, it takes tasks in which nothing
varies. Notation: n_t items, mean m_t and variance s_t^2 of task t, N items in all;

    B = sum n_t (m_t - m)^2,   W = sum (1 - n_t / N) s_t^2,   F* = B / W.

With true means mu_t, E(B) = N tau^2 + E(W), where tau^2 is the variance of mu_t over items: so
tau^2 is estimated by (B - W) / N, and bounded through the noncentral F that F* then follows. Where
nothing varies within any task though tasks differ, each counts as if one of its items deviated
by 1, which makes s_t^2 = 1 / n_t.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc, ncfdtrinc

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class TaskProfile:
    """How much s differences vary from task to task.

    Attributes
    ----------
    f, df1, df2, p : float array, shape (s,)
        nan with fewer than two tasks of two items, or where nothing varies within tasks.
    within, n : float array, shape (s,)
        W above and the items used.
    tasks : int array, shape (s,)
        Tasks used: those with two items or more.
    mean : float array, shape (tasks, s)
        Difference in each task; nan without an item.
    items : float array, shape (tasks, s)
    """

    f: Floats
    df1: Floats
    df2: Floats
    p: Floats
    within: Floats
    n: Floats
    tasks: npt.NDArray[np.int64]
    mean: Floats
    items: Floats

    @property
    def spread(self) -> Floats:
        """Estimate of tau, the standard deviation of true differences over items; at least 0."""
        with np.errstate(invalid="ignore"):
            return np.sqrt(np.maximum(self.f - 1.0, 0.0) * self.within / self.n)

    def spread_bound(self, probability: float) -> Floats:
        """Value of tau at which F* lies at this quantile: an upper bound for small ones.

        An F* below 1, its mean without any spread, counts as 1: it is luck and bounds nothing.

        Parameters
        ----------
        probability : float
            0.05 for the upper end, 0.95 for the lower end of a 90% interval.
        """
        usable = np.isfinite(self.f)
        bound = np.full(self.f.shape, np.nan)
        f, one, two = np.maximum(self.f[usable], 1.0), self.df1[usable], self.df2[usable]
        above = 1.0 - fdtrc(one, two, f) > probability
        far = np.zeros(f.shape)
        far[above] = ncfdtrinc(one[above], two[above], probability, f[above])
        bound[usable] = np.sqrt(far / one * self.within[usable] / self.n[usable])
        return bound


def task_profile(values: Floats, task: Codes, *, n_tasks: int) -> TaskProfile:
    """Compare means of tasks in each column.

    Parameters
    ----------
    values : float array, shape (items, s)
        Paired differences; nan where a series has no value.
    task : int array, shape (items,)
        From 0 to `n_tasks` - 1; -1 is left out.
    n_tasks : int

    Returns
    -------
    TaskProfile
    """
    one_hot = (task == np.arange(n_tasks)[:, None]).astype(np.float64)
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    return profile_of_sums(
        one_hot @ present.astype(np.float64), one_hot @ filled, one_hot @ filled**2
    )


def profile_of_sums(n: Floats, total: Floats, squares: Floats) -> TaskProfile:
    """Compare means of tasks from their sums.

    Parameters
    ----------
    n, total, squares : float array, shape (tasks, s)
        Items, sum and sum of squares of each series in each task.

    Returns
    -------
    TaskProfile
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / np.where(n > 0, n, np.nan)
        used = n >= 2
        spread = squares - n * np.where(n > 0, mean, 0.0) ** 2
        variance = np.where(used, np.maximum(spread, 0.0) / np.maximum(n - 1.0, 1.0), 0.0)
        variance = np.where(variance < 1e-12, 0.0, variance)
        sizes = np.where(used, n, 0.0)
        items = sizes.sum(axis=0)
        share = sizes / np.where(items > 0, items, np.nan)
        centre = (share * np.where(used, mean, 0.0)).sum(axis=0)
        between = (sizes * np.where(used, mean - centre, 0.0) ** 2).sum(axis=0)
        rigid = ~(variance > 0).any(axis=0) & (between > 1e-12)
        variance = np.where(rigid & used, 1.0 / np.maximum(n, 1.0), variance)
        part = np.where(used, 1.0 - share, 0.0) * variance
        within = part.sum(axis=0)
        enough = (used.sum(axis=0) >= 2) & (within > 0)
        f = np.where(enough, between / within, np.nan)
        df2 = within**2 / (part**2 / np.maximum(n - 1.0, 1.0)).sum(axis=0)
        df1 = within**2 / (
            (share * variance).sum(axis=0) ** 2 + ((1.0 - 2.0 * share) * variance**2).sum(axis=0)
        )
        df1 = np.where(enough, df1, np.nan)
        df2 = np.where(enough, df2, np.nan)
        p = np.where(enough, fdtrc(df1, df2, f), np.nan)
    return TaskProfile(
        f=f,
        df1=df1,
        df2=df2,
        p=p,
        within=np.where(enough, within, np.nan),
        n=items,
        tasks=used.sum(axis=0),
        mean=mean,
        items=n,
    )


def joined_profiles(parts: Sequence[TaskProfile]) -> TaskProfile:
    """Put profiles of the same tasks side by side."""
    return TaskProfile(
        **{
            one.name: np.concatenate([getattr(part, one.name) for part in parts], axis=-1)
            for one in fields(TaskProfile)
        }
    )
