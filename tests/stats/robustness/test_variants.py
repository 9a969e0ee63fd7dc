import math

import numpy as np
import pytest

import caveat
from caveat.errors import InputError
from caveat.kernels.best_of import expected_maximum
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import Errors, rate_fitted
from caveat.stats.robustness.variants import own_errors, variants


def board(*pairs, **extra):
    """Pairs (a, b, wins, losses)."""
    rows = [row for a, b, w, x in pairs for row in ((a, b, "a", w), (a, b, "b", x))]
    names = ("model_a", "model_b", "winner", "count")
    table = {name: [row[k] for row in rows] for k, name in enumerate(names)} | extra
    fitted = fit_board(count_votes(caveat.read_votes(table)))
    return rate_fitted(fitted), fitted


TWO = board(("x", "y", 60, 40))
THREE = board(("x", "y", 60, 40), ("y", "z", 60, 40), ("x", "z", 70, 30))


def test_two_models_by_hand():
    # log-odds log 1.5 with error 1 / sqrt(100 * 0.6 * 0.4) = 0.2041: 35.46 points; the best of two
    # is expected 1 / sqrt(pi) of that too high, 20.0 points of a lead of 70.4
    found = variants(*TWO, models={}, registry={"x": 2})
    (one,) = found.models
    sigma = 400 / math.log(10) / math.sqrt(24)
    assert one.sigma == pytest.approx(sigma)
    assert one.inflation == one.carried == pytest.approx(sigma / math.sqrt(math.pi))
    assert (one.n_variants, one.source, one.votes, one.votes_declared) == (
        2,
        "settings",
        100,
        False,
    )
    assert found.lead.difference == pytest.approx(400 * math.log10(1.5))
    assert found.lead.inflation == pytest.approx(one.inflation)
    # 1.986 errors: e(27) = 1.998 is the first above
    assert found.lead.enough == 27.0


def test_one_variant_adds_nothing_and_is_not_listed():
    found = variants(*TWO, models={"x": {"variants_tested": 1.0}})
    assert found.models == ()
    assert math.isnan(found.lead.inflation)


def test_luck_of_both_cancels():
    found = variants(*TWO, models={"x": {"variants_tested": 5}, "y": {"variants_tested": 5}})
    assert found.lead.inflation == pytest.approx(0)
    assert {one.source for one in found.models} == {"models table"}


def test_votes_of_a_variant_and_their_spread():
    # 25 votes of 100: twice the error; with a spread of as much as the error, half of the variance
    # is luck: sigma^2 / sqrt(2 sigma^2) e = sigma e / sqrt 2; a quarter of the votes chose
    plain = variants(*TWO, models={}, registry={"x": 10}).models[0]
    row = {"variants_tested": 10, "variant_votes": 25}
    one = variants(*TWO, models={"x": row}).models[0]
    assert one.sigma == pytest.approx(2 * plain.sigma)
    assert one.inflation == pytest.approx(2 * plain.inflation)
    assert one.carried == pytest.approx(one.inflation / 4)
    assert one.votes_declared
    wide = variants(*TWO, models={"x": row | {"variant_spread": one.sigma}}).models[0]
    assert wide.inflation == pytest.approx(one.inflation / math.sqrt(2))


def test_a_provider_stands_behind_its_best_model():
    models = {"y": {"provider": "P"}, "z": {"provider": "P"}}
    found = variants(*THREE, models=models, registry={"P": 27, "Q": 3})
    (one,) = found.models
    assert (one.model, one.source, one.n_variants) == ("y", "settings, by provider", 27)
    assert one.expected_maximum == pytest.approx(1.998, abs=5e-4)
    assert found.unmatched == ("Q",)
    assert found.lead.inflation == pytest.approx(-one.carried)


def test_a_model_by_name_goes_before_its_provider():
    models = {"x": {"provider": "P", "variants_tested": 4}}
    found = variants(*THREE, models=models, registry={"P": 27})
    assert found.models[0].n_variants == 4
    found = variants(*THREE, models=models, registry={"x": 9})
    assert (found.models[0].n_variants, found.models[0].source) == (9, "settings")


