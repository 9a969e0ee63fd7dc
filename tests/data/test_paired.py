import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caveat
from caveat.data.paired import paired_columns
from caveat.errors import InputError

VOTES = {
    "model_a": ["x"] * 4,
    "model_b": ["y"] * 4,
    "outcome": ["a", "b", "tie", "a"],
    "chars_a": [10, 20, 30, None],
    "chars_b": [11, 5, 7, 8],
    "goals_a": [2, 0, 1, 3],
    "goals_b": [1, 1, 1, 0],
    "fixed_a": [5, 6, 7, 8],
    "fixed_b": [3, 4, 5, 6],
    "again_a": [10.0, 20.0, 30.0, None],
    "again_b": [11.0, 5.0, 7.0, 8.0],
    "empty_a": pa.array([1.5, None, None, None]),
    "empty_b": pa.array([None, 1.5, None, None]),
    "flag_a": [True, False, True, True],
    "flag_b": [False, False, False, True],
    "note_a": ["p", "q", "r", "s"],
    "note_b": ["p", "q", "r", "s"],
    "lonely_a": [1, 2, 3, 4],
}


def test_pairs_and_what_is_wrong_with_them():
    pairs = {p.name: p for p in paired_columns(pa.table(VOTES))}
    assert list(pairs) == ["chars", "goals", "fixed", "again", "empty", "flag"]
    chars = pairs["chars"]
    assert chars.columns == ("chars_a", "chars_b")
    np.testing.assert_array_equal(chars.a, [10, 20, 30, np.nan])
    # differences -1, 15, 23, unknown; the first vote went to the shorter, the second, too
    assert (chars.n_missing, chars.constant, chars.duplicate_of) == (1, False, None)
    assert chars.decides
    # goals: 2-1 a, 0-1 b, 1-1 tie, 3-0 a: every win goes to the side with more
    assert pairs["goals"].decides
    assert not pairs["goals"].usable
    # fixed: the first answer has 2 more in every row
    assert (pairs["fixed"].constant, pairs["fixed"].usable) == (True, False)
    assert (pairs["again"].duplicate_of, pairs["again"].usable) == ("chars", False)
    # empty: no row has both
    assert (pairs["empty"].n_missing, pairs["empty"].constant) == (4, True)
    # flag: differences 1, 0, 1, 0: vote 2 went to b without a lead
    assert pairs["flag"].a.tolist() == [1, 0, 1, 1]
    assert pairs["flag"].usable


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        ("chars_a", "chars_b", "chars"),
        ("a_chars", "b_chars", "chars"),
        ("chars_model_a", "chars_model_b", "chars"),
        ("model_a_active_params", "model_b_active_params", "active_params"),
        ("total_conv_a_kwh", "total_conv_b_kwh", "total_conv_kwh"),
        ("conv.sum_a_tokens", "conv.sum_b_tokens", "conv.sum_tokens"),
        ("Length A", "Length B", "Length"),
        ("co2-g-a", "co2-g-b", "co2-g"),
        ("a_or_b_a", "a_or_b_b", "a_or_b"),
    ],
)
def test_how_pairs_are_named(first, second, name):
    for columns in ((first, second), (second, first)):
        (pair,) = paired_columns(pa.table({key: [1.0, 2.0] for key in columns}))
        assert (pair.name, pair.columns) == (name, (first, second))


@pytest.mark.parametrize(
    "columns",
    [("a", "b"), ("chars_a", "words_b"), ("chars", "chars_b"), ("data", "datb"), ("x_1", "x_2")],
)
def test_what_is_no_pair(columns):
    assert paired_columns(pa.table({key: [1.0] for key in columns})) == ()


def test_two_pairs_of_one_name_stay_apart():
    table = pa.table({key: [1.0, 2.0] for key in ["n_a", "n_b", "a_n", "b_n"]})
    assert [p.name for p in paired_columns(table)] == ["n", "a_n"]


def test_columns_of_the_schema_are_no_pair():
    votes = caveat.read_votes({"model_a": ["1"], "model_b": ["2"], "winner": ["a"], "turn": [1]})
    assert paired_columns(votes.table) == ()


def test_chosen_pairs_come_in_the_order_asked_for():
    table = pa.table(VOTES)
    assert [p.name for p in paired_columns(table, names=("flag", "chars"))] == ["flag", "chars"]
    assert paired_columns(table, names=("again",))[0].duplicate_of is None
    with pytest.raises(InputError, match=r"names must be pairs of columns \(chars, .*got 'len'"):
        paired_columns(table, names=("len",))
    with pytest.raises(InputError, match=r"\(none\), got 'len'"):
        paired_columns(pa.table({"x": [1]}), names=("len",))


ROW = st.tuples(
    st.sampled_from("ab"), st.integers(0, 3), st.none() | st.integers(0, 3), st.integers(0, 9)
)


@given(st.lists(ROW, min_size=1, max_size=20), st.randoms())
def test_order_of_rows_and_sides_do_not_matter(rows, random):
    def found(rows, sides=("a", "b")):
        first, second = sides
        outcome = [row[0] if first == "a" else "ba"["ab".index(row[0])] for row in rows]
        columns = {f"n_{first}": [r[1] for r in rows], f"n_{second}": [r[2] for r in rows]}
        columns = {k: pa.array(v, pa.int64()) for k, v in columns.items()}
        (pair,) = paired_columns(pa.table({"outcome": outcome, **columns}))
        return pair.n_missing, pair.constant, pair.decides

    mixed = list(rows)
    random.shuffle(mixed)
    assert found(rows) == found(mixed) == found(rows, ("b", "a"))


@pytest.mark.shared
def test_real_pairs(shared):
    llmfao = caveat.read_votes(shared / "votes/llmfao.parquet")
    pairs = paired_columns(llmfao.table)
    assert [p.name for p in pairs] == ["chars", "words", "headers", "bold", "lists"]
    assert all(p.usable and p.n_missing == 0 for p in pairs)
    football = caveat.read_votes(shared / "votes/football_international.parquet")
    (goals,) = paired_columns(football.table)
    assert goals.decides
