"""The catalogue of data sets: where each comes from, under what licence, how to know it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from caveat._registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """One file of a data set, as `get` leaves it.

    Attributes
    ----------
    name : str
        Name it gets on disk.
    size, sha256 : int, str
    url : str
        Where it is downloaded from; empty for a member of a package.
    path : str
        Where it lies inside a package.
    """

    name: str
    size: int
    sha256: str
    url: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A wheel that holds files of a data set."""

    requirement: str
    file: str
    size: int
    sha256: str
    members: tuple[Content, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One data set.

    Attributes
    ----------
    name, title, kind, holds, source, version, licence : str
    checked : date
        Day on which size and hash were computed.
    packages : tuple of Package
        Wheels that hold it.
    files : tuple of Content
        Files downloaded as they are.
    """

    name: str
    title: str
    kind: str
    holds: str
    source: str
    version: str
    licence: str
    checked: date
    packages: tuple[Package, ...] = ()
    files: tuple[Content, ...] = ()

    @property
    def contents(self) -> tuple[Content, ...]:
        """All files of the data set."""
        return tuple(m for package in self.packages for m in package.members) + self.files

    @property
    def download_size(self) -> int:
        """Bytes that have to be fetched."""
        return sum(p.size for p in self.packages) + sum(f.size for f in self.files)


def entries() -> tuple[Entry, ...]:
    """Return all data sets, in the order of the catalogue."""
    return tuple(_registry())


def entry(name: str) -> Entry:
    """Return the data set called `name`; the error lists those there are."""
    return _registry().get(name)


@cache
def _registry() -> Registry[Entry]:
    text = files("caveat.datasets").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return parsed(text)


def parsed(text: str) -> Registry[Entry]:
    """Return the entries of a catalogue in TOML."""
    rows = tomllib.loads(text)["entry"]
    return Registry("data set", lambda e: e.name, tuple(_entry(row) for row in rows))


def _entry(row: Mapping[str, Any]) -> Entry:  # values are whatever TOML holds
    plain = {f.name: row[f.name] for f in fields(Entry) if f.name not in ("packages", "files")}
    return Entry(
        **plain,
        packages=tuple(_package(package) for package in row.get("packages", ())),
        files=tuple(
            Content(
                name=file["file"],
                size=file["size"],
                sha256=file["sha256"],
                url=row["base"] + file["file"],
            )
            for file in row.get("files", ())
        ),
    )


def _package(row: Mapping[str, Any]) -> Package:  # values are whatever TOML holds
    return Package(
        requirement=row["requirement"],
        file=row["file"],
        size=row["size"],
        sha256=row["sha256"],
        members=tuple(
            Content(
                name=member["path"].rsplit("/", 1)[-1],
                size=member["size"],
                sha256=member["sha256"],
                path=member["path"],
            )
            for member in row["members"]
        ),
    )
