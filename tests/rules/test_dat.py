"""What the DAT rules say, and how gravely."""

from dataclasses import replace

import pytest

from caveat.results.quality import DegenerateItems, Duplicates, GoldConflict
from caveat.rules.engine import Selection, run_rules


def only(findings, code, **thresholds):
    selection = Selection(select=[code], thresholds={code: thresholds})
    (caveat,) = run_rules(findings, selection)
    return caveat


@pytest.fixture
def with_quality(make):
    return lambda **quality: make.findings(benchmark=make.bench(**quality))


class TestMissingItems:
    def test_the_claim_names_the_model_the_items_and_the_task(self, make, with_quality):
        tasks = (("engineering", 1012, 1100), ("chemistry", 600, 1132), ("law", 69, 1101))
        gap = make.gap("DeepSeek-Coder-V2", 1681, items=12032, tasks=tasks)
        caveat = only(with_quality(missing=(gap,)), "DAT101")
        assert caveat.claim == (
            "DeepSeek-Coder-V2 lacks 1,681 of 12,032 items of quiz (14%), 1,012 of them in "
            "engineering and 600 in chemistry"
        )
        assert caveat.subject == "DeepSeek-Coder-V2"
        assert caveat.severity == "warning"
        assert caveat.sources == ("responses.csv",)
        assert caveat.evidence["models"][0]["tasks"][1] == {
            "task": "chemistry",
            "missing": 600,
            "items": 1132,
        }

    def test_a_scattered_gap_names_no_task(self, make, with_quality):
        tasks = tuple((f"t{k}", 2, 100) for k in range(9))
        claim = only(with_quality(missing=(make.gap("A", 18, tasks=tasks),)), "DAT101").claim
        assert claim == "A lacks 18 of 200 items of quiz (9%)"

    def test_several_models_make_one_caveat_worst_first(self, make, with_quality):
        gaps = (
            make.gap("A", 9, items=1000, tasks=(("law", 9, 500),)),
            make.gap("B", 12, items=1000, tasks=(("law", 12, 500),)),
            make.gap("C", 0, items=1000),
        )
        caveat = only(with_quality(missing=gaps), "DAT101")
        assert caveat.claim == (
            "2 of 4 models lack items of quiz: B 12 of 1,000 (all of them in law) and A 9 of 1,000"
        )
        assert caveat.subject == "quiz"
        assert caveat.severity == "notice"

    @pytest.mark.parametrize(
        ("missing", "tasks", "severity"),
        [
            (20, (), "warning"),  # 20 of 1,000 is the share of 2%
            (19, (), "notice"),
            (10, (("law", 10, 100),), "warning"),  # 10 items, 10% of the task
            (10, (("law", 10, 101),), "notice"),
            (9, (("law", 9, 9),), "notice"),  # a whole task, but of nine items only
        ],
    )
    def test_it_is_a_warning_from_a_share_or_when_it_sits_in_a_task(
        self, make, with_quality, missing, tasks, severity
    ):
        found = with_quality(missing=(make.gap("A", missing, items=1000, tasks=tasks),))
        assert only(found, "DAT101").severity == severity


class TestDuplicates:
    @pytest.mark.parametrize(("count", "severity"), [(23, "notice"), (24, "warning")])
    def test_one_percent_is_many(self, make, count, severity):
        repeated = Duplicates(kind="votes", count=count, rows_read=2400, examples=("votes.csv:7",))
        caveat = only(make.findings(duplicates=(repeated,)), "DAT102")
        assert caveat.severity == severity
        assert caveat.claim == (
            f"{count} of 2,400 rows of votes repeat the key of an earlier row and were left out"
        )
        assert caveat.sources == ("votes.csv",)
        assert caveat.evidence["examples"] == ["votes.csv:7"]


