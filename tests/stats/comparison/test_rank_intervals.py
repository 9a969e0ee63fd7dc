"""Ranks and the winner's score from a matrix of responses."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from caveat.data.matrix import ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.stats.comparison.common_scores import common_scores
from caveat.stats.comparison.rank_intervals import rank_intervals
from caveat.stats.comparison.winner import winners_curse


def matrix(score, *, cluster=None, models=None):
    score = np.asarray(score, dtype=float)
    n, m = score.shape
    return ResponseMatrix(
        benchmark="quiz",
        models=models or tuple(f"m{k}" for k in range(m)),
        items=tuple(f"q{k}" for k in range(n)),
        labels=(),
        tasks=(),
        answer=np.full((n, m), -2, dtype=np.int32),
        score=score,
        status=np.zeros((n, m), dtype=np.int32),
        task=None,
        cluster=None if cluster is None else np.asarray(cluster, dtype=np.int32),
        n_options=np.full(n, np.nan),
        has_answers=False,
        repeated=0,
    )


def answers(shares, *, n=400, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((n, len(shares))) < np.array(shares)).astype(float)


def test_models_far_apart_have_one_rank_and_near_ones_share():
    found = rank_intervals(matrix(answers([0.3, 0.9, 0.6, 0.605])))
    assert [m.model for m in found.models][0::3] == ["m1", "m0"]
    assert [(m.low, m.high) for m in found.models] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert found.best == found.may_be_among(1) == ("m1",)
    assert len(found.may_be_among(2)) == 3
    assert found.models[0].first == 1.0
    assert (found.n_items, found.n_units, found.clustered) == (400, 400, False)


def test_pairing_separates_what_totals_do_not():
    # m0 is right wherever m1 is, and on 12 of 400 items more: 3 points, one error of a mean 2.5
    score = answers([0.5], n=400)
    better = score.copy()
    better[np.flatnonzero(score == 0)[:12]] = 1
    found = rank_intervals(matrix(np.hstack([better, score])))
    assert found.best == ("m0",)


def test_repeats_of_an_item_as_clusters_are_worth_one():
    score = answers([0.6, 0.7], n=100)
    tenfold = np.repeat(score, 10, axis=0)
    cluster = np.repeat(np.arange(100), 10)
    plain, clustered = common_scores(matrix(score)), common_scores(matrix(tenfold, cluster=cluster))
    assert clustered.covariance == pytest.approx(plain.covariance)
    assert (clustered.n_units, clustered.degrees) == (100, pytest.approx(99.0))
    assert common_scores(matrix(tenfold)).covariance[0, 0] < plain.covariance[0, 0] / 9


def test_only_common_items_count_and_models_that_lack_most_are_left_out():
    score = answers([0.5, 0.6, 0.7, 0.9], n=100)
    score[:10, 0] = math.nan
    score[:, 3] = math.nan
    score[0, 3] = 1.0
    found = rank_intervals(matrix(score))
    assert (found.n_items, found.items_left_out) == (90, 10)
    assert found.left_out == {"m3": "a score on 0 of the 90 items"}


def test_neither_the_order_of_models_nor_their_names_move_a_rank():
    score = answers([0.5, 0.52, 0.6])
    one = rank_intervals(matrix(score, models=("a", "b", "c")))
    other = rank_intervals(matrix(score[:, ::-1], models=("c", "b", "a")))
    assert one.to_dict() == other.to_dict()


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_alike_may_all_be_best(value):
    found = rank_intervals(matrix(np.full((50, 3), value)))
    assert len(found.best) == 3
    assert math.isnan(found.critical)
    assert all((m.rank, m.low, m.high) == (1, 1, 3) for m in found.models)
    cursed = winners_curse(matrix(np.full((50, 3), value)))
    assert (cursed.score, cursed.reason != "") == (value, True)
    json.dumps(cursed.to_dict(), allow_nan=False)


def test_too_few_and_bad_levels():
    nan = math.nan
    for score in ([[1.0, 0.0]], [[1.0], [0.0]], [[1, nan], [nan, 1]], [[nan, nan], [nan, nan]]):
        for test in (rank_intervals, winners_curse):
            with pytest.raises(TooFewError):
                test(matrix(score))
    with pytest.raises(TooFewError, match="clusters"):
        rank_intervals(matrix(answers([0.5, 0.6], n=20), cluster=[0] * 20))
    with pytest.raises(InputError):
        rank_intervals(matrix(answers([0.5, 0.6])), level=1.0)


def test_scores_outside_0_to_1():
    score = answers([0.5, 0.6, 0.9])
    one, other = rank_intervals(matrix(score)), rank_intervals(matrix(100 * score - 7))
    assert [(m.low, m.high) for m in one.models] == [(m.low, m.high) for m in other.models]


def test_the_leader_of_many_equals_is_cursed_and_a_lone_one_is_not():
    near = winners_curse(matrix(answers([0.5] * 20)))
    assert near.corrected == near.score - near.curse
    assert 0.02 < near.curse < 0.06
    assert near.shrunk < near.score
    assert near.hybrid_low <= near.median <= near.hybrid_high
    assert near.projection_low < near.low
    alone = winners_curse(matrix(answers([0.9, 0.3, 0.2])))
    assert alone.model == "m0"
    assert abs(alone.curse) < 0.002
    assert alone.median == pytest.approx(alone.score, abs=1e-6)


def test_the_seed_alone_decides_the_draws():
    score = matrix(answers([0.5, 0.52, 0.6]))
    assert winners_curse(score, seed=3) == winners_curse(score, seed=3)
    assert winners_curse(score, seed=3) != winners_curse(score, seed=4)
    assert rank_intervals(score, seed=1).seed == 1
    shared = common_scores(score)
    assert replace(rank_intervals(shared), seed=0).to_dict() == rank_intervals(score).to_dict()


@pytest.mark.shared
def test_mmlu_pro(shared):
    from caveat.data.matrix import response_matrix
    from caveat.workflows.read import read_responses

    evidence = read_responses(shared / "items" / "mmlu_pro.parquet")
    found = rank_intervals(response_matrix(evidence, "mmlu_pro"))
    assert (len(found.models), found.n_items, found.best) == (29, 10_326, ("gemini-1.5-pro-002",))
    second = [m.model for m in found.models if m.low <= 2 <= m.high]
    assert second == ["gemini-1.5-flash-002", "Meta-Llama-3_1-70B-Instruct"]
