"""What a model wrote, as one text of bounded length."""

import hashlib

import orjson

LONGEST = 200
"""Characters of a text that is kept whole; 2 GB of answers have to fit into memory."""
_SHOWN = 60


def answer_text(value: object) -> str | None:
    """Return an answer as text, without blanks around it; the same answer is the same text.

    A text of more than 200 characters is kept as its beginning, its length and the beginning
    of its SHA-256, so that answers can still be compared and memory stays small.

    Examples
    --------
    >>> answer_text(" 4 "), answer_text(True), answer_text({"b": 1, "a": None}), answer_text("  ")
    ('4', 'true', '{"a":null,"b":1}', None)
    >>> answer_text("x" * 2000)[-40:]
    ' ... (2000 characters, 5c0e0ea421571c30)'
    """
    if value is None:
        return None
    text = value if isinstance(value, str) else _json(value)
    text = text.strip()
    if len(text) <= LONGEST:
        return text or None
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{text[:_SHOWN]} ... ({len(text)} characters, {digest})"


def _json(value: object) -> str:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except (TypeError, orjson.JSONEncodeError):
        return repr(value)
