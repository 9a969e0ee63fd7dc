"""Words for nothing among predictions, and columns of scores that say nothing."""

import caveat


def rows(**columns):
    n = len(next(iter(columns.values())))
    return {
        "benchmark": ["b"] * n,
        "item": [str(k) for k in range(n)],
        "model": ["x"] * n,
        **columns,
    }


def test_words_for_nothing_are_no_answers():
    found = caveat.read_responses(
        rows(prediction=["NaN", "None", "A", "null"], target=["A", "None", "A", "A"])
    )
    assert found.table["prediction"].to_pylist() == [None, "None", "A", None]
    assert found.table["status"].to_pylist() == ["unparsed", "scored", "scored", "unparsed"]
    assert "2 predictions are words for nothing (NaN, null): read as no answer" in (
        found.provenance.notices
    )


def test_an_empty_column_of_scores_is_left_aside():
    found = caveat.read_responses(
        rows(prediction=["A", "B"], target=["A", "A"], score=[None, None])
    )
    assert found.table["score"].to_pylist() == [1.0, 0.0]


def test_an_empty_score_without_a_target_stays_unknown():
    found = caveat.read_responses(rows(prediction=["A", "B"], score=[None, None]))
    assert found.table["score"].to_pylist() == [None, None]
