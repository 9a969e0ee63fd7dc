"""Claims about models as assertions, for test suites that gate a release.

With pytest, in a test: `assert_claims("claims.toml")`, or one by one,
`assert_claims(["new beats old on math"], "results/")`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from caveat.results.claims import Claims
from caveat.workflows.claim import claim
from caveat.workflows.claim_file import Entry
from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources


def assert_claims(
    claims: str | Path | Sequence[Entry],
    sources: Sources = None,
    *,
    undecided: Literal["fail", "pass", "skip"] = "fail",
    options: Options = DEFAULTS,
    baseline: str | Path | None = None,
) -> Claims:
    """Fail unless the responses support every claim.

    Parameters
    ----------
    claims, sources, options, baseline
        As in `caveat.claim`.
    undecided : str
        What claims do that are neither supported nor contradicted: `fail`, `pass`, or `skip` the
        test (pytest).

    Returns
    -------
    Claims

    Raises
    ------
    AssertionError
        With each claim that fails and its figures.

    Examples
    --------
    >>> n = 200
    >>> rows = {"benchmark": ["b"] * 2 * n, "item": [str(i) for i in range(n)] * 2,
    ...         "model": ["x"] * n + ["y"] * n, "score": [1] * n + [1, 0] * (n // 2)}
    >>> assert_claims(["x beats y"], rows).counts["supported"]
    1
    """
    found = claim(claims, sources, options=options, baseline=baseline)
    failing = {"contradicted"} | ({"undecided"} if undecided == "fail" else set())
    lines = [
        f"{one.verdict}: {one.claim.says}\n  {one.why}"
        for one in found.claims
        if one.verdict in failing
    ]
    lines += [
        f"worse than the baseline: {change.says}: {change.before}, now {change.now or 'gone'}"
        for change in found.worse
    ]
    if lines:
        raise AssertionError("\n".join(lines))
    open_claims = [one.claim.says for one in found.claims if one.verdict == "undecided"]
    if open_claims and undecided == "skip":
        import pytest

        pytest.skip(f"undecided: {'; '.join(open_claims)}")
    return found
