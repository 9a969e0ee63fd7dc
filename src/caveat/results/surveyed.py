"""What would be read of each file, before anything is written."""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.provenance import Account


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyedFile:
    """One file, member or run.

    Attributes
    ----------
    name : str
    format, tested, kind : str
        What it was read as, the version of the tool this was tested with (empty where there is
        none), and the kind of evidence it became.
    account : Account
        Its rows: read, kept and dropped with reasons.
    models, benchmarks : tuple of str
    readings : tuple of (str or None, str or None, int)
        Metric and filter of scores, with the rows of each; empty where there are none.
    columns : tuple of (str, int)
        Columns of evidence it fills, with the rows in which there is something.
    notices : tuple of str
        What was taken for what.
    """

    name: str
    format: str
    tested: str
    kind: str
    account: Account
    models: tuple[str, ...]
    benchmarks: tuple[str, ...]
    readings: tuple[tuple[str | None, str | None, int], ...]
    columns: tuple[tuple[str, int], ...]
    notices: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        account = self.account
        return {
            "file": self.name,
            "format": self.format,
            "tested_with": self.tested or None,
            "kind": self.kind,
            "rows_read": account.rows_read,
            "kept": account.kept,
            "dropped": account.dropped,
            "drops": to_plain(account.drops),
            "models": list(self.models),
            "benchmarks": list(self.benchmarks),
            "readings": [
                {"metric": metric, "filter": name, "rows": rows}
                for metric, name, rows in self.readings
            ],
            "columns": dict(self.columns),
            "notices": list(self.notices),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Surveyed:
    """All files of the sources.

    Attributes
    ----------
    files : tuple of SurveyedFile
    passed, failed : tuple of (str, str)
        Files that are no evidence, and files that cannot be read, with the reasons.
    """

    files: tuple[SurveyedFile, ...]
    passed: tuple[tuple[str, str], ...]
    failed: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "files": [file.to_dict() for file in self.files],
            "passed_over": [{"file": name, "why": why} for name, why in self.passed],
            "cannot_be_read": [{"file": name, "why": why} for name, why in self.failed],
        }
