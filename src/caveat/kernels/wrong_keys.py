"""Which answer is the right one? The key of an item against each of its rivals.

For each item the probability of all its answers is worked out twice: with the key that the
benchmark holds, and with another answer as the key. Models give the right answer as the Rasch model
says, the item's difficulty integrated out (`kernels/rasch.py`); wrong answers fall on the other
options as in a Polya urn, so that some distractors draw many of them: a Dirichlet-multinomial
distribution with one concentration for all items, fitted to the wrong answers there are. Free text
has no number of options: there the urn is Ewens' (1972,
https://doi.org/10.1016/0040-5809(72)90035-4), its limit for many options.

The ratio of the two probabilities, averaged over the rivals, is an e-value: if the key is right and
the model holds, its mean is at most 1. Many strong models that agree on one answer against a few
weak ones that follow the key give a large ratio; many models caught by one distractor give a large
one only where distractors do not usually catch so many.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, logsumexp

from caveat.kernels.distinct import numbered
from caveat.kernels.rasch import RaschFit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
CONCENTRATIONS = np.exp(np.linspace(np.log(0.05), np.log(200.0), 60))
"""Grid on which the concentration is fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Each answer that was given to an item, once.

    Attributes
    ----------
    item, answer : int arrays, shape (g,)
        In the order of the items.
    number, ability : float arrays, shape (g,)
        Models that gave it, and the sum of their abilities.
    is_key : bool array, shape (g,)
    """

    item: Ints
    answer: Ints
    number: Floats
    ability: Floats
    is_key: Mask


@dataclass(frozen=True, slots=True, eq=False)
class WrongKeys:
    """How likely it is that the key of each of n items is wrong.

    Attributes
    ----------
    log_e : float array, shape (n,)
        Log of the e-value; nan where there is nothing to judge.
    rival : int array, shape (n,)
        The answer that would be the key most likely, -1 where only the key was given.
    number, key_number : float arrays, shape (n,)
        Models that gave the rival, the key.
    answered : float array, shape (n,)
        Models that gave an answer.
    ability, key_ability : float arrays, shape (n,)
        Mean ability of those that gave the rival, the key; nan where nobody did.
    concentration : float
        Of wrong answers; small where one distractor usually draws most of them.
    """

    log_e: Floats
    rival: Ints
    number: Floats
    key_number: Floats
    answered: Floats
    ability: Floats
    key_ability: Floats
    concentration: float


def wrong_keys(
    answer: npt.NDArray[np.int32],
    key: Ints,
    options: Floats,
    one: RaschFit,
    *,
    least: int = 3,
    concentration: float | None = None,
) -> WrongKeys:
    """Set the key of each item against its rivals.

    Parameters
    ----------
    answer : int array, shape (n, m)
        Label codes; below 0 where there is no answer.
    key : int array, shape (n,)
        Label code of the key; -1 where no model gave it and its label is unknown.
    options : float array, shape (n,)
        Options of each item; nan for free text.
    one : RaschFit
        Abilities and the distribution of difficulties.
    least : int
        Items with fewer answers are not judged.
    concentration : float, optional
        Of the wrong answers; fitted by default.

    Returns
    -------
    WrongKeys
    """
    given = given_answers(answer, key, one.ability)
    sums = _Sums(given, answer.shape[0])
    options = np.maximum(options, sums.distinct + ~sums.key_given)
    if concentration is None:
        concentration = _concentration(sums, options)
    log_each = _as_key(answer, given, one) + _as_wrong(sums, options, concentration)
    # The key of the benchmark where nobody gave it: everybody is wrong.
    nobody = _level(answer, one, np.arange(sums.n), np.zeros(sums.n))
    nobody += sums.of_all(_cell(given, options, concentration))
    nobody -= _total(concentration, sums.answered)
    null = np.where(sums.key_given, sums.of_key(log_each), nobody)
    places = np.where(np.isfinite(options), options - 1.0, sums.distinct)
    with np.errstate(divide="ignore"):
        ratio = log_each - (null + np.log(places))[given.item]
    ratio[given.is_key] = -np.inf
    best, log_e = _average(given, ratio, sums.n)
    rival = np.maximum(best, 0)
    judged = (best >= 0) & (sums.answered >= least) & (places >= 1.0)
    return WrongKeys(
        log_e=np.where(judged, log_e, np.nan),
        rival=np.where(best >= 0, given.answer[rival], -1),
        number=np.where(best >= 0, given.number[rival], 0.0),
        key_number=sums.of_key(given.number),
        answered=sums.answered,
        ability=np.where(best >= 0, given.ability[rival] / given.number[rival], np.nan),
        key_ability=sums.key_ability(),
        concentration=concentration,
    )


def given_answers(answer: npt.NDArray[np.int32], key: Ints, ability: Floats) -> Given:
    """List the distinct answers to each item with the models that gave them."""
    item, model = np.nonzero(answer >= 0)
    width = int(answer.max(initial=0)) + 1
    cell, place = numbered(item * width + answer[item, model], answer.shape[0] * width)
    return Given(
        item=cell // width,
        answer=cell % width,
        number=np.bincount(place, minlength=cell.size).astype(np.float64),
        ability=np.bincount(place, weights=ability[model], minlength=cell.size).astype(np.float64),
        is_key=cell % width == key[cell // width],
    )


def most_given(
    answer: npt.NDArray[np.int32], key: Ints
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the wrong answer most models gave to each item, how many did, and how many answered.

    The code is -1 where no model gave a wrong answer; of equally frequent ones it is the smallest.
    """
    n = answer.shape[0]
    given = given_answers(answer, key, np.zeros(answer.shape[1]))
    answered = np.bincount(given.item, weights=given.number, minlength=n)
    wrong = ~given.is_key
    item, code, number = given.item[wrong], given.answer[wrong], given.number[wrong]
    order = np.lexsort((code, -number, item))
    first = order[np.r_[True, np.diff(item[order]) > 0]] if order.size else order
    modal, size = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    modal[item[first]] = code[first]
    size[item[first]] = number[first].astype(np.int64)
    return modal, size, answered.astype(np.int64)


