"""Dates as people write them."""

from datetime import UTC, datetime


def moment(created: str) -> str:
    """Write an ISO 8601 time in UTC, to the minute; anything else comes back as it is."""
    try:
        at = datetime.fromisoformat(created)
    except ValueError:
        return created
    if at.tzinfo is None:
        return created
    at = at.astimezone(UTC)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
