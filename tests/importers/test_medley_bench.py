import json

from caveat.importers.medley_bench import NOT_ASKED


def _output(model, **response):
    return {"model_id": model, "response": response}


INSTANCES = [
    {
        "instance_id": "V1",
        "domain": "medical",
        "key_claims": [],
        "ensemble_outputs": [
            _output("analyst", overall_assessment="...", claim_level_assessments=[]),
            _output("m1", difficulty_prediction="Moderate", claim_level_assessments=[]),
            _output("m2", difficulty_prediction="Moderate to Hard", claim_level_assessments=[]),
            _output("m3", claim_level_assessments=[]),
        ],
    }
]


def test_difficulty_is_read_and_claims_are_not_compared(write, read):
    evidence = read(write("medical.json", json.dumps(INSTANCES)))
    rows = evidence.table.to_pylist()
    assert [r["model"] for r in rows] == ["m1", "m2", "m3"]
    assert [r["prediction"] for r in rows] == ["moderate", None, None]
    assert [r["status"] for r in rows] == ["unscored", "unparsed", "unparsed"]
    assert [r["score"] for r in rows] == [None] * 3
    assert {r["item"] for r in rows} == {"V1"}
    # The analyst answered another question: not asked is neither wrong nor unparsed.
    (drop,) = evidence.provenance.account.drops
    assert (drop.reason, drop.count) == (NOT_ASKED, 1)
