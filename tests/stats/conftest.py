import pyarrow as pa
import pytest

from caveat.data.evidence import Evidence


def evidence(rows, *, benchmark="bench", **constant):
    """Responses from dicts; status is derived as the importers do."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    columns.setdefault("benchmark", [benchmark] * len(rows))
    if "status" not in columns:
        columns["status"] = [
            "unparsed" if "prediction" in names and row.get("prediction") is None else "scored"
            for row in rows
        ]
    if "score" not in columns and "target" in columns:
        columns["score"] = [float(row["prediction"] == row["target"]) for row in rows]
    table = {}
    for name, values in columns.items():
        if name in ("score", "n_options"):
            table[name] = pa.array([None if v is None else float(v) for v in values], pa.float64())
        else:
            text = [None if v is None else str(v) for v in values]
            table[name] = pa.array(text, pa.string()).dictionary_encode()
    return Evidence(kind="responses", table=pa.table(table))


@pytest.fixture(scope="session")
def responses():
    """Factory of responses from dicts."""
    return evidence


@pytest.fixture(scope="session")
def grid():
    """Factory of responses from one string of letters per model ('.' unparsed, ' ' missing)."""

    def build(gold, *, n_options=4, **models):
        rows = [
            {
                "item": str(i),
                "model": model,
                "prediction": None if letter == "." else letter,
                "target": gold[i],
                "n_options": n_options,
            }
            for model, letters in models.items()
            for i, letter in enumerate(letters)
            if letter != " "
        ]
        return evidence(rows)

    return build
