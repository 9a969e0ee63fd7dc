"""Are models of one family more alike than their scores explain?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from caveat.results._plain import to_plain

Measure = Literal["capa", "error consistency", "kappa"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One family.

    Attributes
    ----------
    family : str
    models : tuple of str
    pairs : int
        Pairs of its models with a likeness.
    effect : float
        Their mean likeness beyond what scores explain, less that of unrelated pairs.
    p, p_adjusted : float
        One-sided, by shuffling models; and by Holm over families.
    disagree : float
        Mean disagreement of its pairs.
    disagree_less : float
        By how much less they disagree than unrelated pairs of such scores, in shares of items.
    """

    family: str
    models: tuple[str, ...]
    pairs: int
    effect: float
    p: float
    p_adjusted: float
    disagree: float
    disagree_less: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KinshipTest:
    """Likeness within families against that between them.

    Attributes
    ----------
    measure : str
        Of likeness: CAPA; `error consistency` where the number of options is unknown; `kappa`
        where right and wrong are.
    within, between : float
        Mean likeness of relatives, and of others.
    effect, p : float
        Difference after what scores explain is taken off; one-sided p by shuffling family names
        among models.
    disagree_within, disagree_between, disagree_less : float
        The same in shares of items answered differently.
    explained : float
        Share of the variance of likeness that scores explain.
    pairs_within, pairs_between, shuffles, seed : int
    families : tuple of Family
        Most alike first.
    """

    measure: Measure
    within: float
    between: float
    effect: float
    p: float
    disagree_within: float
    disagree_between: float
    disagree_less: float
    explained: float
    pairs_within: int
    pairs_between: int
    shuffles: int
    seed: int
    families: tuple[Family, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relatives:
    """Families and how alike their models are.

    Attributes
    ----------
    column : str
        Of the models table that names families: `family` or `provider`; empty where none does.
    unplaced : int
        Models of which the table names no family.
    test : KinshipTest or None
        None where no families are declared.
    proposal : mapping of str to str
        Families that names suggest, by model, where none are declared. Nothing is worked out
        from it.
    settings : mapping
    """

    column: str
    unplaced: int
    test: KinshipTest | None
    proposal: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as `families` of the benchmark's entry."""
        return {"families": to_plain(self)}
