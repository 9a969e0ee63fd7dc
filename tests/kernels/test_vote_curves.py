import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.ties import TIE_MODELS, likelihood
from caveat.kernels.vote_curves import curves

finite = st.floats(-40, 40)


@given(
    st.sampled_from(TIE_MODELS),
    st.lists(st.tuples(finite, st.integers(0, 3)), min_size=1, max_size=20),
    st.floats(0.05, 5),
)
def test_they_are_the_likelihood_of_ties(model, votes, tie):
    eta, outcome = np.array([v[0] for v in votes]), np.array([v[1] for v in votes])
    won, lost = (outcome == 0).astype(float), (outcome == 1).astype(float)
    one = likelihood(model, eta=eta, tie=tie, wins=won, losses=lost, ties=1.0 - won - lost)
    got = curves(model, eta=eta, tie=tie, outcome=outcome)
    names = ["value", "eta", "eta_eta"]
    if model == "half-win":
        assert got.tie is None
    else:
        names += ["tie", "eta_tie", "tie_tie"]
    for name in names:
        # both lose a few digits where 1 - p cancels
        np.testing.assert_allclose(getattr(got, name), getattr(one, name), rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("model", TIE_MODELS)
def test_nothing_overflows(model):
    eta = np.array([800.0, -800.0, 0.0, 0.0])
    got = curves(model, eta=eta, tie=0.5, outcome=np.array([0, 0, 1, 2]))
    assert np.isfinite(got.value).all()
    assert got.value[0] == 0.0
    assert got.value[1] == pytest.approx(-800, rel=1e-2)


def test_rao_kupper_has_no_negative_tie_parameter():
    at = curves("rao-kupper", eta=np.zeros(1), tie=-0.1, outcome=np.zeros(1, dtype=int))
    assert at.value[0] == -np.inf
