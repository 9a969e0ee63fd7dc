"""Agreement with independent solvers on real boards: SciPy from raw votes to parameters."""

import math

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy.optimize import minimize, root
from scipy.special import expit, log_expit

import caveat
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import rate
from caveat.stats.ranking.scale import CENTRE, POINTS

BOARDS = (
    "llmfao",
    "vicuna80",
    "qlora_gpt4_judge",
    "football_international",
    "chatbot_arena_20240814_counts",
    "alpaca_eval2_items",
)
ORDERED = BOARDS[:4]
"""Boards that say which answer came first."""
LIKELIHOODS = ("bradley-terry", "davidson", "rao-kupper")
pytestmark = pytest.mark.shared


def read(folder, name, names):
    """Votes between rated models as (first, second, outcome, number), straight from the file."""
    columns = pq.read_table(folder / "votes" / f"{name}.parquet").to_pydict()
    place = {model: code for code, model in enumerate(names)}
    if name.startswith("chatbot"):
        a, b, *numbers = columns.values()
        rows = [
            (i, j, min(outcome, 2), n)
            for i, j, *ns in zip(a, b, *numbers, strict=True)
            for outcome, n in enumerate(ns)
            if n
        ]
    elif name.startswith("alpaca"):
        sides = (columns["baseline"], columns["model"], columns["preference"])
        rows = [
            (i, j, 1 if p > 0.5 else 0 if p < 0.5 else 2, 1) for i, j, p in zip(*sides, strict=True)
        ]
    else:
        code = {"a": 0, "b": 1, "tie": 2}
        sides = (columns["model_a"], columns["model_b"], columns["winner"])
        rows = [(i, j, code[o], 1) for i, j, o in zip(*sides, strict=True)]
    return np.array(
        [(place[i], place[j], o, n) for i, j, o, n in rows if i != j and {i, j} <= place.keys()]
    )


