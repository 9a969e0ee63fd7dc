"""Which models are a judge's own: itself, its family, its provider's."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_STEM = re.compile(r"[a-z]{3,}")
_PEOPLE = re.compile(
    r"(human|people|person|crowd|annotator|expert|voter|user|rater|worker)s?\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Kin:
    """Models taken for a judge's own.

    Attributes
    ----------
    models : tuple of str
    how : str
        `declared family`, `declared provider`, `name`, or empty where there are none.
    """

    models: tuple[str, ...]
    how: str


def kin(judge: str, models: Sequence[str], declared: Mapping[str, Mapping[str, Any]]) -> Kin:
    """Find the models of a judge's family.

    What a table of models declares comes first: models of the same family, or else of the same
    provider. Without that, names decide: models whose names begin with the same letters, `gpt` in
    `gpt-4` and `openai/gpt-3.5`. GPT-NeoX, GPT-J and other names in which no number follows `gpt`
    are not taken for OpenAI's.

    Parameters
    ----------
    judge : str
    models : sequence of str
        On the board.
    declared : mapping of str to mapping
        What a table of models says of each.

    Examples
    --------
    >>> kin("gpt-4", ["GPT 3.5 Turbo", "GPT-NeoXT (20B)", "Claude v1"], {})
    Kin(models=('GPT 3.5 Turbo',), how='name')
    """
    said = {plain(name): row for name, row in declared.items()}
    own = said.get(plain(judge), {})
    for column in ("family", "provider"):
        if own.get(column):
            same = [m for m in models if said.get(plain(m), {}).get(column) == own[column]]
            same += [m for m in models if plain(m) == plain(judge) and m not in same]
            return Kin(tuple(same), f"declared {column}" if same else "")
    stem = _stem(judge)
    alike = tuple(
        m for m in models if plain(m) == plain(judge) or (stem is not None and _stem(m) == stem)
    )
    return Kin(alike, "name" if alike else "")


def is_people(judge: str) -> bool:
    """Whether a judge's name says that these are people."""
    return _PEOPLE.match(judge.strip()) is not None


def plain(name: str) -> str:
    """Letters and digits of a name; the name itself where it has none."""
    return "".join(filter(str.isalnum, name.casefold())) or name


def _stem(name: str) -> str | None:
    """First letters of a name without its maker's path; None where they tell nothing."""
    last = name.casefold().rsplit("/", 1)[-1].strip()
    found = _STEM.match(last)
    if found is None:
        return None
    rest = last[found.end() :].lstrip(" -_.")
    if found.group() == "gpt" and not rest[:1].isdigit():
        return None
    return found.group()