def test_missing_numbers_are_no_registry():
    nothing = {"variants_tested": None, "variant_votes": math.nan, "provider": None}
    assert variants(*TWO, models={"x": nothing}).models == ()
    assert variants(*TWO, models={"x": {"variants_tested": math.nan}}).models == ()


@pytest.mark.parametrize("number", [0, -2, 2.5, "ten", True, 2e9])
def test_a_number_of_variants_is_a_whole_number(number):
    with pytest.raises(InputError, match="variants of x must be a whole number from 1 to 10"):
        variants(*TWO, models={"x": {"variants_tested": number}})


@pytest.mark.parametrize("column", ["variant_votes", "variant_spread"])
def test_votes_and_spread_are_not_negative(column):
    with pytest.raises(InputError, match=f"{column} of x must be a number of at least 0"):
        variants(*TWO, models={"x": {"variants_tested": 3, column: -1.0}})


def test_the_error_is_that_against_the_mean_of_the_others():
    # three models that met 100 times each at even odds: information 25 a pair, eigenvalue 75 of the
    # Laplacian, variance (1 / 75) (1 - 1/3) of a rating, times (3/2)^2 against the others: 0.02
    tied = board(("x", "y", 50, 50), ("y", "z", 50, 50), ("x", "z", 50, 50))
    errors = own_errors(*tied)
    assert list(errors.values()) == pytest.approx([400 / math.log(10) * math.sqrt(0.02)] * 3)


def test_the_anchor_does_not_matter():
    _, fitted = THREE
    one = variants(rate_fitted(fitted, anchor="x"), fitted, models={}, registry={"x": 5})
    other = variants(rate_fitted(fitted, anchor="z"), fitted, models={}, registry={"x": 5})
    assert one.models == other.models
    assert one.lead == other.lead


def test_a_clustered_board_has_clustered_errors():
    items = [f"i{k // 2}" for k in range(60)]
    rows = {"model_a": ["x"] * 60, "model_b": ["y"] * 60, "item": items}
    rows["winner"] = ["a", "a", "b", "b", "a", "a"] * 10
    fitted = fit_board(count_votes(caveat.read_votes(rows)))
    plain = own_errors(rate_fitted(fitted), fitted)["x"]
    board = rate_fitted(fitted, errors=Errors(cluster="item"))
    # both votes of an item agree: twice the variance, 30 / 29
    assert own_errors(board, fitted)["x"] == pytest.approx(plain * math.sqrt(2 * 30 / 29))


def test_a_board_without_errors_says_so():
    rows = {"model_a": ["x"] * 50, "model_b": ["y"] * 50, "winner": ["tie"] * 50}
    fitted = fit_board(count_votes(caveat.read_votes(rows)))
    found = variants(rate_fitted(fitted), fitted, models={}, registry={"x": 3})
    assert math.isnan(found.lead.enough)
    assert math.isnan(found.models[0].inflation)
    assert found.to_dict()["variants"]["lead"]["enough"] is None
    assert "no error" in found.to_dict()["variants"]["lead"]["enough_reason"]


@pytest.mark.slow
def test_the_best_of_ten_variants_comes_out_as_much_too_high():
    # 400 boards: ten variants as good as their two opponents, 200 votes against each, the best
    # shown. The mean excess of its rating equals sigma e(10), within 4 standard errors and 3% for
    # the odds ratio's curvature
    rng = np.random.default_rng(3)
    excess, said = [], []
    for _ in range(400):
        wins = rng.binomial(200, 0.5, (10, 2))
        best = wins[wins.sum(axis=1).argmax()]
        pairs = [("x", m, int(w), int(200 - w)) for m, w in zip("yz", best, strict=True)]
        both, fitted = board(*pairs, ("y", "z", 5000, 5000))
        theta = dict(zip(fitted.names, fitted.fit.theta, strict=True))
        excess.append(400 / math.log(10) * (theta["x"] - (theta["y"] + theta["z"]) / 2))
        said.append(own_errors(both, fitted)["x"] * expected_maximum(10))
    error = float(np.std(excess)) / 20
    assert abs(np.mean(excess) - np.mean(said)) < 4 * error + 0.03 * np.mean(said)
