"""Long names, cut in the middle: both ends of a name tell more than either alone."""

from collections import Counter
from collections.abc import Iterable, Mapping

from caveat.reports.visible import visible

LONGEST = 60
"""Characters of a name in a sentence or on a terminal; JSON and tables of a page have all of it."""


def cut(text: str, longest: int = LONGEST) -> str:
    """Cut the middle out of a text that is longer than `longest`.

    Examples
    --------
    >>> cut("a-very-long-name", 9)
    'a-ve…name'
    """
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    return f"{text[: longest - 1 - tail]}…{text[-tail:]}"


def shortened(texts: Iterable[str], longest: int = LONGEST) -> dict[str, str]:
    """Cut long texts, except where two would then look the same; unseen characters are spelled."""
    whole = {text: visible(text) for text in texts}
    short = {text: cut(shown, longest) for text, shown in whole.items()}
    looks = Counter(short.values())
    return {text: short[text] if looks[short[text]] == 1 else whole[text] for text in short}


def telling(texts: Iterable[str], least: int, longest: int = LONGEST) -> int:
    """Return how many characters, `least` or more, cut texts need so that no two look the same.

    Examples
    --------
    >>> telling(["model-a|few_shot", "model-a|zero_shot"], 9)
    13
    """
    different = set(texts)
    return next(
        (
            size
            for size in range(least, longest)
            if len({cut(text, size) for text in different}) == len(different)
        ),
        longest,
    )


def long_names(names: Iterable[str]) -> Mapping[str, str]:
    """Return how names too long for a sentence are written in one, the longest first."""
    short = shortened(set(names))
    cuts = {name: text for name, text in short.items() if len(name) > LONGEST}
    return dict(sorted(cuts.items(), key=lambda item: -len(item[0])))


def replaced(text: str, cuts: Mapping[str, str]) -> str:
    """Return a sentence with long names cut."""
    for name, short in cuts.items():
        text = text.replace(name, short)
    return text
