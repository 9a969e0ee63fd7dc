"""Sections on sampling, removal, variants, connections and fit: words, tables and plots."""

import json
import runpy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import vl_convert

from caveat.reports.plots.misfit import MAX_POINTS, misfit
from caveat.reports.plots.sampling_over_time import MAX_MODELS, sampling_over_time
from caveat.reports.stress import connections, fit, removal, sampling, variants
from caveat.results.ranking import Lead
from caveat.results.stress.connections import Holder
from caveat.results.stress.fit import AllPairs, SharedVotes
from caveat.results.stress.removal import Move

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_illusion.py"))
LEAD = Lead(
    leader="A",
    runner_up="B",
    difference=14.0,
    se=2.5,
    z=5.6,
    win_probability=0.52,
    separable=True,
)


def under(part, *, lead=LEAD):
    board = SimpleNamespace(lead=lead)
    return SimpleNamespace(part={type(part): part}.get, board=board)


def words(section, part, **changes):
    return " ".join(section(under(part, **changes)).sentences)


@pytest.mark.parametrize("module", [sampling, removal, variants, connections, fit])
def test_a_test_that_did_not_run_has_no_section(module):
    assert module.section(SimpleNamespace(part={}.get, board=None)) is None


def drawn(plot):
    json.dumps(plot.spec, allow_nan=False)
    svg = vl_convert.vegalite_to_svg(plot.spec | {"width": 500})
    assert svg.startswith("<svg")
    altair = pytest.importorskip("altair")
    altair.Chart.from_dict(plot.spec, validate=True)
    return svg


# ---- sampling ----------------------------------------------------------------------


def dated(*names, months=("2024-01", "2024-02")):
    found = BUILD["sampling"](1.5, 1.0, 0.8, 0.7)
    models = tuple(
        replace(one, first=f"2024-0{1 + k % 2}-03", last="2024-02-20", days=40 - k)
        for k, one in enumerate(found.models)
    )
    if names:
        models = tuple(replace(models[k % 4], model=name) for k, name in enumerate(names))
    monthly = np.array([[200.0 * (k % 2 == 0), 300.0] for k in range(len(models))])
    return replace(found, models=models, dated=True, n_undated=3, months=months, monthly=monthly)


def test_sampling_without_times():
    found = BUILD["sampling"](1.5, 1.0, 0.8, 0.7)
    assert sampling.section(under(found)).sentences == (
        "Votes per model range from 840 (D) to 1,800 (A), with a Gini coefficient of 0.39; the "
        "model shown most holds 30.0% of all places.",
        "The leader, A, was shown 1.5 times as often as it would have been evenly.",
        "The votes hold no times, so a model that was on the board for longer counts here as one "
        "shown more.",
        "No table of models names providers, so votes per provider are unknown.",
    )


def test_sampling_with_times_and_providers():
    maker = replace(BUILD["maker"](1.2), monthly=(300, 600))
    found = replace(dated(), providers=(maker,))
    made = sampling.section(under(found))
    assert "With time on the board allowed for, the coefficient is 0.39." in made.sentences
    assert not any("no times" in sentence for sentence in made.sentences)
    (table,) = made.tables
    assert [cell.text for cell in table.rows[0]] == ["P", "2", "2,400", "50.0%", "1.20"]
    assert "4 models of unknown provider" in table.note
    assert made.plots[0].table.note == "3 votes without a time."
    # 400 places in January, 1,200 in February
    cells = made.plots[1].spec["data"]["values"]
    assert [(c["row"], c["month"], c["share"]) for c in cells] == [
        ("P", "2024-01", 0.75),
        ("P", "2024-02", 0.5),
    ]
    drawn(made.plots[1])


def test_shares_by_month_are_drawn():
    plot = sampling_over_time(dated())
    cells = plot.spec["data"]["values"]
    # 400 votes in January (200 for each of two models, both in the same votes), 600 in February
    assert {c["month"]: c["share"] for c in cells if c["row"] == "A"} == {
        "2024-01": pytest.approx(1.0),
        "2024-02": pytest.approx(0.5),
    }
    assert cells[0]["row"] == "A"
    assert "month's votes" in plot.description
    svg = drawn(plot)
    assert "2024-01" in svg
    years = sampling_over_time(dated(months=("2001", "2002")))
    assert "year's votes" in years.description


def test_bars_where_there_are_no_times():
    plot = sampling_over_time(BUILD["sampling"](1.5, 1.0, 0.8, 0.7))
    assert [row["votes"] for row in plot.spec["data"]["values"]] == [1800, 1200, 960, 840]
    (line,) = plot.spec["layer"][1]["data"]["values"]
    assert line["even"] == pytest.approx(1200)
    assert "no times are known" in plot.description
    drawn(plot)


