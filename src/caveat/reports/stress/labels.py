"""What each stress test is called in lists, whether it ran or not."""

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "drop": "Drop a few votes",
    "systems": "Rating systems",
    "position": "Order of display",
    "style": "Length and style",
    "judging": "Judges",
    "sampling": "Sampling",
    "removal": "Removed models",
    "variants": "Private variants",
    "connections": "Connections",
    "fit": "Fit and cycles",
    "rigging": "Rigging",
    "voters": "Voters",
}


def label(test: str) -> str:
    """Return the name of a test in two or three words."""
    return LABELS.get(test) or test.replace("-", " ").capitalize()
