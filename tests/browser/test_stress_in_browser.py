"""A vote set under all stress tests, with names that attack the page, in a real browser."""

import pytest

from caveat.workflows.options import Options
from caveat.workflows.report import report

pytestmark = pytest.mark.browser

DRAWN = "[...document.querySelectorAll('[data-plot]')].map((box) => box.dataset.drawn)"
CLIPPED = """[...document.querySelectorAll('figure svg')].flatMap((svg) => {
    const edge = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter((text) => {
        const box = text.getBoundingClientRect();
        return box.width && (box.left < edge.left - 2 || box.right > edge.right + 2);
    }).map((text) => svg.closest('figure').id + ': ' + text.textContent);
})"""


@pytest.fixture(scope="session")
def stressed_file(hostile, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stressed")
    path = folder / "report.html"
    options = Options(boundaries=2, shuffles=3, margins=(hostile.margins(folder),))
    made = report(list(hostile.tables()), out=path, options=options)
    assert made.findings.stress.untested == ()
    return path


@pytest.mark.parametrize(
    ("theme", "width"), [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)]
)
def test_it_draws_all_of_it_and_runs_nothing_of_the_names(browser, stressed_file, theme, width):
    browser.emulate(theme=theme, width=width, mobile=width == 390)
    browser.open(stressed_file)
    assert browser.complaints() == []
    assert browser.requests() == [stressed_file.resolve().as_uri()]
    drawn = browser.ask(DRAWN)
    assert len(drawn) > 12
    assert set(drawn) == {"yes"}
    assert (
        browser.ask("document.querySelectorAll('main img, main script, main b, td svg').length")
        == 0
    )
    assert browser.ask("document.documentElement.scrollWidth") == width  # no sideways scroll
    assert browser.ask(CLIPPED) == []


def test_the_contents_lead_to_each_test(browser, stressed_file):
    browser.emulate(theme="light")
    browser.open(stressed_file)
    links = browser.ask("[...document.querySelectorAll('nav ol ol a')].map((a) => a.hash)")
    assert links[0] == "#stress-drop"
    assert len(links) == 13
    browser.ask("document.documentElement.style.scrollBehavior = 'auto'")
    for link in links:
        browser.ask(f"document.querySelector('nav a[href=\"{link}\"]').click()")
        browser.wait(f"document.querySelector('{link}').getBoundingClientRect().top < innerHeight")
        assert browser.ask("location.hash") == link


def test_all_links_and_folds_are_reached_by_the_keyboard(browser, stressed_file):
    browser.emulate(theme="light")
    browser.open(stressed_file)
    asked = "a, button, summary, [tabindex='0']"
    assert browser.ask(f'[...document.querySelectorAll("{asked}")].every((e) => e.tabIndex >= 0)')
    browser.call("Input.dispatchKeyEvent", type="rawKeyDown", windowsVirtualKeyCode=9, key="Tab")
    assert browser.ask("document.activeElement.className") == "skip"
    scrolling = "[...document.querySelectorAll('.scroll')]"
    assert browser.ask(f"{scrolling}.every((e) => e.tabIndex === 0 && e.ariaLabel)")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_badges_can_be_read(browser, stressed_file, theme):
    browser.emulate(theme=theme)
    browser.open(stressed_file)
    lowest = browser.ask(
        """(() => {
          const light = (text) => {
            const parts = text.match(/[0-9.]+/g).slice(0, 3).map((part) => {
              const share = part / 255;
              return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
          };
          return Math.min(...[...document.querySelectorAll('a.badge')].map((badge) => {
            const style = getComputedStyle(badge);
            const pair = [light(style.color), light(style.backgroundColor)].sort((a, b) => b - a);
            return (pair[0] + 0.05) / (pair[1] + 0.05);
          }));
        })()"""
    )
    assert lowest >= 4.5  # WCAG 2 AA for small text
