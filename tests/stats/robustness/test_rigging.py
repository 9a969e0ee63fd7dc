"""Voters planted among honest ones: who is found, how, and what the board is without them."""

import json

import numpy as np
import pyarrow as pa
import pytest

import caveat
from caveat.errors import InputError, TooFewError
from caveat.kernels.e_bh import e_bh
from caveat.kernels.lifting import lifts
from caveat.kernels.voter_bets import weigh_voters
from caveat.kernels.voter_cells import VoterCells
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import PLAIN
from caveat.stats.ranking.scale import POINTS
from caveat.stats.robustness.rigging import _lifts, rigging
from caveat.stats.robustness.rigging_effect import without_rows
from caveat.stats.robustness.rigging_history import history
from caveat.stats.robustness.voter_votes import PairedCells, cells_of, voter_votes


def test_who_always_backs_the_last_model_is_found(crowd):
    found = rigging(*crowd.read(crowd.honest() + crowd.backer("D")))
    (one,) = found.flagged
    assert (one.voter, one.pattern, one.model) == ("rigger", "for", "D")
    assert (one.n_votes, one.n_compared, one.n_about, one.n_following) == (40, 40, 40, 40)
    assert one.share == 1.0
    assert 0.2 < one.expected < 0.4
    assert "history" in one.found_by
    assert (found.n_flagged, found.n_flagged_votes) == (1, 40)
    assert found.n_tested == found.n_voters == 61
    assert one.log10_e >= found.log10_threshold


def test_an_honest_crowd_is_left_alone(crowd):
    found = rigging(*crowd.read(crowd.honest()))
    assert found.flagged == ()
    assert found.without is None
    assert found.n_loyal == found.n_bursts == 0
    assert found.n_votes == 1800
    assert found.flagged_share == 0.0


def test_other_patterns_are_found(crowd):
    flip = {"a": "b", "b": "a", "tie": "tie"}
    likely = [(a, b, "b", "contrary") for a, b in crowd.pairs for _ in range(8)]
    coin = [(a, b, "ab"[k % 2], "guess") for a, b in crowd.pairs for k in range(40)]
    against = [(a, b, flip[w], "against") for a, b, w, _ in crowd.backer("B", 60)]
    found = rigging(*crowd.read(crowd.honest(200) + likely + coin + against))
    assert {one.voter: one.pattern for one in found.flagged} == {
        "contrary": "contrary",
        "guess": "guessing",
        "against": "against",
    }
    by_name = {one.voter: one for one in found.flagged}
    assert by_name["against"].model == "B"
    assert by_name["against"].share == 1.0
    assert by_name["guess"].model is None
    assert by_name["guess"].share == pytest.approx(0.5)
    assert by_name["guess"].expected > 0.65
    assert by_name["contrary"].share < 0.1


def test_voters_without_a_test_are_counted_and_never_flagged(crowd):
    single = [("A", "D", "b", f"once{k}") for k in range(20)]
    four = [("A", "D", "b", "four")] * 4
    alone = [("A", "E", "b", "alone")] * 30 + [("E", "A", "b", "alone")]
    found = rigging(*crowd.read(crowd.honest() + single + four + alone))
    assert found.n_voters == 82
    assert found.n_untestable == 22
    assert found.flagged == ()


def test_who_votes_beside_a_rigger_is_cleared(crowd):
    """200 votes of 240 of A against B are rigged for B: honest voters of A look odd then."""
    few = [("A", "B", "a", "honest")] * 12 + [("A", "B", "b", "honest")] * 2
    others = [("A", "B", w, f"o{k}") for k in range(13) for w in ("a", "a")]
    rows = others + few + [("A", "B", "b", "rigger")] * 150
    votes, board = crowd.read(rows)
    found = rigging(votes, board)
    assert found.n_cleared == 1
    assert [one.voter for one in found.flagged] == ["rigger"]


def test_where_everybody_stands_out_the_oddest_are_still_named(crowd):
    """Ten voters always vote for B, 30 for A: left out together they would leave nobody."""
    rows = [("A", "B", "b" if who < 10 else "a", f"v{who}") for who in range(40) for _ in range(20)]
    found = rigging(*crowd.read(rows))
    assert {one.voter for one in found.flagged} == {f"v{who}" for who in range(10)}
    assert found.n_cleared == 30


