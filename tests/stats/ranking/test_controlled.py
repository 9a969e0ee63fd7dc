import csv
import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from caveat.data.evidence import Evidence
from caveat.errors import InputError
from caveat.stats.ranking.controlled import fit_controlled, rate_controlled
from caveat.stats.ranking.controlled_dependence import controlled_dependence
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import Errors, rate
from caveat.stats.ranking.scale import POINTS


def votes(rows, **columns):
    """Evidence from (model_a, model_b, outcome) rows and further columns."""
    names = ("model_a", "model_b", "outcome")
    table = {
        name: pa.array([row[k] for row in rows], pa.string()).dictionary_encode()
        for k, name in enumerate(names)
    }
    return Evidence(kind="votes", table=pa.table(table | columns))


def controlled(evidence, *, method="auto", position=False, **options):
    board = fit_board(count_votes(evidence), method=method, position=position)
    return fit_controlled(board, **options)


def by_hand():
    # x against y: 30 wins of 40 where x lists and y does not, 20 of 40 the other way round
    rows = [("x", "y", o) for o in ["a"] * 30 + ["b"] * 10 + ["a"] * 20 + ["b"] * 20]
    return votes(rows, lists_a=[2] * 40 + [0] * 40, lists_b=[0] * 40 + [2] * 40)


def simulated(seed, *, n=3000, m=5, worth=0.3, groups=None, ties=0.15):
    """Votes in which an answer a typical difference longer gains `worth` logits."""
    rng = np.random.default_rng(seed)
    theta = np.linspace(0.6, -0.6, m)
    a = rng.integers(0, m, n)
    b = (a + rng.integers(1, m, n)) % m
    length = np.exp(rng.normal(5, 0.6, (2, n)) + 0.3 * theta[[a, b]])
    item = rng.integers(0, groups or n, n)
    z = (length[0] - length[1]) / length.sum(axis=0)
    z /= np.sqrt(np.mean(z**2))
    eta = theta[a] - theta[b] + worth * z
    if groups:  # votes on one item share a taste for length
        eta += rng.normal(0, 0.5, groups)[item] * z
    c = math.log(2 * ties / (1 - ties))
    weights = np.exp(np.array([eta / 2, -eta / 2, np.full(n, c)]))
    outcome = (rng.random(n) > np.cumsum(weights / weights.sum(axis=0), axis=0)).sum(axis=0)
    rows = [(f"m{i}", f"m{j}", ("a", "b", "tie")[o]) for i, j, o in zip(a, b, outcome, strict=True)]
    return votes(rows, length_a=length[0], length_b=length[1], item=[str(i) for i in item])


def test_by_hand():
    # log-odds ln 3 and 0: both the distance and the worth of +1 are ln 3 / 2; the variance of each
    # is (1 / 7.5 + 1 / 10) / 4 = 7 / 120, from 40 * 3/16 and 40 * 1/4 votes of information
    got = rate_controlled(controlled(by_hand()))
    (worth,) = got.controls.coefficients
    half = POINTS * math.log(3) / 2
    assert worth.points == pytest.approx(half, rel=1e-9)
    assert worth.se == pytest.approx(POINTS * math.sqrt(7 / 120), rel=1e-9)
    assert worth.spread == 1.0
    assert worth.per_unit == worth.points
    # twice as much is (2 - 1) / (2 + 1)
    assert worth.twice == pytest.approx(half / 3)
    assert worth.win_probability == pytest.approx(math.sqrt(3) / (1 + math.sqrt(3)))
    assert got.lead.difference == pytest.approx(half, rel=1e-9)
    assert got.lead.se == pytest.approx(POINTS * math.sqrt(7 / 120), rel=1e-9)
    assert (worth.name, worth.columns) == ("lists", ("lists_a", "lists_b"))
    assert got.controls.n_votes == 80


@pytest.mark.parametrize("method", ["bradley-terry", "davidson", "rao-kupper"])
def test_style_that_no_voter_minds_changes_nothing(method):
    # every vote stands twice, once with each answer as the longer one
    plain = simulated(0, worth=0.0, n=400)
    table = plain.table.select(["model_a", "model_b", "outcome"])
    twice = pa.concat_tables([table, table])
    n = table.num_rows
    long = np.r_[np.full(n, 30), np.full(n, 10)]
    twice = twice.append_column("chars_a", pa.array(long))
    twice = twice.append_column("chars_b", pa.array(40 - long))
    evidence = replace(plain, table=twice)
    got = rate_controlled(controlled(evidence, method=method))
    want = rate(count_votes(evidence), method=method)
    assert got.controls.coefficients[0].points == pytest.approx(0, abs=1e-7)
    for one, other in zip(got.models, want.models, strict=True):
        assert one.model == other.model
        assert one.rating == pytest.approx(other.rating, abs=1e-6)
        assert one.se == pytest.approx(other.se, rel=1e-6)


def test_the_position_is_fitted_beside():
    evidence = simulated(3)
    got = rate_controlled(controlled(evidence, position=True))
    alone = rate(count_votes(evidence), position=True)
    assert got.position.advantage == pytest.approx(alone.position.advantage, abs=5)
    assert len(got.controls.coefficients) == 1
    assert got.position.low < got.position.advantage < got.position.high


