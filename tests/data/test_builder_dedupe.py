import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.data.concat import concat
from caveat.data.dedupe import CONFLICT, DUPLICATE, deduplicate
from caveat.data.keys import combine, repeats
from caveat.errors import InputError
from caveat.importers.frames import read_frame


def _responses(rows, name="f"):
    names = ("item", "model", "prediction", "score")
    table = pa.table(dict(zip(names, zip(*rows, strict=True), strict=True)))
    return read_frame(table, kind="responses", name=name)


def _votes(rows, *names):
    table = pa.table(
        dict(zip(("model_a", "model_b", "outcome", *names), zip(*rows, strict=True), strict=True))
    )
    return read_frame(table, kind="votes", name="v")


def test_equal_rows_are_one_row():
    evidence = _responses([("1", "m", "A", 1), ("2", "m", "A", 0), ("1", "m", "A", 1)])
    once = deduplicate(evidence)
    assert once.table.column("item").to_pylist() == ["1", "2"]
    account = once.provenance.account
    assert (account.rows_read, account.kept) == (3, 2)
    assert account.drops[0].reason == DUPLICATE
    assert account.drops[0].examples == ("f, row 3",)


@pytest.mark.parametrize("other", [("1", "m", "B", 1), ("1", "m", "A", 0)])
def test_contradictions_name_both_rows(other):
    evidence = _responses([("1", "m", "A", 1), ("2", "m", "A", 0), other])
    with pytest.raises(InputError, match=r"f, row 1 and f, row 3: one key .*item='1'"):
        deduplicate(evidence)
    dropped = deduplicate(evidence, bad_rows="drop")
    assert dropped.provenance.account.drops[0].reason == CONFLICT
    assert dropped.table.column("prediction").to_pylist() == ["A", "A"]


def test_unparsed_twice_is_no_contradiction():
    evidence = _responses([("1", "m", None, 0), ("1", "m", None, 0), ("2", "m", "A", 1)])
    assert len(deduplicate(evidence)) == 2


def test_across_files():
    parts = [
        _responses([("1", "m", "A", 1)], name="<one>"),
        _responses([("1", "m", "B", 0)], name="<one>"),
    ]
    joined = concat(parts)
    assert (joined.provenance.account.rows_read, len(joined)) == (2, 2)
    with pytest.raises(InputError, match="<one>, row 1 and <one>, row 1"):
        deduplicate(joined)


def test_votes_without_a_battle_are_never_compared():
    rows = [("x", "y", "a"), ("x", "y", "a")]
    assert len(deduplicate(_votes(rows))) == 2


def test_votes_of_one_battle():
    rows = [("x", "y", "a", "1", "v"), ("x", "y", "a", "1", "v"), ("x", "y", "b", "1", "w"),
            ("x", "y", "a", None, "v"), ("x", "y", "a", None, "v")]  # fmt: skip
    assert len(deduplicate(_votes(rows, "battle", "voter"))) == 4


def test_concat_fills_what_is_missing():
    one = _votes([("x", "y", "a", 3)], "count")
    two = _votes([("z", "y", "b", "k")], "extra")
    joined = concat([one, two])
    assert joined.table.column("count").to_pylist() == [3, 1]
    assert joined.table.column("extra").to_pylist() == [None, "k"]
    assert joined.table.column("model_a").to_pylist() == ["x", "z"]
    column = joined.table.column("model_a")
    assert all(c.dictionary.equals(column.chunk(0).dictionary) for c in column.chunks)


def test_concat_of_unlike_columns():
    one = _votes([("x", "y", "a", 3)], "extra")
    two = _votes([("x", "y", "a", "z")], "extra")
    three = _votes([("x", "y", "a", 0.5)], "extra")
    assert concat([one, two]).table.column("extra").to_pylist() == ["3", "z"]
    assert concat([one, three]).table.column("extra").to_pylist() == [3.0, 0.5]


def test_concat_refuses_nothing_and_mixtures():
    with pytest.raises(InputError, match="at least one"):
        concat([])
    with pytest.raises(InputError, match="one kind"):
        concat([_responses([("1", "m", "A", 1)]), _votes([("x", "y", "a")])])


KEYS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["x", "y", None])), max_size=40)


@given(KEYS)
def test_fast_and_naive_repeats_agree(rows):
    columns = [
        pa.chunked_array([pa.array([r[0] for r in rows], pa.int64())]),
        pa.chunked_array([pa.array([r[1] for r in rows], pa.string())]),
    ]
    key, bound = combine(columns)
    first: dict = {}
    expected = [(i, first.setdefault(r, i)) for i, r in enumerate(rows)]
    expected = [(i, j) for i, j in expected if i != j]
    for limit in (bound, 10**12):  # the dense and the sorting way
        found = repeats(key, limit)
        assert list(zip(found.rows, found.firsts, strict=True)) == expected


def test_keys_too_many_to_multiply():
    columns = [pa.chunked_array([pa.array(np.arange(3000) % 2999)])] * 7
    key, bound = combine(columns)
    assert bound < 2**62
    assert repeats(key, bound).rows.tolist() == [2999]
