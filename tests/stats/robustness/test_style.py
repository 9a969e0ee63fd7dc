import pyarrow as pa
import pytest

import caveat
from caveat.data.evidence import Evidence
from caveat.errors import InputError, TooFewError
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.robustness.style import style


def rows(**columns):
    """40 votes each of a won by a longer and by an equal answer; see the tests."""
    return Evidence(kind="votes", table=pa.table(columns))


def votes(cells, **extra):
    """Evidence from (model_a, model_b, outcome, chars_a, chars_b, count)."""
    flat = [row[:5] for row in cells for _ in range(row[5])]
    coded = {
        name: pa.array([row[k] for row in flat], pa.string()).dictionary_encode()
        for k, name in enumerate(("model_a", "model_b", "outcome"))
    }
    chars = {f"chars_{side}": [row[k] for row in flat] for k, side in ((3, "a"), (4, "b"))}
    return rows(**coded, **chars, **extra)


# x and y are equal at equal length; x, three times as long in 60 of 80 votes, wins 45 of those
LONG = [
    ("x", "y", "a", 300, 100, 45),
    ("x", "y", "b", 300, 100, 15),
    ("x", "y", "a", 100, 100, 10),
    ("x", "y", "b", 100, 100, 10),
]


def board(evidence):
    return fit_board(count_votes(evidence))


def test_a_lead_that_is_length_only_by_hand():
    # At equal length the odds are 10 : 10, so the distance is 0; as voted they are 55 : 25. The
    # relative difference is (300 - 100) / 400 = 1/2 where x is longer, with odds of 3: 2 ln 3 a
    # unit, and 2/3 ln 3 for twice as much.
    found = style(board(votes(LONG)))
    assert found.change.lead.win_probability == pytest.approx(55 / 80)
    assert found.change.lead_after.difference == pytest.approx(0, abs=1e-6)
    assert found.change.lead.separable
    assert found.change.separation_lost
    (worth,) = found.controls.coefficients
    log3 = 190.848501887865  # 400 log10(3)
    assert worth.per_unit == pytest.approx(2 * log3, abs=1e-6)
    assert worth.twice == pytest.approx(2 / 3 * log3, abs=1e-6)
    assert found.to_dict()["style"]["separation_lost"] is True


def test_both_boards_have_the_same_votes():
    cells = [*LONG, ("x", "y", "a", None, 100, 40)]
    found = style(board(votes(cells)))
    assert found.controls.n_incomplete == 40
    assert found.change.n_votes == found.change.n_votes_after == 80
    assert found.change.lead.win_probability == pytest.approx(55 / 80)


def test_the_clusters_that_make_the_largest_errors_are_taken():
    # all votes of a voter alike, while items mix them
    item = [str(i % 40) for i in range(80)]
    voter = [str(i // 5) for i in range(80)]
    found = style(board(votes(LONG, item=item, voter=voter)))
    assert (found.controls.cluster, found.controls.n_clusters) == ("voter", 16)
    plain = style(board(votes(LONG)))
    assert found.controls.coefficients[0].se > plain.controls.coefficients[0].se
    assert found.controls.few_clusters


def test_nothing_to_hold_equal():
    only = votes(LONG).table.select(["model_a", "model_b", "outcome"])
    with pytest.raises(InputError, match="chars_a and chars_b"):
        style(board(Evidence(kind="votes", table=only)))


def test_an_anchor_that_drops_out_with_its_votes_is_not_insisted_on():
    cells = [*LONG, ("z", "y", "a", None, 1, 20), ("z", "y", "b", None, 1, 20)]
    found = style(board(votes(cells)), anchor="z")
    assert {m.model for m in found.change.models} == {"x", "y"}


def test_too_few_models_with_known_style():
    cells = [("x", "y", "a", 2, 1, 5), ("x", "z", "a", None, 1, 5), ("x", "z", "b", None, 1, 5)]
    with pytest.raises((InputError, TooFewError)):
        style(board(votes(cells)))


@pytest.mark.shared
def test_llmfao_has_another_first_place_at_equal_style(shared):
    found = style(board(caveat.read_votes(shared / "votes" / "llmfao.parquet")))
    assert found.change.lead.leader == "GPT 3.5 Turbo"
    assert found.change.lead_after.leader == "GPT 4"
    assert not found.change.lead.separable  # z = 0.02: nobody could have told
    assert (found.controls.cluster, found.controls.n_clusters) == ("voter", 126)
    worth = {c.name: c for c in found.controls.coefficients}
    assert set(worth) == {"chars", "headers", "bold", "lists"}
    assert worth["headers"].high < 0  # these voters do not like headers, nor lists
    assert worth["lists"].high < 0
    assert [(one.name, one.why) for one in found.controls.left_out] == [
        ("words", "it says nearly the same as chars")
    ]
