"""Caveats as SARIF 2.1.0, the format that code scanning services read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from caveat import __version__
from caveat.results._plain import to_plain
from caveat.results.caveat import Caveat, Severity
from caveat.results.provenance import Source

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"  # a name, never fetched

Sarif = dict[str, Any]  # JSON in the shape of the SARIF schema

_LEVELS: Mapping[Severity, str] = {
    Severity.INFO: "note",
    Severity.NOTICE: "note",
    Severity.WARNING: "warning",
    Severity.SERIOUS: "error",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """What SARIF says of a rule; `help` is the whole page about it, as Markdown."""

    code: str
    title: str
    severity: Severity
    help: str


def to_sarif(
    caveats: Sequence[Caveat], rules: Sequence[RuleText], sources: Sequence[Source]
) -> Sarif:
    """Return one SARIF run.

    A caveat about sources that are listed points at each of them; one about everything has no
    location.
    """
    places = {rule.code: index for index, rule in enumerate(rules)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "caveat",
                        "version": __version__,
                        "rules": [_rule(rule) for rule in rules],
                    }
                },
                "artifacts": [_artifact(source) for source in sources],
                "results": [_result(caveat, places, sources) for caveat in caveats],
            }
        ],
    }


def _rule(rule: RuleText) -> Sarif:
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.title},
        "help": {"text": rule.help, "markdown": rule.help},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.code[:3]], "severity": rule.severity.value},
    }


def _artifact(source: Source) -> Sarif:
    artifact: Sarif = {"location": {"uri": uri(source.name)}}
    if source.sha256:
        artifact |= {"length": source.size, "hashes": {"sha-256": source.sha256}}
    return artifact


def _result(caveat: Caveat, places: Mapping[str, int], sources: Sequence[Source]) -> Sarif:
    result: Sarif = {
        "ruleId": caveat.code,
        "level": _LEVELS[caveat.severity],
        "message": {"text": f"{caveat.subject}: {caveat.claim} {caveat.remedy}"},
        "locations": _locations(caveat.sources, sources),
        "properties": {
            "severity": caveat.severity.value,
            "subject": caveat.subject,
            "evidence": to_plain(caveat.evidence),
        },
    }
    if caveat.code in places:
        result["ruleIndex"] = places[caveat.code]
    return result


def _locations(named: Sequence[str], sources: Sequence[Source]) -> list[Sarif]:
    known = {source.name: index for index, source in enumerate(sources)}
    return [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": uri(name), "index": known[name]},
                "region": {"startLine": 1},
            }
        }
        for name in named
        if name in known
    ]


def uri(name: str) -> str:
    """Return a source name as a URI reference: absolute paths as `file:`, others relative."""
    path = PurePath(name)
    if path.is_absolute():
        return "file://" + quote(path.as_posix(), errors="backslashreplace")
    return quote(path.as_posix(), errors="backslashreplace")