def test_long_boards_are_cut_and_names_are_data():
    names = [f"m{k}</script>" for k in range(MAX_MODELS + 5)]
    plot = sampling_over_time(dated(*names))
    assert "45 models" in plot.note
    assert len({c["row"] for c in plot.spec["data"]["values"]}) == MAX_MODELS
    rest = {k: v for k, v in plot.spec.items() if k != "data"}
    assert "</script>" not in json.dumps(rest)


# ---- removal -----------------------------------------------------------------------


def test_all_still_there():
    assert words(removal.section, BUILD["removal"]()) == (
        "All 4 models still appear at the end (2024-07-31)."
    )


def test_some_are_gone():
    moved = replace(
        BUILD["refit"](swapped=1, after="B"), moves=(Move(model="B", before=2, after=1),)
    )
    moved = replace(moved, n_lost=1)
    found = BUILD["removal"](BUILD["gone"](), BUILD["gone"]("C", retired=True), refitted=moved)
    made = removal.section(under(found))
    assert made.sentences == (
        "2 of 4 models are gone by the end of the votes (2024-07-31): 1 declared retired, 1 "
        "without a word; no table says who was retired.",
        "Refitted to the 1,200 votes between the others, 1 of 3 pairs change places (Kendall's tau "
        "0.33), 0 of them pairs that seemed certain; B is first instead of A; 1 model can no "
        "longer be rated.",
    )
    gone, moves = made.tables
    assert [c.text for c in gone.rows[0]] == ["D", "–", "2024-03-01", "150", "1,200", "200", "4"]  # noqa: RUF001
    assert gone.rows[1][1].text == "retired"
    assert [c.text for c in moves.rows[0]] == ["B", "2", "1"]


def test_nothing_left_to_rate():
    found = replace(BUILD["removal"](BUILD["gone"]()), refit=None)
    assert words(removal.section, found).endswith("Without them too little is left to rate.")


# ---- variants ----------------------------------------------------------------------


def test_no_registry():
    assert words(variants.section, BUILD["variants"]()) == (
        "No registry says how many variants were tested in private before one was shown. A leads B "
        "by 14.0 points: the best of 5 variants as good as the runner-up would be expected to lead "
        "by as much through luck alone."
    )


def test_a_lead_beyond_luck():
    for enough in (2e6, float("inf")):
        found = replace(BUILD["variants"](), lead=BUILD["lucky"](enough=enough))
        assert "3.5 errors of its own rating: more than a million" in words(variants.section, found)


def test_a_lead_without_an_error():
    lost = replace(BUILD["lucky"](enough=float("nan")), sigma=float("nan"))
    said = words(variants.section, replace(BUILD["variants"](), lead=lost))
    assert said.endswith("A leads B by 14.0 points; no error of its rating is known.")


def test_registered_variants():
    one = replace(BUILD["variant"](number=10, inflation=6.15), votes=300.0, votes_declared=True)
    made = variants.section(under(BUILD["variants"](one)))
    assert made.sentences[0].startswith("A is declared the best of 10 variants")
    assert made.sentences[0].endswith("at 300 votes a variant).")
    assert [c.text for c in made.tables[0].rows[0]][:4] == ["A", "10", "models table", "300"]
    plain = variants.section(under(BUILD["variants"](BUILD["variant"]())))
    assert "at the 1,200 votes of the model itself" in plain.sentences[0]


# ---- connections -------------------------------------------------------------------


def test_connections_in_words():
    row = BUILD["comparison"](together=0, direct=0.0, n_votes=0, worth=66.4)
    found = BUILD["connections"](
        share=0.05, comparisons=(row,), holders=(Holder(model="B", holds=("C", "D")),)
    )
    made = connections.section(under(replace(found, n_disjoint=1)))
    assert made.sentences == (
        "6 of 6 pairs of models met (100.0%).",
        "The weakest split sets 2 models against the other 2: 5.0% of the smaller side's votes "
        "cross it (120).",
        "Only B ties 2 models to the rest.",
        "Among the best 4 the least is known about A against B: as much as 66 votes between two "
        "equals would tell, 0.0% of it from their own 0 votes and 25.0% through C.",
        "1 pair was never on the board on the same day, 1 among the best 4: their order assumes "
        "that models and voters stood still in between.",
    )
    assert made.tables[0].columns[-1].name == "Days together"
    assert made.tables[0].rows[0][-1].text == "0"


