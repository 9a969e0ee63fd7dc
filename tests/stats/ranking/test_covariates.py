import numpy as np
import pyarrow as pa
import pytest

from caveat.errors import InputError
from caveat.stats.ranking.covariates import covariates


def votes(**columns):
    n = len(next(iter(columns.values())))
    return pa.table({"outcome": ["tie"] * n, **columns})


def test_relative_by_hand():
    # (30 - 10) / 40, (1 - 2) / 3, 0 / 0 counts as no difference
    got = covariates(votes(chars_a=[30, 1, 0], chars_b=[10, 2, 0]))
    assert got.values.tolist() == [[0.5, pytest.approx(-1 / 3), 0.0]]
    assert [pair.name for pair in got.pairs] == ["chars"]


def test_difference_by_hand():
    got = covariates(votes(temp_a=[3.0, -1], temp_b=[1.0, 2]), contrast="difference")
    assert got.values.tolist() == [[2.0, -3.0]]


def test_a_missing_value_makes_a_vote_incomplete():
    got = covariates(votes(chars_a=[30, None, 5], chars_b=[10, 2, 7], n_a=[1, 2, 3], n_b=[3, 2, 1]))
    assert got.complete.tolist() == [True, False, True]


REASONS = {
    "it has no values": ([None, None, None, None], [1.0, 2.0, 3.0, 4.0]),
    "it has the same values as chars": ([30, 1, 4, 1], [10, 2, 9, 2]),
    "both answers differ by the same in all votes": ([3, 2, 5, 4], [1, 0, 3, 2]),
    "it decides every vote: it is the vote in other words": ([2, 1, 5, 3], [1, 2, 5, 1]),
    "it has negative values, which have no ratio": ([2, -1, 5, 1], [1, 2, 3, 3]),
    "it is missing in most votes": ([2, None, None, None], [1, 2, 3, 3]),
}


@pytest.mark.parametrize("why", REASONS)
def test_what_cannot_be_used_is_left_out_with_its_reason(why):
    a, b = REASONS[why]
    table = votes(
        chars_a=[30, 1, 4, 1], chars_b=[10, 2, 9, 2], odd_a=pa.array(a, pa.float64()), odd_b=b
    )
    if "decides" in why:
        table = table.set_column(0, "outcome", pa.array(["a", "b", "tie", "a"]))
    got = covariates(table)
    assert [(one.name, one.why) for one in got.left_out] == [("odd", why)]
    assert [pair.name for pair in got.pairs] == ["chars"]
    if "most votes" not in why:
        with pytest.raises(
            InputError, match=f"got 'odd': {why}" if "same as" not in why else "odd"
        ):
            covariates(table, columns=("chars", "odd"))


def test_a_named_column_may_be_missing_in_most_votes():
    table = votes(x_a=[2, None, None, 1], x_b=[1, 2, 3, 3])
    assert covariates(table, columns=("x",)).complete.sum() == 2


def test_characters_beside_words_are_left_out_unless_named():
    rng = np.random.default_rng(0)
    words = rng.integers(20, 300, (2, 200))
    chars = 6 * words + rng.integers(-10, 10, (2, 200))
    table = votes(chars_a=chars[0], chars_b=chars[1], words_a=words[0], words_b=words[1])
    got = covariates(table)
    assert [(one.name, one.why) for one in got.left_out] == [
        ("words", "it says nearly the same as chars")
    ]
    assert len(covariates(table, columns=("chars", "words")).pairs) == 2


def test_no_pair_at_all_is_an_error_that_says_what_is_needed():
    with pytest.raises(InputError, match="chars_a and chars_b"):
        covariates(votes(chars=[1, 2]))
    with pytest.raises(InputError, match="contrast must be one of difference, relative"):
        covariates(votes(x_a=[1, 2], x_b=[2, 1]), contrast="log")
    with pytest.raises(InputError, match="chars"):
        covariates(votes(x_a=[1, 2], x_b=[2, 1]), columns=("chars",))
