"""Fitting models of items, and saying why where that cannot be done."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ResponseMatrix
from caveat.kernels.rasch import RaschFit, rasch
from caveat.kernels.two_parameter import SlopeFit, two_parameter
from caveat.kernels.wrong_keys import WrongKeys, wrong_keys
from caveat.results.comparison.items import FittedItemModel, ItemModel
from caveat.stats.comparison.keys import graded_answers, option_numbers

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FEW_MODELS = 3
FEW_ITEMS = 10
SKEWED_FROM = 8
"""Models from which the shape of the difficulties is estimated; with fewer it is normal."""
ABILITY_SD = 3.0
"""Of the weak normal prior of abilities, in logits: a model right everywhere stays finite."""
MOST_FOR_SLOPES = 60
"""Models that slopes are estimated from: of more, so many, evenly spread over the scores."""
FEW_FOR_SLOPES = 5


@dataclass(slots=True)
class Fitted:
    """What the models of the items gave, and why they gave no more.

    Attributes
    ----------
    models : int array
        Columns that have a score; abilities belong to these.
    one, two, keys : RaschFit, SlopeFit, WrongKeys or None
    reasons : dict
    notes : list of str
    """

    models: Ints
    one: RaschFit | None = None
    two: SlopeFit | None = None
    keys: WrongKeys | None = None
    reasons: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def fits(self, n_items: int) -> tuple[FittedItemModel, ...]:
        """Return each model with its BIC, items being the units."""
        named: tuple[tuple[ItemModel, RaschFit | SlopeFit | None], ...] = (
            ("rasch", self.one),
            ("2pl", self.two),
        )
        return tuple(
            FittedItemModel(
                name=name,
                loglik=fit.loglik,
                n_parameters=fit.n_parameters,
                bic=fit.n_parameters * float(np.log(n_items)) - 2.0 * fit.loglik,
            )
            for name, fit in named
            if fit is not None
        )


def fit_items(matrix: ResponseMatrix, key: Ints, *, level: float) -> Fitted:
    """Fit the Rasch model, slopes if there is evidence for them, and judge the keys.

    Parameters
    ----------
    matrix : ResponseMatrix
    key : int array, shape (items,)
        From `key_codes`.
    level : float
    """
    fitted = Fitted(models=np.flatnonzero(np.isfinite(matrix.score).any(axis=0)))
    score = matrix.score[:, fitted.models]
    why = _why_not(score)
    if why:
        fitted.reasons |= dict.fromkeys(("difficulty", "discrimination", "key"), why)
        return fitted
    one = rasch(
        score,
        level=level,
        moments=4 if score.shape[1] >= SKEWED_FROM else 2,
        ability_sd=ABILITY_SD,
        cluster=item_clusters(matrix),
    )
    fitted.one = one
    if not one.converged:
        fitted.notes.append(f"the Rasch model did not settle in {one.iterations} iterations")
    _slopes(score, level, fitted)
    _keys(matrix, key, fitted)
    return fitted


def _why_not(score: Floats) -> str:
    known = np.isfinite(score)
    if not np.isin(score[known], (0.0, 1.0)).all():
        return "scores other than 0 and 1: partial credit, or repeats that were averaged"
    if score.shape[1] < FEW_MODELS:
        return f"needs at least {FEW_MODELS} models with scores, got {score.shape[1]}"
    number = known.sum(axis=1)
    right = np.where(known, score, 0.0).sum(axis=1)
    telling = int(((right > 0) & (right < number)).sum())
    if telling < FEW_ITEMS:
        return (
            f"needs at least {FEW_ITEMS} items that some models get right and some wrong, "
            f"got {telling}"
        )
    return ""


def _slopes(score: Floats, level: float, fitted: Fitted) -> None:
    """Fit slopes, and keep them where BIC is for them."""
    one = fitted.one
    if one is None:
        return
    m = score.shape[1]
    if m < FEW_FOR_SLOPES:
        fitted.reasons["discrimination"] = (
            f"needs at least {FEW_FOR_SLOPES} models with scores, got {m}"
        )
        return
    if m > MOST_FOR_SLOPES:
        order = np.argsort(one.ability, kind="stable")
        chosen = np.sort(order[np.linspace(0, m - 1, MOST_FOR_SLOPES).round().astype(int)])
        fitted.notes.append(
            f"discrimination is estimated from {MOST_FOR_SLOPES} of the {m:,} models, evenly "
            "spread over their abilities"
        )
        score = score[:, chosen]
        one = rasch(score, level=level, ability_sd=ABILITY_SD)
    two = two_parameter(score, one, level=level)
    gain = two.loglik - one.loglik
    extra = two.n_parameters - one.n_parameters
    if 2.0 * gain <= extra * float(np.log(score.shape[0])):
        fitted.reasons["discrimination"] = (
            "no evidence that items discriminate differently: by BIC the Rasch model, with one "
            "slope for all, is the better one"
        )
    if m > MOST_FOR_SLOPES and fitted.one is not None:
        # The same gain on the scale of the fit of all models.
        two = _moved(two, fitted.one, gain)
    fitted.two = two


def _moved(two: SlopeFit, one: RaschFit, gain: float) -> SlopeFit:
    from dataclasses import replace

    return replace(
        two, loglik=one.loglik + gain, n_parameters=one.n_parameters + two.extra_parameters
    )


def _keys(matrix: ResponseMatrix, key: Ints, fitted: Fitted) -> None:
    if not matrix.has_answers:
        fitted.reasons["key"] = "no predictions in the source"
        return
    answer = graded_answers(matrix, key)[:, fitted.models]
    known = (matrix.target is not None) or (key >= 0).any()
    if not known or not (answer >= 0).any():
        fitted.reasons["key"] = "right answers unknown" if not known else "no readable answer"
        return
    options = option_numbers(matrix)
    if fitted.one is not None:
        fitted.keys = wrong_keys(answer, key, options, fitted.one)
    if not np.isfinite(options).any():
        fitted.notes.append(
            "the number of options is unknown and answers are many: keys are judged as free text, "
            "where any wrong answer can turn up"
        )