def test_units_do_not_matter_to_the_relative_contrast():
    evidence = simulated(4)
    table = evidence.table
    for side in "ab":
        k = table.column_names.index(f"length_{side}")
        values = pa.array(table[f"length_{side}"].to_numpy() * 7)
        table = table.set_column(k, f"length_{side}", values)
    one = rate_controlled(controlled(evidence))
    other = rate_controlled(controlled(replace(evidence, table=table)))
    assert other.controls.coefficients[0].points == pytest.approx(
        one.controls.coefficients[0].points, rel=1e-9
    )


def test_the_plain_difference_is_counted_in_its_unit():
    got = rate_controlled(controlled(simulated(4), contrast="difference"))
    (worth,) = got.controls.coefficients
    assert worth.per_unit * worth.spread == pytest.approx(worth.points)
    assert math.isnan(worth.twice)
    assert got.controls.contrast == "difference"


def test_votes_with_a_missing_value_are_left_out_and_counted():
    evidence = simulated(5, n=500)
    lengths = evidence.table["length_a"].to_pylist()
    lengths[:100] = [None] * 100
    k = evidence.table.column_names.index("length_a")
    table = evidence.table.set_column(k, "length_a", pa.array(lengths, pa.float64()))
    got = controlled(replace(evidence, table=table))
    assert (got.n_incomplete, got.n_votes) == (100, 400)
    rest = controlled(replace(evidence, table=evidence.table.slice(100)))
    assert got.fit.parameters == pytest.approx(rest.fit.parameters, abs=1e-9)


def test_clusters_widen_what_they_share():
    evidence = simulated(6, groups=40)
    board = controlled(evidence)
    plain, by_item = (
        rate_controlled(board, errors=Errors(cluster=c)).controls for c in (None, "item")
    )
    assert (by_item.cluster, by_item.n_clusters) == ("item", 40)
    assert by_item.coefficients[0].se > 1.3 * plain.coefficients[0].se
    assert by_item.coefficients[0].points == plain.coefficients[0].points


def test_style_that_no_voter_minds_leaves_the_errors_of_clusters():
    # every vote twice, once with each answer as the longer one, both in one cluster; m4 was judged
    # by one voter alone
    plain = simulated(0, worth=0.0, n=400)
    table = plain.table.select(["model_a", "model_b", "outcome"])
    names = (table["model_a"].to_pylist(), table["model_b"].to_pylist())
    voter = [
        "one" if "m4" in pair else str(k % 40) for k, pair in enumerate(zip(*names, strict=True))
    ]
    twice = pa.concat_tables([table, table])
    long = np.r_[np.full(400, 30), np.full(400, 10)]
    for name, values in (("chars_a", long), ("chars_b", 40 - long), ("voter", voter * 2)):
        twice = twice.append_column(name, pa.array(values))
    evidence = replace(plain, table=twice)
    got = rate_controlled(controlled(evidence), errors=Errors(cluster="voter"))
    want = rate(count_votes(evidence), errors=Errors(cluster="voter"))
    for one, other in zip(got.models, want.models, strict=True):
        assert (one.model, one.se) == (other.model, pytest.approx(other.se, rel=1e-6))


def test_the_lead_by_what_votes_share():
    evidence = simulated(6, groups=40)
    held = controlled(evidence)
    board = rate_controlled(held)
    (found,) = controlled_dependence(board, held)
    assert (found.column, found.n_clusters, found.n_votes) == ("item", 40, 3000)
    together = rate_controlled(held, errors=Errors(cluster="item"))
    assert found.se == pytest.approx(together.lead.se, rel=1e-9)
    assert found.error_ratio == pytest.approx(together.lead.se / board.lead.se, rel=1e-9)
    assert controlled_dependence(replace(board, lead=None), held) == ()


def test_weights_and_counts_enter():
    evidence = simulated(7, n=300)
    table = evidence.table
    counted = replace(evidence, table=table.append_column("count", pa.array([2.0] * 300)))
    doubled = replace(evidence, table=pa.concat_tables([table, table]))
    one, other = rate_controlled(controlled(counted)), rate_controlled(controlled(doubled))
    assert one.controls.n_votes == other.controls.n_votes == 600
    assert one.controls.coefficients[0].se == pytest.approx(
        other.controls.coefficients[0].se, rel=1e-8
    )


def test_what_cannot_be_told_apart_is_left_out_or_refused():
    evidence = simulated(8, n=400)
    size = {f"m{k}": k + 1 for k in range(5)}
    for side in "ab":
        models = evidence.table[f"model_{side}"].to_pylist()
        column = pa.array([math.exp(size[m]) for m in models])
        evidence = replace(
            evidence, table=evidence.table.append_column(f"parameters_{side}", column)
        )
    # differences of what belongs to a model are differences of ratings
    got = controlled(evidence, contrast="difference")
    assert [one.name for one in got.covariates.left_out] == ["parameters"]
    with pytest.raises(InputError, match=r"got 'parameters': it says nothing"):
        controlled(evidence, columns=("length", "parameters"), contrast="difference")


