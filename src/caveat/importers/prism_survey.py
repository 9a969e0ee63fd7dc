"""PRISM's `survey.jsonl`: who its participants are, by what they declared."""

from collections.abc import Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from caveat.data.encoding import is_text
from caveat.data.schema import Kind
from caveat.errors import InputError
from caveat.importers._base import LEFT_OUT, Dropped, ReadOptions, TableStream
from caveat.importers.translating import columns_of, source_chunks

_NEEDED = frozenset({"user_id", "survey_only", "age", "gender", "ethnicity", "location"})
_NESTED = {
    "ethnicity": {"simplified": "ethnicity", "categorised": "ethnicity_categorised"},
    "religion": {"simplified": "religion", "categorised": "religion_categorised"},
    "location": {
        "special_region": "region",
        **{
            name: name
            for name in (
                "birth_country",
                "birth_countryISO",
                "birth_region",
                "birth_subregion",
                "reside_country",
                "reside_countryISO",
                "reside_region",
                "reside_subregion",
                "same_birth_reside_country",
            )
        },
    },
}
_LEFT_OUT = (
    "consent consent_age self_description system_string study_id timing_duration_s "
    "timing_duration_mins generated_datetime lm_usecases stated_prefs order_lm_usecases "
    "order_stated_prefs"
)
UNDECLARED = "Prefer not to say"
NOTICE = (
    f"prism_survey: {UNDECLARED!r} is read as not declared; ethnicity and religion are the "
    "simplified categories, region is special_region; written answers are not kept"
)


class PrismSurvey:
    """Reads what participants declared about themselves; free texts are never kept."""

    name = "prism_survey"
    doc = "PRISM survey.jsonl: participants with age, gender, ethnicity, education, location, ..."
    kind: Kind = "voters"
    roles: Mapping[str, str] = {
        "user_id": "voter",
        **{name: ", ".join(parts.values()) for name, parts in _NESTED.items()},
        **dict.fromkeys(_LEFT_OUT.split(), LEFT_OUT),
    }

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for a participant with demographics."""
        return names >= _NEEDED

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:  # noqa: ARG002 - the protocol's
        """Return one row for each participant, nested answers in columns of their own."""

        def chunks(
            wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            for first_row, batch in source_chunks(stream, self.roles, wanted, dropped):
                yield first_row, _flat(batch, file)

        plain = (name for name in stream.names if name not in self.roles)
        parts = (
            new
            for name, fields in _NESTED.items()
            if name in stream.names
            for new in fields.values()
        )
        return TableStream(
            names=("voter", *plain, *parts),
            rows=stream.rows,
            notices=(*stream.notices, NOTICE),
            chunks=chunks,
        )


def _flat(batch: pa.RecordBatch, file: str) -> pa.RecordBatch:
    columns: dict[str, pa.Array] = {}
    for name, column in columns_of(batch, needed=("user_id",)).items():
        if name in _NESTED:
            columns |= dict(_fields(name, column, file))
        else:
            columns["voter" if name == "user_id" else name] = _declared(column)
    return pa.RecordBatch.from_pydict(columns)


def _fields(name: str, column: pa.Array, file: str) -> Iterator[tuple[str, pa.Array]]:
    if not (pa.types.is_struct(column.type) or pa.types.is_null(column.type)):
        raise InputError(
            f"{file}, column {name!r}: must hold an object such as "
            f"{{{next(iter(_NESTED[name]))!r}: ...}}, got {str(column.type)[:80]}"
        )
    present = {field.name for field in column.type} if pa.types.is_struct(column.type) else set()
    for old, new in _NESTED[name].items():
        found = pc.struct_field(column, old) if old in present else pa.nulls(len(column))
        yield new, _declared(found)


def _declared(column: pa.Array) -> pa.Array:
    """Return the column with refusals to say as null."""
    if not is_text(column.type):
        return column
    return pc.if_else(
        pc.equal(column.cast(pa.string()), UNDECLARED), None, column.cast(pa.string())
    )
