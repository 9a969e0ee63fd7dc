import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import caveat
from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.stats.robustness.appearances import appearances
from caveat.stats.robustness.sampling import sampling


def votes(rows, **columns):
    """Evidence from (model_a, model_b[, day]) rows; all won by the first."""
    table = {
        "model_a": pa.array([row[0] for row in rows]).dictionary_encode(),
        "model_b": pa.array([row[1] for row in rows]).dictionary_encode(),
        "outcome": pa.array(["a"] * len(rows)).dictionary_encode(),
    }
    if len(rows[0]) > 2:
        table["at"] = pa.array([row[2] for row in rows])
    table |= {name: pa.array(values) for name, values in columns.items()}
    return Evidence(kind="votes", table=pa.table(table))


def by_name(found):
    return {one.model: one for one in found.models}


def test_without_times_by_hand():
    # 6 votes, 12 places, 4 each if even: x has 6, y 4, z 2. Gini: sum (2 k - 4) x_(k) / (3 * 12)
    # = (-2 * 2 + 0 * 4 + 2 * 6) / 36 = 2 / 9
    rows = [("x", "y")] * 4 + [("x", "z")] * 2
    found = sampling(votes(rows), models={})
    assert [(m.model, m.n_votes, m.share, m.relative) for m in found.models] == [
        ("x", 6, 1.0, 1.5),
        ("y", 4, pytest.approx(4 / 6), 1.0),
        ("z", 2, pytest.approx(2 / 6), 0.5),
    ]
    assert found.gini == found.gini_relative == pytest.approx(2 / 9)
    assert (found.top_models, found.top_share, found.median) == (1, 0.5, 4.0)
    assert not found.dated
    assert found.months == ()
    assert (found.n_undated, found.n_unknown) == (6, 3)


def test_providers_are_read_and_never_guessed():
    rows = [("gpt-1", "gpt-2")] * 3 + [("gpt-1", "claude-1")] * 3
    declared = {"gpt-1": {"provider": "O"}, "gpt-2": {"provider": "O"}, "claude-1": {}}
    found = sampling(votes(rows), models=declared)
    (one,) = found.providers
    # nine of the twelve places; evenly two models of three would have eight
    assert (one.provider, one.n_models, one.n_votes, one.share) == ("O", 2, 9, 0.75)
    assert one.relative == pytest.approx(9 / 8)
    assert found.n_unknown == 1
    assert by_name(found)["claude-1"].provider is None


def test_with_times_a_late_model_is_compared_with_its_own_days():
    # 10 days of x and y, 4 votes each; then 10 days of x, y and z, each pair 2 votes a day.
    # z: 4 * 10 = 40 places where 2 * 60 / 3 = 40 would be even
    rows = [("x", "y", f"2024-01-{d:02d}") for d in range(1, 11) for _ in range(4)]
    pairs = [("x", "y"), ("x", "z"), ("y", "z")]
    rows += [(*p, f"2024-01-{d:02d}") for d in range(11, 21) for p in pairs for _ in range(2)]
    found = sampling(votes(rows), models={})
    z = by_name(found)["z"]
    assert (z.first, z.last, z.days, z.n_votes) == ("2024-01-11", "2024-01-20", 10, 40)
    assert [m.relative for m in found.models] == pytest.approx([1, 1, 1])
    assert found.gini_relative == pytest.approx(0)
    assert found.gini > 0.1
    assert found.months == ("2024-01",)
    assert found.monthly.tolist() == [[80.0], [80.0], [40.0]]
    owned = sampling(votes(rows), models={"x": {"provider": "P"}, "z": {"provider": "P"}})
    assert owned.providers[0].monthly == (120,)