def test_connections_without_times_have_no_days():
    row = BUILD["comparison"](together=None, through=None, through_share=0.0)
    found = replace(BUILD["connections"](comparisons=(row,)), n_disjoint=None, split=None)
    made = connections.section(under(found))
    assert len(made.sentences) == 2
    assert made.sentences[1].endswith("from their own 400 votes.")
    assert made.tables[0].columns[-1].name == "Share"


# ---- fit ---------------------------------------------------------------------------


def pairs(count=3, **changes):
    rng = np.random.default_rng(0)
    expected = np.linspace(0.2, 0.8, count)
    made = AllPairs(
        a=np.zeros(count, dtype=int),
        b=np.arange(count) % 3 + 1,
        n_votes=np.arange(count, 0, -1.0) * 10,
        observed=np.clip(expected + rng.normal(0, 0.05, count), 0, 1),
        expected=expected,
        z=np.full(count, 1.2),
        off=np.zeros(count, dtype=bool),
        names=tuple("ABCD"),
    )
    return replace(made, **changes)


def test_fit_in_words():
    shared = SharedVotes(column="item", rho=0.19, inflation=1.63)
    found = replace(BUILD["fit"](tau=0.03), sparse=0.5, all_pairs=pairs(), shared=shared)
    made = fit.section(under(found))
    assert made.sentences == (
        "Noise left out, win shares of pairs stray from what the ratings say by 3.0 points (1.5 to "
        "6.0): sum of squared residuals 20 on 3 degrees of freedom, p = 0.002 by 499 boards drawn "
        "from the fit.",
        "50.0% of the 6 pairs have too few votes for a chi-squared distribution, so that p is the "
        "one to read.",
        "With such departures counted as noise, the lead of A has z = 4.5 instead of 5.6 (3.1 is "
        "needed).",
        "D fits worse than noise allows, all models considered.",
        "Votes of one pair that share an item agree beyond chance (intraclass correlation 0.19); "
        "what noise makes is reckoned with 1.63 times the variance of independent votes.",
        "0 of 4 triples of models beat each other in a circle; the ratings expect 0 (0 to 1, p = "
        "1.000), Kendall's coefficient of consistence is 1.00.",
    )
    models, worst = made.tables
    assert [c.text for c in models.rows[0]] == ["D", "1,200", "3", "6.0", "10.0", "0.004"]
    assert [c.text for c in worst.rows[0]][:5] == ["D", "A", "400", "30.0%", "20.0%"]


def test_a_lead_that_does_not_count_is_left_out():
    found = BUILD["fit"](tau=0.03, lead=BUILD["lead_fit"](z=1.0, departing=0.9))
    assert "lead" not in words(fit.section, replace(found, all_pairs=pairs()))


def test_circles_have_a_table():
    rounds = BUILD["circles"](n_cyclic=1, n_beyond_doubt=1, listed=(BUILD["CIRCLE"],), zeta=np.nan)
    made = fit.section(under(replace(BUILD["fit"](cycles=rounds), all_pairs=pairs())))
    assert made.sentences[-1] == "1 of them is beyond chance in every pair."
    assert "consistence" not in " ".join(made.sentences)
    assert [c.text for c in made.tables[-1].rows[0]][:3] == ["A", "B", "C"]


def test_residuals_are_drawn_from_the_better_model():
    found = replace(BUILD["fit"](), all_pairs=pairs(off=np.array([True, False, False])))
    plot = misfit(found)
    rows = plot.spec["data"]["values"]
    # what stands out is drawn last, on top
    assert [row["tone"] for row in rows] == ["within noise", "within noise", "beyond noise"]
    assert all(row["expected"] >= 0.5 for row in rows)
    assert (rows[-1]["a"], rows[-1]["b"]) == ("B", "A")  # A was expected to win 20% of it
    assert rows[-1]["residual"] == pytest.approx(
        100 * (found.all_pairs.expected[0] - found.all_pairs.observed[0]), abs=0.01
    )
    drawn(plot)


def test_the_pairs_with_most_votes_are_drawn():
    found = replace(BUILD["fit"](), all_pairs=pairs(MAX_POINTS + 7))
    plot = misfit(found)
    assert len(plot.spec["data"]["values"]) == MAX_POINTS
    assert plot.note == "7 pairs with fewer votes not drawn."


def test_a_pair_without_a_z_is_drawn_all_the_same():
    found = replace(BUILD["fit"](), all_pairs=pairs(z=np.array([np.nan, 1.0, 2.0])))
    plot = misfit(found)
    assert "–" in {row["z"] for row in plot.spec["data"]["values"]}  # noqa: RUF001
    drawn(plot)