class TestUnparsed:
    def test_one_model_is_told_in_full(self, make, with_quality):
        caveat = only(with_quality(unparsed=(make.unparsed("A", 0.23),)), "DAT103")
        assert caveat.claim == "46 of 200 answers of A to quiz (23%) hold no readable choice"
        assert caveat.severity == "warning"

    def test_many_models_make_one_caveat(self, make, with_quality):
        rows = tuple(make.unparsed(f"m{k:02d}", 0.06 + k / 1000) for k in range(29))
        caveat = only(with_quality(unparsed=rows), "DAT103")
        assert caveat.severity == "notice"
        assert caveat.claim.endswith("m28 8.8%, m27 8.7%, m26 8.6%, m25 8.5%, m24 8.4% and 24 more")
        assert len(caveat.evidence["models"]) == 29

    @pytest.mark.parametrize(("share", "severity"), [(0.05, "notice"), (0.15, "warning")])
    def test_the_limits_belong_to_the_graver_side(self, make, with_quality, share, severity):
        assert only(with_quality(unparsed=(make.unparsed(share=share),)), "DAT103").severity == (
            severity
        )


class TestFills:
    def test_a_constant_fill_of_five_models_is_one_serious_caveat(self, make, with_quality):
        counts = {"a": 800, "b": 500, "c": 400, "d": 153, "e": 100}  # 1,953 together
        fills = tuple(
            make.fill(model, filled=n, n_answer=n - 20, unparseable=n + 100, expected=0.0901)
            for model, n in counts.items()
        )
        caveat = only(with_quality(fills=fills), "DAT104")
        assert caveat.claim == (
            "5 models (a, b, c, d and e) carry the answer G on 1,853 of the 1,953 answers that "
            "stand where their text holds no readable answer; among readable answers its share is "
            "9%"
        )
        assert caveat.severity == "serious"
        assert [row["model"] for row in caveat.evidence["models"]] == list("abcde")

    def test_a_spread_fill_is_a_warning_and_counts_the_lucky_ones(self, make, with_quality):
        fills = (make.fill("A", constant=False), make.fill("B", constant=False, answer="C"))
        caveat = only(with_quality(fills=fills), "DAT104")
        assert caveat.claim == (
            "2 models (A and B) carry some answer on 80 of 100 items where their text holds no "
            "readable answer; 8 of these count as correct, where guessing gives 10%"
        )
        assert caveat.severity == "warning"

    def test_a_second_reading_that_beats_guessing_is_no_fill(self, make, with_quality):
        reading = make.fill(constant=False, correct=30, p_chance=1e-9)
        found = with_quality(fills=(reading,))
        assert run_rules(found, Selection(select=["DAT104"])) == ()

    def test_a_few_spread_answers_among_many_gaps_are_no_fill(self, make, with_quality):
        few = make.fill(constant=False, filled=13, unparseable=2190)
        assert run_rules(with_quality(fills=(few,)), Selection(select=["DAT104"])) == ()

    def test_one_answer_that_beats_guessing_is_no_fill_either(self, make, with_quality):
        lucky = make.fill(correct=30, p_chance=1e-9)
        assert run_rules(with_quality(fills=(lucky,)), Selection(select=["DAT104"])) == ()

    @pytest.mark.parametrize(("filled", "n"), [(29, 0), (30, 1)])
    def test_spread_answers_need_rows_enough_to_tell_a_reading(self, make, with_quality, filled, n):
        few = make.fill(constant=False, filled=filled, unparseable=40)
        found = run_rules(with_quality(fills=(few,)), Selection(select=["DAT104"]))
        assert len(found) == n

    def test_where_guessing_is_not_known_it_is_a_notice(self, make, with_quality):
        nan = float("nan")
        unknown = make.fill(constant=False, chance=nan, p_chance=nan)
        caveat = only(with_quality(fills=(unknown,)), "DAT104")
        assert caveat.severity == "notice"
        assert caveat.claim.endswith("; 4 of these count as correct")

    def test_answers_and_references_are_kept_apart(self, make, with_quality):
        fills = (
            make.fill("A"),
            make.fill("B", answer="H"),
            make.fill("C", reference="status"),
            make.fill("D", constant=False),
        )
        found = run_rules(with_quality(fills=fills), Selection(select=["DAT104"]))
        assert sorted(c.subject for c in found) == ["A", "B", "C", "D"]
        assert [c.severity.value for c in found] == ["serious"] * 3 + ["warning"]

    def test_chance_that_is_not_known_is_left_out(self, make, with_quality):
        nan = float("nan")
        caveat = only(with_quality(fills=(make.fill(expected=nan),)), "DAT104")
        assert "share" not in caveat.claim
        assert caveat.to_dict()["evidence"]["models"][0]["expected"] is None


