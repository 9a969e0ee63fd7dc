"""How numbers are written: thousands separators, a true minus, an en dash for undefined."""

import math
from collections.abc import Callable

UNDEFINED = "–"  # noqa: RUF001
MINUS = "−"  # noqa: RUF001


def decimal(value: float, digits: int) -> str:
    """Write a number with a fixed count of decimals."""
    if not math.isfinite(value):
        return UNDEFINED
    text = f"{abs(value):,.{digits}f}"
    return MINUS + text if value < 0 and any(c in "123456789" for c in text) else text


def whole(value: float) -> str:
    """Write a rating or a count."""
    return decimal(value, 0)


def one(value: float) -> str:
    """Write a z value."""
    return decimal(value, 1)


def z_value(value: float) -> str:
    """Write a z value as it stands in a sentence.

    Examples
    --------
    >>> z_value(5.61), z_value(float("nan"))
    ('z = 5.6', 'no error known')
    """
    return f"z = {one(value)}" if math.isfinite(value) else "no error known"


def two(value: float) -> str:
    """Write a kappa."""
    return decimal(value, 2)


def percent(value: float) -> str:
    """Write a share of 0..1 in percent with one decimal."""
    return decimal(100 * value, 1) + "%" if math.isfinite(value) else UNDEFINED


def fine_percent(value: float) -> str:
    """Write a share of 0..1 in percent, small ones with two digits that count: `0.028%`."""
    if not 0 < value < 0.01:
        return percent(value)
    digits = 1 - math.floor(math.log10(100 * value))
    return decimal(100 * value, min(max(digits, 1), 8)) + "%"


def rating_writer(unit: str) -> Callable[[float], str]:
    """Return how ratings of a unit are written: points, shares, or anything else."""
    return {"points": whole, "share": percent}.get(unit, two)


def between(low: float, high: float, write: Callable[[float], str]) -> str:
    """Write an interval; undefined when either end is."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return UNDEFINED
    return f"{write(low)} to {write(high)}"


def ranks(low: int, high: int) -> str:
    """Write a range of ranks."""
    return whole(low) if low == high else f"{whole(low)}–{whole(high)}"  # noqa: RUF001


def size(n_bytes: int) -> str:
    """Write a file size in decimal units."""
    if n_bytes < 1000:
        return f"{n_bytes} B"
    steps = ((1e3, "kB"), (1e6, "MB"), (1e9, "GB"))
    scale, unit = next((s for s in steps if n_bytes < 999.95 * s[0]), steps[-1])
    return f"{decimal(n_bytes / scale, 1)} {unit}"


def counted(n: int, word: str, plural: str = "") -> str:
    """Write a count with its noun: `1 vote`, `2,000 votes`."""
    return f"{whole(n)} {word if n == 1 else plural or word + 's'}"


def plain(value: object) -> str:
    """Write any scalar found in evidence or settings."""
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace("-", MINUS)
    if isinstance(value, float):
        return _significant(value)
    return str(value)


def _significant(value: float) -> str:
    if not math.isfinite(value):
        return UNDEFINED
    if value and not 1e-4 <= abs(value) < 1e15:
        return f"{value:.3g}".replace("-", MINUS)
    text = f"{value:,.4f}" if abs(value) < 1000 else f"{value:,.1f}"
    return (text.rstrip("0").rstrip(".") or "0").replace("-", MINUS)
