"""How far does a whole group of models agree?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.kernels import group_agreement as kernel
from caveat.kernels.coincidence import by_popularity
from caveat.results.comparison.group_agreement import Bounded, GroupAgreement
from caveat.stats.agreement.coded import Coded, coded
from caveat.stats.agreement.pairs import MAX_LABELS
from caveat.stats.agreement.policy import POLICIES, Policy

Weights = Literal["nominal", "linear", "quadratic"]
WEIGHTS: tuple[Weights, ...] = ("nominal", "linear", "quadratic")
Floats = npt.NDArray[np.float64]


def group_agreement(
    matrix: ResponseMatrix,
    *,
    models: Sequence[str] | None = None,
    policy: Policy = "drop",
    weights: Weights = "nominal",
    kind: str = "named",
    group: str = "",
    level: float = 0.95,
) -> GroupAgreement:
    """Fleiss' kappa, Gwet's AC and Krippendorff's alpha of the answers of several models.

    Items may lack answers of some models. The labels of all models of the benchmark are the
    categories, so that groups can be compared.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models; with `cluster`, errors are cluster-robust.
    models : sequence of str, optional
        The group; all models by default.
    policy : str
        What an answer without a readable choice counts as: none (`drop`), one that equals no
        other (`as-disagreement`), or one more option (`as-option`).
    weights : str
        `nominal`: answers are the same or not. `linear` and `quadratic`: answers are numbers, and
        near ones agree in part (AC2, weighted kappa, alpha of interval data); with `drop` only.
    kind, group : str
        What the group is called in the result.
    level : float
        Coverage of the t intervals, in (0, 1). Errors are from each item's part in the figure to
        first order.

    Returns
    -------
    GroupAgreement

    Raises
    ------
    InputError
        If the responses hold no predictions, a model is not there, or weights do not fit.
    TooFewError
        With fewer than two models.

    References
    ----------
    Fleiss (1971), https://doi.org/10.1037/h0031619; Gwet (2008),
    https://doi.org/10.1348/000711006X126600; Hayes and Krippendorff (2007),
    https://doi.org/10.1080/19312450709336664.
    """
    _validate.choice("policy", policy, POLICIES)
    _validate.choice("weights", weights, WEIGHTS)
    _validate.probability("level", level)
    if not matrix.has_answers:
        raise InputError(f"responses of {matrix.benchmark} must hold predictions, got scores only")
    names = matrix.models if models is None else tuple(dict.fromkeys(models))
    weighted = _label_weights(matrix, weights, policy)
    (found,) = _each(matrix, [(kind, group, names)], coded(matrix, policy), weighted, level)
    return replace(found, policy=policy, weights=weights)


def agreement_of_groups(
    matrix: ResponseMatrix,
    groups: Sequence[tuple[str, str, Sequence[str]]],
    *,
    policy: Policy = "drop",
    level: float = 0.95,
) -> tuple[GroupAgreement, ...]:
    """Agreement of several groups, as `group_agreement` has it of one.

    Parameters
    ----------
    matrix : ResponseMatrix
    groups : sequence of (kind, name, models)
    policy, level
        As there.
    """
    named = [(kind, name, tuple(models)) for kind, name, models in groups]
    found = _each(matrix, named, coded(matrix, policy), None, level)
    return tuple(replace(one, policy=policy) for one in found)


def _each(
    matrix: ResponseMatrix,
    groups: Sequence[tuple[str, str, tuple[str, ...]]],
    given: Coded,
    weighted: Floats | None,
    level: float,
) -> list[GroupAgreement]:
    answers, n_labels = given.answers, given.n_labels
    free_text = n_labels > MAX_LABELS
    if free_text:  # only which answers are the same counts
        answers = by_popularity(answers)
        n_labels = int(answers.max(initial=0)) + 1
    cluster = item_clusters(matrix)
    made = []
    for kind, name, models in groups:
        counts, answered = kernel.answer_counts(answers[:, _columns(matrix, models)], n_labels)
        found = kernel.group_agreement(
            counts, answered, weights=weighted, cluster=cluster, level=level
        )
        figures = {
            figure: _bounded(
                kernel.UNDEFINED if free_text and figure != "observed" else getattr(found, figure)
            )
            for figure in ("observed", "fleiss", "gwet", "alpha")
        }
        made.append(
            GroupAgreement(
                kind=kind,
                group=name,
                models=models,
                policy="",
                weights="nominal",
                **figures,
                n_items=found.n_items,
                n_dropped=len(matrix.items) - found.n_items,
                n_answers=found.n_answers,
                n_labels=given.n_labels,
                n_clusters=found.n_clusters,
                level=level,
                reason=_why(figures, found, given.n_labels if free_text else 0),
            )
        )
    return made


def _columns(matrix: ResponseMatrix, names: Sequence[str]) -> list[int]:
    place = {name: j for j, name in enumerate(matrix.models)}
    unknown = [name for name in names if name not in place]
    if unknown:
        raise InputError(
            f"models must be among those of {matrix.benchmark}, got {', '.join(unknown)}"
        )
    if len(set(names)) < 2:
        raise TooFewError(f"models of a group on {matrix.benchmark}", got=len(set(names)), need=2)
    return [place[name] for name in dict.fromkeys(names)]


def _label_weights(matrix: ResponseMatrix, weights: Weights, policy: Policy) -> Floats | None:
    if weights == "nominal":
        return None
    if policy != "drop":
        raise InputError(
            f"policy must be drop with weights, got {policy!r}: no answer is no number"
        )
    if len(matrix.labels) > MAX_LABELS:
        raise InputError(
            f"answers must be at most {MAX_LABELS} numbers with weights, got {len(matrix.labels)}"
        )
    try:
        value = np.array([float(label) for label in matrix.labels])
    except ValueError as error:
        raise InputError(f"answers must be numbers with weights, got {error}") from error
    if not np.isfinite(value).all():
        raise InputError("answers must be finite numbers with weights, got nan or infinity")
    apart = np.abs(value[:, None] - value)
    widest = apart.max(initial=0.0)
    share = apart / widest if widest > 0 else apart
    weight: Floats = 1.0 - share if weights == "linear" else 1.0 - share**2
    return weight


def _bounded(figure: kernel.Coefficient) -> Bounded:
    return Bounded(value=figure.value, low=figure.low, high=figure.high)


def _why(figures: dict[str, Bounded], found: kernel.GroupAgreement, free_text: int) -> str:
    """Say why figures are undefined."""
    if found.n_items == 0:
        return "no item with two answers"
    if free_text:
        return f"{free_text} distinct answers: more than {MAX_LABELS} are free text without chance"
    undefined = [name for name, figure in figures.items() if figure.value != figure.value]
    why = []
    if found.unlabelled:
        why.append("gwet: answers that equal no other have no category")
        undefined.remove("gwet")
    if undefined:
        why.append(f"{', '.join(undefined)}: chance alone would always agree")
    if any(
        figure.value == figure.value and figure.low != figure.low for figure in figures.values()
    ):
        why.append("intervals: nothing varies between items, or there is one only")
    return "; ".join(why)
