"""Names on axes: cut in the middle, and no two to the same."""

import vl_convert

from caveat.reports.plots.square import SHORTEST, Square, name_axis, square_layers
from caveat.reports.shortening import cut, telling

CONFIGURATIONS = tuple(
    f"{model}|{how}"
    for model in ("gpt-3.5-turbo-16k-0613", "llama-2-70b-chat")
    for how in ("few_shot", "few_shot_cot", "zero_shot", "zero_shot_cot")
)


def test_cut_names_need_as_many_characters_as_tell_them_apart():
    size = telling(CONFIGURATIONS, 5)
    assert len({cut(name, size) for name in CONFIGURATIONS}) == len(CONFIGURATIONS)
    assert len({cut(name, size - 1) for name in CONFIGURATIONS}) < len(CONFIGURATIONS)
    assert telling(["a", "b"], 7) == 7


def test_rows_of_a_square_do_not_read_the_same():
    names = CONFIGURATIONS
    square = Square(
        names=names,
        rows="row",
        columns="column",
        value="share",
        legend="Share",
        range="heatmap",
        domain=(0.0, 1.0),
        strong="false",
        tooltip=[],
    )
    cells = [{"row": a, "column": b, "share": 0.5} for a in names for b in names]
    svg = vl_convert.vegalite_to_svg({"data": {"values": cells}} | square_layers(square))
    size = telling(names, SHORTEST)
    for name in names:
        assert svg.count(f">{cut(name, size)}<") >= 2  # in a row and in a column
    assert len({cut(name, size) for name in names}) == len(names)
    assert name_axis(["a"])["labelLimit"] <= name_axis(names)["labelLimit"]
