"""The parts of the `caveat` command, and one run of it."""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from cyclopts import App, Group

from caveat import __version__
from caveat.cli import data, simulate
from caveat.cli.agree import agree
from caveat.cli.check import check
from caveat.cli.claim import claim
from caveat.cli.compare import compare
from caveat.cli.consoles import PipedConsole, flush_answer
from caveat.cli.doctor import doctor
from caveat.cli.exits import FINE
from caveat.cli.exporting import export
from caveat.cli.failures import Failures
from caveat.cli.importing import import_
from caveat.cli.rank import rank
from caveat.cli.report import report
from caveat.cli.rules import rules
from caveat.cli.session import SESSION
from caveat.cli.stress import stress
from caveat.cli.tokens import wants_json

app = App(
    name="caveat",
    help="""How far can you trust an evaluation of language models?

Example: caveat report votes.csv responses.parquet""",
    help_format="plaintext",
    version=__version__,
    version_flags=("--version",),
    result_action="return_value",
)
_COMMANDS: tuple[tuple[Callable[..., int], str, str], ...] = (
    (report, "report", "SOURCE..."),
    (check, "check", "SOURCE..."),
    (rank, "rank", "VOTES..."),
    (stress, "stress", "VOTES..."),
    (agree, "agree", "RESPONSES..."),
    (compare, "compare", "A B RESPONSES..."),
    (claim, "claim", "CLAIMS [RESPONSES...]"),
    (doctor, "doctor", "SOURCE..."),
    (import_, "import", "SOURCE... [--out FOLDER]"),
    (export, "export", "SOURCE... --to FORMAT --out FOLDER"),
    (rules, "rules", "[CODE]"),
)
for place, (command, name, arguments) in enumerate(_COMMANDS):
    usage = f"Usage: caveat {name} {arguments} [OPTIONS]"
    app.command(command, name=name, usage=usage, sort_key=place)
app.command(simulate.app)
app.command(data.app)
OPTIONS = Group("Options", sort_key=1)
app.register_install_completion_command(group=OPTIONS, help="Set up completion in your shell.")
for option in ("--help", "--version"):
    app[option].group = OPTIONS


def run(tokens: Sequence[str]) -> int:
    """Run one command line and return its exit code; only interruptions are raised."""
    failures = Failures(as_json=wants_json(tokens), debug="--debug" in tokens)
    app.console = PipedConsole(file=sys.stdout)  # what --help writes to
    try:
        command, bound, _ = app.parse_args(tokens, exit_on_error=False, print_error=False)
        if "session" in bound.signature.parameters:
            session = bound.arguments.get("session", SESSION)
            line = shlex.join(["caveat", *tokens])
            bound.arguments["session"] = replace(session, command=line)
        code = command(*bound.args, **bound.kwargs)
        flush_answer()
    except BrokenPipeError:
        raise
    except Exception as error:  # the last place where one can be told
        return failures.report(error)
    return code if isinstance(code, int) else FINE
