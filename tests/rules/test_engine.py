"""Selecting rules, setting thresholds, sorting caveats, and saying what could not run."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from caveat.errors import InputError
from caveat.results.families import FAMILIES
from caveat.results.quality import Duplicates
from caveat.results.report import Findings
from caveat.rules import registry
from caveat.rules.engine import Selection, not_run, run_rules
from caveat.rules.registry import RULES


def chosen(**selection):
    wanted = Selection(**selection)
    return {code for code in RULES.names() if wanted.wants(code)}


def family(name):
    return {code for code in RULES.names() if code.startswith(name)}


def test_everything_runs_by_default():
    assert chosen() == set(RULES.names())


def test_select_takes_families_and_codes():
    assert chosen(select=["RNK", "DAT104"]) == family("RNK") | {"DAT104"}


def test_ignore_takes_families_and_codes():
    assert chosen(ignore=["RNK", "DAT104"]) == set(RULES.names()) - family("RNK") - {"DAT104"}


def test_the_longer_name_wins():
    assert chosen(select=["RNK201"], ignore=["RNK"]) == {"RNK201"}
    assert chosen(select=["RNK"], ignore=["RNK201"]) == family("RNK") - {"RNK201"}


def test_ignore_wins_a_draw():
    assert chosen(select=["RNK"], ignore=["RNK"]) == set()


@pytest.mark.parametrize("name", ["XYZ", "RNK999", "", "rnk201", "RNK2011"])
@pytest.mark.parametrize("argument", ["select", "ignore"])
def test_an_unknown_name_is_an_error_that_lists_the_families(argument, name):
    with pytest.raises(InputError, match=rf"{argument}: .*{name!r}.* AGR, CST, DAT, .*RNK"):
        Selection(**{argument: [name]})


def test_a_bare_string_is_not_a_list_of_letters():
    with pytest.raises(InputError, match="select must be a list of codes or families, got 'RNK'"):
        Selection(select="RNK")


def test_thresholds_lie_over_the_defaults():
    selection = Selection(thresholds={"DAT103": {"notice": 0.5}})
    assert selection.thresholds_of(RULES.get("DAT103")) == {"notice": 0.5, "warning": 0.15}
    assert selection.thresholds_of(RULES.get("DAT102")) == {"share": 0.01}


def test_a_changed_threshold_changes_what_fires(planted):
    wide = Selection(thresholds={"DAT103": {"notice": 0.04}})
    assert [c.code for c in run_rules(planted["DAT103"].silent, wide)] == ["DAT103"]


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ({"RNK999": {}}, "rule code must be one of .* got 'RNK999'"),
        ({"DAT102": {"shares": 1}}, "rule DAT102 has no threshold 'shares'; it has share"),
        ({"RNK205": {"share": 1}}, "rule RNK205 has no threshold 'share'; it has none"),
        ({"DAT102": 0.1}, r"rules\.DAT102 must be a table of thresholds, got 0\.1"),
        ({"DAT102": {"share": "a"}}, r"rules\.DAT102\.share must be a number .* got 'a'"),
        ({"DAT102": {"share": True}}, "got True"),
        ({"DAT102": {"share": float("nan")}}, "got nan"),
        ({"DAT102": {"share": float("inf")}}, "got inf"),
        ({"DAT102": {"share": -0.1}}, r"at least 0, got -0\.1"),
    ],
)
def test_a_bad_threshold_is_an_error_that_says_what_is_allowed(thresholds, message):
    with pytest.raises(InputError, match=message):
        Selection(thresholds=thresholds)


def test_the_most_severe_comes_first_then_the_code(make):
    benchmark = make.bench(fills=(make.fill(),), missing=(make.gap(),))
    found = make.findings(
        benchmark=benchmark, models={}, ranking=replace(make.split_board(), order_known=False)
    )
    assert [(c.severity.value, c.code) for c in run_rules(found, Selection())] == [
        ("serious", "DAT104"),
        ("serious", "RNK202"),
        ("notice", "DAT101"),
        ("info", "CST501"),
        ("info", "RNK205"),
    ]


def test_checks_without_evidence_are_listed_with_the_reason(make):
    listed = {entry.check[:6]: entry.why for entry in not_run(Findings(), Selection())}
    assert set(listed) == {rule.code for rule in RULES if rule.needs != "any"}
    assert listed["RNK201"] == "no votes among the sources"
    assert listed["AGR301"] == "no item-level responses among the sources"
    assert not_run(make.findings(), Selection()) == ()


def test_ignored_checks_are_not_listed():
    listed = not_run(Findings(), Selection(select=["RNK"], ignore=["RNK201"]))
    assert {entry.check[:6] for entry in listed} == family("RNK") - {"RNK201"}


def test_skipped_parts_are_named_by_title_and_benchmark(make):
    found = make.findings(benchmark=make.bench(skipped=(("DAT105 gold", "no gold answers"),)))
    (entry,) = not_run(found, Selection())
    assert entry.check == "DAT105 gold answer differs between models (quiz)"
    assert entry.why == "no gold answers"
    assert not_run(found, Selection(ignore=["DAT105"])) == ()


def test_scores_that_do_not_exist_match_no_models(make):
    nan = float("nan")
    found = make.findings(benchmark=make.bench(pairs=make.agreement((nan,) * 4)))
    assert [e.why for e in not_run(found, Selection())] == ["quiz has no scores to match models by"]
    assert run_rules(found, Selection()) == ()


def test_one_model_alone_has_nothing_to_be_compared_with(make):
    found = make.findings(benchmark=make.bench(pairs=make.agreement((0.7,))))
    assert {entry.check[:6] for entry in not_run(found, Selection())} == {"AGR301", "DAT101"}


def test_a_reason_is_not_told_twice(make):
    benchmark = make.bench(skipped=(("AGR301 same score", "no predictions in the source"),))
    found = make.findings(benchmark=replace(benchmark, agreement=None))
    assert [entry.why for entry in not_run(found, Selection())] == ["no predictions in the source"]


def test_a_board_without_a_lead_cannot_be_judged(make):
    found = make.findings(ranking=make.board(lead=None))
    assert [e.check[:6] for e in not_run(found, Selection())] == ["RNK201"]


def test_caveats_about_duplicates_need_neither_votes_nor_responses():
    found = Findings(duplicates=(Duplicates(kind="votes", count=1, rows_read=10),))
    assert [c.code for c in run_rules(found, Selection())] == ["DAT102"]


def test_codes_are_well_formed_and_in_order():
    assert list(RULES.names()) == sorted(RULES.names())
    assert all(len(c) == 6 and c[:3].isupper() and c[3:].isdigit() for c in RULES.names())


def test_every_family_is_described_and_none_is_empty():
    assert set(FAMILIES) >= {rule.family for rule in RULES}


def test_rule_modules_import_results_and_errors_only():
    allowed = ("caveat.results", "caveat.errors", "caveat._registry", "caveat.rules")
    for path in Path(registry.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            foreign = [n for n in names if n.startswith("caveat") and not n.startswith(allowed)]
            assert not foreign, f"{path.name} imports {foreign}"
            assert not {n.partition(".")[0] for n in names} & {"numpy", "scipy", "pyarrow"}
