"""Stated margins of a population: the shares that re-weighting aims at."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from caveat.errors import InputError

TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Margins:
    """Shares of a population by one attribute, or by several jointly.

    Blanks around names and levels are taken off and Unicode is brought to form NFC, as in the
    columns of evidence, so that equal words are equal levels.

    Attributes
    ----------
    name : str
        What messages call it.
    attributes : tuple of str
        One attribute, or several for a joint table.
    levels : tuple of tuple of str
        One level of each attribute, for each cell of the table.
    shares : float array, shape (levels,)
        Share of the population in each cell; at least 0, together 1 within 1e-6.

    Raises
    ------
    InputError
        When an attribute or a level is blank or there twice, a share is negative or no number, or
        the shares do not sum to 1.

    Examples
    --------
    >>> age = Margins(
    ...     name="age", attributes=("age",), levels=(("18-44",), ("45+",)), shares=[0.4, 0.6]
    ... )
    >>> float(age.shares.sum())
    1.0
    """

    name: str
    attributes: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    shares: NDArray[np.float64]

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "attributes", tuple(clean(a) for a in self.attributes))
        put(self, "levels", tuple(tuple(clean(part) for part in cell) for cell in self.levels))
        put(self, "shares", np.array(self.shares, dtype=np.float64))
        _check_attributes(self.name, self.attributes)
        _check_levels(self.name, self.attributes, self.levels)
        _check_shares(self.name, self.levels, self.shares)
        self.shares.flags.writeable = False

    def of(self, attribute: str) -> tuple[str, ...]:
        """Return the levels of one attribute, in the order they first appear.

        Raises
        ------
        InputError
            When there is no such attribute.
        """
        place = place_of(self, attribute)
        return tuple(dict.fromkeys(cell[place] for cell in self.levels))


def clean(word: str) -> str:
    """Return a name or level as it is compared: without blanks around it, in Unicode form NFC."""
    return unicodedata.normalize("NFC", word.strip().lstrip("\ufeff"))


def collapsed(margins: Margins, attributes: tuple[str, ...]) -> Margins:
    """Add up a joint table over the attributes that are not named.

    Parameters
    ----------
    margins : Margins
    attributes : tuple of str
        Those to keep, in the order wanted.

    Returns
    -------
    Margins

    Raises
    ------
    InputError
        When there is no such attribute.

    Examples
    --------
    >>> both = Margins(
    ...     name="both",
    ...     attributes=("age", "sex"),
    ...     levels=(("young", "f"), ("young", "m"), ("old", "f"), ("old", "m")),
    ...     shares=[0.1, 0.2, 0.3, 0.4],
    ... )
    >>> collapsed(both, ("sex",)).shares.round(3).tolist()
    [0.4, 0.6]
    """
    places = [place_of(margins, attribute) for attribute in attributes]
    cells = [tuple(cell[place] for place in places) for cell in margins.levels]
    return _added(margins.name, tuple(attributes), cells, margins.shares)


def recoded(margins: Margins, attribute: str, names: Mapping[str, str]) -> Margins:
    """Give levels the names that the voters use; levels that get one name are added up.

    Parameters
    ----------
    margins : Margins
    attribute : str
        Whose levels to name.
    names : mapping of str to str
        Level to its new name; levels that are not in it stay as they are.

    Returns
    -------
    Margins

    Raises
    ------
    InputError
        When there is no such attribute, or no such level.

    Examples
    --------
    >>> age = Margins(
    ...     name="age",
    ...     attributes=("age",),
    ...     levels=(("18-44",), ("45-64",), ("65+",)),
    ...     shares=[0.4, 0.35, 0.25],
    ... )
    >>> recoded(age, "age", {"45-64": "45+", "65+": "45+"}).shares.round(3).tolist()
    [0.4, 0.6]
    """
    place = place_of(margins, attribute)
    known = margins.of(attribute)
    for old in names:
        if clean(old) not in known:
            raise InputError(
                f"names must be levels of {attribute!r} ({', '.join(known)}), got {old!r}"
            )
    new_names = {clean(old): new for old, new in names.items()}
    cells = [
        (*cell[:place], new_names.get(cell[place], cell[place]), *cell[place + 1 :])
        for cell in margins.levels
    ]
    return _added(margins.name, margins.attributes, cells, margins.shares)


def place_of(margins: Margins, attribute: str) -> int:
    """Return which of the attributes one is; the error lists those there are."""
    if attribute not in margins.attributes:
        raise InputError(
            f"attribute must be one of {', '.join(margins.attributes)}, got {attribute!r}"
        )
    return margins.attributes.index(attribute)


def _added(
    name: str,
    attributes: tuple[str, ...],
    cells: list[tuple[str, ...]],
    shares: NDArray[np.float64],
) -> Margins:
    order: dict[tuple[str, ...], int] = {}
    where = np.array([order.setdefault(cell, len(order)) for cell in cells], dtype=np.intp)
    together = np.asarray(np.bincount(where, weights=shares), dtype=np.float64)
    return Margins(name=name, attributes=attributes, levels=tuple(order), shares=together)


def _check_attributes(name: str, attributes: tuple[str, ...]) -> None:
    if not attributes or not all(attributes):
        raise InputError(f"margins {name}: must name an attribute, got {attributes!r}")
    twice = [a for a in attributes if attributes.count(a) > 1]
    if twice:
        raise InputError(f"margins {name}: must name each attribute once, got {twice[0]!r} twice")


def _check_levels(
    name: str, attributes: tuple[str, ...], levels: tuple[tuple[str, ...], ...]
) -> None:
    if not levels:
        raise InputError(f"margins {name}: must hold at least one level, got none")
    seen: set[tuple[str, ...]] = set()
    for cell in levels:
        if len(cell) != len(attributes) or not all(cell):
            raise InputError(
                f"margins {name}: a cell must name one level of each of {', '.join(attributes)}, "
                f"got {cell!r}"
            )
        if cell in seen:
            raise InputError(
                f"margins {name}: each level must be there once, got {_shown(cell)} twice"
            )
        seen.add(cell)


def _check_shares(
    name: str, levels: tuple[tuple[str, ...], ...], shares: NDArray[np.float64]
) -> None:
    if shares.shape != (len(levels),):
        raise InputError(
            f"margins {name}: must hold one share for each of {len(levels)} levels, "
            f"got shape {shares.shape}"
        )
    wrong = np.flatnonzero(~(shares >= 0) | np.isinf(shares))
    if wrong.size:
        first = int(wrong[0])
        raise InputError(
            f"margins {name}, level {_shown(levels[first])}: a share must be a number from 0 to 1, "
            f"got {shares[first]:g}"
        )
    total = float(shares.sum())
    if abs(total - 1) > TOLERANCE:
        raise InputError(
            f"margins {name}: the shares must sum to 1 within {TOLERANCE:g}, got {total:.10g}; "
            f"{_remedy(total)}"
        )


def _remedy(total: float) -> str:
    if total == 0:
        return "state the share of at least one level"
    if abs(total - 100) <= 1e-4:
        return "these are percentages: divide each by 100"
    divide = f"divide each by {total:.10g}"
    if abs(total - 100) <= 1:
        return f"these look like rounded percentages: {divide}"
    if total < 1:
        return f"add the level that holds the missing {1 - total:.10g}, or {divide}"
    return f"{divide} (counts and rounded shares become shares so)"


def _shown(cell: tuple[str, ...]) -> str:
    return repr(",".join(cell))
