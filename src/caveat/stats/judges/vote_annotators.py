"""Votes of people and of model judges on the same comparisons, as labels."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats
from caveat.data.evidence import Evidence
from caveat.data.schema import OUTCOMES
from caveat.errors import InputError
from caveat.results.stress.annotators import Annotators
from caveat.stats.judges.alternative_annotator import Margin, PeopleLabels, annotator_tests
from caveat.stats.robustness.kinship import is_people

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

MOST = 12
"""Judges tested at most."""
SAME_ORDER = 0.5
"""Share of the labels of people that must remain when the order has to be the same as well."""
NEITHER = 2
VERDICTS = 3


def vote_annotators(votes: Evidence, *, margin: Margin | None = None) -> Annotators | None:
    """Test whether model judges may stand for the people who voted.

    A comparison is one item and two models, and the order of display where it is known and half of
    the labels remain. What one says of a comparison is the verdict most of its votes on it have;
    neither where two verdicts have as many, as when a judge changes its mind with the order.

    Parameters
    ----------
    votes : Evidence
    margin : Margin, optional

    Returns
    -------
    Annotators or None
        None where not both people and models judged.

    Raises
    ------
    InputError
        When votes of people do not say which person cast them, or on which item.

    References
    ----------
    Calderon, Reichart and Dror (2025), https://arxiv.org/abs/2501.10970.
    """
    who = _who(votes)
    if who is None:
        return None
    if "item" not in votes.table.column_names:
        raise InputError("votes name no item")
    cast = _cast(votes, who)
    found = _labels(cast, who, ordered=False)
    on: tuple[str, ...] = ("item", "models")
    if votes.order_known:
        same_order = _labels(cast, who, ordered=True)
        if same_order.usable >= SAME_ORDER * found.usable:
            found, on = same_order, ("item", "models", "order")
    return Annotators(
        tests=annotator_tests(
            found.people,
            {name: found.judges[:, j] for j, name in enumerate(who.judges)},
            margin=margin,
        ),
        people_agree=_agreement(found.people),
        n_comparisons=int(np.unique(found.people.item).size),
        matched_on=on,
        n_left_out=who.n_left_out,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Who:
    """Who cast each row: people first, then judges; -1 for others."""

    code: Ints
    people: tuple[str, ...]
    judges: tuple[str, ...]
    n_left_out: int


def _who(votes: Evidence) -> _Who | None:
    """Tell people from judges; None where there are not both."""
    table = votes.table
    if "judge" not in table.column_names:
        return None
    judge, names = codes(table, "judge")
    human = np.array([*(is_people(name) for name in names), False])
    if not human.any() or human[:-1].all():
        return None
    by_person = human[judge]
    if "voter" in table.column_names and table["voter"].null_count < table.num_rows:
        person, people = codes(table, "voter")
        person = np.where(by_person, person, -1)
    else:
        if human.sum() < 2:
            raise InputError("votes of people do not name the voter")
        person, people = np.where(by_person, judge, -1), names
    known = np.array(sorted(np.unique(person[person >= 0]), key=lambda k: people[k]), dtype=int)
    rank = np.zeros(len(people), dtype=np.int64)
    rank[known] = np.arange(known.size)
    size = np.bincount(judge[judge >= 0], minlength=len(names))
    models = [k for k in np.argsort(-size, kind="stable").tolist() if not human[k]]
    place = np.full(len(names) + 1, -1, dtype=np.int64)
    place[models[:MOST]] = known.size + np.arange(len(models[:MOST]))
    code = place[judge]
    code[person >= 0] = rank[person[person >= 0]]
    return _Who(
        code=code,
        people=tuple(people[k] for k in known.tolist()),
        judges=tuple(names[k] for k in models[:MOST]),
        n_left_out=max(len(models) - MOST, 0),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Cast:
    """Rows that count: who, the comparison without its order, whether turned, and the verdict."""

    who: Ints
    comparison: Ints
    turned: Mask
    verdict: Ints
    weight: npt.NDArray[np.float64]


def _cast(votes: Evidence, who: _Who) -> _Cast:
    table = votes.table
    item = codes(table, "item")[0].astype(np.int64)
    a, names_a = codes(table, "model_a")
    b, names_b = codes(table, "model_b")
    number = {name: k for k, name in enumerate(dict.fromkeys((*names_a, *names_b)))}
    first = np.array([number[name] for name in names_a], dtype=np.int64)[a]
    second = np.array([number[name] for name in names_b], dtype=np.int64)[b]
    outcome, labels = codes(table, "outcome")
    verdict = np.array([OUTCOMES.index(label) for label in labels], dtype=np.int64)[outcome]
    verdict = np.minimum(verdict, NEITHER)
    turned = first > second
    verdict = np.where(turned & (verdict < NEITHER), 1 - verdict, verdict)
    low, high = np.minimum(first, second), np.maximum(first, second)
    count = floats(table, "count")
    keep = (who.code >= 0) & (item >= 0)
    return _Cast(
        who=who.code[keep],
        comparison=((item * len(number) + low) * len(number) + high)[keep],
        turned=turned[keep],
        verdict=verdict[keep],
        weight=np.where(np.isnan(count), 1.0, count)[keep],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Labels:
    """Labels of people, those of the judges, and how many of the first can be used."""

    people: PeopleLabels
    judges: Ints
    usable: int


def _labels(cast: _Cast, who: _Who, *, ordered: bool) -> _Labels:
    key = cast.comparison * 2 + cast.turned if ordered else cast.comparison
    _, comparison = np.unique(key, return_inverse=True)
    n_comparisons = int(comparison.max(initial=-1)) + 1
    everyone = len(who.people) + len(who.judges)
    given, row = np.unique(comparison * np.int64(everyone) + cast.who, return_inverse=True)
    tally = np.bincount(
        row * VERDICTS + cast.verdict, weights=cast.weight, minlength=given.size * VERDICTS
    ).reshape(-1, VERDICTS)
    label = np.full(given.size, NEITHER, dtype=np.int64)
    for side in (0, 1):
        label[tally[:, side] > np.delete(tally, side, axis=1).max(axis=1, initial=0)] = side
    item, code = np.divmod(given, everyone)
    person = code < len(who.people)
    judges = np.full((n_comparisons, len(who.judges)), -1, dtype=np.int64)
    judges[item[~person], code[~person] - len(who.people)] = label[~person]
    people = PeopleLabels(item[person], code[person], label[person], who.people, n_comparisons)
    number = np.bincount(people.item, minlength=n_comparisons)
    good = (number > 1) & (judges >= 0).any(axis=1)
    return _Labels(people, judges, int(number[good].sum()))


def _agreement(people: PeopleLabels) -> float:
    """Share of the pairs of people who say the same of a comparison."""
    tally = np.bincount(
        people.item * VERDICTS + people.label.astype(np.int64),
        minlength=people.n_items * VERDICTS,
    ).reshape(-1, VERDICTS)
    total = tally.sum(axis=1)
    pairs = float((total * (total - 1)).sum())
    return float((tally * (tally - 1)).sum()) / pairs if pairs else float("nan")
