"""What the items of a benchmark are like: difficulty, discrimination, suspected keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from caveat.results._frame import TableResult
from caveat.results._plain import to_plain

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.integer]

ItemModel = Literal["rasch", "2pl"]
UNKNOWN = ""
_NO_ROW = -1
"""Code of a model that has no row for an item."""
_DIGITS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """How able a model is on the items it was scored on, whatever their difficulty.

    Attributes
    ----------
    model : str
    n : int
        Items with a score.
    score : float
        Their mean.
    ability, low, high : float
        In logits, relative to the mean of the models; nan where undefined.
    """

    model: str
    n: int
    score: float
    ability: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedItemModel:
    """One model of the items and how well it fits.

    Attributes
    ----------
    name : str
        `rasch` (all items discriminate alike) or `2pl`.
    loglik, bic : float
        BIC counts items as the units; the smaller, the better.
    n_parameters : int
    """

    name: ItemModel
    loglik: float
    n_parameters: int
    bic: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """One item.

    Attributes
    ----------
    item, task : str
        `task` is empty where unknown.
    n : int
        Models with a score.
    right : float
        Mean of their scores: the classical difficulty index, 1 for an item all get right.
    item_rest : float
        Correlation of the item's scores with the models' mean scores on all other items.
    difficulty, low, high : float
        In logits: a model of ability 0 gets the item right with odds exp(-difficulty).
    discrimination, discrimination_low, discrimination_high : float
        Slope of the item relative to the mean of all items; nan where all items count as alike.
    splits : float
        Share of the pairs of models of equal score of which one is right and one is wrong.
    key : str
        The right answer by the benchmark; empty where unknown.
    wrong_answer : str
        The wrong answer that most models gave; empty where all gave the right one.
    wrong_number, answered : int
        Models that gave it, and models that gave any answer.
    rival : str
        The answer that would be the key instead.
    rival_number, key_number : int
        Models that gave the rival, the key.
    rival_ability, key_ability : float
        Mean ability of each of these groups; nan where nobody is in it.
    log10_e : float
        Evidence against the key as the power of ten of an e-value; nan where there is none.
    suspected : bool
        Whether the key counts as probably wrong.
    wrong_models : tuple of str
        Models that got it wrong.
    """

    item: str
    task: str
    n: int
    right: float
    item_rest: float
    difficulty: float
    low: float
    high: float
    discrimination: float
    discrimination_low: float
    discrimination_high: float
    splits: float
    key: str
    wrong_answer: str
    wrong_number: int
    answered: int
    rival: str
    rival_number: int
    key_number: int
    rival_ability: float
    key_ability: float
    log10_e: float
    suspected: bool
    wrong_models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemColumns:
    """The columns of `ItemRow` as arrays, one entry per item; answers as codes, -1 for none."""

    n: "Ints"
    right: "Floats"
    item_rest: "Floats"
    difficulty: "Floats"
    low: "Floats"
    high: "Floats"
    discrimination: "Floats"
    discrimination_low: "Floats"
    discrimination_high: "Floats"
    splits: "Floats"
    key: "Ints"
    wrong_answer: "Ints"
    wrong_number: "Ints"
    answered: "Ints"
    rival: "Ints"
    rival_number: "Ints"
    key_number: "Ints"
    rival_ability: "Floats"
    key_ability: "Floats"
    log10_e: "Floats"
    suspected: "npt.NDArray[np.bool_]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One answer to an item, and who gave it.

    Attributes
    ----------
    answer : str
        Empty for models without a readable answer.
    right : bool or None
        Whether it scored 1; None where some who gave it did and some did not, or nothing is known.
    models : tuple of str
    """

    answer: str
    right: bool | None
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Items(TableResult):
    """All items of one benchmark.

    Attributes
    ----------
    benchmark : str
    models, items, answers : tuple of str
        Names by code.
    tasks : tuple of str
        Task of each item; empty where unknown.
    columns : ItemColumns
    grades : int array, shape (items, models)
        1 right, 0 wrong, -1 neither (no score, or partial credit).
    given : int array, shape (items, models), or None
        Code of each answer in `answers`; -1 without a row, -2 without a readable answer. None where
        the source has no answers.
    abilities : tuple of Ability
        Most able first; without an ability, by score.
    fits : tuple of FittedItemModel
        Empty where neither could be fitted.
    chosen : str or None
        The one of lower BIC.
    n_scored : int
        Items with the scores of two models or more; the next three are among these.
    all_right, all_wrong : int
        Items that no two models differ on.
    all_same_wrong : int
        Items to which all models that answer, three or more, give the same wrong answer.
    effective : float
        Number of items of equal weight that would tell the models apart as well: square of the sum
        of the variances of the items over the sum of their squares.
    matched_pairs : int
        Pairs of models of equal score.
    judged, suspected : int
        Items whose key was judged, and those of a probably wrong one.
    margin, fdr, level : float
        Largest difference that counts as equal score; bound of the false discovery rate of
        `suspected`; content of the intervals.
    reasons : mapping of str to str
        Why columns are undefined: `difficulty`, `discrimination`, `splits`, `key`.
    notes : tuple of str
        What to know about how it was computed.
    """

    benchmark: str
    models: tuple[str, ...]
    items: tuple[str, ...]
    answers: tuple[str, ...]
    tasks: tuple[str, ...]
    columns: ItemColumns
    grades: "npt.NDArray[np.int8]"
    abilities: tuple[Ability, ...]
    fits: tuple[FittedItemModel, ...]
    chosen: ItemModel | None
    n_scored: int
    all_right: int
    all_wrong: int
    all_same_wrong: int
    effective: float
    matched_pairs: int
    judged: int
    suspected: int
    margin: float
    fdr: float
    level: float
    reasons: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    given: "npt.NDArray[np.int32] | None" = None

    def answers_to(self, item: str) -> tuple[Given, ...]:
        """Return who answered what to one item, the most frequent answer first.

        Parameters
        ----------
        item : str

        Returns
        -------
        tuple of Given
            Empty where the source has no answers.
        """
        if self.given is None:
            return ()
        place = self.items.index(item)
        who: dict[int, list[int]] = {}
        for j, code in enumerate(self.given[place].tolist()):
            if code != _NO_ROW:
                who.setdefault(code, []).append(j)
        grades = self.grades[place]
        made = []
        for code, models in who.items():
            found = {int(grades[j]) for j in models}
            made.append(
                Given(
                    answer=self.answers[code] if code >= 0 else "",
                    right={1: True, 0: False}.get(found.pop()) if len(found) == 1 else None,
                    models=tuple(self.models[j] for j in models),
                )
            )
        return tuple(sorted(made, key=lambda one: (not one.answer, -len(one.models), one.answer)))

    @property
    def saturated(self) -> float:
        """Share of the scored items that all models get right or all get wrong."""
        return (self.all_right + self.all_wrong) / self.n_scored if self.n_scored else float("nan")

    def row(self, place: int) -> ItemRow:
        """Return one item in words."""
        names = self.answers
        values: dict[str, Any] = {}
        for name in ItemColumns.__slots__:
            value = getattr(self.columns, name)[place].item()
            if name in ("key", "wrong_answer", "rival"):
                value = names[value] if value >= 0 else UNKNOWN
            values[name] = value
        wrong = (self.grades[place] == 0).nonzero()[0].tolist()
        return ItemRow(
            item=self.items[place],
            task=self.tasks[place] if self.tasks else UNKNOWN,
            wrong_models=tuple(self.models[j] for j in wrong),
            **values,
        )

    def suspects(self, most: int) -> tuple[ItemRow, ...]:
        """Return the items with most evidence against their key."""
        return self._largest(self.columns.log10_e, most)

    def splitters(self, most: int) -> tuple[ItemRow, ...]:
        """Return the items that split most pairs of models of equal score."""
        return self._largest(self.columns.splits, most)

    def inverted(self, most: int) -> tuple[ItemRow, ...]:
        """Return the items that weak models get right and strong ones wrong, worst first."""
        import numpy as np

        slope = self.columns.discrimination
        if not np.isfinite(slope).any():
            slope = self.columns.item_rest
        return tuple(row for row in self._largest(-slope, most) if self._slope(row) < 0)

    def _slope(self, row: ItemRow) -> float:
        return row.discrimination if self.chosen == "2pl" else row.item_rest

    def _largest(self, values: "Floats", most: int) -> tuple[ItemRow, ...]:
        import numpy as np

        known = np.flatnonzero(np.isfinite(values))
        names = np.array([self.items[j] for j in known.tolist()], dtype=object)
        order = known[np.lexsort((names, -values[known]))] if known.size else known
        return tuple(self.row(j) for j in order[:most].tolist())

    def to_dict(self) -> dict[str, Any]:
        """Return what it adds to its benchmark in the JSON of `caveat agree`."""
        return {
            "items": {
                "n_scored": self.n_scored,
                "all_right": self.all_right,
                "all_wrong": self.all_wrong,
                "all_same_wrong": self.all_same_wrong,
                "saturated": to_plain(self.saturated),
                "effective": to_plain(self.effective),
                "chosen": self.chosen,
                "fits": to_plain(self.fits),
                "abilities": to_plain(self.abilities),
                "margin": self.margin,
                "matched_pairs": self.matched_pairs,
                "fdr": self.fdr,
                "judged": self.judged,
                "suspected": self.suspected,
                "suspects": [
                    {**to_plain(row), "answers": to_plain(self.answers_to(row.item))}
                    for row in self.suspects(max(20, self.suspected))
                ],
                "reasons": dict(self.reasons),
                "notes": list(self.notes),
                "table": self._plain_columns(),
            }
        }

    def _plain_columns(self) -> dict[str, list[Any]]:
        """All items, column by column."""
        import numpy as np

        made: dict[str, list[Any]] = {"item": list(self.items)}
        if self.tasks:
            made["task"] = list(self.tasks)
        for name in ItemColumns.__slots__:
            values = getattr(self.columns, name)
            if name in ("key", "wrong_answer", "rival"):
                names = (*self.answers, None)
                made[name] = [names[code] for code in values.tolist()]
            elif values.dtype.kind == "f":
                # A figure that is not finite has no word in JSON.
                rounded = np.round(values, _DIGITS).astype(object)
                rounded[~np.isfinite(values)] = None
                made[name] = rounded.tolist()
            else:
                made[name] = values.tolist()
        return made

    def to_arrow(self) -> "pa.Table":
        """Return one row per item, all of them."""
        import pyarrow as pa

        table = pa.table(self._plain_columns())
        wrong = [[self.models[j] for j in (row == 0).nonzero()[0].tolist()] for row in self.grades]
        return table.append_column("wrong_models", pa.array(wrong, pa.list_(pa.string())))
