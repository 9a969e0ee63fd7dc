"""Everything one run found: what reports show and JSON holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from caveat.results._plain import to_plain
from caveat.results.agreement import Agreement, Scores
from caveat.results.caveat import Caveat
from caveat.results.parts import Part, Untested, part_of
from caveat.results.provenance import Provenance
from caveat.results.quality import Duplicates, ResponseQuality
from caveat.results.ranking import Ranking
from caveat.results.stress.stress import Stress

SCHEMA_VERSION = "1"
P = TypeVar("P")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRun:
    """A check that could not run on this evidence, and why."""

    check: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenchmarkFindings:
    """All results about one benchmark's responses.

    Attributes
    ----------
    scores : Scores
    agreement : Agreement or None
        None where no two models can be compared.
    quality : ResponseQuality
    parts : tuple of Part
        Further comparisons, at most one of each type.
    untested : tuple of Untested
        Comparisons that could not be made.
    """

    scores: Scores
    agreement: Agreement | None
    quality: ResponseQuality
    parts: tuple[Part, ...] = ()
    untested: tuple[Untested, ...] = ()

    def part(self, kind: type[P]) -> P | None:
        """Return the result of one comparison; None where it could not be made."""
        return part_of(self.parts, kind)

    @property
    def benchmark(self) -> str:
        """Name of the benchmark."""
        return self.scores.benchmark


def agree_dict(benchmarks: tuple[BenchmarkFindings, ...]) -> dict[str, Any]:
    """Return the result part of `caveat agree --json`: one flat list each of models and pairs."""
    return {
        "models": [
            {"benchmark": b.benchmark, **model.to_dict()}
            for b in benchmarks
            for model in b.scores.models
        ],
        "pairs": [
            {"benchmark": b.benchmark, **to_plain(pair)}
            for b in benchmarks
            if b.agreement is not None
            for pair in b.agreement.pairs()
        ],
        "benchmarks": [
            {
                "benchmark": b.benchmark,
                "n_items": b.scores.n_items,
                "level": b.scores.level,
                "policy": b.agreement.policy if b.agreement else None,
                "reasons": dict(b.agreement.reasons) if b.agreement else {},
                "quality": b.quality.to_dict(),
                "common_items": to_plain(b.scores.common),
                **{name: value for part in b.parts for name, value in part.to_dict().items()},
                "untested": to_plain(b.untested),
            }
            for b in benchmarks
        ],
    }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Findings:
    """Results that rules read: nothing in here is a judgement.

    Attributes
    ----------
    ranking : Ranking or None
        From the votes; None without votes.
    stress : Stress or None
        What stress tests make of `ranking`.
    benchmarks : tuple of BenchmarkFindings
        One per benchmark among the responses.
    duplicates : tuple of Duplicates
    models : mapping of str to mapping
        What the `models` table declares of each model; empty without one.
    model_names : tuple of str
        Every model named by votes or responses.
    """

    ranking: Ranking | None = None
    stress: Stress | None = None
    benchmarks: tuple[BenchmarkFindings, ...] = ()
    duplicates: tuple[Duplicates, ...] = ()
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    model_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Report:
    """One run over some sources.

    Attributes
    ----------
    title, verdict : str
        The verdict is one sentence.
    findings : Findings
    caveats : tuple of Caveat
        Most severe first.
    not_run : tuple of NotRun
    settings : mapping
        Everything that shaped the figures, seed included.
    versions : mapping of str to str
    command : str
        Command line that reproduces the report.
    created : str
        ISO 8601, UTC.
    """

    title: str
    verdict: str
    findings: Findings
    caveats: tuple[Caveat, ...]
    not_run: tuple[NotRun, ...]
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    command: str
    created: str
    provenance: Provenance = field(default_factory=Provenance)

    def to_dict(self) -> dict[str, Any]:
        """Return the shape of `caveat report --json`."""
        found = self.findings
        return {
            "schema_version": SCHEMA_VERSION,
            "command": self.command,
            "settings": to_plain(self.settings),
            "sources": to_plain(self.provenance.sources),
            "account": to_plain(self.provenance.account),
            "notices": list(self.provenance.notices),
            "caveats": [caveat.to_dict() for caveat in self.caveats],
            "title": self.title,
            "verdict": self.verdict,
            "rank": found.ranking.to_dict() if found.ranking else None,
            "stress": found.stress.to_dict() if found.stress else None,
            "agree": agree_dict(found.benchmarks),
            "not_run": to_plain(self.not_run),
            "versions": dict(self.versions),
            "created": self.created,
        }
