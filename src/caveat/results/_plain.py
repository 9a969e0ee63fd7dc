"""Results as plain data: what JSON can hold, with undefined as null."""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any


def to_plain(value: Any) -> Any:  # noqa: ANN401 - any value of a result, by design
    """Turn dataclasses, enums, tuples and numpy values into dicts, lists and scalars.

    A float that is nan or infinite becomes None: JSON has no word for it, and the field
    beside it (`reason`) says why it is undefined.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_plain(item) for item in value]
    return _scalar(value)


def _scalar(value: Any) -> Any:  # noqa: ANN401 - any value of a result, by design
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "tolist"):
        return to_plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
