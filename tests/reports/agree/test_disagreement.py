import json
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
import vl_convert

from caveat.data.evidence import Evidence
from caveat.data.matrix import response_matrix
from caveat.reports.agree.disagreement import section
from caveat.results.comparison.noise import NoiseFloor, NoiseSource
from caveat.stats.agreement.pairs import agreement
from caveat.stats.comparison.disagreement import disagreement


def evidence(letters, *, gold=None, n_options=4.0, task=True):
    """One string of letters per model; '.' is unparsed. Without gold, nothing is scored."""
    rows = [(model, k, answer) for model, text in letters.items() for k, answer in enumerate(text)]
    models, items, answers = zip(*rows, strict=True)

    def coded(values):
        return pa.array(values, pa.string()).dictionary_encode()

    table = {
        "benchmark": coded(["quiz"] * len(rows)),
        "item": coded([str(k) for k in items]),
        "model": coded(list(models)),
        "prediction": coded([None if a == "." else a for a in answers]),
        "status": coded(["unparsed" if a == "." else "scored" for a in answers]),
        "score": pa.array(
            [None if gold is None else float(a == gold[k]) for _, k, a in rows], pa.float64()
        ),
        "n_options": pa.array([n_options] * len(rows), pa.float64()),
    }
    if task:
        table["task"] = coded(["odd" if k % 2 else "even" for k in items])
    return Evidence(kind="responses", table=pa.table(table))


def found(letters, *, noise=None, **options):
    matrix = response_matrix(evidence(letters, **options), "quiz")
    compared = agreement(matrix)
    part = disagreement(matrix, compared)
    parts = {type(one): one for one in (part, noise) if one is not None}
    return SimpleNamespace(agreement=compared, part=parts.get)


def draw(seed, n=200, right=0.7):
    rng = np.random.default_rng(seed)
    return "".join(np.where(rng.random(n) < right, "A", rng.choice(list("BCD."), n)))


@pytest.fixture(name="three")
def _three():
    return found({"x": draw(1), "y": draw(2), "z": draw(3, right=0.3)}, gold="A" * 200)


def drawn(plot):
    json.dumps(plot.spec, allow_nan=False)
    return vl_convert.vegalite_to_svg(plot.spec)


def test_what_it_says(three):
    made = section(three)
    said = " ".join(made.sentences)
    assert "1 pair within 5 points of score disagrees on" in said
    assert "unparsed answers left out" in said
    assert "With unparsed answers unlike any other it is" in said
    assert "can disagree on" in said
    assert "Krippendorff's alpha" in said
    captions = [table.caption for table in made.tables]
    assert captions[0].startswith("What unparsed answers count as")
    assert "Agreement of groups of models" in captions
    assert all(sentence.endswith(".") for sentence in made.sentences)
    assert "nan" not in said


def test_rows_are_as_wide_as_their_tables(three):
    for table in section(three).tables:
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_the_plot_has_the_band_and_the_floor(three):
    (plot,) = section(three).plots
    assert len(plot.spec["data"]["values"]) == 3
    band, _ = plot.spec["layer"]
    assert band["mark"]["type"] == "area"
    drawn(plot)
    noise = NoiseFloor(
        sources=(
            NoiseSource(
                source="repeat", variants=("1", "2"), disagree=0.12, low=0.1, high=0.14, models=()
            ),
        ),
        pairs=(),
        matched=0,
        matched_within=0,
        points=0.05,
        considered=3,
        n_models=3,
        level=0.95,
    )
    letters = {"x": draw(1), "y": draw(2), "z": draw(3, right=0.3)}
    (plot,) = section(found(letters, gold="A" * 200, noise=noise)).plots
    (floor,) = plot.spec["layer"][-1]["data"]["values"]
    assert floor == {"floor": 0.12, "text": "one model, other repeats: 12.0%"}
    assert "12.0%" in drawn(plot)


def test_without_scores_there_is_no_plot():
    made = section(found({"x": draw(1), "y": draw(2)}))
    assert made.plots == ()
    assert made.sentences[0].startswith("No pair is matched by score (no scores")
    assert made.finding.startswith("No two are matched by score")


@pytest.mark.parametrize(
    "letters",
    [
        {"x": "A" * 40, "y": "A" * 40},
        {"x": "B" * 40, "y": "C" * 40},
        {"x": "A", "y": "B"},
    ],
)
def test_all_right_all_wrong_one_item(letters):
    made = section(found(letters, gold="A" * 40, task=False))
    assert made.sentences
    assert "nan" not in " ".join(made.sentences)
    for plot in made.plots:
        drawn(plot)


def test_nothing_without_a_part():
    assert section(SimpleNamespace(agreement=None, part=lambda _: None)) is None
