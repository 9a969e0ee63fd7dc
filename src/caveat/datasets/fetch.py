"""`get` brings a data set to this machine, or finds it here."""

import os
import shutil
import tempfile
import zipfile
from pathlib import Path

from caveat._files import Progress, folder_for, sha256_of, undone_when_stopped
from caveat.datasets.catalogue import Content, Entry, Package, entry
from caveat.datasets.downloading import check, https_download, pip_download
from caveat.errors import DownloadError, SourceError

LOCAL = "CAVEAT_DATA"


def get(name: str, *, folder: str | Path | None = None, progress: Progress | None = None) -> Path:
    """Return where a data set lies, bringing it here if need be.

    Looked at in this order: what an earlier call left in `folder`, the folder of local copies
    that the environment variable `CAVEAT_DATA` names (the package's wheel, or the files by their
    names), the network. Every file is checked against the hash in the catalogue.

    Parameters
    ----------
    name
        Name in the catalogue, such as `chatbot-arena`.
    folder
        Where data sets are kept; None is `caveat/data` in the user's cache folder.
    progress
        Called with bytes so far and bytes in all, for each file.

    Returns
    -------
    Path
        The file, or the folder of files where there are several.

    Raises
    ------
    DownloadError
        When it could not be brought here; nothing is left behind.
    SourceError
        When a local copy is not the file of the catalogue, or the folder cannot be written.
    """
    wanted = entry(name)
    root = Path(folder) if folder is not None else cache_folder()
    target = root / f"{wanted.name}-{wanted.version}"
    if not _complete(wanted, target):
        _bring(wanted, target, progress)
    if len(wanted.contents) == 1:
        return target / wanted.contents[0].name
    return target


def cache_folder() -> Path:
    """Return the folder in which data sets are kept."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "caveat" / "data"


def _complete(wanted: Entry, target: Path) -> bool:
    return all(
        (target / c.name).is_file() and sha256_of(target / c.name) == c.sha256
        for c in wanted.contents
    )


def _bring(wanted: Entry, target: Path, progress: Progress | None) -> None:
    try:
        with (
            folder_for(target.parent),
            tempfile.TemporaryDirectory(dir=target.parent, prefix=".incoming-") as place,
            undone_when_stopped(lambda: shutil.rmtree(place, ignore_errors=True)),
        ):
            stage = Path(place) / "ready"
            stage.mkdir()
            for package in wanted.packages:
                _from_package(package, stage, Path(place))
            for content in wanted.files:
                if not _local_copy(content, stage):
                    https_download(content, stage / content.name, progress)
            if target.exists():
                target.replace(Path(place) / "replaced")
            stage.replace(target)
    except (DownloadError, SourceError):
        raise
    except OSError as error:
        raise SourceError(
            f"{target.parent}: cannot be written ({error.strerror or error}); name another folder"
        ) from error


def _from_package(package: Package, stage: Path, place: Path) -> None:
    if all([_local_copy(member, stage) for member in package.members]):
        return
    wheel = _local(package.file)
    if wheel is None:
        wheel = pip_download(package, place)
    else:
        _check_local(wheel, size=package.size, sha256=package.sha256)
    with zipfile.ZipFile(wheel) as archive:
        for member in package.members:
            path = stage / member.name
            with archive.open(member.path) as inside, path.open("wb") as file:
                shutil.copyfileobj(inside, file)
            check(path, size=member.size, sha256=member.sha256)


def _local_copy(content: Content, stage: Path) -> bool:
    path = _local(content.name)
    if path is None:
        return False
    _check_local(path, size=content.size, sha256=content.sha256)
    shutil.copyfile(path, stage / content.name)
    return True


def _local(name: str) -> Path | None:
    """Return the local copy of a file, if `CAVEAT_DATA` has one."""
    base = os.environ.get(LOCAL)
    if not base:
        return None
    path = Path(base) / name
    return path if path.is_file() else None


def _check_local(path: Path, *, size: int, sha256: str) -> None:
    try:
        check(path, size=size, sha256=sha256)
    except DownloadError as error:
        raise SourceError(
            f"{path} (from {LOCAL}): {error}; remove the file or correct {LOCAL}"
        ) from error
