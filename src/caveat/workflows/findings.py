"""All results that some sources support."""

from typing import TYPE_CHECKING

from caveat.results.provenance import Account, Provenance
from caveat.results.quality import Duplicates
from caveat.results.report import Findings
from caveat.workflows.agree import agree_all
from caveat.workflows.options import Options
from caveat.workflows.read import Sources, read
from caveat.workflows.stress import declared, stress_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from caveat.data.evidence import Evidence
    from caveat.data.schema import Kind

DUPLICATE = "duplicate of an earlier row"


def find(sources: Sources, *, options: Options) -> tuple[Findings, Provenance]:
    """Read the sources and compute everything they support.

    Returns
    -------
    findings : Findings
    provenance : Provenance
        Of all evidence together.
    """
    evidence = read(sources, options=options)
    votes, responses = evidence.get("votes"), evidence.get("responses")
    stress = stress_of(votes, evidence, options=options) if votes else None
    ranking = stress.board if stress else None
    models = declared(evidence.get("models"))
    benchmarks = (
        agree_all(responses, options=options, models=models, published=evidence.get("published"))
        if responses
        else ()
    )
    names = {m.model for b in benchmarks for m in b.scores.models}
    if ranking:
        names |= {m.model for m in ranking.models}
    findings = Findings(
        ranking=ranking,
        stress=stress,
        benchmarks=benchmarks,
        duplicates=_duplicates(evidence),
        models=models,
        model_names=tuple(sorted(names)),
    )
    return findings, _together(evidence)


def _duplicates(evidence: "Mapping[Kind, Evidence]") -> tuple[Duplicates, ...]:
    return tuple(
        Duplicates(
            kind=kind,
            count=drop.count,
            rows_read=table.provenance.account.rows_read,
            examples=drop.examples,
        )
        for kind, table in evidence.items()
        for drop in table.provenance.account.drops
        if drop.reason == DUPLICATE
    )


def _together(evidence: "Mapping[Kind, Evidence]") -> Provenance:
    parts = [table.provenance for table in evidence.values()]
    return Provenance(
        sources=tuple(dict.fromkeys(source for part in parts for source in part.sources)),
        account=sum((part.account for part in parts), Account(rows_read=0, kept=0)),
        notices=tuple(dict.fromkeys(notice for part in parts for notice in part.notices)),
    )
