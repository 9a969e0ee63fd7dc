"""Aggregate figures of responses: what would be published of them."""

from collections.abc import Iterator
from typing import Any

from caveat.data.evidence import Evidence
from caveat.exporters.eee_results import results_of
from caveat.exporters.eee_rows import table_of
from caveat.exporters.parts import parts_of


def figures_of(evidence: Evidence) -> Iterator[dict[str, Any]]:
    """Yield a published score for each model, benchmark, run, metric, filter and prompt.

    The score is the mean over items, repeats of an item averaged first; rows without a score
    are in none. Of published scores, yield them as they are.
    """
    if evidence.kind == "published":
        yield from evidence.table.to_pylist()
        return
    for part in parts_of(evidence):
        found = results_of(table_of(part.rows), benchmark=part.benchmark)
        for entry in found.entries:
            said = entry["metric_config"]["additional_details"]
            yield {
                "benchmark": part.benchmark,
                "model": part.model,
                "run": part.run,
                "metric": entry["metric_config"]["metric_name"],
                "filter": said.get("caveat.filter"),
                "notes": said.get("caveat.prompt"),
                "value": entry["score_details"]["score"],
                "n": float(entry["score_details"]["uncertainty"]["num_samples"]),
            }
