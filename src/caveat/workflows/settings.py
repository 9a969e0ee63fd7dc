"""Settings from `caveat.toml` or `[tool.caveat]`: found, read and checked; unknown keys refused."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from caveat import _validate
from caveat._registry import Registry
from caveat.errors import InputError, SourceError

OWN, SHARED = "caveat.toml", "pyproject.toml"
FAIL_ON = ("none", "info", "notice", "warning", "serious")
MAX_BYTES = 1_000_000
MAX_REPLICATES = 10_000
HERE = "."
"""Stands for the settings file itself where it states margins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One key of the settings file.

    Attributes
    ----------
    name, form, doc : str
        Key, how a value is written, and what it means.
    read : callable
        Given the name and the value in the file, returns the checked value.
    """

    name: str
    form: str
    doc: str
    read: Callable[[str, Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a settings file says; None or empty where it says nothing.

    Attributes
    ----------
    file : str
        Path of the file; empty without one.
    """

    file: str = ""
    title: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    fail_on: str | None = None
    policy: str | None = None
    metric: str | None = None
    filter: str | None = None
    margin: float | None = None
    level: float | None = None
    seed: int | None = None
    bootstrap: int | None = None
    method: str | None = None
    anchor: str | None = None
    position: bool | None = None
    cluster: str | None = None
    bad_rows: str | None = None
    margins: tuple[str, ...] = ()
    disclosure: int | None = None
    trim: float | None = None
    variants: Mapping[str, int] = field(default_factory=dict)
    aliases: Mapping[str, str] | str | None = None
    map: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def find(start: Path) -> Path | None:
    """Return the settings file of a folder: its own, or that of the nearest parent.

    The search ends at the root of a repository. In one folder `caveat.toml` goes before a
    `pyproject.toml`, which counts only when it has a table `[tool.caveat]`.
    """
    folder = start.resolve()
    for place in (folder, *folder.parents):
        if (place / OWN).exists():  # also what is no file: to pass it over would surprise
            return place / OWN
        shared = place / SHARED
        if shared.is_file() and _tool_table(_parse(shared)) is not None:
            return shared
        if (place / ".git").exists():
            return None
    return None


def load(path: Path) -> Settings:
    """Read one settings file.

    Raises
    ------
    SourceError
        If the file cannot be read or is not TOML.
    InputError
        If a key is unknown or a value breaks its rule; the message names file and key.
    """
    document = _parse(path)
    where = str(path)
    if path.name == SHARED:
        table = _tool_table(document)
        where = f"{path} [tool.caveat]"
        if table is None:
            raise InputError(f"{path}: there is no table [tool.caveat] in it")
        document = table
    try:
        settings = Settings(file=str(path), **_checked(document))
        settings = replace(settings, margins=_from(path, settings.margins))
        if isinstance(settings.aliases, str):
            settings = replace(settings, aliases=_aliases_beside(path, settings.aliases))
        _check_rules(settings)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    return settings


def _from(path: Path, margins: tuple[str, ...]) -> tuple[str, ...]:
    """Find files of margins from the folder of the settings; tables in these are in that file."""
    if margins == (HERE,):
        if path.name == SHARED:
            raise InputError(f"margins must be a list of files in {SHARED}, got tables")
        return (str(path),)
    return tuple(str(path.parent / file) for file in margins)


def _aliases_beside(path: Path, file: str) -> dict[str, str]:
    from caveat.data.aliases_file import read_aliases

    return read_aliases(path.parent / file)


def _parse(path: Path) -> dict[str, Any]:
    try:
        if path.is_dir():
            raise SourceError(f"{path}: is a folder; settings must stand in a file")
        if path.stat().st_size > MAX_BYTES:
            raise SourceError(f"{path}: a settings file may hold {MAX_BYTES:,} bytes at most")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SourceError(f"{path}: not readable as TOML ({error})") from error


def _tool_table(document: Mapping[str, Any]) -> dict[str, Any] | None:
    tool = document.get("tool")
    table = tool.get("caveat") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