class _Sums:
    """Sums over the answers given to each item."""

    def __init__(self, given: Given, n: int) -> None:
        self.given, self.n = given, n
        self.answered = self.of_all(given.number)
        self.distinct = np.bincount(given.item, minlength=n).astype(np.float64)
        self.key_given = self.of_key(given.number) > 0
        self.wrong = self.answered - self.of_key(given.number)

    def of_all(self, values: Floats) -> Floats:
        total = np.bincount(self.given.item, weights=values, minlength=self.n)
        return total.astype(np.float64)

    def of_key(self, values: Floats) -> Floats:
        return self.of_all(np.where(self.given.is_key, values, 0.0))

    def key_ability(self) -> Floats:
        number = self.of_key(self.given.number)
        total = self.of_key(self.given.ability)
        mean: Floats = np.where(number > 0, total / np.maximum(number, 1.0), np.nan)
        return mean


def _as_key(answer: npt.NDArray[np.int32], given: Given, one: RaschFit) -> Floats:
    """Log-probability of who is right and who is wrong, with each answer in turn as the key."""
    return given.ability + _level(answer, one, given.item, given.number)


def _as_wrong(sums: _Sums, options: Floats, concentration: float) -> Floats:
    """Log-probability of where the wrong answers fall, with each answer in turn as the key."""
    given = sums.given
    cell = _cell(given, options, concentration)
    others = sums.of_all(cell)[given.item] - cell
    return others - _total(concentration, sums.answered[given.item] - given.number)


def _cell(given: Given, options: Floats, concentration: float) -> Floats:
    """Add up what the models on one wrong answer bring to the log-probability of an urn."""
    share = concentration / np.maximum(options[given.item] - 1.0, 1.0)
    many = ~(share > 0)  # unknown, or without end
    share = np.where(many, 1.0, share)
    cell: Floats = gammaln(share + given.number) - gammaln(share)
    return np.where(many, np.log(concentration) + gammaln(given.number), cell)


def _total(concentration: float, number: Floats) -> Floats:
    total: Floats = gammaln(concentration + number) - gammaln(concentration)
    return total


def _concentration(sums: _Sums, options: Floats) -> float:
    """Most likely concentration of the wrong answers, the keys taken as they are."""
    given = sums.given
    wrong = ~given.is_key
    # Cells that are alike are counted together: they take few values.
    cells, counts = _counted(np.column_stack([options[given.item], given.number])[wrong])
    totals, times = _counted(sums.wrong[:, None])
    alike = Given(
        item=np.arange(len(cells)),
        answer=np.zeros(0, dtype=np.intp),
        number=cells[:, 1],
        ability=np.zeros(0),
        is_key=np.zeros(0, dtype=bool),
    )
    value = [
        counts @ _cell(alike, cells[:, 0], a) - times @ _total(a, totals[:, 0])
        for a in CONCENTRATIONS
    ]
    return float(CONCENTRATIONS[int(np.argmax(value))])


def _counted(rows: Floats) -> tuple[Floats, Floats]:
    values, counts = np.unique(rows, axis=0, return_counts=True, equal_nan=True)
    return values, counts.astype(np.float64)


def _level(answer: npt.NDArray[np.int32], one: RaschFit, item: Ints, number: Floats) -> Floats:
    """Log of the chance of so many right answers by given models, but for their abilities."""
    present = answer >= 0
    packed = np.ascontiguousarray(np.packbits(present, axis=1))
    names = packed.view(np.dtype((np.void, packed.shape[1])))[:, 0]
    _, first, pattern = np.unique(names, return_index=True, return_inverse=True)
    wide = answer.shape[1] + 1
    key, place = np.unique(pattern[item] * wide + number.astype(np.intp), return_inverse=True)
    wrong = present[first].astype(np.float64) @ np.logaddexp(0.0, one.ability[:, None] - one.node)
    with np.errstate(divide="ignore"):
        log = np.log(one.weight) - wrong[key // wide] - np.outer(key % wide, one.node)
    level: Floats = logsumexp(log, axis=1)[place]
    return level


def _average(given: Given, ratio: Floats, n: int) -> tuple[Ints, Floats]:
    """Place of each item's largest ratio, -1 without a rival, and the log of their sum."""
    order = np.lexsort((given.answer, -ratio, given.item))
    item = given.item[order]
    start = np.flatnonzero(np.r_[True, np.diff(item) > 0]) if item.size else np.zeros(0, np.intp)
    best = np.full(n, -1, dtype=np.intp)
    best[item[start]] = order[start]
    top = np.where(best >= 0, ratio[np.maximum(best, 0)] if ratio.size else 0.0, -np.inf)
    best[~np.isfinite(top)] = -1
    safe = np.where(np.isfinite(top), top, 0.0)
    total = np.bincount(given.item, weights=np.exp(ratio - safe[given.item]), minlength=n)
    with np.errstate(divide="ignore"):
        log_e: Floats = safe + np.log(total)
    return best, log_e
