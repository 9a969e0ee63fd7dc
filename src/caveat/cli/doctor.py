"""`caveat doctor`: what each source is, before anything is computed."""

from typing import TYPE_CHECKING, Any

from caveat.cli import options as given
from caveat.cli.session import SESSION, Session

if TYPE_CHECKING:
    from caveat.importers.reading import Inspection


def doctor(
    sources: given.Sources,
    /,
    *,
    session: Session = SESSION,
) -> int:
    """Say what files are, what they support and what is wrong with them; run nothing.

    Example: caveat doctor results/*.json
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put_json
    from caveat.workflows.doctor import doctor as run

    check_json(session)
    found = run(list(sources))
    put_json(session, document(session.command, {"inspections": found}))
    if not session.json_on_stdout:
        for inspection in found:
            _print(inspection, session)
    return 0


def _print(inspection: "Inspection", session: Session) -> None:
    raise NotImplementedError


Unused = Any
