import io

from rich.console import Console

from caveat.cli.progress import PATIENCE, Stages


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def terminal() -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    return Console(file=file, force_terminal=True, width=80, markup=False), file


def test_short_work_shows_nothing():
    console, file = terminal()
    clock = Clock()
    with Stages(console, clock) as stages:
        clock.now = PATIENCE / 2
        stages("reading", 1, 10)
    assert file.getvalue() == ""


def test_long_work_shows_its_stages_and_cleans_up():
    console, file = terminal()
    clock = Clock()
    with Stages(console, clock) as stages:
        clock.now = 2 * PATIENCE
        stages("reading", 1, 10)
        stages("rating models", 0, None)
    text = file.getvalue()
    assert "rating models" in text
    assert text.endswith("\x1b[2K")  # the line is erased


def test_the_name_of_a_file_cannot_steer_the_terminal():
    console, file = terminal()
    clock = Clock()
    with Stages(console, clock) as stages:
        clock.now = 2 * PATIENCE
        stages("reading \x1b]0;owned\x07[bold]x[/bold]", 1, 10)
    assert "\x1b]0;" not in file.getvalue()
    assert "[bold]x" in file.getvalue()
