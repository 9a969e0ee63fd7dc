"""JSON, SARIF and workflow commands."""

import json
import math
import re

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.reports.github import to_github
from caveat.reports.json_report import to_json
from caveat.reports.sarif import RuleText, to_sarif, uri
from caveat.results.caveat import Severity

TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
# what SARIF 2.1.0 (OASIS, sections 3.13 to 3.52) requires of the parts written here
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "properties": {
                                                "id": {"type": "string"},
                                                "shortDescription": TEXT,
                                                "fullDescription": TEXT,
                                                "help": TEXT,
                                                "defaultConfiguration": {
                                                    "type": "object",
                                                    "properties": {"level": LEVEL},
                                                },
                                            },
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "artifacts": {
                        "type": "array",
                        "uniqueItems": True,
                        "items": {
                            "type": "object",
                            "properties": {
                                "length": {"type": "integer", "minimum": -1},
                                "hashes": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                            },
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "properties": {
                                "message": TEXT,
                                "level": LEVEL,
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["physicalLocation"],
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation"],
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


@pytest.fixture
def sarif(make):
    rules = [
        RuleText(code=c.code, title=c.subject, severity=c.severity, help="The whole page.")
        for c in make.CAVEATS
    ]
    return to_sarif(make.CAVEATS, rules, make.provenance().sources)


def test_sarif_has_the_required_shape(sarif):
    jsonschema.validate(sarif, SARIF)
    json.dumps(sarif, allow_nan=False)


def test_sarif_levels_follow_severity(sarif):
    results = sarif["runs"][0]["results"]
    assert [r["level"] for r in results] == ["error", "warning", "warning", "note"]


def test_sarif_points_at_rules_and_sources(sarif):
    run = sarif["runs"][0]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    place = run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "votes.parquet", "index": 0}
    assert run["artifacts"][0]["hashes"] == {"sha-256": "ab" * 32}
    assert "hashes" not in run["artifacts"][1]  # data in memory has no digest
    assert run["results"][3]["locations"] == []


def test_sarif_points_at_each_of_several_sources(make):
    found = make.caveat(sources=("votes.parquet", "frame"))
    (run,) = to_sarif([found], [], make.provenance().sources)["runs"]
    assert len(run["results"][0]["locations"]) == 2
    assert "ruleIndex" not in run["results"][0]


def test_source_names_become_uris():
    assert uri("a b/ç.csv") == "a%20b/%C3%A7.csv"
    assert uri("/data/x.csv") == "file:///data/x.csv"


@pytest.mark.parametrize(
    ("severity", "command"),
    [
        (Severity.INFO, "notice"),
        (Severity.NOTICE, "notice"),
        (Severity.WARNING, "warning"),
        (Severity.SERIOUS, "error"),
    ],
)
def test_workflow_commands_follow_severity(make, severity, command):
    assert to_github([make.caveat(severity=severity)]).startswith(f"::{command} title=RNK201 ")


def test_workflow_commands_escape_what_would_end_them(make):
    found = make.caveat(subject="a,b: 50%\n", claim="100%\r\n::error::x", sources=("v:1.csv",))
    line = to_github([found])
    assert line.count("\n") == 1
    assert line.startswith("::warning title=RNK201 a%2Cb%3A 50%25%0A,file=v%3A1.csv::")
    assert "100%25%0D%0A::error::x" in line


@given(st.text())
def test_a_workflow_command_is_always_one_line(make, text):
    line = to_github([make.caveat(subject=text, claim=text, remedy=text, sources=(text,))])
    assert re.fullmatch(r"::warning title=[^:,\r\n]*(,file=[^:,\r\n]*)?::[^\r\n]*\n", line)


def test_json_starts_with_the_schema_version_and_has_null_for_undefined(make):
    text = to_json({"rank": {"z": math.nan, "high": math.inf}, "n": np.int64(3)})
    assert json.loads(text) == {
        "schema_version": "1",
        "rank": {"z": None, "high": None},
        "n": 3,
    }
    assert next(iter(json.loads(to_json(make.report().to_dict())))) == "schema_version"


def test_json_keeps_an_earlier_schema_version_and_the_order():
    assert list(json.loads(to_json({"b": 1, "a": 2}))) == ["schema_version", "b", "a"]
    assert json.loads(to_json({"schema_version": "0"})) == {"schema_version": "0"}


def test_json_survives_what_the_quick_writer_refuses():
    data = {"big": 2**70, "lone": "\ud800"}
    assert json.loads(to_json(data)) == {"schema_version": "1"} | data
