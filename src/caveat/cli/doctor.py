"""`caveat doctor`: what each source is, and what is wrong with it, before anything is computed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session
from caveat.cli.sources import each_once

if TYPE_CHECKING:
    from caveat.importers.inspecting import Inspection

SHOWN_PARTS = 20
SHOWN_PROBLEMS = 10


def doctor(sources: given.Sources, /, *, session: Session = SESSION) -> int:
    """Say what files are, what they support and what is wrong with them; run nothing.

    Example: caveat doctor results/*.json
    """
    from caveat.cli.documents import document
    from caveat.cli.exits import FINE, MISUSE
    from caveat.cli.outputs import check_json, put_json
    from caveat.reports.visible import visible
    from caveat.workflows.doctor import doctor as run

    check_json(session)
    with session.progress() as progress:
        found = run(each_once(sources), progress=progress)
    put_json(session, document(session.command, {"inspections": found}))
    if not session.json_on_stdout:
        for inspection in found:
            for line in _lines(inspection):
                session.out.print(visible(line), soft_wrap=True)
    fine = all(inspection.supports and not inspection.refused for inspection in found)
    return FINE if fine else MISUSE


def _lines(inspection: "Inspection", indent: str = "") -> Iterator[str]:
    from caveat.importers._base import LEFT_OUT
    from caveat.reports.numbers import size

    form = ", ".join(_form(inspection))
    kind = inspection.kind or ("evidence" if inspection.supports else "no evidence")
    yield f"{indent}{inspection.name}: {kind} ({form}{', ' if form else ''}{size(inspection.size)})"
    if inspection.supports:
        yield f"{indent}  supports: {', '.join(inspection.supports)}"
    used = [f"{new} = {old}" for old, new in inspection.columns if new not in ("", LEFT_OUT)]
    left_out = [old for old, new in inspection.columns if new == LEFT_OUT]
    extra = [old for old, new in inspection.columns if not new]
    if used:
        yield f"{indent}  columns: {', '.join(used)}"
    if extra:
        yield f"{indent}  extra columns: {', '.join(extra)}"
    if left_out:
        yield f"{indent}  left out: {', '.join(left_out)}"
    yield from (f"{indent}  note: {notice}" for notice in inspection.notices)
    of_parts = {problem for part in inspection.parts for problem in part.problems}
    problems = [p for p in inspection.problems if p == inspection.refused or p not in of_parts]
    for problem in problems[:SHOWN_PROBLEMS]:
        yield from (f"{indent}  problem: {line}" for line in problem.splitlines()[:1])
        yield from (f"{indent}    {line.strip()}" for line in problem.splitlines()[1:])
    if len(problems) > SHOWN_PROBLEMS:
        yield f"{indent}  and {len(problems) - SHOWN_PROBLEMS:,} more kinds of problem"
    for part in inspection.parts[:SHOWN_PARTS]:
        yield from _lines(part, indent + "  ")
    if len(inspection.parts) > SHOWN_PARTS:
        yield f"{indent}  ... and {len(inspection.parts) - SHOWN_PARTS:,} more"


def _form(inspection: "Inspection") -> Iterator[str]:
    if inspection.importer or inspection.format:
        yield inspection.importer or inspection.format
    if inspection.compression != "none":
        yield inspection.compression
    if inspection.rows is not None:
        yield f"{inspection.rows:,} rows"
