"""The report as a reader gets it: a file opened offline in a real browser."""

import struct

import pytest

import caveat
from caveat.reports.html.render import write_html
from caveat.reports.visible import visible

pytestmark = pytest.mark.browser

DRAWN = """[...document.querySelectorAll('[data-plot]')].map(
    (box) => box.dataset.drawn === 'yes' && box.querySelector('svg, canvas') !== null)"""
INK = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="session")
def report_file(make, tmp_path_factory):
    return write_html(make.report(), tmp_path_factory.mktemp("report") / "report.html")


@pytest.fixture(scope="session")
def big_file(make, tmp_path_factory):
    findings = make.Findings(
        ranking=make.ranking(make.names(129), with_unrated=True),
        benchmarks=(make.benchmark(make.names(29)),),
    )
    path = tmp_path_factory.mktemp("big") / "report.html"
    return write_html(make.report(findings=findings), path)


@pytest.fixture(scope="session")
def hostile_file(make, tmp_path_factory):
    return write_html(make.hostile_report(), tmp_path_factory.mktemp("hostile") / "report.html")


def size_of(path):
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", head[16:24])


def middle(browser, selector):
    """Scroll to a mark and return its middle, once the page has come to rest."""
    return browser.ask(
        f"""(async () => {{
          document.documentElement.style.scrollBehavior = 'auto';
          const mark = document.querySelector({selector!r});
          mark.scrollIntoView({{ block: 'center' }});
          for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
          const box = mark.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()"""
    )


@pytest.mark.parametrize("name", ["report_file", "big_file", "hostile_file"])
def test_it_opens_offline_without_a_complaint_and_draws_every_plot(browser, request, name):
    path = request.getfixturevalue(name)
    browser.emulate()
    browser.open(path)
    assert browser.complaints() == []
    assert browser.requests() == [path.resolve().as_uri()]
    assert browser.ask(DRAWN) == [True] * 5


@pytest.mark.parametrize(
    ("theme", "width"), [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)]
)
def test_pictures_in_both_themes_and_on_a_phone(browser, report_file, tmp_path, theme, width):
    browser.emulate(theme=theme, width=width, mobile=width == 390)
    browser.open(report_file)
    assert browser.ask("document.documentElement.scrollWidth") == width  # no sideways scroll
    assert browser.ask("document.documentElement.dataset.inked") == theme
    picture = browser.picture(tmp_path / f"{theme}-{width}.png", whole=True)
    assert size_of(picture) == (width, browser.ask("document.documentElement.scrollHeight"))
    assert picture.stat().st_size > 50_000  # an empty page of this size is about 20 kB
    assert browser.complaints() == []


def test_the_button_turns_page_and_plots(browser, report_file):
    browser.emulate(theme="light")
    browser.open(report_file)
    light = browser.ask(INK)
    browser.ask("document.getElementById('theme').click()")
    browser.wait("document.documentElement.dataset.inked === 'dark'")
    assert browser.ask(INK) != light
    assert browser.ask("document.getElementById('theme').textContent") == "Light theme"
    assert browser.ask(DRAWN) == [True] * 5
    assert browser.complaints() == []


def test_plots_follow_the_theme_of_the_system(browser, report_file):
    browser.emulate(theme="light")
    browser.open(report_file)
    browser.emulate(theme="dark")
    browser.wait("document.documentElement.dataset.inked === 'dark'")
    assert browser.ask(DRAWN) == [True] * 5


@pytest.mark.parametrize(
    "mark",
    [
        "#rank-intervals svg .mark-symbol path",
        "#win-matrix svg .mark-rect path",
        "#benchmark-1-scores svg .mark-rect path",
        "#benchmark-1-same-score svg .mark-symbol path",
        "#benchmark-1-pairs svg .mark-rect path",
    ],
)
def test_hover_shows_figures_and_hostile_names_as_text(browser, make, hostile_file, mark):
    browser.emulate(theme="light")
    browser.open(hostile_file)
    browser.move(1, 1)
    browser.move(*middle(browser, mark))
    browser.wait("!document.querySelector('.tip').hidden")
    tip = browser.ask("document.querySelector('.tip dd').textContent")
    assert tip in [visible(name) for name in make.HOSTILE]
    assert browser.ask("document.querySelectorAll('.tip :not(dl, dt, dd)').length") == 0
    assert browser.ask("document.querySelectorAll('img, main script').length") == 0


def test_axis_labels_are_the_names(browser, make, report_file):
    browser.emulate(theme="light")
    browser.open(report_file)
    labels = browser.ask(
        "[...document.querySelectorAll('#rank-intervals svg text')].map((t) => t.textContent)"
    )
    assert set(make.names(8)) <= set(labels)


def test_a_tall_plot_unfolds(browser, big_file):
    browser.emulate(theme="light")
    browser.open(big_file)
    height = "document.querySelector('#rank-intervals .frame').clientHeight"
    folded = browser.ask(height)
    browser.ask("document.querySelector('[data-unfold]').click()")
    assert folded < 800
    assert browser.ask(height) > 129 * 19
    assert browser.ask("document.querySelector('[data-unfold]').ariaExpanded") == "true"


def test_a_dark_page_prints_on_white(browser, report_file):
    browser.emulate(theme="dark")
    browser.open(report_file)
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.call("Emulation.setEmulatedMedia", media="print", features=dark)
    assert browser.ask(INK) == "rgb(255, 255, 255)"
    assert "invert" in browser.ask("getComputedStyle(document.querySelector('.plot')).filter")
    browser.call("Emulation.setEmulatedMedia", media="")


def test_a_live_table_is_sorted_and_filtered(browser, tmp_path):
    lines = ["item,model,target,prediction,n_options"]
    for i in range(60):
        for j in range(12):
            right = (i * 7 + j * 11) % 13 < j + 1
            lines.append(f"q{i:02d},m{j},A,{'A' if right else 'BCD'[(i + j) % 3]},4")
    source = tmp_path / "answers.csv"
    source.write_text("\n".join(lines))
    path = write_html(caveat.report(source), tmp_path / "report.html")
    browser.emulate(theme="light")
    browser.open(path)
    assert browser.complaints() == []
    live = "document.querySelector('[data-live]')"
    column = f"[...{live}.querySelectorAll('tbody tr')].map((r) => r.cells[2].textContent)"

    def shares():
        return [float(text.rstrip("%")) for text in browser.ask(column)]

    sort = f"{live}.querySelectorAll('thead .sort')[2].click()"
    browser.ask(sort)
    assert shares() == sorted(shares())
    browser.ask(sort)
    assert shares() == sorted(shares(), reverse=True)
    assert browser.ask(f"{live}.querySelector('[aria-sort]').cellIndex") == 2
    browser.ask(
        f"(() => {{ const i = {live}.querySelector('input'); i.value = 'q07'; "
        "i.dispatchEvent(new Event('input')); })()"
    )
    assert browser.ask(
        f"[...{live}.querySelectorAll('tbody tr')].filter((r) => !r.hidden)"
        ".every((r) => r.textContent.includes('q07'))"
    )
