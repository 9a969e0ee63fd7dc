"""`caveat data`: open data to try things on."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from caveat.cli.session import SESSION, Session

if TYPE_CHECKING:
    from caveat.datasets.catalogue import Entry

app = App(
    name="data",
    help="Get openly licensed data, by exact version and hash.",
    sort_key=99,
    usage="Usage: caveat data COMMAND",
)

Folder = Annotated[
    Path | None,
    Parameter(
        metavar="FOLDER", negative=(), help="Keep data here, instead of in the cache folder."
    ),
]


@app.command(name="list", usage="Usage: caveat data list [OPTIONS]", sort_key=0)
def list_(*, session: Session = SESSION) -> int:
    """List the data sets there are, with source, licence and size.

    Example: caveat data list
    """
    from rich.text import Text

    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put_json
    from caveat.datasets.catalogue import entries
    from caveat.reports.numbers import size

    check_json(session)
    found = entries()
    put_json(session, document(session.command, {"data": [_described(entry) for entry in found]}))
    if session.json_on_stdout:
        return 0
    for entry in found:
        session.out.print(Text(f"{entry.name}  {entry.title}", style="bold"), soft_wrap=True)
        for line in (
            entry.holds,
            f"{entry.kind}; {entry.source}; {entry.licence}; {size(entry.download_size)} to fetch",
        ):
            session.out.print(f"  {line}", soft_wrap=True)
    return 0


@app.command(usage="Usage: caveat data get NAME [OPTIONS]", sort_key=1)
def get(
    name: Annotated[str, Parameter(help="Name of a data set; `caveat data list` shows them.")],
    /,
    *,
    folder: Folder = None,
    session: Session = SESSION,
) -> int:
    """Bring a data set here, or find it here, and print where it lies.

    Example: caveat report $(caveat data get chatbot-arena)
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put, put_json
    from caveat.datasets.catalogue import entry
    from caveat.datasets.fetch import get as fetch

    check_json(session)
    wanted = entry(name)
    session.say(f"{wanted.title} ({wanted.licence})")
    with session.progress() as progress:
        path = fetch(
            name,
            folder=folder,
            progress=progress and (lambda done, total: progress(f"getting {name}", done, total)),
        )
    put_json(session, document(session.command, {"path": str(path), "data": _described(wanted)}))
    if not session.json_on_stdout:
        put(session, str(path))
    return 0


@app.command(usage="Usage: caveat data path [OPTIONS]", sort_key=2)
def path(*, session: Session = SESSION) -> int:
    """Print the folder that data sets are kept in.

    Example: caveat data path
    """
    from caveat.cli.documents import document
    from caveat.cli.outputs import check_json, put, put_json
    from caveat.datasets.fetch import cache_folder

    check_json(session)
    put_json(session, document(session.command, {"path": str(cache_folder())}))
    if not session.json_on_stdout:
        put(session, str(cache_folder()))
    return 0


def _described(entry: "Entry") -> dict[str, Any]:
    return {
        "name": entry.name,
        "title": entry.title,
        "kind": entry.kind,
        "holds": entry.holds,
        "source": entry.source,
        "version": entry.version,
        "licence": entry.licence,
        "checked": entry.checked.isoformat(),
        "download_size": entry.download_size,
        "files": [
            {"name": content.name, "size": content.size, "sha256": content.sha256}
            for content in entry.contents
        ],
    }