class Objective:
    """Negative log-likelihood by textbook formulas; Newton needs its gradient and Hessian.

    Votes are added up by pair first, else football would be 49,520 terms a step. Parameters are
    ratings but the first, and log(nu) of Davidson, theta - 1 of Rao and Kupper's papers by its log.
    """

    def __init__(self, rows, m, method, *, position):
        a, b, outcome, n = rows.T
        if not position:
            turned = a > b
            a, b = np.where(turned, b, a), np.where(turned, a, b)
            outcome = np.where(turned & (outcome < 2), 1 - outcome, outcome)
        keys, at = np.unique(a * m + b, return_inverse=True)
        self.count = np.zeros((keys.size, 3))
        np.add.at(self.count, (at, outcome), n)
        u = np.arange(keys.size)
        self.x = np.zeros((keys.size, m - 1 + position))
        for sign, model in ((1.0, keys // m), (-1.0, keys % m)):
            self.x[u[model > 0], model[model > 0] - 1] += sign
        if position:
            self.x[:, -1] = 1.0
        self.method = method
        self.p = self.x.shape[1] + (method != "bradley-terry")

    def shares(self, z):
        """Log-probabilities of win, loss, tie with first and second derivatives by (eta, tau)."""
        eta = self.x @ z[: self.x.shape[1]]
        zero, one = np.zeros_like(eta), np.ones_like(eta)
        if self.method == "bradley-terry":
            p = expit(eta)
            logs = [log_expit(eta), log_expit(-eta), zero]
            first = [(1 - p, zero), (-p, zero), (zero, zero)]
            curve = [(-p * (1 - p), zero, zero)] * 2 + [(zero, zero, zero)]
            return logs, first, curve
        tau = z[-1]
        if self.method == "davidson":
            terms = np.stack([eta / 2, -eta / 2, np.full_like(eta, tau)])
            total = np.logaddexp.reduce(terms, axis=0)
            w, l_, t = np.exp(terms - total)
            mean = ((w - l_) / 2, t)
            cov = ((w + l_) / 4 - mean[0] ** 2, -mean[0] * t, t * (1 - t))
            own = ((one / 2, zero), (-one / 2, zero), (zero, one))
            first = [(d - mean[0], e - mean[1]) for d, e in own]
            return list(terms - total), first, [tuple(-c for c in cov)] * 3
        c, e = math.log1p(math.exp(tau)), expit(tau)  # theta = 1 + exp(tau), c = log(theta)
        p, q = expit(eta - c), expit(-eta - c)
        # d/dc, then by the chain rule; log(theta^2 - 1) = tau + log(2 + exp(tau))
        log_odds = tau + math.log(2 + math.exp(tau))
        by, by2 = (
            1 + math.exp(tau) / (2 + math.exp(tau)),
            2 * math.exp(tau) / (2 + math.exp(tau)) ** 2,
        )
        logs = [log_expit(eta - c), log_expit(-eta - c), log_expit(eta - c) + log_expit(-eta - c)]
        logs[2] = logs[2] + log_odds
        f1, f2 = (1 - p, -(1 - p) * e), (-(1 - q), -(1 - q) * e)
        e2 = e * (1 - e)
        h1 = (-p * (1 - p), p * (1 - p) * e, -p * (1 - p) * e**2 - (1 - p) * e2)
        h2 = (-q * (1 - q), -q * (1 - q) * e, -q * (1 - q) * e**2 - (1 - q) * e2)
        f3 = (f1[0] + f2[0], f1[1] + f2[1] + by)
        h3 = (h1[0] + h2[0], h1[1] + h2[1], h1[2] + h2[2] + by2)
        return logs, [f1, f2, f3], [h1, h2, h3]

    def parts(self):
        """Votes for each of the three outcomes; half of each tie where they are half wins."""
        w, l_, t = self.count.T
        return (w + t / 2, l_ + t / 2, 0 * t) if self.method == "bradley-terry" else (w, l_, t)

    def value(self, z):
        logs, _, _ = self.shares(z)
        return -sum(n @ log for n, log in zip(self.parts(), logs, strict=True))

    def gradient(self, z):
        _, first, _ = self.shares(z)
        eta = sum(n * f[0] for n, f in zip(self.parts(), first, strict=True))
        tau = sum(n @ f[1] for n, f in zip(self.parts(), first, strict=True))
        return -np.r_[self.x.T @ eta, [tau][: self.p - self.x.shape[1]]]

    def hessian(self, z):
        _, _, curve = self.shares(z)
        ee, et, tt = (
            sum(n * c[k] for n, c in zip(self.parts(), curve, strict=True)) for k in range(3)
        )
        k = self.x.shape[1]
        made = np.zeros((self.p, self.p))
        made[:k, :k] = self.x.T @ (ee[:, None] * self.x)
        if self.p > k:
            made[:k, k] = made[k, :k] = self.x.T @ et
            made[k, k] = tt.sum()
        return -made

    def solve(self):
        """SciPy's trust region from zero, then its root finder on the score equations."""
        start = minimize(
            self.value, np.zeros(self.p), jac=self.gradient, hess=self.hessian,
            method="trust-exact", options={"gtol": 1e-4, "maxiter": 500},
        ).x  # fmt: skip
        return root(self.gradient, start, jac=self.hessian, method="hybr", tol=1e-13).x


@pytest.mark.parametrize("method", LIKELIHOODS)
@pytest.mark.parametrize(
    ("name", "position"), [(n, False) for n in BOARDS] + [(n, True) for n in ORDERED]
)
def test_real_boards(shared, name, position, method):
    evidence = caveat.read_votes(shared / "votes" / f"{name}.parquet")
    board = fit_board(count_votes(evidence), method=method, position=position)
    rows = read(shared, name, board.names)
    assert rows[:, 3].sum() == board.cells.n_votes
    problem = Objective(rows, len(board.names), method, position=position)
    found = problem.solve()
    theta = np.r_[0.0, found[: len(board.names) - 1]]
    ours = board.fit.theta - board.fit.theta[0]
    assert board.fit.converged
    # 1e-6 is asked for; SciPy's own score equations hold to about 1e-9 of the votes
    assert ours == pytest.approx(theta, abs=1e-7)
    if method == "davidson":
        assert board.fit.tie == pytest.approx(found[-1], abs=1e-7)
    if method == "rao-kupper":
        assert board.fit.tie == pytest.approx(math.log1p(math.exp(found[-1])), abs=1e-7)
    if position:
        advantage = found[len(board.names) - 1]
        assert board.fit.coefficients[0] == pytest.approx(advantage, abs=1e-7)


def test_chatbot_arena_first_place(shared):
    # 1,670,250 Chatbot Arena votes up to 2024-08-14, from the PyPI package leaderbot 0.4.3
    # (BSD-3-Clause). An independent search with ties as half wins reports z = 5.6 for the lead.
    evidence = caveat.read_votes(shared / "votes" / "chatbot_arena_20240814_counts.parquet")
    for method in LIKELIHOODS:
        got = rate(count_votes(evidence), method=method)
        assert got.n_votes == 1_670_250
        assert len(got.models) == 129
        assert got.anchor == "llama-3-70b-instruct"
        assert got.lead.leader == "chatgpt-4o-latest"
        assert got.lead.runner_up == "gemini-1.5-pro-exp-0801"
        assert (got.models[0].rank_low, got.models[0].rank_high) == (1, 1)
        z = {"bradley-terry": 5.61, "davidson": 5.61, "rao-kupper": 5.21}[method]
        assert got.lead.z == pytest.approx(z, abs=0.01)
        anchor = next(m for m in got.models if m.model == got.anchor)
        assert anchor.rating == CENTRE
        # the lead in odds of a decisive vote
        odds = math.exp(got.lead.difference / POINTS)
        if method != "rao-kupper":
            assert got.lead.win_probability == pytest.approx(odds / (1 + odds), rel=1e-9)
