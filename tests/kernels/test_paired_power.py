import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from caveat.kernels.paired_power import detectable, items_needed

USUAL = {"level": 0.95, "power": 0.8}


def need(delta, psi, deff=1.0, *, largest=None):
    made = items_needed(
        np.array(delta), np.array(psi), np.array(deff), largest=np.array(largest or psi), **USUAL
    )
    return float(made)


def find(n, psi, deff=1.0):
    return float(
        detectable(np.array(n), np.array(psi), np.array(deff), largest=np.array(psi), **USUAL)
    )


def test_by_hand():
    # Connor: psi 0.3, delta 0.05: (1.95996 sqrt 0.3 + 0.84162 sqrt 0.2975)^2 / 0.0025
    # = (1.073517 + 0.459046)^2 / 0.0025 = 2.348747 / 0.0025 = 939.5
    assert need(0.05, 0.3) == 940


def test_half_of_the_items_decide_where_clusters_double_the_variance():
    assert need(0.05, 0.3, 2.0) == pytest.approx(2 * 939.5, abs=1)


def test_millers_formula_where_the_difference_is_small():
    # delta^2 small beside psi: n = (z_a + z_b)^2 psi / delta^2
    z = ndtri(0.975) + ndtri(0.8)
    assert need(0.001, 0.4) == pytest.approx(z**2 * 0.4 / 1e-6, rel=1e-5)


@given(st.integers(30, 20_000), st.floats(0.05, 0.9), st.floats(0.5, 4))
def test_one_undoes_the_other(n, psi, deff):
    least = find(float(n), psi, deff)
    if math.isfinite(least):
        assert need(least, psi, deff) == pytest.approx(n, abs=1)
        assert find(4.0 * n, psi, deff) < least


def test_what_cannot_be():
    assert math.isnan(need(0.0, 0.3))  # no number of items shows no difference
    assert math.isnan(need(0.2, 0.1))  # models that differ on 10 % of items are not 20 points apart
    assert math.isfinite(need(0.2, 0.1, largest=math.sqrt(0.1)))  # fractional scores can be
    assert math.isnan(find(3.0, 0.3))  # three items find nothing
    assert math.isnan(find(100.0, 0.0))


@pytest.mark.slow
@pytest.mark.parametrize(("psi", "delta"), [(0.3, 0.05), (0.1, 0.03), (0.5, 0.04)])
def test_power_is_as_promised(psi, delta):
    from caveat.kernels.mcnemar import mcnemar

    rng, reps = np.random.default_rng(20240611), 5_000
    n = int(need(delta, psi))
    shares = [(psi + delta) / 2, (psi - delta) / 2, 1 - psi]
    b, c, _ = rng.multinomial(n, shares, reps).T.astype(float)
    got = mcnemar(b, c)
    # the exact test is conservative: its power is a little lower, that of mid-p as promised
    assert abs((got.mid_p < 0.05).mean() - 0.8) < 0.01 + 4 * math.sqrt(0.16 / reps)
    assert (got.p < 0.05).mean() > 0.76
