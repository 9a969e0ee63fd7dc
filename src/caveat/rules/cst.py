"""CST: cost. What is known of prices, and what is not."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

_PRICES = ("price_input", "price_output")


def _no_prices(findings: Findings, _: Thresholds) -> Iterator[Caveat]:
    unknown = [
        model for model in findings.model_names if not _priced(findings.models.get(model, {}))
    ]
    if not unknown:
        return
    n = len(findings.model_names)
    none = len(unknown) == n
    claim = f"no price is known for {len(unknown):,} of {n:,} models: {say.names(unknown)}"
    if none:
        claim = f"no price is known for any of the {say.number(n, 'model')}"
    yield Caveat(
        code="CST501",
        severity=Severity.INFO,
        subject="prices",
        claim=f"{claim}; unknown is not free",
        evidence={"unknown": unknown, "models": n},
        remedy="Add a `models` table with `price_input` and `price_output` (USD per million "
        "tokens), their source and their date.",
    )


def _priced(declared: Mapping[str, Any]) -> bool:
    return all(_known(declared.get(column)) for column in _PRICES)


def _known(price: object) -> bool:
    return price is not None and not (isinstance(price, float) and math.isnan(price))


RULES: tuple[Rule, ...] = (
    Rule(
        code="CST501",
        title="no prices known",
        severity=Severity.INFO,
        needs="any",
        find=_no_prices,
    ),
)
