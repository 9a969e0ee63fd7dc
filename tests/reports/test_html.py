import re
from dataclasses import replace
from html.parser import HTMLParser
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.errors import SourceError
from caveat.reports.html import render
from caveat.reports.html.render import embed_json, render_html, sentence, write_html
from caveat.reports.visible import visible
from caveat.results.ranking import Dependence, Judge, Judges

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Reader(HTMLParser):
    """The text, the elements and the headings of a page, as a browser would see them."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.text, self.tags, self.attributes, self.headings = [], [], [], []
        self.ids, self.open = [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)

    @property
    def words(self):
        return " ".join("".join(self.text).split())


@pytest.fixture(scope="module")
def page(make):
    return render_html(make.report())


@pytest.fixture(scope="module")
def read(page):
    return Reader(page)


def test_the_page_says_what_the_report_found(read, make):
    report = make.report()
    words = read.words
    assert words.index(report.verdict) < words.index("Caveats")
    for caveat in report.caveats:
        assert caveat.claim in words
        assert caveat.remedy in words
    order = [words.index(caveat.claim) for caveat in report.caveats]
    assert order == sorted(order)  # gravest first
    for said in (
        "atlas-1 leads borealis-instruct-1 by 4 points (z = 2.0; at a joint level of 95% a "
        "difference counts from 3.4).",
        "The votes do not tell the two apart.",
        "newcomer: never beaten or tied by anyone outside",
        "Checks that could not run, and why",
        "votes name no voters",
        "10,100 rows read, 10,000 kept, 100 dropped.",
        "a model against itself",
        "ab" * 32,
        "1.2 MB",
        report.command,
        "20240101",
        "31 January 2026, 12:00 UTC",
    ):
        assert said in words


def test_the_document_is_sound(read):
    assert not read.open
    assert len(read.ids) == len(set(read.ids))
    targets = {a["href"][1:] for t, a in read.attributes if t == "a"}
    assert targets <= set(read.ids)
    labels = {a["aria-labelledby"] for _, a in read.attributes if "aria-labelledby" in a}
    assert labels <= set(read.ids)


def test_a_screen_reader_finds_its_way(read):
    assert {"header", "nav", "main", "footer"} <= set(read.tags)
    assert read.headings[0] == 1
    assert read.headings.count(1) == 1
    steps = [b - a for a, b in zip(read.headings, read.headings[1:], strict=False)]
    assert max(steps) <= 1
    assert read.tags.count("caption") == read.tags.count("table")
    assert all(a.get("scope") in ("col", "row") for t, a in read.attributes if t == "th")
    plots = [a for t, a in read.attributes if "data-plot" in a]
    assert len(plots) == read.tags.count("figure") == read.tags.count("figcaption") == 5
    assert all(a["role"] == "img" and a["aria-label"] for a in plots)


def test_nothing_is_fetched_and_only_own_code_may_run(page, read):
    assert not any(
        a.get(name) for t, a in read.attributes for name in ("src", "style", "onclick", "onload")
    )
    assert all(a["href"].startswith("#") for t, a in read.attributes if "href" in a)
    policy = next(a["content"] for t, a in read.attributes if "http-equiv" in a)
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert policy.count("sha256-") == 3
    assert "@import" not in page
    assert "url(" not in render._asset("style.css")


def test_the_drawing_library_comes_only_with_a_drawing(make, page):
    empty = render_html(make.empty_report())
    assert len(empty) < 40_000
    assert "vegaEmbed=" not in empty
    assert "No check that ran raised a caveat." in Reader(empty).words
    assert len(page) < 1_100_000  # the library is 0.9 MB of it


def test_votes_alone_and_answers_alone_make_a_page(make):
    votes = Reader(render_html(make.votes_only()))
    answers = Reader(render_html(make.responses_only()))
    assert "ranking" in votes.ids
    assert "benchmark-1" not in votes.ids
    assert "ranking" not in answers.ids
    assert "benchmark-1" in answers.ids


def test_sound_data_is_said_to_be_sound(make):
    found = make.benchmark(sound=True)
    report = make.report(findings=make.Findings(benchmarks=(found,)))
    assert "Nothing found by the checks that ran." in Reader(render_html(report)).words


def test_one_model_and_no_lead(make):
    text = Reader(render_html(make.votes_only(make.names(1)))).words
    assert "Fewer than two models have a rating" in text


def test_commands_in_a_remedy_are_code_and_nothing_else_is(make):
    hurt = make.caveat(remedy="Run `caveat rank <b>` & see.", claim="`a`")
    page = render_html(make.report(caveats=(hurt,)))
    assert "Run <code>caveat rank &lt;b&gt;</code> &amp; see." in page
    assert "<code>a</code>" not in page


def test_a_caveat_names_its_file_without_the_folder(make):
    page = render_html(make.report(caveats=(make.caveat(sources=("/deep/in/a.csv", "b/c.csv")),)))
    assert "<bdi>a.csv, c.csv</bdi>" in page
    assert 'title="/deep/in/a.csv, b/c.csv"' in page


def test_evidence_of_any_shape_is_laid_out(make):
    evidence = {
        "p": 0.0,
        "nothing": None,
        "names": ["a", "b"],
        "nested": {"x": 1, "y": [1, 2]},
        "rows": [{"model": "m", "share": 0.25}, {"model": "n", "adjusted_p": 1e-9}] * 30,
        "empty": [],
    }
    read = Reader(render_html(make.report(caveats=(make.caveat(evidence=evidence),))))
    for said in ("< 0.001", "a, b", "nested: x", "nested: y", "adjusted p", "10 more in the file"):
        assert said in read.words


def test_many_caveats_of_a_family_fold(make):
    page = render_html(make.report(caveats=(make.caveat(),) * 40))
    assert "15 more" in page


def test_long_tables_fold_after_25_rows(make):
    text = render_html(make.votes_only(make.names(129)))
    assert "104 more rows" in text


def test_hostile_names_are_text_everywhere(make):
    page = render_html(make.hostile_report())
    read, plain = Reader(page), Reader(render_html(make.hostile_report(make.names(12))))
    assert read.tags == plain.tags  # the same elements, whatever the names
    for name in make.HOSTILE:
        assert visible(name) in "".join(read.text)
    page.encode("utf-8")


# the library is left out here: it is the same bytes for every name
@given(name=st.text(st.characters(), min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)  # a page takes 10 ms, its first one 100
def test_no_name_becomes_markup(make, name):
    models = (name, "other" + name)
    with patch.object(render, "_vega", return_value=""):
        read = Reader(render_html(make.hostile_report(models)))
        plain = Reader(render_html(make.hostile_report(("plain", "otherplain"))))
    assert read.tags == plain.tags
    assert "".join(read.text).count(visible(name)) >= 10


@given(st.text())
def test_embedded_json_cannot_end_its_element(text):
    import json

    embedded = embed_json({"name": text})
    assert not set("<>&\u2028\u2029") & set(embedded)
    assert json.loads(embedded) == {"name": text}


def test_a_thousand_models_stay_small(make):
    names = make.names(1000)  # 499,500 pairs
    findings = make.Findings(ranking=make.ranking(names), benchmarks=(make.benchmark(names),))
    page = render_html(make.report(findings=findings))
    assert "1,000 pairs that disagree most are listed, of 499,500" in page
    assert "2,000 pairs with most votes are listed" in page
    assert len(page) < 3_000_000  # the library is 0.9 MB of it


def test_writing_replaces_a_file_whole(make, tmp_path):
    target = tmp_path / "report.html"
    target.write_text("old", encoding="utf-8")
    assert write_html(make.empty_report(), target) == target
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_folder_that_cannot_be_written_is_a_clear_error(make, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SourceError, match="cannot be written"):
        write_html(make.empty_report(), tmp_path / "file" / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_failure_half_way_leaves_the_old_file(make, tmp_path):
    target = tmp_path / "report.html"
    target.write_text("old", encoding="utf-8")
    with (
        patch("pathlib.Path.replace", side_effect=OSError("disk full")),
        pytest.raises(SourceError, match="disk full"),
    ):
        write_html(make.empty_report(), target)
    assert target.read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_what_votes_share_and_who_judged_is_shown(make):
    shared = Dependence(
        column="item",
        n_votes=900,
        n_clusters=80,
        votes_per_cluster=11.25,
        largest=30,
        se=3.6,
        z=2.6,
        error_ratio=1.76,
        critical=3.2,
        separable=False,
    )
    judges = Judges(
        n_judges=51,
        n_unnamed=7,
        listed=(Judge(judge="<i>atlas", n_votes=500, share=0.6, model="atlas-1"),),
        ranked_share=0.6,
    )
    board = replace(make.ranking(), dependence=(shared,), judges=judges)
    report = make.report()
    report = replace(report, findings=replace(report.findings, ranking=board))
    page = render_html(report)
    words = Reader(page).words
    assert "The lead if votes that share something count together" in words
    assert "<td>80</td><td>11.2</td><td>1.76</td><td>2.6</td><td>3.2</td>" in page
    assert "<i>atlas" in words
    assert '<td>500</td><td>60.0%</td><td class="t">atlas-1</td>' in page
    assert "50 more judges are left out. 7 votes without a judge." in words


def test_claims_begin_with_a_capital_letter_unless_they_open_with_a_name():
    assert sentence("what an answer counts as moves scores") == (
        "What an answer counts as moves scores"
    )
    assert sentence("a-model has no scores") == "a-model has no scores"
    assert sentence("") == ""
