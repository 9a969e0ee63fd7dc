"""How far can you trust an evaluation of language models?

Every name below loads on first use, so that `import caveat` stays cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from caveat.workflows.agree import agree as agree
    from caveat.workflows.check import check as check
    from caveat.workflows.claim import claim as claim
    from caveat.workflows.compare import compare as compare
    from caveat.workflows.exporting import export as export
    from caveat.workflows.options import Options as Options
    from caveat.workflows.rank import rank as rank
    from caveat.workflows.read import read as read
    from caveat.workflows.read import read_responses as read_responses
    from caveat.workflows.read import read_voters as read_voters
    from caveat.workflows.read import read_votes as read_votes
    from caveat.workflows.report import report as report
    from caveat.workflows.stress import stress as stress

__version__ = "0.1.0"

_WHERE = {
    "Options": "caveat.workflows.options",
    "agree": "caveat.workflows.agree",
    "check": "caveat.workflows.check",
    "claim": "caveat.workflows.claim",
    "compare": "caveat.workflows.compare",
    "export": "caveat.workflows.exporting",
    "rank": "caveat.workflows.rank",
    "read": "caveat.workflows.read",
    "read_responses": "caveat.workflows.read",
    "read_voters": "caveat.workflows.read",
    "read_votes": "caveat.workflows.read",
    "report": "caveat.workflows.report",
    "stress": "caveat.workflows.stress",
}
__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:  # noqa: ANN401 - lazily loaded names have every type
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
