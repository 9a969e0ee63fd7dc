"""Whether a judge may stand for one of the people who label."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.errors import InputError
from caveat.kernels.alternative_annotator import (
    Wins,
    margin_score,
    margin_t,
)
from caveat.kernels.alternative_annotator import (
    alternative_annotator as count_wins,
)
from caveat.kernels.means import column_means
from caveat.kernels.multiplicity import benjamini_yekutieli
from caveat.results.annotator_test import AgainstPerson, AnnotatorTest, Fit

Numbers = npt.NDArray[np.generic]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

EPSILON = 0.1
"""What the paper takes for crowds of people: the strictest of its three."""
MIN_ITEMS = 30
HALF = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """Settings of the test.

    Attributes
    ----------
    epsilon : float
        By how much the judge may be worse than a person, in (0, 1): the paper takes 0.1 for
        crowd-workers, 0.15 for skilled people, 0.2 for experts.
    q : float
        Rate of false discoveries, in (0, 1).
    min_items : int
        Items below which a person is not tested.
    level : float
        Of the interval of the mean difference, in (0, 1).
    """

    epsilon: float = EPSILON
    q: float = 0.05
    min_items: int = MIN_ITEMS
    level: float = 0.95

    def __post_init__(self) -> None:
        """Check them."""
        _validate.probability("epsilon", self.epsilon)
        _validate.probability("q", self.q)
        _validate.probability("level", self.level)
        _validate.at_least("min_items", self.min_items, 2)


@dataclass(frozen=True, slots=True, eq=False)
class PeopleLabels:
    """Labels of people, one a row.

    Attributes
    ----------
    item, person : int array, shape (n,)
        Codes from 0; no person labels an item twice.
    label : int or float array, shape (n,)
    people : tuple of str
        Names by code.
    n_items : int
    """

    item: Ints
    person: Ints
    label: Numbers
    people: tuple[str, ...]
    n_items: int


def alternative_annotator(
    labels: Numbers,
    judges: Mapping[str, Numbers],
    *,
    people: Sequence[str] | None = None,
    fit: Fit = "same",
    margin: Margin | None = None,
) -> tuple[AnnotatorTest, ...]:
    """Test whether judges may stand for the people who label.

    Use it where several people labelled the same items, and a model did too. Each person is left
    out in turn: who fits the other people better, the judge or that person?

    Parameters
    ----------
    labels : int or float array, shape (items, people)
        Codes from 0, or numbers where `fit` is `distance`; -1, or nan, where one gave no label.
    judges : mapping of str to array, each of shape (items,)
        Labels of each judge, coded alike.
    people : sequence of str, optional
        Their names; numbers from 1 by default.
    fit : {"same", "distance"}
        How well a label fits others: the share that are the same, or minus the root mean squared
        distance.
    margin : Margin, optional

    Returns
    -------
    tuple of AnnotatorTest
        One for each judge. Where no person has enough items, its figures are nan.

    Raises
    ------
    InputError
        When shapes do not fit.

    References
    ----------
    Calderon, Reichart and Dror (2025), https://arxiv.org/abs/2501.10970.

    Examples
    --------
    >>> import numpy as np
    >>> labels = np.tile([[0, 0, 1], [1, 1, 0]], (20, 1))
    >>> (test,) = alternative_annotator(labels, {"model": np.tile([0, 1], 20)})
    >>> test.passes, test.winning_rate, test.advantage
    (True, 1.0, 1.0)
    """
    if labels.ndim != 2:
        raise InputError(f"labels must be items by people, got {labels.ndim} dimension(s)")
    names = tuple(people or (str(k) for k in range(1, labels.shape[1] + 1)))
    if len(names) != labels.shape[1]:
        raise InputError(f"people must be {labels.shape[1]} names, got {len(names)}")
    for name, given in judges.items():
        if given.shape != labels.shape[:1]:
            raise InputError(
                f"labels of judge {name} must be {labels.shape[0]}, one an item, got {given.shape}"
            )
    known = _given(labels, fit)
    item, person = np.nonzero(known)
    rows = PeopleLabels(item, person, labels[known], names, labels.shape[0])
    return annotator_tests(rows, judges, fit=fit, margin=margin)


def annotator_tests(
    rows: PeopleLabels,
    judges: Mapping[str, Numbers],
    *,
    fit: Fit = "same",
    margin: Margin | None = None,
) -> tuple[AnnotatorTest, ...]:
    """Make the test of labels that are one a row; else as `alternative_annotator`.

    Parameters
    ----------
    rows : PeopleLabels
    judges : mapping of str to array, each of shape (items,)
    fit : {"same", "distance"}
    margin : Margin, optional
    """
    _validate.choice("fit", fit, ("same", "distance"))
    if not judges:
        return ()
    said = np.stack([np.asarray(given) for given in judges.values()], axis=1)
    wins = count_wins(rows.item, rows.person, rows.label, said, n_people=len(rows.people), fit=fit)
    number = np.bincount(rows.item, minlength=rows.n_items)
    answered = _given(said, fit)
    return tuple(
        _one(
            judge,
            Wins(wins.better[:, [j]], wins.worse[:, [j]], wins.equal[:, [j]]),
            rows=rows,
            counts=_Counts(
                items=int(((number > 1) & answered[:, j]).sum()),
                single=int((number == 1).sum()),
                unanswered=int(((number > 1) & ~answered[:, j]).sum()),
            ),
            fit=fit,
            margin=margin or Margin(),
        )
        for j, judge in enumerate(judges)
    )


def _given(labels: Numbers, fit: Fit) -> npt.NDArray[np.bool_]:
    numbers = labels.astype(np.float64)
    made: npt.NDArray[np.bool_] = np.isfinite(numbers) if fit == "distance" else numbers >= 0
    return made


@dataclass(frozen=True, slots=True)
class _Counts:
    items: int
    single: int
    unanswered: int


def _one(
    judge: str, wins: Wins, *, rows: PeopleLabels, counts: _Counts, fit: Fit, margin: Margin
) -> AnnotatorTest:
    n = wins.n[:, 0]
    enough = np.flatnonzero(n >= margin.min_items)
    own = Wins(wins.better[enough], wins.worse[enough], wins.equal[enough])
    p, p_score = (find(own, epsilon=margin.epsilon)[:, 0] for find in (margin_t, margin_score))
    adjusted, adjusted_score = benjamini_yekutieli(p), benjamini_yekutieli(p_score)
    total = np.maximum(n[enough], 1)
    judge_share = (own.better + own.equal)[:, 0] / total
    person_share = (own.worse + own.equal)[:, 0] / total
    against = [
        AgainstPerson(
            person=rows.people[code],
            n=int(total[k]),
            judge_share=float(judge_share[k]),
            person_share=float(person_share[k]),
            difference=float(person_share[k] - judge_share[k]),
            p=float(p[k]),
            p_adjusted=float(adjusted[k]),
            won=bool(adjusted[k] <= margin.q),
            p_score=float(p_score[k]),
            p_score_adjusted=float(adjusted_score[k]),
        )
        for k, code in enumerate(enough.tolist())
    ]
    rate = _share(adjusted <= margin.q)
    rate_score = _share(adjusted_score <= margin.q)
    people = int(np.unique(rows.person).size)
    mean = column_means((person_share - judge_share)[:, None], cluster=None, level=margin.level)
    return AnnotatorTest(
        judge=judge,
        winning_rate=rate,
        advantage=_share(judge_share),
        passes=rate >= HALF if against else None,
        difference=float(mean.mean[0]),
        low=float(mean.low[0]),
        high=float(mean.high[0]),
        winning_rate_score=rate_score,
        passes_score=rate_score >= HALF if against else None,
        n_people=people,
        n_few=people - len(against),
        n_items=counts.items,
        n_single=counts.single,
        n_unanswered=counts.unanswered,
        against=tuple(sorted(against, key=lambda row: (-row.difference, row.person))),
        epsilon=margin.epsilon,
        q=margin.q,
        min_items=margin.min_items,
        level=margin.level,
        fit=fit,
        reasons={} if against else {"winning_rate": _nobody(n, people, margin.min_items)},
    )


def _share(values: npt.NDArray[np.generic]) -> float:
    return float(values.astype(np.float64).mean()) if values.size else float("nan")


def _nobody(n: Ints, people: int, need: int) -> str:
    if people < 2:
        return f"{people} person labelled items; at least two are needed"
    return (
        f"no person labelled {need} items that another person and the judge labelled as well; "
        f"the most is {int(n.max(initial=0))}"
    )