def test_bad_options():
    board = controlled(by_hand())
    with pytest.raises(InputError, match="bootstrap must be 0 with control"):
        rate_controlled(board, errors=Errors(bootstrap=100))
    with pytest.raises(InputError, match="cluster must name a column"):
        rate_controlled(board, errors=Errors(cluster="voter"))
    counts = replace(fit_board(count_votes(by_hand())).votes, source=None)
    with pytest.raises(InputError, match="one by one"):
        fit_controlled(fit_board(counts))


def test_a_property_that_decides_has_no_finite_worth():
    # decisive in all but the votes where both are alike: no single vote goes against it
    rows = [("x", "y", o) for o in ["a"] * 20 + ["b"] * 20 + ["a"] * 5 + ["b"] * 5]
    evidence = votes(
        rows, odd_a=[2] * 20 + [1] * 20 + [1] * 10, odd_b=[1] * 20 + [2] * 20 + [1] * 10
    )
    with pytest.raises(InputError, match="no finite worth"):
        controlled(evidence)


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def oracle_votes(folder):
    rows = read(folder / "votes.csv")
    return votes(
        [(r["model_a"], r["model_b"], r["winner"]) for r in rows],
        length_a=[int(r["length_a"]) for r in rows],
        length_b=[int(r["length_b"]) for r in rows],
    )


def test_arena_rank_without_its_penalty_is_the_same_fit(oracle):
    folder = oracle / "style_control"
    board = controlled(oracle_votes(folder), method="bradley-terry")
    want = {
        row["name"]: float(row["value"])
        for row in read(folder / "expected.csv")
        if row["run"] == "no penalty, no weights"
    }
    # its optimiser stops at about 1e-7
    assert board.fit.coefficients[0] == pytest.approx(want["length"], abs=1e-6)
    for name, theta in zip(board.plain.names, board.fit.theta, strict=True):
        assert theta == pytest.approx(want[name], abs=1e-6)


def test_arena_rank_switches_style_control_off_by_its_default(oracle):
    # the truth is 0.30 logits
    folder = oracle / "style_control"
    default = next(
        float(row["value"])
        for row in read(folder / "expected.csv")
        if (row["run"], row["name"]) == ("default", "length")
    )
    assert default < 0.05
    (ours,) = rate_controlled(controlled(oracle_votes(folder))).controls.coefficients
    assert ours.low < 0.30 * POINTS < ours.high
    assert ours.low > default * POINTS


@pytest.mark.shared
def test_llmfao_against_an_independent_solver(shared):
    sm = pytest.importorskip("statsmodels.api")
    from caveat.workflows.read import read as read_sources

    evidence = read_sources(shared / "votes" / "llmfao.parquet", kind="votes")["votes"]
    board = controlled(evidence, method="bradley-terry", columns=("chars", "headers", "lists"))
    rows, m = board.rows, len(board.plain.names)
    design = np.zeros((rows.n_rows, m))
    design[np.arange(rows.n_rows), rows.first[rows.pair]] += 1
    design[np.arange(rows.n_rows), rows.second[rows.pair]] -= 1
    y = np.array([1.0, 0.0, 0.5, 0.5])[rows.outcome]
    x = np.hstack([design[:, 1:], rows.covariates.T])
    want = sm.GLM(y, x, family=sm.families.Binomial()).fit(tol=1e-14, maxiter=100)
    theta = board.fit.theta - board.fit.theta[0]
    got = np.r_[theta[1:], board.fit.coefficients]
    np.testing.assert_allclose(got, want.params, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bradley-terry", "davidson", "rao-kupper"])
def test_the_worth_of_style_is_covered(method):
    reps, hits = 400, 0
    # half-wins and Rao-Kupper see votes of Davidson's model, whose log-odds of a decisive vote are
    # others than their own: the truth is their limit, from a million votes
    big = controlled(simulated(999, n=1_000_000), method=method)
    truth = float(big.fit.coefficients[0])
    for seed in range(reps):
        got = rate_controlled(controlled(simulated(seed, n=1500), method=method))
        (one,) = got.controls.coefficients
        hits += one.low <= POINTS * truth <= one.high
    assert abs(hits / reps - 0.95) < 4 * math.sqrt(0.95 * 0.05 / reps)


@pytest.mark.slow
def test_the_worth_of_style_is_covered_in_clusters():
    reps, clustered, plain = 300, 0, 0
    big = controlled(simulated(998, n=1_000_000, groups=100_000))
    truth = float(big.fit.coefficients[0])
    for seed in range(reps):
        board = controlled(simulated(seed, n=1500, groups=60))
        for name in (None, "item"):
            (one,) = rate_controlled(board, errors=Errors(cluster=name)).controls.coefficients
            hit = one.low <= POINTS * truth <= one.high
            clustered, plain = clustered + (hit and name is not None), plain + (hit and not name)
    slack = 4 * math.sqrt(0.95 * 0.05 / reps)
    assert abs(clustered / reps - 0.95) < slack
    assert plain / reps < 0.95 - slack
