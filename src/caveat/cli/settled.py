"""Options of a run settled: flags first, then the settings file, then the defaults."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caveat.cli.options import Level, Reading, Rules, SettingsFile
from caveat.errors import InputError

if TYPE_CHECKING:
    from caveat.workflows.options import Options
    from caveat.workflows.settings import Settings

FIGURES = (
    *("level", "seed", "bootstrap", "policy", "method", "anchor", "position", "cluster"),
    *("control", "contrast", "by"),
    *("k", "shuffles", "period", "baseline", "boundaries", "disclosure", "trim"),
    *("metric", "filter", "margin"),
)
"""Options about figures that a settings file may say as well."""


@dataclass(frozen=True, kw_only=True)
class Settled:
    """What holds for this run.

    Attributes
    ----------
    options : Options
    fail_on : str or None
        None where neither flag nor file says.
    file : str
        The settings file; empty without one.
    mapped : mapping of str to str
        Columns that the settings file maps, and no flag.
    """

    options: "Options"
    fail_on: str | None
    file: str = ""
    mapped: Mapping[str, str] = field(default_factory=dict)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Name the settings file in an error about a column that it maps."""
        try:
            yield
        except InputError as error:
            for new, old in self.mapped.items():
                if f"{new}={old}" in str(error):
                    raise InputError(f"{error}; {self.file} says so: map.{new}") from error
            raise


def settle(
    file: SettingsFile,
    *,
    reading: Reading,
    figures: Level | None = None,
    rules: Rules | None = None,
    title: str | None = None,
) -> Settled:
    """Put flags over the settings file over the defaults, and check the result."""
    from caveat import _validate
    from caveat.rules.engine import Selection
    from caveat.workflows.options import Options
    from caveat.workflows.settings import replicates, trimmed

    said = _settings(file)
    asked = rules or Rules()
    given: dict[str, Any] = {
        name: _first(getattr(figures, name, None), getattr(said, name, None)) for name in FIGURES
    }
    given |= {
        "bad_rows": _first(reading.bad_rows, said.bad_rows),
        "same": getattr(figures, "same", None) or None,
        "margins": getattr(figures, "margins", None) or said.margins or None,
        "select": _first(codes(asked.select) or None, said.select),
        "ignore": _first(codes(asked.ignore) or None, said.ignore),
        "title": _first(title, said.title),
    }
    if reading.aliases is not None:
        from caveat.data.aliases_file import read_aliases

        given["aliases"] = read_aliases(reading.aliases)
    elif said.aliases and not isinstance(said.aliases, str):
        given["aliases"] = said.aliases
    options = Options(
        variants=said.variants,
        mapping={**said.map, **columns(reading.map)},
        model_name=reading.model_name,
        thresholds=said.rules,
        **{name: value for name, value in given.items() if value is not None},
    )
    _validate.probability("--level", options.level)
    _validate.at_least("--seed", options.seed, 0)
    replicates("--bootstrap", options.bootstrap)
    _validate.at_least("--disclosure", options.disclosure, 1)
    trimmed("--trim", options.trim)
    _validate.probability("--margin", options.margin)
    Selection(select=options.select, ignore=options.ignore, thresholds=options.thresholds)
    return Settled(
        options=options,
        fail_on=_first(asked.fail_on, said.fail_on),
        file=said.file,
        mapped={new: old for new, old in said.map.items() if options.mapping[new] == old},
    )


def codes(texts: Iterable[str]) -> tuple[str, ...]:
    """Split `RNK,DAT104` into codes."""
    parts = (part.strip().upper() for text in texts for part in text.split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def columns(texts: Iterable[str]) -> dict[str, str]:
    """Split `model=system` into our name and the file's name of a column."""
    found: dict[str, str] = {}
    for text in texts:
        ours, equals, theirs = text.partition("=")
        if not (ours.strip() and equals and theirs):
            raise InputError(f"--map must be NAME=COLUMN, as model=system, got {text!r}")
        if found.setdefault(ours.strip(), theirs) != theirs:
            raise InputError(f"--map must name a column once, got {ours.strip()!r} twice")
    return found


def _settings(file: SettingsFile) -> "Settings":
    from caveat.workflows.settings import Settings, find, load

    if file.no_config:
        if file.config is not None:
            raise InputError("--no-config must stand without --config, got both")
        return Settings()
    path = file.config or find(Path.cwd())
    return load(path) if path else Settings()


def _first(*values: Any) -> Any:  # noqa: ANN401 - values of any option
    return next((value for value in values if value is not None), None)
