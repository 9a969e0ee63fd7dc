from dataclasses import replace

import pyarrow as pa
import pytest

import caveat
from caveat.errors import InputError
from caveat.reports.tables.board_extras import board_extras
from caveat.reports.tables.categories import category_tables
from caveat.reports.tables.controls import controls_table
from caveat.workflows.options import Options


def rows():
    """x beats y 3 : 1 in code, loses 1 : 3 in law, and writes more where it wins."""
    made = {"model_a": ["x"] * 280, "model_b": ["y"] * 280, "task": ["code"] * 120 + ["law"] * 120}
    made["task"] += ["few"] * 40
    made["winner"] = ["a"] * 90 + ["b"] * 60 + ["a"] * 0 + ["a"] * 0 + ["b"] * 60 + ["a"] * 30
    made["winner"] += ["a", "b"] * 20
    made["chars_a"] = [300, 100] * 140
    made["chars_b"] = [100, 300, 100, 100] * 70
    return made


@pytest.fixture(scope="module")
def ranked():
    return caveat.rank(rows(), options=Options(by="task", control="all"))


def test_nothing_extra_unless_it_was_asked_for(make):
    assert board_extras(make.ranking()) == ()


def test_controls_then_categories(ranked):
    tables = board_extras(ranked)
    assert tables[0].caption.startswith("Worth of a property in points, with 95% intervals")
    assert tables[1].caption == "Boards by task, each by its own votes alone"


def test_a_category_without_a_board_has_its_reason(ranked):
    firsts = category_tables(ranked.categories)[0]
    row = next(row for row in firsts.rows if row[0].text == "few")
    assert (row[2].text, row[2].title) == ("\u2013", "fewer than 100 votes")


def test_sure_shifts_are_listed_and_only_those(ranked):
    shifts = category_tables(ranked.categories)[-1]
    assert {(row[0].text, row[1].text) for row in shifts.rows} == {
        ("x", "code"), ("x", "law"), ("y", "code"), ("y", "law"),
    }  # fmt: skip
    calm = replace(
        ranked.categories,
        categories=tuple(
            replace(c, models=tuple(replace(m, p_adjusted=0.05) for m in c.models))
            for c in ranked.categories.categories
        ),
    )
    assert len(category_tables(calm)) == 2


def test_many_models_and_categories_are_cut_and_it_says_so(ranked):
    code = ranked.categories.categories[0]
    many = tuple(replace(code.models[0], model=f"m{k}", rank=k) for k in range(1, 30))
    wide = tuple(replace(code, name=f"t{k}", models=many) for k in range(10))
    found = replace(
        ranked.categories, categories=wide, n_left_out=2, n_votes_left_out=7, n_unnamed=1
    )
    firsts, ranks, *_ = category_tables(found)
    assert firsts.note == "1 vote without a task. 2 more categories with 7 votes left out."
    assert len(ranks.columns) == 9
    assert ranks.note == "The best 20 of 29 models are listed. 2 smaller boards left out."


def test_a_plain_difference_is_told_by_unit():
    board = caveat.rank(rows(), options=Options(control="chars", contrast="difference"))
    table = controls_table(board.controls)
    assert table.columns[5].name == "Per unit"
    assert "a \u2212 b" in table.caption
    assert "(a" not in table.caption


def test_what_is_left_out_is_told():
    made = rows()
    made["words_a"], made["words_b"] = made["chars_a"], made["chars_b"]
    made["lists_a"] = [None] + [1, 2] * 139 + [1]
    made["lists_b"] = [2, 1, 1, 1] * 70
    table = controls_table(caveat.rank(made, options=Options(control="all")).controls)
    assert "1 vote left out for a missing value" in table.note
    assert "words: it has the same values as chars" in table.note


def test_options_that_do_not_go_together():
    with pytest.raises(InputError, match="by must be off for elo"):
        caveat.rank(rows(), options=Options(method="elo", by="task"))
    with pytest.raises(InputError, match="control must be off for pagerank"):
        caveat.rank(rows(), options=Options(method="pagerank", control="all"))


def test_columns_that_are_asked_for_are_read(tmp_path):
    import pyarrow.parquet as pq

    path = tmp_path / "votes.parquet"
    pq.write_table(pa.table(rows()), path)
    board = caveat.rank(path, options=Options(by="task", control="chars"))
    assert board.controls.coefficients[0].name == "chars"
    assert [c.name for c in board.categories.categories] == ["code", "law", "few"]
    made = board.to_dict()
    assert made["controls"]["coefficients"][0]["name"] == "chars"
    assert made["categories"]["categories"][0]["first_tier"] == ["x"]
