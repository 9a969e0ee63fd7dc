import json
import math
from dataclasses import replace

import numpy as np
import pytest
import vl_convert

from caveat.reports.html.page import page_of
from caveat.reports.plots.accuracy_bars import accuracy_bars
from caveat.reports.plots.disagreement_map import MAX_MODELS, disagreement_map
from caveat.reports.plots.plot import MAX_ROWS
from caveat.reports.plots.rank_intervals import rank_intervals
from caveat.reports.plots.same_score import same_score
from caveat.reports.plots.win_matrix import win_matrix
from caveat.reports.tables.board import MAX_PAIRS as MOST_MET
from caveat.reports.tables.pairs import MAX_PAIRS, pair_table


def values(plot):
    return plot.spec["data"]["values"]


def drawing(spec):
    # the page gives a width to "container"; a converter has no page
    return vl_convert.vegalite_to_svg(spec | ({"width": 500} if "container" in str(spec) else {}))


def test_every_plot_compiles_and_draws(make):
    for plot in page_of(make.report()).plots:
        svg = drawing(plot.spec)
        assert svg.startswith("<svg")
        assert "atlas-1" in svg or plot.name.endswith("same-score")


def test_every_plot_follows_the_schema_of_vega_lite(make):
    altair = pytest.importorskip("altair")
    for plot in page_of(make.report()).plots:
        altair.Chart.from_dict(plot.spec, validate=True)


def test_specifications_hold_only_what_json_can(make):
    hurt = make.agreement()
    broken = np.full_like(hurt.disagree, math.nan)
    hurt = replace(hurt, disagree=broken, low=broken, high=broken, score=broken[0])
    table = pair_table(hurt)
    heat = disagreement_map(hurt, name="heat", table=table)
    assert values(heat) == []
    json.dumps(heat.spec, allow_nan=False)
    assert same_score(hurt, name="scatter", table=table) is None
    assert {cell.text for row in table.rows for cell in row[2:4]} == {"\u2013"}
    drawing(heat.spec)


def test_names_are_data_values_only(make):
    hostile = make.HOSTILE
    for plot in page_of(make.hostile_report()).plots:
        rest = json.dumps({k: v for k, v in plot.spec.items() if k != "data"})
        rest = rest.replace(json.dumps(plot.spec["description"]), "")
        if plot.name.endswith(("matrix", "pairs")):
            continue  # the order of rows and columns names them, as values of a domain
        assert not any(json.dumps(name)[1:-1] in rest for name in hostile)
    for plot in page_of(make.hostile_report()).plots:
        svg = drawing(plot.spec)
        assert "<script" not in svg
        assert "<img" not in svg


def test_an_unrated_model_is_in_the_table_with_its_reason_and_not_drawn(make):
    plot = rank_intervals(make.ranking(with_unrated=True))
    assert "newcomer" not in [row["model"] for row in values(plot)]
    row = next(row for row in plot.table.rows if row[0].text == "newcomer")
    assert row[1].text == "\u2013"
    assert row[1].title == "never lost a vote"
    assert "1 model without a rating" in plot.note


def test_ranks_and_tiers_come_from_the_result(make):
    plot = rank_intervals(make.ranking())
    first = values(plot)[0]
    assert (first["model"], first["ranks"], first["tone"]) == ("atlas-1", "1\u20133", "Tier 1")
    assert values(plot)[5]["tone"] == "Even tiers"


def test_a_board_of_129_models_is_drawn_in_full(make):
    plot = rank_intervals(make.ranking(make.names(129)))
    assert len(values(plot)) == 129
    assert plot.spec["height"] == 129 * 19
    assert plot.note == ""


def test_more_models_than_fit_are_cut_and_it_says_so(make):
    plot = rank_intervals(make.ranking(make.names(MAX_ROWS + 50)))
    assert len(values(plot)) == MAX_ROWS
    assert "best 150 of 200" in plot.note
    assert len(plot.table.rows) == MAX_ROWS + 50
    bars = accuracy_bars(make.scores(make.names(MAX_ROWS + 1)), name="bars")
    assert "1 model not drawn" in bars.note


def test_win_shares_are_wins_over_votes(make):
    ranking = make.ranking()
    plot = win_matrix(ranking)
    cell = values(plot)[0]
    i, j = ([m.model for m in ranking.models].index(cell[side]) for side in ("row", "column"))
    assert cell["share"] == pytest.approx(ranking.wins[i, j] / ranking.votes[i, j], abs=1e-4)
    met = int((ranking.votes > 0).sum())
    assert len(values(plot)) == met
    assert len(plot.table.rows) == met // 2


def test_the_win_matrix_draws_the_best_40_and_lists_the_pairs_with_most_votes(make):
    ranking = make.ranking(make.names(129))
    plot = win_matrix(ranking)
    assert {cell["row"] for cell in values(plot)} == set(make.names(129)[:40])
    assert "best 40 of 129" in plot.note
    met = int((np.triu(ranking.votes) > 0).sum())
    assert len(plot.table.rows) == MOST_MET
    assert f"{met - MOST_MET:,} pairs with fewer are left out" in plot.table.note


def test_the_disagreement_map_follows_the_clustering(make):
    agreement = make.agreement()
    plot = disagreement_map(agreement, name="heat", table=pair_table(agreement))
    ordered = [agreement.models[i] for i in agreement.order]
    assert plot.spec["encoding"]["x"]["sort"] == ordered
    assert plot.spec["encoding"]["y"]["scale"]["domain"] == ordered


def test_a_large_map_keeps_the_best_models_in_clustered_order(make):
    agreement = make.agreement(make.names(200))
    plot = disagreement_map(agreement, name="heat", table=pair_table(agreement))
    drawn = plot.spec["encoding"]["y"]["scale"]["domain"]
    best = set(make.names(200)[:MAX_MODELS])
    assert drawn == [agreement.models[i] for i in agreement.order if agreement.models[i] in best]
    assert "60 models of best score" in plot.note


def test_the_pair_table_is_sorted_and_capped_with_a_note(make):
    table = pair_table(make.agreement(make.names(60)))  # 1,770 pairs
    assert len(table.rows) == MAX_PAIRS
    assert "of 1,770" in table.note
    shares = [float(row[2].text.rstrip("%")) for row in table.rows]
    assert shares == sorted(shares, reverse=True)
    assert pair_table(make.agreement()).note == ""


def test_an_undefined_figure_carries_the_reason_of_the_benchmark(make):
    row = pair_table(make.agreement()).rows[0]
    assert row[9].text == "\u2013"
    assert row[9].title == "needs the number of options of each item"


def test_points_of_equal_score_come_first(make):
    agreement = make.agreement()
    plot = same_score(agreement, name="scatter", table=pair_table(agreement))
    gaps = [point["gap"] for point in values(plot)]
    assert gaps == sorted(gaps)
    assert len(gaps) == 28  # 8 * 7 / 2
