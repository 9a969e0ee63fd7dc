"""Checks of the data of one benchmark."""

from typing import TYPE_CHECKING

from caveat.workflows.agree_noise import one_reading_of_desk, variants_of_desk

if TYPE_CHECKING:
    from caveat.results.data_checks import DataChecks
    from caveat.workflows.agree_parts import Desk


def data(desk: "Desk") -> "DataChecks":
    """Look for signs that the responses are not what they seem."""
    from caveat.data.item_values import item_values
    from caveat.stats.data_checks.checks import Known, data_checks

    rows = one_reading_of_desk(desk)
    known = Known(
        values=lambda column: item_values(rows, desk.matrix, column),
        read=next((one for one in variants_of_desk(desk) if one.source == "filter"), None)
        if desk.matrix.has_answers
        else None,
        models=desk.models,
        published=desk.published,
        pairs=desk.agreement,
    )
    return data_checks(rows, desk.matrix, known, level=desk.options.level)