def test_bursts_are_found_where_the_order_is_told(crowd):
    rows = crowd.honest(60, 30)
    burst = [("B", "C", "tie", "v0")] * 9
    votes, board = crowd.read(rows[:10] + burst + rows[10:])
    found = rigging(votes, board)
    (one,) = found.bursts
    assert (one.voter, one.model_a, one.model_b, one.outcome) == ("v0", "B", "C", "tie")
    assert one.n_votes >= 9
    assert np.isnan(one.seconds)
    assert one.usual < 0.2
    assert found.order == "rows"
    (flagged,) = found.flagged
    assert flagged.found_by == ("bursts",)
    assert flagged.pattern is None
    assert np.isnan(flagged.share)


def test_time_tells_bursts_from_habits(crowd):
    rows = (
        crowd.honest(60, 30) + [("B", "C", "tie", "quick")] * 12 + [("B", "C", "tie", "slow")] * 12
    )
    n = 1800
    at = [60.0 * k + 1.7e9 for k in range(n)]
    at += [1.8e9 + 2 * k for k in range(12)] + [1.9e9 + 86_400 * k for k in range(12)]
    order = np.random.default_rng(0).permutation(len(rows))  # rows in any order
    votes, board = crowd.read([rows[k] for k in order], at=[at[k] for k in order])
    found = rigging(votes, board)
    assert found.order == "time"
    assert [(one.voter, one.n_votes, one.seconds) for one in found.bursts] == [("quick", 12, 22.0)]


def test_times_that_cannot_be_read_stop_bursts_only(crowd):
    rows = crowd.honest() + crowd.backer("D")
    found = rigging(*crowd.read(rows, at=["soon"] * len(rows)))
    assert (found.order, found.n_bursts) == ("none", 0)
    assert "got 'soon'" in found.order_reason
    assert [one.voter for one in found.flagged] == ["rigger"]


def test_counts_with_a_voter_column_give_the_same_but_bursts(crowd):
    rows = crowd.honest() + crowd.backer("D")
    kinds = sorted(set(rows))
    votes, board = crowd.read(kinds, count=[rows.count(kind) for kind in kinds])
    found = rigging(votes, board)
    assert (found.order, found.bursts) == ("none", ())
    assert "order is not told" in found.order_reason
    plain = rigging(*crowd.read(rows))
    assert [one.log10_e for one in found.flagged] == pytest.approx(
        [one.log10_e for one in plain.flagged]
    )


def test_voters_who_were_shown_few_pairs_have_no_bursts(crowd):
    narrow = [("A", "B", "ab"[k % 3 == 0], f"n{who}") for who in range(3) for k in range(40)]
    found = rigging(*crowd.read(crowd.honest(200) + narrow))
    assert found.n_bursts == 0


def test_order_of_rows_and_sides_do_not_matter_to_history(crowd):
    rows = crowd.honest(40) + crowd.backer("D")
    plain = rigging(*crowd.read(rows))
    rng = np.random.default_rng(8)
    flip = {"a": "b", "b": "a", "tie": "tie"}
    mixed = [
        (b, a, flip[w], v) if rng.random() < 0.5 else (a, b, w, v)
        for a, b, w, v in (rows[k] for k in rng.permutation(len(rows)))
    ]
    other = rigging(*crowd.read(mixed))
    assert other.top_log10_e == pytest.approx(plain.top_log10_e)
    assert [one.voter for one in other.flagged] == [one.voter for one in plain.flagged]


def test_loyal_voters_are_listed(crowd):
    found = rigging(*crowd.read(crowd.honest(300) + crowd.backer("C", 80)))
    (one,) = found.loyal
    assert (one.voter, one.model, one.n_votes, one.n_backed) == ("rigger", "C", 80, 80)
    assert one.p < 1e-6
    assert {"history", "loyalty"} <= set(found.flagged[0].found_by)


def test_the_board_is_fitted_again_without_them(crowd):
    """1,000 rigged votes lift D over C; without them the ranks are those of the crowd."""
    crowd_rows = crowd.honest(80)
    riggers = [row for k in range(10) for row in crowd.backer("D", 100, voter=f"r{k}", seed=50 + k)]
    votes, board = crowd.read(crowd_rows + riggers)
    found = rigging(votes, board)
    assert {one.voter for one in found.flagged} == {f"r{k}" for k in range(10)}
    left = found.without
    assert left.n_votes == len(crowd_rows)
    expected = crowd.read(crowd_rows)[1]
    order = [expected.names[k] for k in np.argsort(-expected.fit.theta)]
    change = left.change
    assert [m.model for m in sorted(change.models, key=lambda m: m.rank_after)] == order
    assert change.lead_after.leader == order[0]
    assert change.n_votes_after == len(crowd_rows)
    moved = next(m for m in change.models if m.model == "D")
    assert moved.moved < 0
    assert moved in left.moved(10)
    assert left.moved(0) == ()
    # The rating of D against A, as a fit of the crowd's votes alone gives it.
    after = {m.model: m.rating_after for m in change.models}
    theta = dict(zip(expected.names, expected.fit.theta, strict=True))
    assert after["D"] - after["A"] == pytest.approx(POINTS * (theta["D"] - theta["A"]), abs=1e-6)


