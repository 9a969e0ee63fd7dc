import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import caveat
from caveat.data.evidence import Evidence
from caveat.errors import TooFewError
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import rate_fitted
from caveat.stats.robustness.connections import connections


def board(*pairs):
    """Pairs (a, b, votes[, days]): half won by either, on each of the days."""
    rows = [
        (a, b, outcome, votes / 2, day)
        for a, b, votes, *days in pairs
        for day in (days[0] if days else [None])
        for outcome in ("a", "b")
    ]
    coded = {
        name: pa.array([row[k] for row in rows]).dictionary_encode()
        for k, name in enumerate(("model_a", "model_b", "outcome"))
    }
    table = coded | {"count": pa.array([float(row[3]) for row in rows])}
    if any(row[4] for row in rows):
        table["at"] = pa.array([row[4] for row in rows])
    return fit_board(count_votes(Evidence(kind="votes", table=pa.table(table))))


def comparison(found, *pair):
    return next(c for c in found.comparisons if {c.above, c.below} == set(pair))


def test_in_series_and_in_parallel_by_hand():
    # information is a quarter a vote at even odds: 0 - 1 - 2 with 80 and 120 votes, 0 - 2 with 40:
    # the way round is worth 1 / (1/80 + 1/120) = 48 votes, together 88, of which 40 are direct
    found = connections(board(("x", "y", 80), ("y", "z", 120), ("x", "z", 40)))
    one = comparison(found, "x", "z")
    assert one.worth == pytest.approx(88)
    assert one.direct == pytest.approx(40 / 88)
    assert (one.through, one.through_share) == ("y", pytest.approx(48 / 88))
    assert one.n_votes == 40
    assert one.together is None
    assert not one.disjoint
    assert (found.n_models, found.n_pairs, found.n_met) == (3, 3, 3)
    assert found.split is None
    assert found.n_disjoint is None


def test_the_least_known_comparison_comes_first():
    found = connections(board(("x", "y", 80), ("y", "z", 120), ("x", "z", 40)))
    assert [c.worth for c in found.comparisons] == sorted(c.worth for c in found.comparisons)


def test_worth_is_the_variance_of_the_difference():
    # without ties the sandwich is the inverse information where the model fits: even odds
    fitted = board(("x", "y", 80), ("y", "z", 120), ("x", "z", 40))
    one = comparison(connections(fitted), "x", "z")
    row = rate_fitted(fitted).comparisons
    i, j = row.models.index("x"), row.models.index("z")
    assert row.se[i, j] == pytest.approx(173.7178 * (4 / one.worth) ** 0.5, rel=1e-6)


def test_models_tied_by_one():
    full = [("a", "b", 20), ("b", "c", 20), ("a", "c", 20), ("d", "e", 20), ("e", "f", 20)]
    found = connections(board(*full, ("d", "f", 20), ("c", "d", 20)))
    assert [(h.model, h.holds) for h in found.holders] == [("c", ("a", "b")), ("d", ("e", "f"))]
    assert sorted([*found.split.models]) in (["a", "b", "c"], ["d", "e", "f"])
    assert (found.split.across, found.split.n_others) == (20, 3)
    assert found.split.share == pytest.approx(20 / 140)


def test_one_model_on_one_opponent_is_no_group():
    found = connections(board(("a", "b", 20), ("b", "c", 20), ("a", "c", 20), ("c", "d", 20)))
    assert found.holders == ()


def test_days_together():
    jan = [f"2024-01-{d:02d}" for d in range(1, 11)]
    feb = [f"2024-02-{d:02d}" for d in range(1, 11)]
    both = [*jan, *feb]
    found = connections(board(("a", "b", 4, jan), ("b", "c", 4, feb), ("b", "d", 4, both)))
    assert comparison(found, "a", "c").together == 0
    assert comparison(found, "a", "c").disjoint
    assert comparison(found, "a", "b").together == 10
    assert comparison(found, "c", "d").together == 10
    assert comparison(found, "b", "d").together == 41  # 1 January to 10 February
    assert found.n_disjoint == 1
    assert found.to_dict()["connections"]["comparisons"][0]["disjoint"] in (True, False)


def test_only_the_best_are_listed():
    pairs = [(f"m{i}", f"m{j}", 10) for i in range(12) for j in range(i)]
    found = connections(board(*pairs))
    assert (found.top, len(found.comparisons)) == (10, 45)
    assert (found.n_models, found.n_pairs) == (12, 66)


def test_two_models_are_too_few():
    with pytest.raises(TooFewError):
        connections(board(("a", "b", 10)))


@given(st.lists(st.integers(2, 60), min_size=6, max_size=6))
@settings(max_examples=20)
def test_names_do_not_matter(counts):
    even = [2 * n for n in counts]
    pairs = [(a, b) for i, a in enumerate("abcd") for b in "abcd"[:i]]
    one = connections(board(*((a, b, n) for (a, b), n in zip(pairs, even, strict=True))))
    swap = str.maketrans("abcd", "dcba")
    other = connections(
        board(
            *(
                (a.translate(swap), b.translate(swap), n)
                for (a, b), n in zip(pairs, even, strict=True)
            )
        )
    )
    assert [c.worth for c in one.comparisons] == pytest.approx([c.worth for c in other.comparisons])
    # pairs that are worth the same stand in the order of their ranks, and equal ranks by name
    assert sorted(c.direct for c in one.comparisons) == pytest.approx(
        sorted(c.direct for c in other.comparisons)
    )
    # all information is direct or comes through: it adds up to no more than there is
    assert all(c.direct + c.through_share <= 1 + 1e-9 for c in one.comparisons)
    assert one.split.share == pytest.approx(other.split.share)


@pytest.mark.shared
def test_teams_outside_the_federation(shared):
    votes = caveat.read_votes(shared / "votes/football_international.parquet")
    found = connections(fit_board(count_votes(votes)))
    assert (len(found.split.models), found.split.n_others, found.split.across) == (71, 245, 112)
    assert found.split.share == pytest.approx(0.0589, abs=5e-5)
    assert {"Kurdistan", "Occitania"} <= set(found.split.models)
    assert found.n_disjoint > 2000
