"""What FastChat's test says of honest voters, beside what ours says.

Source: `outlier_detect` in fastchat/serve/monitor/elo_analysis.py of github.com/lm-sys/FastChat at
commit 0e6d3e4b (24 December 2024), with its defaults: users with 5 votes or more, the first 100 of
each, alpha 5%. The vote of a user is 1, 0.5 (a tie) or 0. The history of a pair is its wins and
losses, the user's own among them, without its ties. After every vote the product of 1 / (2 p) over
the votes so far is compared with 1 / alpha, for p the share of the history at most the vote, and
again for p the share at least the vote. 1 / (2 p) has no bounded expectation under a uniform p,
and a tie, which the history does not hold, has a p as small as the rarer decisive outcome.
"""

import numpy as np
import pytest

from caveat.kernels.e_bh import e_bh
from caveat.kernels.voter_bets import weigh_voters
from caveat.kernels.voter_cells import VoterCells

WIN, TIE = 0.56, 0.40
"""A lopsided pair with many ties: 56% wins, 40% ties, 4% losses; 93% of decisive votes are won."""


def flags(votes, wins, losses, *, alpha=0.05, most=100, least=5):
    """Whether one user is flagged.

    `votes` are 1, 0.5 or 0, `wins` and `losses` the history of the pair of each.
    """
    votes, wins, losses = (np.asarray(x, dtype=float)[:most] for x in (votes, wins, losses))
    if votes.size < least:
        return False
    number = wins + losses
    at_most = np.where(votes == 1.0, 1.0, losses / number)
    at_least = np.where(votes == 0.0, 1.0, wins / number)
    with np.errstate(divide="ignore"):
        products = [np.cumsum(-np.log(2.0 * p)) for p in (at_most, at_least)]
    return any((logs > -np.log(alpha)).any() for logs in products)


def test_its_formula_by_hand():
    # History 9 wins, 1 loss. A tie: p = 1/10 upwards, so 1 / (2 x 0.1) = 5 a vote; two are 25 > 20.
    assert flags([0.5, 0.5, 1, 1, 1], [9] * 5, [1] * 5)
    # A win: 1 / (2 x 1) upwards, 1 / (2 x 0.9) downwards: nothing adds up.
    assert not flags([1] * 100, [9] * 100, [1] * 100)
    assert not flags([0.5, 0.5, 1, 1], [9] * 4, [1] * 4)  # under five votes
    # Without a loss in the history a tie has p = 0: one is enough.
    assert flags([1, 1, 1, 1, 0.5], [9] * 5, [0] * 5)


def honest(rng, n_voters, votes):
    """Outcomes 1, 0.5, 0; shape (voters, votes)."""
    return rng.choice([1.0, 0.5, 0.0], p=[WIN, TIE, 1 - WIN - TIE], size=(n_voters, votes))


def ours(outcomes):
    """Flags of the e-BH procedure at 5%."""
    wins, losses = (outcomes == 1.0).sum(axis=1), (outcomes == 0.0).sum(axis=1)
    voters = np.arange(wins.size)
    cells = VoterCells(
        n_voters=wins.size,
        n_models=2,
        voter=voters,
        first=np.zeros_like(voters),
        second=np.ones_like(voters),
        wins=wins.astype(float),
        losses=losses.astype(float),
        pool_wins=np.full(wins.size, float(wins.sum())),
        pool_losses=np.full(wins.size, float(losses.sum())),
    )
    return e_bh(weigh_voters(cells).log_e, 0.05).rejected


@pytest.mark.parametrize(
    ("votes", "measured"), [(10, 0.77), (20, 0.94), (50, 0.998)], ids=["10", "20", "50 votes"]
)
def test_it_flags_most_honest_voters_on_lopsided_pairs_with_ties_and_ours_none(votes, measured):
    outcomes = honest(np.random.default_rng(17), 2000, votes)
    wins, losses = (outcomes == 1.0).sum(), (outcomes == 0.0).sum()
    theirs = np.mean([flags(row, [wins] * votes, [losses] * votes) for row in outcomes])
    # 2,000 voters: four binomial standard errors of 0.9 are 0.027.
    assert theirs == pytest.approx(measured, abs=0.027)
    assert not ours(outcomes).any()


def test_without_ties_it_is_valid():
    rng = np.random.default_rng(5)
    outcomes = rng.choice([1.0, 0.0], p=[0.93, 0.07], size=(2000, 20))
    wins, losses = (outcomes == 1.0).sum(), (outcomes == 0.0).sum()
    theirs = np.mean([flags(row, [wins] * 20, [losses] * 20) for row in outcomes])
    assert theirs < 0.05


@pytest.mark.shared
def test_on_pairs_as_the_real_arena_shows_them(shared):
    """Honest voters drawn from the counts of 1,670,250 Chatbot Arena votes: about 1%."""
    import pyarrow.parquet as pq

    table = pq.read_table(shared / "votes" / "chatbot_arena_20240814_counts.parquet")
    wins, losses, ties, bad = (
        table[name].to_numpy().astype(float) for name in ("n_a", "n_b", "n_tie", "n_both_bad")
    )
    number = wins + losses + ties + bad
    rng = np.random.default_rng(23)
    for votes, measured in ((20, 0.006), (50, 0.010), (100, 0.015)):
        pair = rng.choice(number.size, size=(1000, votes), p=number / number.sum())
        u = rng.random(pair.shape) * number[pair]
        vote = np.where(u < wins[pair], 1.0, np.where(u < (wins + losses)[pair], 0.0, 0.5))
        theirs = [flags(v, wins[k], losses[k]) for v, k in zip(vote, pair, strict=True)]
        # Four binomial standard errors of 0.015 among 1,000 voters are 0.015.
        assert np.mean(theirs) == pytest.approx(measured, abs=0.015)
