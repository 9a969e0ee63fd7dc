"""Sampling, removal, variants, connections and fit from votes to `caveat stress`."""

import json
import math

import pytest

import caveat
from caveat.errors import InputError
from caveat.results.stress.connections import Connections
from caveat.results.stress.fit import Fit
from caveat.results.stress.removal import Removal
from caveat.results.stress.sampling import Sampling
from caveat.results.stress.variants import Variants
from caveat.workflows.options import Options
from caveat.workflows.settings import load

MODELS = {"A": 450, "B": 300, "C": 150, "D": 0}
MONTHS = range(1, 13)


def votes(*, dated=True, gone=()):
    """100 votes a pair and month; some models only in the first three."""
    rows = []
    names = list(MODELS)
    for month in MONTHS if dated else [1]:
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                if month > 3 and {a, b} & set(gone):
                    continue
                wins = round(100 / (1 + 10 ** ((MODELS[b] - MODELS[a]) / 400)))
                for outcome, count in (("a", wins), ("b", 100 - wins)):
                    row = {"model_a": a, "model_b": b, "winner": outcome, "count": count}
                    rows.append(row | ({"at": f"2024-{month:02d}-15"} if dated else {}))
    return rows


def test_all_five_run_on_dated_votes():
    found = caveat.stress([votes(gone=["D"])])
    for kind in (Sampling, Removal, Variants, Connections, Fit):
        assert found.part(kind) is not None, kind
    assert [one.model for one in found.part(Removal).silent] == ["D"]
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_a_table_of_models_says_is_used():
    table = {
        "model": ["A", "D"],
        "provider": ["P", "Q"],
        "status": ["active", "retired"],
        "variants_tested": [10, None],
    }
    found = caveat.stress([votes(gone=["D"]), table])
    assert found.part(Removal).silent == ()
    assert [(p.provider, p.n_models) for p in found.part(Sampling).providers] == [
        ("P", 1),
        ("Q", 1),
    ]
    (one,) = found.part(Variants).models
    assert (one.model, one.n_variants, one.provider) == ("A", 10, "P")


def test_columns_go_by_other_names_too():
    table = {
        "model_name": ["A", "D"],
        "organization": ["P", "Q"],
        "removed_on": [None, "2024-04-01"],
        "private_variants": [3, 1],
    }
    found = caveat.stress([votes(gone=["D"]), table])
    assert found.part(Removal).gone[0].retired
    assert found.part(Variants).models[0].n_variants == 3


def test_variants_in_the_settings(tmp_path):
    file = tmp_path / "caveat.toml"
    file.write_text('[variants]\n"A" = 10\n"Some provider" = 27\n')
    said = load(file).variants
    assert said == {"A": 10, "Some provider": 27}
    found = caveat.stress([votes()], options=Options(variants=said)).part(Variants)
    assert [one.n_variants for one in found.models] == [10]
    assert found.unmatched == ("Some provider",)


@pytest.mark.parametrize("number", ["0", "2.5", '"ten"', "true", "-3"])
def test_variants_in_the_settings_are_whole_numbers(tmp_path, number):
    file = tmp_path / "caveat.toml"
    file.write_text(f'[variants]\n"A" = {number}\n')
    with pytest.raises(InputError, match=r"variants\.A must be"):
        load(file)


def test_variants_are_a_table(tmp_path):
    file = tmp_path / "caveat.toml"
    file.write_text("variants = 3\n")
    with pytest.raises(InputError, match="variants must be a table of whole numbers"):
        load(file)


def test_without_times_removal_says_why_it_did_not_run():
    found = caveat.stress([votes(dated=False)])
    why = {one.part: one.why for one in found.untested}
    assert "votes must hold times" in why["removal"]
    assert found.part(Removal) is None
    assert not found.part(Sampling).dated
    assert math.isfinite(found.part(Fit).tau)


def test_the_checks_that_could_not_run_are_listed():
    report = caveat.report([votes(dated=False)])
    listed = {one.check[:6]: one.why for one in report.not_run}
    assert "no registry of variants" in listed["GOV801"]
    assert "votes must hold times" in listed["GOV802"]
    assert "no times" in listed["RNK212"]


def test_times_that_are_none_stop_what_needs_them_and_nothing_else():
    rows = [row | {"at": "yesterday"} for row in votes(dated=False)]
    found = caveat.stress([rows])
    why = {one.part: one.why for one in found.untested}
    assert {"sampling", "removal", "connections"} <= set(why)
    assert "yesterday" in why["sampling"]
    assert found.part(Fit) is not None


@pytest.mark.shared
def test_the_football_board(shared):
    found = caveat.check(shared / "votes/football_international.parquet")
    said = {one.code: one for one in found}
    assert "Czechoslovakia (last 1993-11-17), Yugoslavia" in said["GOV802"].claim
    assert "71 of 316 models have only 5.9% of their votes" in said["RNK212"].claim
    assert "Japan" in said["RNK216"].claim
    assert said["RNK213"].severity == "warning"
    assert "Brazil had 2.2" in said["RNK213"].claim


@pytest.mark.shared
def test_the_arena_board(shared):
    found = caveat.check(shared / "votes/chatbot_arena_20240814_counts.parquet")
    said = {one.code: one for one in found}
    assert "13 models shown most, of 129, hold 39% of all places" in said["RNK213"].claim
    assert not {"RNK212", "RNK216", "GOV801", "GOV802"} & set(said)
