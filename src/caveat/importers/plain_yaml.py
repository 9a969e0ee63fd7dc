"""YAML that others wrote, read without its dangers: texts, lists and mappings, nothing else."""

from collections.abc import Iterator
from typing import Any

from caveat.errors import SourceError
from caveat.importers.opening import Member

LARGEST = 1_000_000
_DEEPEST, _MOST = 30, 200_000
_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ("str", "int", "float", "bool", "null", "timestamp", "map", "seq")
)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


def read_text(member: Member) -> str:
    """Return the whole text of a small file.

    Raises
    ------
    SourceError
        When it is larger than 1 MB, or not UTF-8.
    """
    with member.open() as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise SourceError(f"{member.name}: such a file may hold {LARGEST:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{member.name}: is not UTF-8 ({error})") from error


def read_yaml(text: str, *, name: str) -> Any:  # noqa: ANN401 - whatever YAML holds
    """Return a document: every scalar as the text that is written, or None for an empty one.

    Numbers and dates stay text, so that a hash of digits or a version 1.10 is what it says.
    Aliases, tags of other types, keys that stand twice and all but the first document are
    refused, and so is what is nested too deeply or holds too many values.

    Raises
    ------
    SourceError
        When the text is no YAML, or holds what is refused.

    Examples
    --------
    >>> read_yaml("- {id: 0123, value: 20.90, date: 2025-01-15, notes: null}", name="x.yaml")
    [{'id': '0123', 'value': '20.90', 'date': '2025-01-15', 'notes': None}]
    """
    import yaml

    try:
        events = _checked(
            yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)), name
        )
        value = _value(next(events), events, name, 0)
        more = next(events, None)
    except (yaml.YAMLError, StopIteration) as error:
        where = " ".join(str(error).split())[:200]
        raise SourceError(f"{name}: not readable as YAML ({where})") from error
    if more is not None:
        raise SourceError(f"{name}: holds several YAML documents, must hold one")
    return value


def _checked(events: Any, name: str) -> Iterator[Any]:  # noqa: ANN401 - PyYAML has no types
    """Yield what makes up values; whatever could be more than it seems is refused."""
    import yaml

    frame = (
        yaml.StreamStartEvent,
        yaml.StreamEndEvent,
        yaml.DocumentStartEvent,
        yaml.DocumentEndEvent,
    )
    for count, event in enumerate(events):
        if count > _MOST:
            raise SourceError(f"{name}: holds more than {_MOST:,} values")
        if isinstance(event, yaml.AliasEvent):
            raise SourceError(f"{name}: aliases (*{event.anchor}) are refused; write values out")
        tag = getattr(event, "tag", None)
        if tag not in (None, "!") and tag not in _TAGS:
            raise SourceError(f"{name}: the tag {tag!r} is refused; write plain values")
        if not isinstance(event, frame):
            yield event


def _value(event: Any, events: Iterator[Any], name: str, depth: int) -> Any:  # noqa: ANN401 - no types
    import yaml

    if depth > _DEEPEST:
        raise SourceError(f"{name}: is nested more than {_DEEPEST} deep")
    if isinstance(event, yaml.ScalarEvent):
        plain = event.implicit[0]
        return None if plain and event.value in _NULLS else event.value
    if isinstance(event, yaml.SequenceStartEvent):
        found = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            found.append(_value(event, events, name, depth + 1))
        return found
    pairs: dict[str, Any] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _value(event, events, name, depth + 1)
        if not isinstance(key, str) or key in pairs:
            raise SourceError(f"{name}: a key must be text and stand once, got {str(key)[:60]!r}")
        pairs[key] = _value(next(events), events, name, depth + 1)
    return pairs
