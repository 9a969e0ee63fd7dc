"""What results that are tables share: Arrow, pandas and polars frames, and a notebook display."""

from html import escape
from typing import TYPE_CHECKING, Any

from caveat._optional import require

if TYPE_CHECKING:
    import pyarrow as pa


class TableResult:
    """A result whose main content is one table."""

    __slots__ = ()

    def to_arrow(self) -> "pa.Table":
        """Return the main table."""
        raise NotImplementedError

    def to_pandas(self) -> Any:  # noqa: ANN401 - pandas is optional
        """Return the main table as a pandas frame (extra `pandas`)."""
        require("pandas", extra="pandas", purpose="to_pandas()")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:  # noqa: ANN401 - polars is optional
        """Return the main table as a polars frame (extra `polars`)."""
        return require("polars", extra="polars", purpose="to_polars()").from_arrow(self.to_arrow())

    def _repr_html_(self) -> str:
        return html_table(self.to_arrow())


def html_table(table: "pa.Table") -> str:
    """Plain escaped HTML table, for notebooks."""

    def cell(value: object) -> str:
        return escape(f"{value:.4g}" if isinstance(value, float) else str(value))

    head = "".join(f"<th>{escape(name)}</th>" for name in table.column_names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row.values()) + "</tr>"
        for row in table.to_pylist()
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
