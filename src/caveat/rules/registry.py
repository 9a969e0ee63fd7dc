"""Every rule, in the order of its code. A new family file is added here and nowhere else."""

from caveat._registry import Registry
from caveat.rules import (
    agr,
    agr_disagreement,
    agr_fragility,
    agr_items,
    agr_judges,
    agr_noise,
    agr_scores,
    cst,
    dat,
    dat_checks,
    dat_scores,
    gov,
    rnk,
    rnk_annotators,
    rnk_drop,
    rnk_fit,
    rnk_judging,
    rnk_position,
    rnk_sampling,
    rnk_style,
    rnk_systems,
    rnk_votes,
    vot_drop,
    vot_rigging,
    vot_voters,
)
from caveat.rules._rule import Rule


def _code(rule: Rule) -> str:
    return rule.code


_FAMILIES = (
    dat,
    dat_checks,
    dat_scores,
    rnk,
    rnk_votes,
    rnk_drop,
    rnk_systems,
    rnk_style,
    rnk_position,
    rnk_judging,
    rnk_annotators,
    agr,
    agr_disagreement,
    agr_scores,
    agr_noise,
    agr_items,
    agr_judges,
    agr_fragility,
    cst,
    rnk_sampling,
    rnk_fit,
    gov,
    vot_drop,
    vot_rigging,
    vot_voters,
)
RULES: Registry[Rule] = Registry(
    "rule code",
    _code,
    tuple(sorted((rule for family in _FAMILIES for rule in family.RULES), key=_code)),
)
