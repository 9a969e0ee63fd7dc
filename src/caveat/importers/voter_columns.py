"""Whether a table with a column of voters describes them, or is about something else."""

from collections.abc import Mapping

from caveat.data.schema import RESPONSES, VOTES, key_of

_ABOUT_VOTES = ("model_a", "model_b", "outcome", "battle", "item", "turn", "judge")
_ABOUT_ANSWERS = ("item", "model", "prediction", "target", "score")
_ROW_NUMBERS = ("id", "uid")
_OTHERS = frozenset(
    name
    for schema, columns in ((VOTES, _ABOUT_VOTES), (RESPONSES, _ABOUT_ANSWERS))
    for column in schema.columns
    if column.name in columns
    for name in (column.name, *column.aliases)
    if name not in _ROW_NUMBERS
)
_NAMED = ("voter", "voter_id")
_USUAL = frozenset((
    "age", "birth_year", "gender", "sex", "ethnicity", "race", "religion", "education", "degree",
    "country", "nationality", "region", "location", "occupation", "employment", "profession",
    "income", "marital", "native_language", "proficiency", "expertise", "experience", "politics",
    "political", "demographic", "demographics",
))  # fmt: skip


def are_voters(renames: Mapping[str, str], *, certain: bool) -> bool:
    """Judge a table by its columns.

    It describes voters if it has a column more than the voter, nothing that belongs to votes or
    answers, and either a column called voter or one that is called like a usual attribute: a log
    of what users did has none of these.

    Parameters
    ----------
    renames
        Columns of the source to columns of the evidence.
    certain
        Whether the user said that the table holds voters.
    """
    if len(renames) < 2:
        return False
    names = {key_of(old) for old in renames}
    if certain:
        return True
    if names & _OTHERS:
        return False
    return bool(names & set(_NAMED)) or any(_is_usual(name) for name in names)


def _is_usual(name: str) -> bool:
    return name in _USUAL or not _USUAL.isdisjoint(name.split("_"))
