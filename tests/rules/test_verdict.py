"""The opening sentence."""

from dataclasses import replace

import pytest

from caveat.results.report import Findings
from caveat.rules.engine import Selection, run_rules
from caveat.rules.verdict import verdict


def told(findings):
    return verdict(findings, run_rules(findings, Selection()))


@pytest.fixture
def votes(make):
    return lambda board: told(make.findings(ranking=board, benchmarks=()))


@pytest.fixture
def answers(make):
    def tell(benchmark, *more):
        return told(replace(make.findings(), ranking=None, benchmarks=(benchmark, *more)))

    return tell


def test_a_clear_lead(make, votes):
    assert votes(make.board()) == (
        "First place is real: A leads B by 14 points (z = 5.6); no caveats."
    )


def test_a_lead_by_judges_that_are_ranked_is_not_called_real(make, votes):
    judges = make.judged(0.54, 0.46, ranked=0.54, models=("A",))
    assert votes(make.board(judges=judges)) == (
        "A leads B by 14 points (z = 5.6) if every vote counts alike, but judges that are ranked "
        "themselves cast 54% of them; 1 warning."
    )


def test_a_lead_that_items_do_not_bear_out_is_not_called_real(make, votes):
    board = make.board(dependence=(make.shared(z=2.6),))
    assert votes(board) == (
        "A leads B by 14 points (z = 5.6) if every vote counts alike, but with the votes of one "
        "item counted together z is 2.6, and 3.2 would be needed; 1 warning."
    )


def test_notices_about_votes_leave_a_lead_real(make, votes):
    board = make.board(dependence=(make.shared(ratio=1.5),), judges=make.judged(0.6, 0.4))
    assert votes(board) == (
        "First place is real: A leads B by 14 points (z = 5.6); no serious caveats or warnings."
    )


def test_a_clear_lead_before_a_crowd(make, votes):
    assert votes(make.board(tiers=(1, 2, 3, 3))) == (
        "First place is real: A leads B by 14 points (z = 5.6), but ranks 3-4 are not separable; "
        "no caveats."
    )


def test_no_first_place(make, votes):
    board = make.board(tiers=(1, 1, 1, 2), lead=make.lead(z=1.2, separable=False))
    assert votes(board) == ("No first place can be named: A, B and C are not separable; 1 warning.")


def test_a_lead_counts_among_the_rated_only(make, votes):
    assert votes(make.split_board()) == (
        "First place is real among the 4 of 5 models that can be rated: A leads B by 14 points "
        "(z = 5.6); 1 serious caveat."
    )


def test_nothing_rated(make, votes):
    board = make.board([make.unrated("A"), make.unrated("B")], lead=None, n_votes=12)
    assert votes(board) == "No two models can be ranked by 12 votes; no caveats."


def test_same_score_different_answers(make, answers):
    pairs = make.agreement((0.80, 0.78, 0.76, 0.30), disagree=0.4)
    assert answers(make.bench(pairs=pairs)) == (
        "Models with the same score give different answers: 3 pairs within 5 points disagree "
        "on 40% of items; 1 warning."
    )


def test_of_several_benchmarks_the_one_with_most_such_pairs_is_named(make, answers):
    few = make.bench(pairs=make.agreement((0.80, 0.78, 0.5, 0.3)), name="few")
    many = make.bench(pairs=make.agreement((0.80, 0.78, 0.76, 0.3)), name="many")
    assert "3 pairs within 5 points on many disagree" in answers(few, many)


def test_scores_without_such_pairs_tell_the_highest(make, answers):
    assert answers(make.bench()) == ("The highest of 4 scores on quiz is 90%, by A; no caveats.")


def test_answers_without_scores(make, answers):
    nan = float("nan")
    assert answers(make.bench(pairs=make.agreement((nan,) * 4))) == (
        "The answers of 4 models to quiz carry no scores, so they can be compared with each other "
        "but not called right or wrong; no caveats."
    )


def test_votes_come_before_answers_in_one_sentence(make):
    pairs = make.agreement((0.80, 0.78, 0.5, 0.3), disagree=0.4)
    found = make.findings(benchmark=make.bench(pairs=pairs, fills=(make.fill(),)))
    assert told(found) == (
        "First place is real: A leads B by 14 points (z = 5.6); models with the same score give "
        "different answers: 1 pair within 5 points disagrees on 40% of items; "
        "1 serious caveat."
    )


def test_one_model_has_a_score_and_no_rank(make, answers):
    pairs = make.agreement((0.9,), models=("The One",))
    assert answers(make.bench(pairs=pairs)).startswith("The score of The One on quiz is 90%")


def test_names_keep_their_case_within_the_sentence(make):
    pairs = make.agreement((0.9, 0.3), models=("The One", "B"))
    assert told(make.findings(benchmark=make.bench(pairs=pairs))) == (
        "First place is real: A leads B by 14 points (z = 5.6); the highest of 2 scores on quiz is "
        "90%, by The One; no caveats."
    )


def test_mild_caveats_are_not_called_none(make):
    found = make.findings(models={})
    assert told(found).endswith("; no serious caveats or warnings.")


def test_nothing_at_all():
    assert verdict(Findings(), ()) == "Nothing could be ranked or scored from these sources."


def test_names_cannot_break_the_line(make, votes):
    lead = replace(make.lead(), leader="A\nB")
    assert "\n" not in votes(make.board(lead=lead))


def test_a_lead_of_a_few_votes_is_not_called_real(make):
    models = [replace(m, n_votes=9) for m in make.board().models]
    found = make.findings(ranking=make.board(models))
    said = verdict(found, ())
    assert "First place is real" not in said
    assert "one of the two has only 9 votes" in said