def _checked(table: Mapping[str, Any]) -> dict[str, Any]:
    unknown = [name for name in table if name not in SETTINGS.names()]
    if unknown:
        raise InputError(f"unknown setting {unknown[0]!r}; allowed: {', '.join(SETTINGS.names())}")
    return {
        name.replace("-", "_"): SETTINGS.get(name).read(name, value)
        for name, value in table.items()
    }


def _check_rules(settings: Settings) -> None:
    from caveat.rules.engine import Selection

    Selection(select=settings.select or (), ignore=settings.ignore or (), thresholds=settings.rules)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text in quotes, got {value!r}")
    return value


def _codes(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f'{name} must be a list of codes or families, as ["DAT"], got {value!r}')
    return tuple(value)


def _share(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} must be a number between 0 and 1, got {value!r}")
    return _validate.probability(name, float(value))


def _count(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{name} must be a whole number, got {value!r}")
    return _validate.at_least(name, value, 0)


def replicates(name: str, value: int) -> int:
    """Return a number of bootstrap replicates if it is none or in bounds."""
    from caveat.stats.ranking.estimates import MIN_REPLICATES

    if value == 0:
        return value
    if value > MAX_REPLICATES:
        raise InputError(f"{name} must be at most {MAX_REPLICATES:,}, got {value!r}")
    return _validate.at_least(name, value, MIN_REPLICATES)


def _replicates(name: str, value: object) -> int:
    return replicates(name, _count(name, value))


def _policy(name: str, value: object) -> str:
    from caveat.stats.agreement.policy import POLICIES

    return _validate.choice(name, _text(name, value), POLICIES)


def _method(name: str, value: object) -> str:
    from caveat.workflows.options import Method

    return _validate.choice(name, _text(name, value), get_args(Method))


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{name} must be true or false, got {value!r}")
    return value


def _bad_rows(name: str, value: object) -> str:
    from caveat.data.builder import BadRows

    return _validate.choice(name, _text(name, value), get_args(BadRows))


def _fail_on(name: str, value: object) -> str:
    return _validate.choice(name, _text(name, value), FAIL_ON)


def _columns(name: str, value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise InputError(f"{name} must be a table of column names, got {value!r}")
    from caveat.data.schema import SCHEMAS

    known = {column for schema in SCHEMAS for column in schema.names}
    for key in value:
        _validate.choice(f"a key of {name}", key, known)
    return {key: _text(f"{name}.{key}", column) for key, column in value.items()}


def _numbers(name: str, value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        raise InputError(f"{name} must be a table of whole numbers, got {value!r}")
    return {
        key: _validate.at_least(f"{name}.{key}", _count(f"{name}.{key}", number), 1)
        for key, number in value.items()
    }


def _margins(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, dict):
        return (HERE,)
    if not isinstance(value, list) or not all(isinstance(f, str) and f for f in value):
        raise InputError(
            f'{name} must be a list of files, as ["margins.toml"], or tables, as [margins.age], '
            f"got {value!r}"
        )
    return tuple(value)


def _aliases(name: str, value: object) -> dict[str, str] | str:
    """Read a table of aliases; the name of a file is looked up from the settings' folder later."""
    from caveat.data.aliases import checked
    from caveat.data.aliases_file import pairs_of

    if isinstance(value, str) and value:
        return value
    if not isinstance(value, dict):
        raise InputError(
            f'{name} must be a file, as "aliases.toml", or a table, as [aliases], got {value!r}'
        )
    return checked(pairs_of(value, where=name), where=name)


def _disclosed(name: str, value: object) -> int:
    return _validate.at_least(name, _count(name, value), 1)


def trimmed(name: str, value: float) -> float:
    """Return the largest weight of a voter if it is none or above the mean."""
    if value != 0 and not 1 < value < float("inf"):
        raise InputError(f"{name} must be above 1, or 0 for no limit, got {value!r}")
    return value


def _trim(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name} must be a number, got {value!r}")
    return trimmed(name, float(value))


def _tables(name: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{name} must hold one table per code, as [rules.RNK201], got {value!r}")
    return value


def _name(setting: Setting) -> str:
    return setting.name


SETTINGS: Registry[Setting] = Registry(
    "setting",
    _name,
    (
        Setting(name="title", form="text", doc="Title of the report.", read=_text),
        Setting(
            name="select",
            form="list of codes or families",
            doc="Rules that run; all where it is absent.",
            read=_codes,
        ),
        Setting(
            name="ignore",
            form="list of codes or families",
            doc="Rules that do not run; the longer name wins over `select`.",
            read=_codes,
        ),
        Setting(
            name="fail-on",
            form=", ".join(FAIL_ON),
            doc="Exit with 1 when a caveat is at least this severe.",
            read=_fail_on,
        ),
        Setting(
            name="policy",
            form="drop, as-disagreement, as-option",
            doc="What an unparsed answer counts as when answers are compared.",
            read=_policy,
        ),
        Setting(
            name="metric",
            form="name of a metric or scorer",
            doc="Which score of an answer counts, where there are several.",
            read=_text,
        ),
        Setting(
            name="filter",
            form="name of an answer filter",
            doc="Which reading of an answer counts, where there are several.",
            read=_text,
        ),
        Setting(
            name="margin",
            form="number in (0, 1)",
            doc="Difference of scores up to which two models count as equal.",
            read=_share,
        ),
        Setting(name="level", form="number in (0, 1)", doc="Level of all intervals.", read=_share),
        Setting(
            name="seed",
            form="whole number",
            doc="Seed of the simulated critical value and the bootstrap.",
            read=_count,
        ),
        Setting(
            name="bootstrap",
            form="0, or 100 to 10000",
            doc="Bootstrap replicates of a ranking; 0 uses sandwich errors.",
            read=_replicates,
        ),
        Setting(
            name="method",
            form="name of a rating system",
            doc="Rating system; `auto` models ties by Davidson where there are enough.",
            read=_method,
        ),
        Setting(
            name="anchor",
            form="name of a model",
            doc="Model whose rating is fixed at 1000 points.",
            read=_text,
        ),
        Setting(
            name="position",
            form="true or false",
            doc="Fit an advantage of the answer shown first.",
            read=_flag,
        ),
        Setting(
            name="cluster",
            form="name of a column",
            doc="Column whose votes count together in all errors of ratings.",
            read=_text,
        ),
        Setting(
            name="bad-rows",
            form="error, drop",
            doc="Stop at a row that breaks a rule, or drop and count it.",
            read=_bad_rows,
        ),
        Setting(
            name="margins",
            form="list of files, or tables, as [margins.age]",
            doc="Margins of the populations that voters are weighted to.",
            read=_margins,
        ),
        Setting(
            name="disclosure",
            form="whole number from 1",
            doc="Fewest voters that a figure about voters tells of.",
            read=_disclosed,
        ),
        Setting(
            name="trim",
            form="0, or a number above 1",
            doc="Largest weight of a voter, in multiples of the mean; 0 for no limit.",
            read=_trim,
        ),
        Setting(
            name="variants",
            form="table, as [variants]",
            doc="Model or provider = variants it tested in private before one was shown.",
            read=_numbers,
        ),
        Setting(
            name="aliases",
            form="file, or table, as [aliases]",
            doc="Name of a model = the name it stands for.",
            read=_aliases,
        ),
        Setting(
            name="map",
            form="table",
            doc="Our name of a column = the file's name of it.",
            read=_columns,
        ),
        Setting(
            name="rules",
            form="tables, as [rules.RNK201]",
            doc="Thresholds of a rule by name; `caveat rules CODE` shows them.",
            read=_tables,
        ),
    ),
)


def table() -> str:
    """Return all settings as a Markdown table.

    Examples
    --------
    >>> table().splitlines()[0]
    '| key | value | meaning |'
    """
    rows = [f"| `{entry.name}` | {entry.form} | {entry.doc} |" for entry in SETTINGS]
    return "\n".join(["| key | value | meaning |", "|---|---|---|", *rows])
