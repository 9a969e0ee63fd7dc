"""All pairwise agreement counts of many models in one pass over items.

Every count over items of a product of two models' indicators is a matrix product, so no loop runs
over pairs. Answers come as per-item codes ordered by how many models gave them: the first few
layers are dense and go through BLAS, the long tail of rare answers through a sparse product.

Cohen (1960), https://doi.org/10.1177/001316446002000104; CAPA: Goel et al. (2025), "Great Models
Think Alike and this Undermines AI Oversight", https://arxiv.org/abs/2502.04313.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

Floats = npt.NDArray[np.float64]
Layer = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int32]

ABSENT = -1
"""Code of an item a model has no answer to count for."""
NO_OPTION = -2
"""Code of an answer that counts but equals no other."""
_DENSE_SHARE = 0.02
_FEW_ANSWERS = 32
"""Distinct answers up to which each is a layer of its own, as with the letters of a choice."""
_EXACT_FLOAT32 = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class Coincidence:
    """Counts over the items that both models of a pair answered; each of shape (m, m), symmetric.

    Attributes
    ----------
    n : items both answered.
    same : items with the same answer.
    both_wrong : items both got wrong.
    same_wrong : items both got wrong with the same answer.
    right : not symmetric: `right[i, j]`, items answered by both that i got right.
    """

    n: Floats
    same: Floats
    both_wrong: Floats
    same_wrong: Floats
    right: Floats


def coincidence(answers: Codes, correct: npt.NDArray[np.bool_]) -> Coincidence:
    """Count coincidences of all pairs.

    Parameters
    ----------
    answers : int array, shape (items, m)
        Per-item answer codes from 0; `ABSENT` or `NO_OPTION` otherwise.
    correct : bool array, shape (items, m)
        Whether an answer is right; False where absent.

    Returns
    -------
    Coincidence
    """
    valid = answers != ABSENT
    present = _layer(valid)
    wrong = _layer(valid & ~correct)
    right = _layer(correct)
    few = int(answers.max(initial=0)) < _FEW_ANSWERS
    codes = answers if few else by_popularity(answers)
    same_wrong = _same(np.where(correct, ABSENT, codes).astype(np.int32))
    same = same_wrong + _product(right) if _one_right_answer(codes, correct) else _same(codes)
    return Coincidence(
        n=_product(present),
        same=same,
        both_wrong=_product(wrong),
        same_wrong=same_wrong,
        right=(right @ present.T).astype(np.float64),
    )


def _one_right_answer(codes: Codes, correct: npt.NDArray[np.bool_]) -> bool:
    """Whether two right answers to an item are always the same answer, and so are its wrong ones.

    Then agreeing is being right together or wrong alike, and half of the products are saved.
    """
    highest = np.where(correct, codes, NO_OPTION).max(axis=1)
    matches = codes == highest[:, None]
    return bool((matches == correct)[codes >= 0].all() and (codes[correct] >= 0).all())


def _layer(mask: npt.NDArray[np.bool_]) -> Layer | Floats:
    """Models by items, in the narrowest float that counts exactly."""
    return _floats(np.ascontiguousarray(mask.T))


def _floats(mask: npt.NDArray[np.bool_]) -> Layer | Floats:
    return mask.astype(np.float32) if mask.shape[1] < _EXACT_FLOAT32 else mask.astype(np.float64)


def _by_model(codes: Codes) -> npt.NDArray[np.integer]:
    """Models by items, as narrow as the codes allow: each layer passes over all of it."""
    kind = np.min_scalar_type(-int(codes.max(initial=1)) - 1)
    return np.ascontiguousarray(codes.T.astype(kind))


def _product(layer: Layer | Floats) -> Floats:
    product: Floats = (layer @ layer.T).astype(np.float64)
    return product


def _same(codes: Codes) -> Floats:
    """Pairs of equal codes per pair of models, codes below 0 never equal."""
    m = codes.shape[1]
    total = np.zeros((m, m))
    sizes = np.bincount(codes[codes >= 0], minlength=1)
    dense = sizes.size
    if dense > _FEW_ANSWERS:
        dense = int((sizes > _DENSE_SHARE * codes.size).sum())
    by_model = _by_model(codes)
    for code in range(dense):
        total += _product(_floats(by_model == code))
    item, model = np.nonzero(codes >= dense)
    if item.size:
        column = item.astype(np.int64) * int(sizes.size) + codes[item, model]
        _, column = np.unique(column, return_inverse=True)
        tail = csr_array((np.ones(item.size, dtype=np.float32), (model, column)))
        tail.resize((m, tail.shape[1]))
        total += (tail @ tail.T).toarray()
    return total


def by_popularity(answers: Codes) -> Codes:
    """Renumber each item's answers by how many models gave them, most first.

    Codes below 0 stay. With letters as answers this changes no count and makes the layers uneven;
    with free text it turns thousands of labels into a few full layers and a thin tail.
    """
    item, model = np.nonzero(answers >= 0)
    if not item.size:
        return answers.astype(np.int32)
    width = np.int64(answers.max()) + 1
    key = item.astype(np.int64) * width + answers[item, model]
    keys, place, size = np.unique(key, return_inverse=True, return_counts=True)
    owner = keys // width
    order = np.lexsort((keys, -size, owner))
    start = np.r_[True, np.diff(owner[order]) != 0]
    first = np.maximum.accumulate(np.where(start, np.arange(order.size), 0))
    rank = np.empty(order.size, dtype=np.int32)
    rank[order] = np.arange(order.size) - first
    codes = answers.astype(np.int32)
    codes[item, model] = rank[place]
    return codes


def chance_agreement(labels: Codes, n_labels: int) -> Floats:
    """Agreement expected of independent raters with the pair's own answer shares.

    Parameters
    ----------
    labels : int array, shape (items, m)
        Answer labels, the same code for the same answer on every item; `ABSENT` where absent.
        `NO_OPTION` counts as answered with a label that nobody shares.
    n_labels : int

    Returns
    -------
    float array, shape (m, m)
        Sum over labels of the product of the two models' shares among their common items; nan
        where there are none.
    """
    present = _layer(labels != ABSENT)
    by_model = _by_model(labels)
    n = _product(present)
    # Items answered by both on which the row model gave a label not looked at yet: what is left
    # at the end is the count of the last label, unless some answers have no label.
    left, total = n.copy(), np.zeros_like(n)
    all_labelled = not (labels == NO_OPTION).any()
    for label in range(n_labels):
        shared = left
        if label < n_labels - 1 or not all_labelled:
            shared = (_floats(by_model == label) @ present.T).astype(np.float64)
            left = left - shared
        total += shared * shared.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 0, total / n**2, np.nan)


def weighted_common(present: npt.NDArray[np.bool_], weight: Floats) -> Floats:
    """Sum of `weight` over the items both models answered; shape (m, m).

    Items of equal weight are counted together, so `weight` should take few values.
    """
    total = np.zeros((present.shape[1], present.shape[1]))
    for value in np.unique(weight):
        total += value * _product(_layer(present[weight == value]))
    return total


def chance_adjusted(observed: Floats, expected: Floats) -> Floats:
    """(observed - expected) / (1 - expected); nan where chance alone would always agree."""
    room = 1.0 - expected
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(room > 1e-12, (observed - expected) / room, np.nan)
