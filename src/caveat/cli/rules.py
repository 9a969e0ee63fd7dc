"""`caveat rules`: which caveats there are, and the page of each."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from caveat.cli.session import SESSION, Session

if TYPE_CHECKING:
    from caveat.rules._rule import Rule


def rules(
    code: Annotated[
        str | None, Parameter(negative=(), help="Code to explain, or family to list.")
    ] = None,
    /,
    *,
    session: Session = SESSION,
) -> int:
    """List all caveats there are, or explain one.

    Example: caveat rules RNK201
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put_json
    from caveat.rules.pages import page
    from caveat.rules.registry import RULES

    check_json(session)
    wanted = (code or "").strip().upper()
    listed = [rule for rule in RULES if rule.family == wanted or not wanted]
    explained = not listed
    if explained:
        listed = [RULES.get(wanted)]
    described = [_described(rule) for rule in listed]
    if explained:
        described[0]["page"] = page(wanted)
    put_json(session, document(session.command, {"rules": described}))
    if session.json_on_stdout:
        return 0
    if explained:
        _show(page(wanted), session)
    else:
        _list(listed, session)
    return 0


def _described(rule: "Rule") -> dict[str, Any]:
    return {
        "code": rule.code,
        "family": rule.family,
        "title": rule.title,
        "severity": rule.severity.value,
        "needs": rule.needs,
        "thresholds": dict(rule.thresholds),
    }


def _show(text: str, session: Session) -> None:
    from caveat.cli.outputs import put

    if session.out.is_terminal:
        from rich.markdown import Markdown

        session.out.print(Markdown(text, hyperlinks=False))
    else:
        put(session, text)


def _list(listed: "Sequence[Rule]", session: Session) -> None:
    from rich.text import Text

    from caveat.results.families import FAMILIES

    for number, (family, members) in enumerate(groupby(listed, key=lambda rule: rule.family)):
        if number:
            session.out.print()
        session.out.print(Text(f"{family}  {FAMILIES.get(family, '')}", style="bold"))
        for rule in members:
            session.out.print(f"  {rule.code}  {rule.severity.value:<8} {rule.title}")
    session.say("`caveat rules CODE` explains one")
