"""What a comparison is called in lists, whether it ran or not."""

import pytest

from caveat.reports.labels import LABELS, label
from caveat.workflows.agree_parts import PARTS


@pytest.mark.parametrize("name", [part.name for part in PARTS])
def test_every_comparison_has_a_label_whether_it_ran_or_not(name):
    assert label(name) == LABELS[name.replace("_", "-")]


def test_a_name_as_json_spells_it_and_as_a_section_does_are_one():
    assert label("item_removal") == label("item-removal") == "Drop a few items"
    assert label("rank_intervals") == label("item-ranks") == "Ranks"
    assert "_" not in label("some_new_part")
