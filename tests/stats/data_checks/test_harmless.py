"""What looks like a fault of the data and is none."""

import numpy as np
import pyarrow as pa
import pytest

from caveat.data.matrix import matrix_of
from caveat.results.quality import Reading
from caveat.stats.data_checks.contradicted import contradicted
from caveat.stats.data_checks.costs import flat_cost, zeros
from caveat.stats.data_checks.published import unmatched


def rows(**columns):
    n = len(next(iter(columns.values())))
    made = {"item": [f"q{k}" for k in range(n)], "model": ["m"] * n, "status": ["scored"] * n}
    return pa.table({**made, **columns})


@pytest.mark.parametrize(
    ("prediction", "target", "contradicts"),
    [
        ("a", "A", False),  # the scorer minds no case
        ("(A)", "A", False),
        ("**A**", "A.", False),
        ("07", "7", False),  # numbers may be written in other ways
        ("1", "A", False),  # the first option
        ("½", "0.5", False),
        ("B", "A", True),
        ("(B)", "a", True),
        ("2", "3", True),
    ],
)
def test_another_option_scored_right(prediction, target, contradicts):
    found = contradicted(rows(prediction=[prediction], target=[target], score=[1.0]))
    assert [one.wrong_scored_right for one in found] == ([1] if contradicts else [])


def test_answers_scored_by_their_likelihood_write_no_token():
    tokens = rows(output_tokens=[0.0] * 10, input_tokens=[90.0] * 10)
    assert zeros(tokens) == ()
    both = pa.concat_tables(
        [tokens, tokens.set_column(1, "model", pa.array(["n"] * 10))]
    ).set_column(3, "output_tokens", pa.array([0.0] * 10 + [5.0] * 10))
    (found,) = zeros(both)
    assert (found.column, found.models, found.others) == ("output_tokens", ("m",), 1)


def priced(seed=0, *, n=60, m=6):
    """Checkpoints of one model, at 2 and 8 dollars a million tokens."""
    rng = np.random.default_rng(seed)
    read = np.repeat(rng.integers(100, 900, (n, 1)), m, axis=1).astype(float)
    written = rng.integers(50, 600, (n, m)).astype(float)
    return {
        "input_tokens": read,
        "output_tokens": written,
        "cost_usd": read * 2e-6 + written * 8e-6,
    }


def test_models_of_one_price_cost_what_their_tokens_say():
    values = priced()
    assert values["cost_usd"].mean(axis=0).max() < 1.5 * values["cost_usd"].mean(axis=0).min()
    assert flat_cost(values.__getitem__) is None


def test_a_fee_beside_tokens_is_told():
    values = priced()
    values["cost_usd"] = 0.009 + 0.001 * np.random.default_rng(1).random((60, 6))
    found = flat_cost(values.__getitem__)
    assert found.ratio < 1.1
    unknown = {**values, "input_tokens": np.full((60, 6), np.nan)}
    assert flat_cost(unknown.__getitem__) is not None


def matrix(**changes):
    table = rows(score=[1.0] * 60 + [0.0] * 40, prediction=["A"] * 100)
    return matrix_of(table, "b", **changes)


@pytest.mark.parametrize(
    "row",
    [
        {"value": 1250.0},  # a rating
        {"value": 8.3, "metric": "word_perplexity"},
        {"value": 0.05, "metric": "acc_stderr"},
        {"value": 0.9, "metric": "f1"},
        {"value": 0.9, "metric": "calibration error"},
    ],
)
def test_published_figures_that_are_no_share_of_right_answers(row):
    assert unmatched(matrix(), [{"model": "m", **row}]) == ((), 0)


def test_a_published_share_of_another_metric_or_filter():
    here = (Reading(metric="exact_match", filter="strict", rows=100, used=100),)
    read = matrix(readings=here)
    for other in ({"metric": "acc"}, {"metric": "exact_match", "filter": "flexible"}):
        assert unmatched(read, [{"model": "m", "value": 0.9, **other}]) == ((), 0)
    own = {"model": "m", "value": 0.9, "metric": "exact_match", "filter": "strict"}
    (found,), compared = unmatched(read, [own])
    assert (found.computed, found.n, compared) == (0.6, 100, 1)


def test_less_than_one_percent_in_percent():
    few = matrix_of(rows(score=[1.0] + [0.0] * 199), "b")  # 0.5 %
    assert unmatched(few, [{"model": "m", "value": 0.5}]) == ((), 1)
    (found,), _ = unmatched(few, [{"model": "m", "value": 0.7}])
    assert (found.published, found.computed) == (0.7, 0.005)
