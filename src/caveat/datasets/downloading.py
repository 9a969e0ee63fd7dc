"""Two ways to bring a file here: pip for packages, HTTPS for the rest."""

import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote, urlsplit

from caveat._files import MEBIBYTE, Progress, sha256_of, undone_when_stopped
from caveat.datasets.catalogue import Content, Package
from caveat.errors import DownloadError

_TIMEOUT = 60
INSTEAD = (
    "bring the file here by other means, put it in a folder and set CAVEAT_DATA to that folder"
)


def pip_download(package: Package, folder: Path) -> Path:
    """Bring a wheel by exact version and hash, without its dependencies.

    The user's own pip configuration decides which index is asked.
    """
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{package.requirement} --hash=sha256:{package.sha256}\n")
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
        "--no-input", "--no-deps", "--require-hashes", "--only-binary=:all:",
        "--dest", str(folder), "--requirement", str(requirements),
    ]  # fmt: skip
    done = _ran(command)
    wheel = folder / package.file
    if done.returncode != 0 or not wheel.is_file():
        reason = _last_line(done.stderr) or "pip left no file"
        raise DownloadError(
            f"{package.requirement}: could not be downloaded with pip ({reason}); "
            f"check the network, or {INSTEAD} ({package.file})"
        )
    check(wheel, size=package.size, sha256=package.sha256)
    return wheel


def https_download(content: Content, path: Path, progress: Progress | None = None) -> None:
    """Bring one file, no larger than the catalogue says, and check it."""
    url = _quoted(content.url)
    count = 0
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer, path.open("wb") as file:
            while data := answer.read(MEBIBYTE):
                count += len(data)
                if count > content.size:
                    break
                file.write(data)
                if progress is not None:
                    progress(count, content.size)
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise DownloadError(
            f"{content.url}: could not be downloaded ({getattr(error, 'reason', error)}); "
            f"check the network, or {INSTEAD} ({content.name})"
        ) from error
    if count > content.size:
        raise DownloadError(
            f"{content.url}: is larger than the {content.size:,} bytes of the catalogue; "
            "it has changed since, so it is not used"
        )
    check(path, size=content.size, sha256=content.sha256)


def check(path: Path, *, size: int, sha256: str) -> None:
    """Refuse a file that is not, byte for byte, the one of the catalogue."""
    found = path.stat().st_size
    digest = sha256_of(path)
    if digest != sha256:
        raise DownloadError(
            f"{path.name}: must have sha256 {sha256} ({size:,} bytes), got {digest} "
            f"({found:,} bytes); it is cut short or another version, so it is not used"
        )


def _ran(command: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end, or kill it when this process is stopped."""
    with (
        subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as child,
        undone_when_stopped(child.kill),
    ):
        try:
            told = child.communicate()[1]
        except BaseException:
            child.kill()
            raise
    return subprocess.CompletedProcess(command, child.returncode, stderr=told)


def _quoted(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(path=quote(parts.path)).geturl()


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or [""])[-1][:300]
