"""Every rule, in the order of its code. A new family file is added here and nowhere else."""

from caveat._registry import Registry
from caveat.rules import agr, cst, dat, rnk, rnk_votes
from caveat.rules._rule import Rule


def _code(rule: Rule) -> str:
    return rule.code


RULES: Registry[Rule] = Registry(
    "rule code",
    _code,
    tuple(sorted((*dat.RULES, *rnk.RULES, *rnk_votes.RULES, *agr.RULES, *cst.RULES), key=_code)),
)
