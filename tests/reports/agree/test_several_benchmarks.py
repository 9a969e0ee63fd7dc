"""A page about several benchmarks: every figure is that of its own."""

import re
from collections import Counter

import pytest

import caveat
from caveat.reports.html.page import page_of
from caveat.reports.html.render import render_html


@pytest.fixture(scope="module")
def report():
    """Two benchmarks of the same models, who answer otherwise on the second."""
    rows = {name: [] for name in ("benchmark", "item", "model", "task", "prediction", "target")}
    for shift, benchmark in enumerate("bc"):
        for k in range(60):
            for j, model in enumerate("vwxyz"):
                right = (k + shift) % 6 >= j
                cells = (benchmark, f"q{k}", model, f"t{k % 3}", "AB"[not right], "A")
                for name, value in zip(rows, cells, strict=True):
                    rows[name].append(value)
    return caveat.report(rows)


def test_no_two_things_on_the_page_have_one_id(report):
    ids = Counter(re.findall(r'\sid="([^"]+)"', render_html(report)))
    assert [name for name, count in ids.items() if count > 1] == []


def test_every_plot_has_a_name_of_its_own(report):
    page = page_of(report)
    names = [plot.name for plot in page.plots]
    assert len(names) == len(set(names))
    one, other = (len(section.compared.sections) for section in page.benchmarks)
    assert one == other > 5


def test_links_of_the_contents_lead_to_sections(report):
    html = render_html(report)
    contents = html[html.index("<nav") : html.index("</nav>")]
    for link in re.findall(r'href="#([^"]+)"', contents):
        assert re.search(rf'<(section|footer) id="{re.escape(link)}"', html), link
