"""From rows to noise, verdicts, families and variants: what runs, what does not, and why."""

import json

import pytest

import caveat
from caveat.results.comparison.interchange import Interchange
from caveat.results.comparison.noise import NoiseFloor
from caveat.results.comparison.relatives import Relatives
from caveat.results.comparison.sensitivity import Sensitivity
from caveat.results.report import agree_dict
from caveat.workflows.agree import agree_all
from caveat.workflows.options import Options


def rows(**columns):
    """Sixty items of three models; x and y answer alike, z else."""
    return [
        {"item": f"i{k}", "model": m, "target": "A", "prediction": "AB"[k % 3 == 0]}
        | ({"prediction": "AB"[k % 2]} if m == "z" else {})
        | {name: value(k, m) for name, value in columns.items()}
        for k in range(60)
        for m in "xyz"
    ]


def found(made, *, models=None, **options):
    frame = {name: [row.get(name) for row in made] for name in made[0]}
    (bench,) = agree_all(
        caveat.read_responses(frame), options=Options(**options), models=models or {}
    )
    return bench


def why(bench, part):
    return next(one.why for one in bench.untested if one.part == part)


def test_nothing_run_twice_is_untested_with_what_to_do():
    bench = found(rows())
    assert bench.part(NoiseFloor) is None
    assert "needs at least 2, got 1; a column repeat, run or prompt tells" in why(bench, "noise")
    assert bench.part(Interchange).floor == ""
    assert bench.part(Sensitivity) is None
    assert not [one for one in bench.untested if one.part == "sensitivity"]
    assert bench.part(Relatives) is None


def test_a_pair_named_by_same_and_declared_weights_make_the_same_floor():
    named = found(rows(), same=(("x", "y"),))
    declared = found(rows(), models={m: {"weights": "w"} for m in "xy"})
    assert named.part(NoiseFloor).to_dict() == declared.part(NoiseFloor).to_dict()
    assert named.part(Interchange).floor == "host"


@pytest.mark.parametrize("column", ["repeat", "epoch", "seed", "run_id", "template", "parser"])
def test_columns_of_other_tools_tell_runs_apart(column):
    made = [{**row, column: r} for row in rows() for r in ("1", "2")]
    bench = found(made)
    assert bench.part(NoiseFloor).sources[0].disagree == 0
    assert bench.part(Sensitivity).sources[0].tau == pytest.approx(1)


def test_readings_beside_the_prediction_are_variants_of_one_metric():
    made = rows(prediction_strict=lambda k, m: None if m == "x" and k % 2 else "A")
    bench = found(made)
    (source,) = bench.part(Sensitivity).sources
    assert source.source == "filter"
    assert bench.part(NoiseFloor).second_run is False
    two = [{**row, "metric": name, "filter": f} for row in rows() for name in "pq" for f in "ab"]
    assert found(two).part(Sensitivity).sources[0].n_items == 60


def test_families_need_a_table_and_names_propose():
    made = [
        {"item": f"i{k}", "model": f"{stem}-{n}", "target": "A", "prediction": "AB"[k % n == 0]}
        for k in range(60)
        for stem in ("foo", "bar")
        for n in (2, 3, 5)
    ]
    assert found(made).part(Relatives).proposal["foo-2"] == "foo"
    families = {f"{stem}-{n}": {"family": stem} for stem in ("foo", "bar") for n in (2, 3, 5)}
    assert found(made, models=families).part(Relatives).test.pairs_within == 6


@pytest.mark.parametrize(
    "made",
    [
        rows(prediction=lambda *_: "A"),  # all right
        rows(prediction=lambda *_: "B"),  # all wrong
        rows(prediction=lambda *_: None),  # nothing parsed
        rows()[:3],  # one item
        [row for row in rows() if row["model"] == "xyz"[int(row["item"][1:]) % 3]],  # none common
        [row | {"score": 37.5, "prediction": "A"} for row in rows()],  # off the scale
    ],
    ids=["right", "wrong", "unparsed", "one", "apart", "scale"],
)
@pytest.mark.parametrize("twice", [False, True])
def test_hostile_answers_never_break_a_part(made, twice):
    if twice:
        made = [{**row, "repeat": r} for row in made for r in (1, 2)]
    bench = found(made, same=(("x", "y"),))
    plain = agree_dict((bench,))
    assert json.dumps(plain, allow_nan=False)
    verdicts = bench.part(Interchange)
    if verdicts is not None:
        assert sum(verdicts.counts.values()) == len(verdicts.pairs)
