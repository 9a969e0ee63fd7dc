import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.merging import merged_with_others


@pytest.mark.parametrize(
    ("sizes", "merged"),
    [
        ([10, 12, 30], [0, 0, 0]),  # all large enough
        ([9, 1, 30], [1, 1, 0]),  # 9 + 1 = 10 is enough
        ([8, 1, 30, 11], [1, 1, 0, 1]),  # 9 is not: 30 + 11 + 9 = 50 would give it away; 11 joins
        ([3, 30], [1, 1]),  # nothing is left to be told apart
        ([0, 10, 20], [0, 0, 0]),  # an empty group is no group
        ([0, 5, 5], [0, 1, 1]),
    ],
)
def test_merging_by_hand(sizes, merged):
    assert merged_with_others(np.array(sizes), 10).tolist() == [bool(x) for x in merged]


def test_too_few_altogether_show_nothing():
    assert merged_with_others(np.array([4, 5]), 10) is None
    assert merged_with_others(np.array([], dtype=int), 10) is None


@given(st.lists(st.integers(0, 40), max_size=12), st.integers(1, 20))
def test_nothing_below_the_threshold_can_be_seen_or_found_by_subtraction(sizes, threshold):
    sizes = np.array(sizes, dtype=int)
    merged = merged_with_others(sizes, threshold)
    if merged is None:
        assert sizes.sum() < threshold
        return
    shown = sizes[~merged & (sizes > 0)]
    rest = int(sizes.sum() - shown.sum())
    assert (shown >= threshold).all()
    assert rest == 0 or rest >= threshold
    # no more is merged than must be: without its largest group, what is merged is below
    if merged.any():
        grown = sizes[merged].max() >= threshold
        assert not grown or rest - sizes[merged].max() < threshold


@given(st.lists(st.integers(0, 40), max_size=12), st.integers(1, 20), st.randoms())
def test_order_of_groups_does_not_matter(sizes, threshold, random):
    shuffled = list(sizes)
    random.shuffle(shuffled)
    one, other = (merged_with_others(np.array(s, dtype=int), threshold) for s in (sizes, shuffled))
    if one is None:
        assert other is None
    else:
        kept = [sorted(np.array(s, dtype=int)[~m]) for s, m in ((sizes, one), (shuffled, other))]
        assert kept[0] == kept[1]
