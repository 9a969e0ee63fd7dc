"""All stress tests of one vote set, on the page and on a terminal, with names that attack both."""

import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
import vl_convert
from rich.console import Console

from caveat.reports.html.page import page_of
from caveat.reports.html.render import render_html
from caveat.reports.labels import LABELS
from caveat.reports.overview import gravest, overview
from caveat.reports.referee import ROWS, TOP, print_stress
from caveat.reports.shortening import cut
from caveat.reports.stress.sections import stress_sections
from caveat.reports.terminal import print_report
from caveat.reports.visible import visible
from caveat.results.parts import Untested
from caveat.rules.registry import RULES
from caveat.workflows.stress_parts import TESTS

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]")


class Reader(HTMLParser):
    """Elements, attributes, ids and text of a page."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text, self.inside = [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.append((tag, dict(attrs)))
        self.inside.append(tag)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        if self.inside and self.inside[-1] not in ("script", "style"):
            self.text.append(data)

    def values(self, name):
        return [a[name] for _, a in self.attributes if a.get(name)]


@pytest.fixture(scope="module")
def pages(stressed):
    return tuple(render_html(report) for report in stressed)


@pytest.fixture(scope="module")
def read(pages):
    return Reader(pages[0])


def printed(report, *, tty=False, width=400):
    console = Console(
        file=io.StringIO(), width=width, force_terminal=tty, color_system=None, markup=False
    )
    print_stress(report.findings.stress, report.caveats, console)
    return console.file.getvalue()


def test_every_stress_test_ran(stressed):
    for report in stressed:
        assert report.findings.stress.untested == ()
        assert len(stress_sections(report.findings.stress)) == len(TESTS)


def test_every_test_has_a_label_and_a_section_of_its_name(stressed):
    names = [section.name for section in stress_sections(stressed[1].findings.stress)]
    assert sorted(names) == sorted(test.name for test in TESTS)
    assert set(names) <= set(LABELS)


def test_sections_say_in_a_few_words_what_they_found_and_which_caveats_are_theirs(stressed):
    sections = stress_sections(stressed[1].findings.stress)
    for section in sections:
        assert 10 < len(section.found) < 140
        assert not section.found.endswith(".")
        assert section.sentences
        assert all(sentence.endswith(".") for sentence in section.sentences)
        assert section.codes
        assert set(section.codes) <= set(RULES.names())
    codes = [code for section in sections for code in section.codes]
    assert len(codes) == len(set(codes))


def test_the_page_lists_each_test_with_what_it_found_and_raised(stressed, read):
    block = page_of(stressed[0]).stress
    hrefs, ids = read.values("href"), read.values("id")
    raised = [one.id for section in block.sections for one in section.raised]
    assert raised
    for section in block.sections:
        assert hrefs.count(f"#{section.id}") == 2  # in the contents and in the list
        assert section.id in ids
    for identity in raised:
        assert hrefs.count(f"#{identity}") == 2  # in the list and in the section
        assert identity in ids
    assert len(ids) == len(set(ids))
    assert {href[1:] for href in hrefs} <= set(ids)
    some = sum(bool(section.raised) for section in block.sections)
    assert block.lead == f"13 of 13 tests could run on these votes; {some} of them raised a caveat."


def test_a_badge_leads_to_its_caveat(stressed, pages):
    code = next(c.code for c in stressed[0].caveats if c.code.startswith("VOT4"))
    assert re.search(f'<a class="badge [a-z]+" href="#{code}">[a-z]+ {code}</a>', pages[0])
    assert re.search(f'<article id="{code}" class="caveat [a-z]+">', pages[0])


def test_tests_that_could_not_run_are_listed_with_the_reason(stressed):
    report = stressed[1]
    without = (Untested(part="style", why="votes hold no lengths, see `chars_a`"),)
    stress = replace(report.findings.stress, untested=without)
    page = render_html(replace(report, findings=replace(report.findings, stress=stress)))
    words = " ".join("".join(Reader(page).text).split())
    ran = len(stress_sections(stress))
    assert f"{ran} of {ran + 1} tests could run" in words
    assert "Tests that could not run, and why Length and stylevotes hold no lengths" in words
    assert '<a href="#untested">' in page
    assert "<code>chars_a</code>" in page
    text = printed(replace(report, findings=replace(report.findings, stress=stress)))
    assert text.endswith("   Length and style: votes hold no lengths, see `chars_a`\n")


def test_hostile_names_make_no_element_and_no_attribute(pages, read):
    plain = Reader(pages[1])
    assert read.tags == plain.tags
    for _, attributes in read.attributes:
        assert not [name for name in attributes if name.startswith("on")]
    assert "svg" not in read.tags
    assert "img" not in read.tags
    policy = next(a["content"] for _, a in read.attributes if "http-equiv" in a)
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_every_name_can_be_read_on_the_page(hostile, read):
    text = "".join(read.text)
    for name in hostile.NAMES:
        assert visible(cut(name, 120)) in text
    assert not CONTROL.search(text)
    long = next(name for name in hostile.NAMES if len(name) > 500)
    assert long in read.values("title")  # in full on hover


def test_every_drawing_of_hostile_names_follows_the_schema_and_holds_no_markup(stressed):
    altair = pytest.importorskip("altair")
    plots = page_of(stressed[0]).plots
    names = [plot.name for plot in plots]
    assert len(names) == len(set(names))
    for plot in plots:
        json.dumps(plot.spec, allow_nan=False)
        few = {"values": plot.spec["data"]["values"][:3]}  # each takes the validator a while
        altair.Chart.from_dict(plot.spec | {"data": few}, validate=True)
        wide = {"width": 500} if "container" in json.dumps(plot.spec) else {}
        svg = vl_convert.vegalite_to_svg(plot.spec | wide)
        assert "<script" not in svg
        assert "<img" not in svg
        assert plot.description
        assert plot.table.rows


def test_the_referee_opens_with_who_is_first_and_the_gravest_finding(stressed):
    report = stressed[1]
    text = printed(report).splitlines()
    lead = report.findings.ranking.lead
    worst = gravest(report.caveats)
    assert text[0].startswith(f"{lead.leader} leads {lead.runner_up} by ")
    assert "at a joint level of 95% a difference counts from" in text[0]
    assert text[2] == (
        "This stands on 1,200 votes between 14 models, cast by 60 voters, rated by Davidson with "
        "sandwich intervals."
    )
    assert text[3].startswith(f"The gravest of {len(report.caveats)} findings ")
    assert worst.claim.removesuffix(".") in text[3]


def test_the_referee_numbers_its_sections_and_lists_caveats_by_severity(stressed):
    report = stressed[1]
    text = printed(report)
    sections = stress_sections(report.findings.stress)
    places = [text.index(f"\n{k}. {s.title}\n") for k, s in enumerate(sections, start=1)]
    assert places == sorted(places)
    last = text.index(f"\n{len(report.caveats)} caveats\n")
    assert last > places[-1]
    ranks = [
        next(c.severity.rank for c in report.caveats if f" {c.code} " in line)
        for line in text[last:].splitlines()
        if re.match("   (serious|warning|notice|info) ", line)
    ]
    assert len(ranks) == len(report.caveats)
    assert ranks == sorted(ranks, reverse=True)


def test_the_referee_keeps_tables_short_and_counts_the_rest(stressed):
    report = stressed[1]
    text = printed(report)
    for section in stress_sections(report.findings.stress):
        for table in section.tables:
            start = text.index(f"   {table.caption}\n")
            lines = text[start:].splitlines()[1:]
            shown = min(ROWS, len(table.rows))
            assert lines[0].split()[0] == table.columns[0].name.split()[0]
            more = len(table.rows) - shown
            if more:
                assert lines[1 + shown] == f"   ... and {more} more"
    assert f"... and {14 - TOP} more" in text


@pytest.mark.parametrize("tty", [False, True])
def test_hostile_names_reach_no_terminal(stressed, tty):
    text = printed(stressed[0], tty=tty)
    assert not CONTROL.search(text)
    assert "[bold red]markup[/bold red]" in text
    assert "\\u202egnp.exe" in text
    assert "m" * 100 not in text


def test_a_narrow_terminal_gets_whole_columns_and_no_line_beyond_its_edge(stressed):
    text = printed(stressed[1], tty=True, width=90)
    for line in text.splitlines():
        # tables are cut to columns; captions and notes of a line may wrap by themselves
        if re.match(r"   (model-\d\d|Model) ", line):
            assert len(line) <= 90
    assert "Too narrow here for: " in text


def test_the_overview_takes_the_gravest_caveat_of_a_test(make, stressed):
    sections = stress_sections(stressed[1].findings.stress)
    drop = next(section for section in sections if section.name == "drop")
    mild = make.caveat(code="RNK209", severity=make.Severity.NOTICE)
    grave = make.caveat(code="VOT402", severity=make.Severity.SERIOUS)
    (line,) = overview([drop], [mild, grave])
    assert line.severity is make.Severity.SERIOUS
    assert line.raised == (grave, mild)
    (quiet,) = overview([drop], [])
    assert quiet.severity is None
    assert gravest([]) is None


def test_caveat_report_lists_the_stress_tests_too(stressed):
    console = Console(file=io.StringIO(), width=400, markup=False)
    print_report(stressed[1], console)
    text = console.file.getvalue()
    assert f"{len(stress_sections(stressed[1].findings.stress))} stress tests ran, " in text
    for number, section in enumerate(stress_sections(stressed[1].findings.stress), start=1):
        assert re.search(rf"\n *{number}\. .*{re.escape(section.found)}\n", text)
