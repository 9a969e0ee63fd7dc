"""What each test is called in lists, whether it ran or not."""

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "drop": "Drop a few votes",
    "systems": "Rating systems",
    "position": "Order of display",
    "style": "Length and style",
    "judging": "Judges",
    "annotators": "Judges for people",
    "sampling": "Sampling",
    "removal": "Removed models",
    "variants": "Private variants",
    "connections": "Connections",
    "fit": "Fit and cycles",
    "rigging": "Rigging",
    "voters": "Voters",
    "data": "State of the data",
    "paired": "Paired tests",
    "first-two": "The first two",
    "disagreement": "Disagreement",
    "noise": "Noise floor",
    "interchangeable": "Interchangeable models",
    "families": "Families",
    "sensitivity": "Prompts and parsers",
    "items": "Items",
    "crowd": "Crowds of models",
    "judges": "Judges",
    "item-removal": "Drop a few items",
    "choices": "Choices of the analyst",
    "rank-intervals": "Ranks",
    "item-ranks": "Ranks",
    "winner": "The leader's luck",
}


def label(test: str) -> str:
    """Return the name of a test in two or three words, as a section or as JSON spells it."""
    name = test.replace("_", "-")
    return LABELS.get(name) or name.replace("-", " ").capitalize()
