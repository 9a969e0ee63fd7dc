"""Evidence written and read back."""

import pyarrow as pa
import pytest

import caveat
from caveat.exporters.eee_results import Writer
from caveat.exporters.every_eval_ever import write_every_eval_ever


def rows_of(table: pa.Table) -> list[dict]:
    """Return all rows in one order, without columns in which there is nothing."""
    used = [n for n in sorted(table.column_names) if table.column(n).null_count < table.num_rows]
    return sorted(table.select(used).to_pylist(), key=repr)


@pytest.fixture
def there_and_back(tmp_path):
    """Write evidence as Every Eval Ever and return what reading it gives."""

    def both(evidence, folder="out", **writer):
        made = write_every_eval_ever(
            evidence, tmp_path / folder, models={}, writer=Writer(created="1796000000.0", **writer)
        )
        assert sum(one.rows for one in made) == len(evidence)
        assert all((tmp_path / folder) in one.path.parents for one in made)
        return caveat.read(tmp_path / folder, kind=evidence.kind)[evidence.kind]

    return both


@pytest.fixture
def same():
    """Check that two tables hold the same rows and types, whatever their order."""

    def check(one: pa.Table, other: pa.Table) -> None:
        assert rows_of(one) == rows_of(other)
        used = [n for n in one.column_names if one.column(n).null_count < one.num_rows]
        for name in used:
            assert one.schema.field(name).type == other.schema.field(name).type, name

    return check
