"""Run rules over findings: select, apply thresholds, sort, and say what could not run."""

from collections.abc import Collection, Mapping
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
        for name in (*self.select, *self.ignore):
            if not name or not any(rule.code.startswith(name) for rule in RULES):
                raise InputError(
                    f"no rule or family is called {name!r}; `caveat rules` lists them"
                )
        for code, values in (self.thresholds or {}).items():
            known = RULES.get(code).thresholds
            for name in values:
                if name not in known:
                    raise InputError(
                        f"rule {code} has no threshold {name!r}; it has "
                        f"{', '.join(known) or 'none'}"
                    )

    def wants(self, code: str) -> bool:
        """Whether the rule of this code runs."""
        chosen = max((len(n) for n in self.select if code.startswith(n)), default=-1)
        refused = max((len(n) for n in self.ignore if code.startswith(n)), default=-1)
        return chosen > refused or (not self.select and refused < 0)

    def thresholds_of(self, rule: Rule) -> Mapping[str, float]:
        """Defaults of `rule` with the user's values over them."""
        return {**rule.thresholds, **(self.thresholds or {}).get(rule.code, {})}


def run_rules(findings: Findings, selection: Selection) -> tuple[Caveat, ...]:
    """Return all caveats, most severe first, then by code."""
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
        if selection.wants(rule.code) and (why := _missing(rule, findings)) is not None
    ]
    listed += [
        NotRun(check=f"{check} ({bench.benchmark})", why=why)
        for bench in findings.benchmarks
        for check, why in bench.quality.skipped
        if selection.wants(check[:6])
    ]
    return tuple(listed)


def _missing(rule: Rule, findings: Findings) -> str | None:
    if rule.needs == "votes" and findings.ranking is None:
        return "no votes among the sources"
    if rule.needs == "responses" and not findings.benchmarks:
        return "no item-level responses among the sources"
    return None
