import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.common_items import common_items


def grid(*columns):
    return np.array([[c == "1" for c in column] for column in columns]).T


def test_all_columns_where_half_of_the_rows_are_common():
    got = common_items(grid("1111", "1111", "1100"))
    assert got.rows.tolist() == [True, True, False, False]
    assert got.columns.all()


def test_one_column_with_few_rows_is_left_out():
    # all three share 1 of 4 rows; without the last, 2 columns x 4 rows
    got = common_items(grid("1111", "1111", "1000"))
    assert got.rows.all()
    assert got.columns.tolist() == [True, True, False]


def test_the_largest_block_by_hand():
    # three columns with 4 rows share all of them: 3 x 4 = 12; with a fourth of two rows 4 x 2 = 8;
    # all five share one row: 5, and 1 is under half of 4
    got = common_items(grid("1111", "1111", "1111", "1100", "1000"))
    assert got.rows.all()
    assert got.columns.tolist() == [True, True, True, False, False]


def test_a_left_out_column_with_all_chosen_rows_comes_back():
    # by number of values: columns 0, 1 (4 each), 2 and 3 (3 each, disjoint rows missing)
    got = common_items(grid("11110000", "11110000", "00001110", "11100000"), share=0.9)
    assert got.columns.tolist() == [True, True, False, False]
    assert got.rows.sum() == 4


def test_nothing_in_common_and_one_column():
    assert not common_items(grid("10", "01")).columns.any()
    assert not common_items(grid("11")).rows.any()
    assert not common_items(np.zeros((0, 3), dtype=bool)).columns.any()


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=2, max_size=7))
def test_whoever_takes_part_has_every_row(rows):
    present = np.array(rows)
    got = common_items(present)
    assert present[np.ix_(got.rows, got.columns)].all()
    assert got.columns.sum() != 1
    everyone = present.all(axis=1)
    if everyone.sum() >= 0.5 * present.any(axis=1).sum() > 0:
        assert (got.rows == everyone).all()
