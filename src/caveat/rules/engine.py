"""Run rules over findings: select, apply thresholds, sort, and say what could not run."""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from caveat.errors import InputError
from caveat.results.caveat import Caveat
from caveat.results.report import Findings, NotRun
from caveat.rules._rule import Rule
from caveat.rules.registry import RULES


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which rules run, and with which thresholds.

    Attributes
    ----------
    select, ignore : collection of str
        Codes (`RNK201`) or beginnings of codes (`RNK`, `RNK2`). An empty `select` means all.
        Where both match, the longer wins; `ignore` wins a draw.
    thresholds : mapping of str to mapping of str to float
        By code, by name.
    """

    select: Collection[str] = ()
    ignore: Collection[str] = ()
    thresholds: Mapping[str, Mapping[str, float]] | None = None

    def __post_init__(self) -> None:
        _check_names("select", self.select)
        _check_names("ignore", self.ignore)
        for code, values in (self.thresholds or {}).items():
            _check_thresholds(RULES.get(code), values)

    def wants(self, code: str) -> bool:
        """Whether the rule of this code runs."""
        chosen = max((len(n) for n in self.select if code.startswith(n)), default=-1)
        refused = max((len(n) for n in self.ignore if code.startswith(n)), default=-1)
        return chosen > refused or (not self.select and refused < 0)

    def thresholds_of(self, rule: Rule) -> Mapping[str, float]:
        """Defaults of `rule` with the user's values over them."""
        return {**rule.thresholds, **(self.thresholds or {}).get(rule.code, {})}


def run_rules(findings: Findings, selection: Selection) -> tuple[Caveat, ...]:
    """Return all caveats, most severe first, then by code and in the order of the findings."""
    found = [
        caveat
        for rule in RULES
        if selection.wants(rule.code) and _missing(rule, findings) is None
        for caveat in rule.find(findings, selection.thresholds_of(rule))
    ]
    return tuple(sorted(found, key=lambda c: (-c.severity.rank, c.code)))


def not_run(findings: Findings, selection: Selection) -> tuple[NotRun, ...]:
    """Return the selected checks that these findings cannot feed, and why."""
    listed = [
        NotRun(check=f"{rule.code} {rule.title}", why=why)
        for rule in RULES
        if selection.wants(rule.code)
        for why in _why_not(rule, findings)
    ]
    listed += [
        NotRun(check=f"{_titled(check)} ({bench.benchmark})", why=why)
        for bench in findings.benchmarks
        for check, why in bench.quality.skipped
        if selection.wants(check[:6])
    ]
    return tuple(listed)


def _titled(check: str) -> str:
    """Name a skipped check as its rule is named, whatever it was called by who skipped it."""
    code = check[:6]
    return f"{code} {RULES.get(code).title}" if code in RULES.names() else check


def _why_not(rule: Rule, findings: Findings) -> Iterator[str]:
    missing = _missing(rule, findings)
    if missing is None:
        yield from rule.blocked(findings)
    else:
        yield missing


def _missing(rule: Rule, findings: Findings) -> str | None:
    if rule.needs == "votes" and findings.ranking is None:
        return "no votes among the sources"
    if rule.needs == "responses" and not findings.benchmarks:
        return "no item-level responses among the sources"
    return None


def _check_names(argument: str, names: Collection[str]) -> None:
    if isinstance(names, str):
        raise InputError(f"{argument} must be a list of codes or families, got {names!r}")
    for name in names:
        if not name or not any(code.startswith(name) for code in RULES.names()):
            families = ", ".join(sorted({rule.family for rule in RULES}))
            raise InputError(
                f"{argument}: no rule or family is called {name!r}; the families are "
                f"{families}, and `caveat rules` lists every code"
            )


def _check_thresholds(rule: Rule, values: object) -> None:
    if not isinstance(values, Mapping):
        raise InputError(f"rules.{rule.code} must be a table of thresholds, got {values!r}")
    for name, value in values.items():
        if name not in rule.thresholds:
            known = ", ".join(rule.thresholds) or "none"
            raise InputError(f"rule {rule.code} has no threshold {name!r}; it has {known}")
        if not _is_limit(value):
            raise InputError(
                f"rules.{rule.code}.{name} must be a number of at least 0, got {value!r}"
            )


def _is_limit(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and value >= 0
