"""How claims put names and figures into words."""

import math
from collections.abc import Sequence

from caveat.results.provenance import Provenance

_LONGEST_NAME = 80
_JOINERS = "\u200c\u200d"  # some scripts and emoji are misspelled without them


def name(text: str) -> str:
    """One name on one line: control and direction marks are spelled out, long names are cut."""
    plain = "".join(
        c if c.isprintable() or c in _JOINERS else c.encode("unicode_escape").decode() for c in text
    )
    return plain if len(plain) <= _LONGEST_NAME else plain[: _LONGEST_NAME - 3] + "..."


def listed(phrases: Sequence[str], *, limit: int = 5) -> str:
    """Join phrases: `A and B`, `A, B and C`, or the first `limit` with `and 12 more`."""
    shown = list(phrases[:limit])
    if len(phrases) > limit:
        return f"{', '.join(shown)} and {len(phrases) - limit:,} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def names(texts: Sequence[str], *, limit: int = 5) -> str:
    """List names, the first `limit` of them."""
    return listed([name(text) for text in texts], limit=limit)


def number(n: int, word: str) -> str:
    """Count things: `1 item`, `1,681 items`."""
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"


def percent(share: float) -> str:
    """Give a share in percent; what is not quite nothing or everything is not rounded to it."""
    if 0 < share < 0.0005:
        return "under 0.1%"
    if 0.9995 <= share < 1:
        return "over 99.9%"
    return f"{_tenths(share)}%"


def small_percent(share: float) -> str:
    """Give a share in percent with two digits, however small it is."""
    return f"{100 * share:.2g}%" if 0 < share < 0.01 else percent(share)


def span(lowest: float, highest: float) -> str:
    """Give a range of shares in percent, `28.6-66.8%`, or one figure where both round alike."""
    if _tenths(lowest) == _tenths(highest):
        return percent(lowest)
    return f"{_tenths(lowest)}-{_tenths(highest)}%"


def z(value: float) -> str:
    """Give a z value; words where the votes leave no error."""
    return f"z = {value:.1f}" if math.isfinite(value) else "no error known"


def sources(provenance: Provenance) -> tuple[str, ...]:
    """Names of the files a result came from."""
    return tuple(source.name for source in provenance.sources)


def _tenths(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")
