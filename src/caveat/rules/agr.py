"""agr rules."""

from caveat.rules._rule import Rule

RULES: tuple[Rule, ...] = ()
