"""First look at promptfoo's results: which test is which item, which column which model."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from caveat.importers.case_fields import identity, mapping

_READABLE = 60


@dataclass(slots=True)
class Cases:
    """Names of items and columns, which only all results together decide.

    A test is known by its variables and its description, so that the same test has the same name
    in another run, wherever it stands there; `testIdx` would not. Tests that are the same in
    both are repeats, unless they assert different things.
    """

    texts: dict[str, str | None] = field(default_factory=dict)
    places: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    columns: dict[tuple[str, str | None], list[int]] = field(default_factory=dict)
    met: Counter[tuple[str, str, str, str | None]] = field(default_factory=Counter)

    def meet(self, result: Mapping[str, Any]) -> None:
        """Take note of one result."""
        test = mapping(result.get("testCase"))
        key = _key(result)
        description = test.get("description")
        self.texts[key] = (
            description.strip()
            if isinstance(description, str) and description.strip()
            else _shown(_variables(result))
        )
        places = self.places.setdefault(key, {}).setdefault(identity(test.get("assert")), [])
        place = result.get("testIdx")
        if isinstance(place, int) and place not in places:
            places.append(place)
        column = result.get("promptIdx")
        columns = self.columns.setdefault((model_of(result), prompt_of(result)), [])
        if isinstance(column, int) and column not in columns:
            columns.append(column)

    def begin(self) -> None:
        """Begin to number repeats anew."""
        self.met.clear()

    def settle(self) -> None:
        """Put everything in order: that of the tests, not of who finished first."""
        for places in [p for asserted in self.places.values() for p in asserted.values()]:
            places.sort()
        for columns in self.columns.values():
            columns.sort()

    def items(self) -> dict[str, str]:
        """Return the name of each test: its description or variables, where no other has them."""
        shared: dict[str | None, int] = {}
        for text in self.texts.values():
            shared[text] = shared.get(text, 0) + 1
        return {
            key: key if text is None else text if shared[text] == 1 else f"{text} {key[:8]}"
            for key, text in self.texts.items()
        }

    def place(self, result: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
        """Return the item of a result, and which repeat of its test it is.

        The repeat is counted from 1, and None where there is only one. Versions that do not
        number the tests tell repeats apart only by their order.
        """
        key = _key(result)
        asserted = self.places[key]
        own = identity(mapping(result.get("testCase")).get("assert"))
        item = names[key] if len(asserted) == 1 else f"{names[key]} {own[:6]}"
        place = result.get("testIdx")
        if not isinstance(place, int):
            met = (key, own, model_of(result), prompt_of(result))
            self.met[met] += 1
            return {"item": item, "repeat": self.met[met]}
        places = asserted[own]
        several = len(places) > 1 and place in places
        return {"item": item, "repeat": places.index(place) + 1 if several else None}

    def model(self, result: Mapping[str, Any]) -> str:
        """Return the model; columns that share a provider and a prompt are told apart."""
        name = model_of(result)
        columns = self.columns[name, prompt_of(result)]
        if len(columns) < 2:
            return name
        return f"{name} (column {int(result['promptIdx']) + 1})"

    def twins(self) -> Iterable[str]:
        """Return the models that stand in several columns of one prompt."""
        return [name for (name, _), columns in self.columns.items() if len(columns) > 1]


def model_of(result: Mapping[str, Any]) -> str:
    """Return the label of a result's provider, or its id."""
    provider = result.get("provider")
    if isinstance(provider, str):
        return provider
    found = mapping(provider)
    return str(found.get("label") or found.get("id") or "")


def prompt_of(result: Mapping[str, Any]) -> str | None:
    """Return a short name of a result's prompt."""
    prompt = mapping(result.get("prompt"))
    label = prompt.get("label") or prompt.get("display")
    if isinstance(label, str) and 0 < len(label) <= _READABLE and label != prompt.get("raw"):
        return label
    known = result.get("promptId") or label
    if isinstance(known, str) and known:
        return known[:12] if len(known) > _READABLE and " " not in known else identity(known)
    return None


def _key(result: Mapping[str, Any]) -> str:
    return identity(mapping(result.get("testCase")).get("description"), dict(_variables(result)))


def _variables(result: Mapping[str, Any]) -> Mapping[str, Any]:
    given = mapping(mapping(result.get("testCase")).get("vars"))
    used = mapping(result.get("vars")) or given
    own = {name: used[name] for name in used if not str(name).startswith("_")}
    return {name: own[name] for name in own if name in given} or own


def _shown(variables: Mapping[str, Any]) -> str | None:
    text = ", ".join(f"{name}={value}" for name, value in variables.items())
    return text if 0 < len(text) <= _READABLE else None