def test_a_board_that_falls_apart_without_them_is_said(crowd):
    rows = crowd.honest(40)
    _, board = crowd.read(rows)
    for left_out, why in (
        (len(rows), "needs at least 2, got 0"),
        (len(rows) - 1, "no two models are tied together without these votes"),
    ):
        left = without_rows(board, np.arange(left_out), errors=PLAIN)
        assert left.change is None
        assert left.first_changes
        assert left.moved(10) == ()
        assert why in left.reason


def test_how_far_a_voter_could_go(crowd):
    found = rigging(*crowd.read(crowd.honest(200)))
    assert [one.place for one in found.reach] == ["runner-up", "middle", "last"]
    last = found.reach[-1]
    assert last.model == "D"
    assert 5 < last.n_votes < 60
    # Who wins more often anyway can be backed for longer.
    assert found.reach[0].n_votes > last.n_votes
    # Oracle: that many votes are found, and half of them are not.
    rows = crowd.honest(200)
    caught = rigging(*crowd.read(rows + crowd.backer("D", round(1.3 * last.n_votes))))
    missed = rigging(*crowd.read(rows + crowd.backer("D", last.n_votes // 2)))
    assert [one.voter for one in caught.flagged] == ["rigger"]
    assert missed.flagged == ()


def test_people_are_compared_with_people(crowd):
    """A model judge of another mind casts a third of the votes: it is a kind, not a rigger."""
    people = crowd.honest(40)
    flip = {"a": "b", "b": "a", "tie": "tie"}
    judge = [(a, b, flip[w], "gpt") for a, b, w, _ in crowd.honest(30, seed=9)]
    kinds = ["human"] * len(people) + ["model"] * len(judge)
    found = rigging(*crowd.read(people + judge, judge=kinds))
    assert found.within == ("judge",)
    assert found.flagged == ()
    assert found.n_untestable == 1
    pooled = rigging(*crowd.read(people + judge, judge=kinds), within=())
    assert [one.voter for one in pooled.flagged] == ["gpt"]
    # Where each voter is a judge, the column names voters and no kinds.
    named = [row[3] for row in people]
    assert rigging(*crowd.read(people, judge=named)).within == ()


def test_it_is_plain_data(crowd):
    found = rigging(*crowd.read(crowd.honest() + crowd.backer("D"))).to_dict()
    assert [one["voter"] for one in found["voters_flagged"]] == ["rigger"]
    assert found["rigging"]["n_flagged"] == 1
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_lists_are_cut_and_the_rest_is_counted(crowd):
    rows = crowd.honest(600, 20)
    for k in range(60):
        rows += crowd.backer("D", 25, voter=f"r{k:02}", seed=k)
    found = rigging(*crowd.read(rows))
    assert len(found.flagged) == 50
    assert found.n_flagged > 50


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fdr": 1.0}, "fdr must be strictly between 0 and 1, got 1.0"),
        ({"min_votes": 1}, "min_votes must be at least 2, got 1"),
        ({"window": 0.0}, "window must be above 0 seconds, got 0.0"),
        ({"within": ("country",)}, "within must name columns that the votes have, got 'country'"),
    ],
)
def test_options_out_of_range(crowd, settings, message):
    votes, board = crowd.read(crowd.honest(5))
    with pytest.raises(InputError, match=message):
        rigging(votes, board, **settings)


def test_votes_that_cannot_be_tested(crowd):
    votes, board = crowd.read([(*row[:3], "one") for row in crowd.honest(5)])
    with pytest.raises(TooFewError, match="voters named by the votes"):
        rigging(votes, board)
    split = crowd.read([("A", "B", "a", "u"), ("C", "D", "a", "v")])
    with pytest.raises(InputError, match="board must rate at least two models"):
        rigging(*split)
    all_ties = crowd.read([("A", "B", "tie", f"v{k % 5}") for k in range(50)])
    found = rigging(*all_ties)
    assert found.n_tested == 0
    assert np.isnan(found.log10_threshold)
    assert (found.flagged, found.reach) == ((), ())


@pytest.mark.shared
def test_workers_of_llmfao(shared):
    """Four of 124 crowd workers: two nearly always back Weaver 12k, two vote as if by coin."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(shared / "votes" / "llmfao.parquet")
    people = table.filter(pc.equal(table["judge"], "human"))
    votes = caveat.read_votes(people)
    found = rigging(votes, fit_board(count_votes(votes)))
    assert (found.n_voters, found.n_tested, found.n_flagged, found.n_cleared) == (124, 107, 4, 1)
    told = [(one.pattern, one.model, one.n_following, one.n_about) for one in found.flagged]
    assert told == [
        ("for", "Weaver 12k", 106, 109),
        ("for", "Weaver 12k", 43, 45),
        ("guessing", None, 105, 219),
        ("guessing", None, 49, 99),
    ]
    assert [round(one.expected, 2) for one in found.flagged] == [0.37, 0.34, 0.73, 0.74]
    assert not found.without.first_changes
    # With the two model judges beside them, people are compared with people.
    everybody = caveat.read_votes(table)
    pooled = rigging(everybody, fit_board(count_votes(everybody)))
    assert pooled.within == ("judge",)
    assert [one.voter for one in pooled.flagged] == [one.voter for one in found.flagged]


def level_board(rng, n_models=12):
    """Pairs with many ties and odds up to 30 to 1."""
    strength = np.linspace(1.7, -1.7, n_models)
    first, second = np.triu_indices(n_models, k=1)
    decisive = 1 / (1 + np.exp(strength[second] - strength[first]))
    tie = rng.uniform(0.2, 0.6, first.size)
    return first, second, (1 - tie) * decisive, tie


def honest_table(rng, pairs, n_voters):
    """Votes of honest voters: some cast one, some hundreds, each with a habit of calling ties."""
    first, second, win, tie = pairs
    cast = np.minimum(rng.geometric(1 / 12, n_voters), 400)
    cast[: n_voters // 5] = 1
    voter = np.repeat(np.arange(n_voters), cast)
    # Half of the voters see three lopsided pairs only.
    lopsided = np.argsort(-np.abs(win / (1 - tie) - 0.5))[:3]
    narrow = voter % 2 == 0
    pair = np.where(
        narrow, rng.choice(lopsided, voter.size), rng.integers(0, first.size, voter.size)
    )
    habit = rng.uniform(0.5, 1.5, n_voters)[voter]
    tied = rng.random(voter.size) < np.minimum(tie[pair] * habit, 0.95)
    won = rng.random(voter.size) < (win / (1 - tie))[pair]
    outcome = np.where(tied, 2, np.where(won, 0, 1)).astype(np.int32)
    models = pa.array([f"m{k:02}" for k in range(int(second.max()) + 1)])

    def coded(values, names):
        return pa.DictionaryArray.from_arrays(pa.array(values.astype(np.int32)), names)

    return pa.table(
        {
            "model_a": coded(first[pair], models),
            "model_b": coded(second[pair], models),
            "outcome": coded(outcome, pa.array(["a", "b", "tie"])),
            "voter": coded(voter, pa.array([f"v{k}" for k in range(n_voters)])),
        }
    )


@pytest.mark.slow
def test_e_values_of_honest_voters_have_mean_one_on_lopsided_pairs_with_ties():
    rng = np.random.default_rng(3)
    means = []
    for _ in range(30):
        votes = caveat.read_votes(honest_table(rng, level_board(rng), 3000))
        paired = cells_of(voter_votes(votes))
        bets = weigh_voters(paired.cells, _lifts(fit_board(count_votes(votes)), voter_votes(votes)))
        means.append(np.exp(bets.log_e).mean())
        assert (bets.log_e >= np.log(20)).mean() < 0.05  # Markov's bound, by a wide margin
    assert np.mean(means) <= 1.0 + 4 * np.std(means) / np.sqrt(len(means))  # 4 standard errors


@pytest.mark.parametrize(("rigged", "before"), [(0.3, 0.02), (0.5, 0.53), (0.6, 0.79)])
def test_honest_voters_beside_many_rigged_votes_are_cleared(rigged, before):
    """Of all votes on one model, a large share is rigged for it: the rest looks odd at first."""
    rng = np.random.default_rng(5)
    n_honest, votes, opponents = 200, 40, 6
    each = int(rigged / (1 - rigged) * n_honest * votes / 10)
    voter = np.concatenate(
        [np.repeat(np.arange(n_honest), votes), np.repeat(np.arange(n_honest, n_honest + 10), each)]
    )
    pair = rng.integers(0, opponents, voter.size)
    won = np.where(voter < n_honest, rng.random(voter.size) < 0.5, True)
    key, place = np.unique(voter * opponents + pair, return_inverse=True)
    wins, losses = (np.bincount(place, side).astype(float) for side in (won, ~won))
    who, where = np.divmod(key, opponents)
    cells = VoterCells(
        n_voters=n_honest + 10,
        n_models=opponents + 1,
        voter=who,
        first=np.zeros_like(who),
        second=where + 1,
        wins=wins,
        losses=losses,
        pool_wins=np.bincount(where, wins)[where],
        pool_losses=np.bincount(where, losses)[where],
    )
    none = lifts(np.zeros((7, 7)), np.full(7, np.nan))
    found = history(PairedCells(cells, where), none, fdr=0.05, min_votes=5)
    at_first = e_bh(found.bets.log_e, 0.05).rejected
    # 200 voters: four binomial standard errors of one half are 0.14.
    assert at_first[:n_honest].mean() == pytest.approx(before, abs=0.14)
    assert found.flagged[:n_honest].mean() <= 0.01
    assert found.flagged[n_honest:].all()


@pytest.mark.parametrize(
    ("chance", "votes", "flagged"),
    [(0.5, 2000, 0.0), (0.6, 2000, 0.0), (0.75, 50, 0.1), (0.75, 200, 0.96), (0.9, 50, 0.93)],
)
def test_a_taste_of_ones_own_is_flagged_only_where_it_looks_like_half_the_votes_rigged(
    chance, votes, flagged
):
    """A model wins half of the others' votes, and that chance of this voter's."""
    rng = np.random.default_rng(1)
    n_voters, opponents, others = 400, 10, 2000
    each = rng.multinomial(votes, [1 / opponents] * opponents, size=n_voters)
    won = rng.binomial(each, chance)
    who, where = np.nonzero(each)
    wins, losses = (side[who, where].astype(float) for side in (won, each - won))
    cells = VoterCells(
        n_voters=n_voters,
        n_models=opponents + 1,
        voter=who,
        first=np.zeros_like(who),
        second=where + 1,
        wins=wins,
        losses=losses,
        pool_wins=others / 2 + wins,
        pool_losses=others / 2 + losses,
    )
    found = weigh_voters(cells).log_e >= np.log(1000 / 0.05)  # one of a thousand voters
    # 400 voters: four binomial standard errors of one half are 0.1.
    assert found.mean() == pytest.approx(flagged, abs=0.1)


@pytest.mark.slow
def test_level_with_ten_thousand_honest_voters_and_ties():
    """No run may flag anybody more often than the rate of 5%; allowed: 4 binomial errors."""
    rng = np.random.default_rng(20_250_131)
    runs, any_flagged = 40, 0
    for _ in range(runs):
        votes = caveat.read_votes(honest_table(rng, level_board(rng), 10_000))
        found = rigging(votes, fit_board(count_votes(votes)))
        assert found.n_untestable > 2000
        any_flagged += found.n_flagged > 0
    # With nobody rigging, the false discovery rate is the chance to flag anybody at all.
    assert any_flagged / runs <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / runs)
    assert any_flagged == 0  # measured: e-BH is far below its level here


@pytest.mark.slow
def test_false_discoveries_among_planted_riggers():
    rng = np.random.default_rng(7)
    shares = []
    for _ in range(10):
        pairs = level_board(rng)
        table = honest_table(rng, pairs, 2000)
        first, second, _, _ = pairs
        on = np.flatnonzero((first == 9) | (second == 9))
        pair = rng.choice(on, 20 * 60)
        outcome = np.where(first[pair] == 9, "a", "b")
        extra = pa.table(
            {
                "model_a": [f"m{k:02}" for k in first[pair]],
                "model_b": [f"m{k:02}" for k in second[pair]],
                "outcome": outcome.tolist(),
                "voter": [f"rigger{k // 60}" for k in range(pair.size)],
            }
        )
        plain = pa.table({name: table[name].cast(pa.string()) for name in table.column_names})
        votes = caveat.read_votes(pa.concat_tables([plain, extra]))
        found = rigging(votes, fit_board(count_votes(votes)))
        wrong = sum(not one.voter.startswith("rigger") for one in found.flagged)
        assert sum(one.voter.startswith("rigger") for one in found.flagged) == 20
        shares.append(wrong / max(found.n_flagged, 1))
    assert np.mean(shares) <= 0.05