def test_a_model_there_for_less_than_a_week_has_no_ratio():
    rows = [("x", "y", f"2024-01-{d:02d}") for d in range(1, 31)]
    rows += [("x", "z", f"2024-01-{d:02d}") for d in (10, 15)]
    found = sampling(votes(rows), models={"z": {"provider": "P"}})
    assert math.isnan(by_name(found)["z"].relative)
    assert math.isnan(found.providers[0].relative)
    assert math.isfinite(found.gini_relative)


def test_a_long_time_is_cut_into_years():
    rows = [("x", "y", f"{year}-06-01") for year in range(2000, 2010)]
    found = sampling(votes(rows), models={})
    assert found.months == tuple(str(year) for year in range(2000, 2010))
    assert found.monthly.sum() == 20


def test_votes_without_a_time_count_but_not_over_time():
    rows = [("x", "y", "2024-01-01"), ("x", "y", "2024-01-09"), ("x", "z", None)]
    found = sampling(votes(rows), models={})
    assert (found.dated, found.n_undated) == (True, 1)
    z = by_name(found)["z"]
    assert (z.n_votes, z.first, z.days) == (1, None, None)
    assert math.isnan(z.relative)


def test_counts_stand_for_votes():
    rows = [("x", "y"), ("y", "z")]
    many = sampling(votes(rows, count=[3.0, 2.0]), models={})
    single = sampling(votes([rows[0]] * 3 + [rows[1]] * 2), models={})
    assert many.models == single.models
    assert many.gini == single.gini


def test_all_times_missing_is_no_times():
    assert not sampling(votes([("x", "y", None)]), models={}).dated


def test_times_that_are_none_are_refused():
    with pytest.raises(InputError, match="column 'at' must hold"):
        sampling(votes([("x", "y", "yesterday")]), models={})


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=25)
def test_neither_order_of_rows_nor_sides_matter(seed, dated):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(40):
        a, b = rng.choice(6, 2, replace=False)
        day = f"2024-03-{rng.integers(1, 29):02d}"
        rows.append((f"m{a}", f"m{b}", day) if dated else (f"m{a}", f"m{b}"))
    mixed = [
        (row[1], row[0], *row[2:]) if rng.random() < 0.5 else row for row in rng.permutation(rows)
    ]
    one, other = sampling(votes(rows), models={}), sampling(votes([*map(tuple, mixed)]), models={})
    assert [(m.model, m.n_votes, m.first, m.last) for m in one.models] == [
        (m.model, m.n_votes, m.first, m.last) for m in other.models
    ]
    assert [m.relative for m in one.models] == pytest.approx(
        [m.relative for m in other.models], nan_ok=True
    )
    assert one.gini == pytest.approx(other.gini)
    assert sum(m.n_votes for m in one.models) == 80


def test_days_are_those_of_utc():
    rows = [("x", "y", "2024-01-01T23:30:00-02:00")]
    daily = appearances(votes(rows)).daily
    assert daily.date(0) == "2024-01-02"


def test_columns_of_a_source_are_found():
    rows = {"model_a": ["x"], "model_b": ["y"], "winner": ["a"], "timestamp": [1_700_000_000]}
    found = sampling(caveat.read_votes(rows), models={})
    assert found.models[0].first == "2023-11-14"


@pytest.mark.shared
def test_the_real_board(shared):
    found = sampling(
        caveat.read_votes(shared / "votes/chatbot_arena_20240814_counts.parquet"), models={}
    )
    # by pandas: groupby of the same file
    assert (found.models[0].model, found.models[0].n_votes) == ("llama-3-70b-instruct", 161_827)
    assert found.gini == pytest.approx(0.5485, abs=5e-5)
    assert found.top_share == pytest.approx(0.3904, abs=5e-5)


def test_gini_equals_the_mean_difference():
    rows = [("x", "y")] * 7 + [("x", "z")] * 2 + [("u", "z")] * 5
    found = sampling(votes(rows), models={})
    n = np.array([m.n_votes for m in found.models], dtype=float)
    assert found.gini == pytest.approx(np.abs(n[:, None] - n).mean() / (2 * n.mean()))