class TestFewClusters:
    @pytest.fixture
    def clustered(self, make):
        def build(n_clusters, *, tasks=None):
            few = replace(make.estimate(), method="clustered", n_clusters=n_clusters)
            bench = make.bench()
            first, *others = bench.scores.models
            first = replace(first, overall=few, tasks=tasks or {})
            scores = replace(bench.scores, models=(first, *others))
            return make.findings(benchmark=replace(bench, scores=scores))

        return build

    def test_the_claim_counts_models_and_names_the_fewest(self, clustered):
        caveat = only(clustered(10), "DAT108")
        assert caveat.claim == (
            "the intervals of 1 model on quiz rest on fewer than 30 clusters of items (10 at "
            "fewest): they may be too narrow"
        )
        assert caveat.subject == "A"
        assert caveat.severity == "notice"

    def test_tasks_count_too(self, make, clustered):
        few = replace(make.estimate(), method="clustered", n_clusters=4)
        caveat = only(clustered(40, tasks={"law": few, "math": make.estimate()}), "DAT108")
        assert caveat.claim.startswith("the intervals of 1 score by task on quiz rest on fewer")
        assert "(4 at fewest)" in caveat.claim
        assert caveat.evidence["tasks"] == [
            {"model": "A", "task": "law", "n_clusters": 4, "n": 200}
        ]

    def test_items_that_are_independent_are_no_clusters(self, make):
        found = make.findings(benchmark=make.bench(pairs=make.agreement(n=12)))
        assert run_rules(found, Selection(select=["DAT108"])) == ()


class TestGoldAndItems:
    @pytest.mark.parametrize(("items", "severity"), [(119, "notice"), (121, "warning")])
    def test_gold_conflicts_show_an_example(self, with_quality, items, severity):
        gold = GoldConflict(items=items, n_items=12032, examples=(("q17", ("A", "B")),))
        caveat = only(with_quality(gold=gold), "DAT105")
        assert caveat.claim == (
            f"{items} of 12,032 items of quiz have a gold answer that is not the same for all "
            "models, e.g. item q17 (A or B)"
        )
        assert caveat.severity == severity

    def test_degenerate_items_of_both_kinds(self, with_quality):
        bad = DegenerateItems(one_option=3, gold_outside=1, n_items=448, examples=("q1",))
        caveat = only(with_quality(degenerate=bad), "DAT106")
        assert caveat.claim == (
            "quiz has 3 items with one option only and 1 item whose gold answer is not an option, "
            "of 448"
        )
        assert caveat.severity == "notice"  # 4 of 448 are 0.9%

    def test_two_items_that_both_models_get_right_are_no_claim_of_equality(self, make):
        pairs = make.agreement((1.0, 1.0), n=2, disagree=0.0)
        found = make.findings(benchmark=make.bench(pairs=pairs, method="exact"))
        caveat = only(found, "DAT107")
        assert caveat.claim.startswith("both models are right on every scored item of quiz")
        assert "nor show them equal" in caveat.claim

    def test_models_that_are_wrong_on_everything(self, make):
        pairs = make.agreement((0.0,), n=2)
        found = make.findings(benchmark=make.bench(pairs=pairs, method="exact"))
        assert only(found, "DAT107").claim.startswith("A is wrong on every scored item of quiz")
