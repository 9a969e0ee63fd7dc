"""Who answered what to the items of a report."""

from caveat.reports.tables.items import answers_table
from caveat.results.comparison.items import Items
from caveat.workflows.agree import agree_all


def found():
    rows = {name: [] for name in ("benchmark", "item", "model", "prediction", "target")}
    for k in range(40):
        for j, model in enumerate("vwxyz"):
            # On item 0 the three best give B against the key A; elsewhere v to z get worse.
            good = k % 5 >= j if k else j > 2
            answer = None if (k, model) == (1, "z") else "A" if good else "B"
            for name, value in zip(rows, ("b", f"q{k}", model, answer, "A"), strict=True):
                rows[name].append(value)
    (bench,) = agree_all(rows)
    return bench.part(Items)


def test_answers_to_an_item_with_who_gave_them():
    answers = found().answers_to("q0")
    assert [(one.answer, one.right, one.models) for one in answers] == [
        ("B", False, ("v", "w", "x")),
        ("A", True, ("y", "z")),
    ]


def test_an_unreadable_answer_comes_last():
    assert found().answers_to("q1")[-1].answer == ""
    assert found().answers_to("q1")[-1].models == ("z",)


def test_every_listed_item_is_answered_by_all():
    table = answers_table(found())
    items = {row[0].text for row in table.rows}
    for item in items:
        assert sum(int(row[3].text) for row in table.rows if row[0].text == item) == 5
