"""Files a command writes: checked before the work, written whole or not at all."""

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caveat.cli.consoles import cannot_write
from caveat.cli.session import Session
from caveat.errors import InputError, SourceError

if TYPE_CHECKING:
    from caveat.results.ranking import Ranking

STDOUT = "-"
_START = 1 << 20
_JSON = re.compile(rb'\s*\{\s*"schema_version"\s*:\s*"[^"]*"\s*,\s*"command"\s*:\s*"')


def check_target(path: Path, kind: str) -> None:
    """Refuse a place that cannot be written, or that holds something not written by us.

    The second catches `--json votes.csv`, which would replace the evidence by the answer.
    """
    if str(path) == STDOUT:
        raise InputError(f"the {kind} must go to a file, got {STDOUT} (the standard output)")
    if path.is_dir():
        raise SourceError(f"{path}: is a folder; name a file for the {kind}")
    _check_writable(path, path.parent)
    if path.is_file() and not _replaceable(path, kind):
        raise SourceError(
            f"{path}: exists and is no {kind} file of caveat; name another file, or remove it"
        )


def apart(one: str, path: Path, other: str, target: str | None) -> None:
    """Refuse two answers in one file."""
    if target is not None and os.path.realpath(path) == os.path.realpath(target):
        raise InputError(f"{one} and {other} must name two files, got {path} for both")


def check_folder(path: Path) -> None:
    """Refuse a folder that can be neither written nor made."""
    if path.exists() and not path.is_dir():
        raise SourceError(f"{path}: is a file; name a folder")
    _check_writable(path, path)


def check_json(session: Session) -> None:
    """Check the file of `--json` before the work."""
    target = session.json
    if target is not None and target != STDOUT:
        check_target(Path(target), "JSON")


def put_json(session: Session, document: Mapping[str, Any]) -> None:
    """Write a document where `--json` says, if it says so."""
    from caveat._files import all_or_nothing
    from caveat.reports.json_report import to_json

    target = session.json
    if target is None:
        return
    text = to_json(document).rstrip("\n") + "\n"
    if target == STDOUT:
        put(session, text)
        return
    path = Path(target)
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")  # a device or a pipe cannot be replaced
    else:
        with all_or_nothing(path) as part:
            part.write_text(text, encoding="utf-8")
    session.say(f"JSON written to {path}")


def check_counts(path: Path | None) -> None:
    """Check the file of `--counts` before the work; only counts of ours are replaced."""
    if path is None:
        return
    if path.is_dir():
        raise SourceError(f"{path}: is a folder; name a file for the counts")
    _check_writable(path, path.parent)
    if path.is_file() and path.stat().st_size:
        from caveat.importers.counts_file import is_counts

        if not is_counts(path):
            raise SourceError(
                f"{path}: exists and holds no counts of caveat; name another file, or remove it"
            )


def check_picture_target(path: Path | None) -> None:
    """Check the file of `--plot` before the work."""
    if path is None:
        return
    from caveat.reports.plots.picture import check_picture

    check_picture(path)
    _check_writable(path, path.parent)


def put_counts(session: Session, board: "Ranking", path: Path | None) -> None:
    """Write the votes of a board added up where `--counts` says, if it says so."""
    if path is None:
        return
    if board.counts is None:
        raise InputError("--counts must be left out for weighted votes: they do not add up")
    from caveat.data.evidence import Evidence
    from caveat.importers.counts_file import write_counts

    votes = Evidence(
        kind="votes",
        table=board.counts,
        provenance=board.provenance,
        order_known=board.order_known,
    )
    write_counts(votes, path)
    session.say(f"Counts written to {path}; read them again beside new votes")


def put(session: Session, text: str) -> None:
    """Write text to the standard output as it is."""
    try:
        session.out.file.write(text if text.endswith("\n") else text + "\n")
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write(error) from error


def _check_writable(path: Path, folder: Path) -> None:
    """Refuse `path` when its folder can neither be written nor be made."""
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise SourceError(f"{path}: cannot be written, {nearest} is no folder")
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        why = error.strerror or error
        raise SourceError(
            f"{path}: the folder {nearest} cannot be written ({why}); choose another"
        ) from error


def _replaceable(path: Path, kind: str) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(_START)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror or error})") from error
    if not start.strip():
        return True
    if kind == "HTML":
        return b"<!doctype html" in start[:256].lower()
    return bool(_JSON.match(start)) and b'"settings"' in start and b'"sources"' in start
