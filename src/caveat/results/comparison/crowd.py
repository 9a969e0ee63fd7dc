"""What several models together are worth: votes, unanimity, and who covers most."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from caveat.results._plain import to_plain

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteOfBest:
    """The vote of the best k models, who they are being settled on other items.

    Attributes
    ----------
    k : int
    accuracy, low, high : float
        Score of the answer that most of them give.
    gain, gain_low, gain_high : float
        Against the best single model, chosen in the same way, on the same items.
    same_choice : bool
        Whether all folds chose the same models, and the same single one; otherwise the intervals
        are wider by half, since folds that choose by each other's items are not independent.
    """

    k: int
    accuracy: float
    low: float
    high: float
    gain: float
    gain_low: float
    gain_high: float
    same_choice: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MajoritySize:
    """Items whose winning answer has a share of the votes within bounds.

    Attributes
    ----------
    from_share, to_share : float
        At least and below; both 1 where all that answer agree.
    items : int
    wrong : int
        Those of them whose winning answer is more wrong than right.
    accuracy, low, high : float
        How often the winning answer is right; Wilson interval. nan without items.
    if_independent : float
        What Bayes' rule would promise of these votes if models erred independently.
    """

    from_share: float
    to_share: float
    items: int
    wrong: int
    accuracy: float
    low: float
    high: float
    if_independent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trio:
    """Three models.

    Attributes
    ----------
    models : tuple of str
    majority : float
        How often the vote of the three is right.
    covered : float
        Share of items on which one of them is right at least.
    """

    models: tuple[str, ...]
    majority: float
    covered: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """The best three against the best one, chosen on other items than they are judged on.

    Attributes
    ----------
    majority, single : float
        How often the three, the one is right on the items held out.
    gain, low, high : float
        Difference of the two, paired by item.
    in_sample_gain : float
        The same difference where they were chosen: too good to be true.
    same_choice : bool
        As in `VoteOfBest`.
    folds : int
    """

    majority: float
    single: float
    gain: float
    low: float
    high: float
    in_sample_gain: float
    same_choice: bool
    folds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trios:
    """All sets of three models.

    Attributes
    ----------
    pool : int
        Models whose threes were tried: all, or the best ones.
    tried : int
    best_majority, best_cover : Trio
        Of the threes tried, that of the most right votes, that which covers most items.
    greedy_cover : Trio
        Of all models, each in turn the one that adds most items.
    held_out : HeldOut
    """

    pool: int
    tried: int
    best_majority: Trio
    best_cover: Trio
    greedy_cover: Trio
    held_out: HeldOut


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedErrors:
    """How much the models err together.

    Attributes
    ----------
    models : int
        Models that are sometimes right and sometimes wrong.
    mean_correlation : float
        Of being wrong, over pairs of models.
    design_effect : float
        1 + (models - 1) * mean_correlation.
    effective : float
        Independent models the crowd is worth: models / design_effect. Above `models` where errors
        avoid each other.
    effective_spectral : float
        The same by the eigenvalues of the correlations: the square of their sum over the sum of
        their squares.
    majority : float
        How often more than half of the models are right, a tie counted by half.
    majority_if_independent : float
        The same for independent models of the same scores.
    majority_if_correlated : float
        For equally good, equally correlated models (beta-binomial).
    """

    models: int
    mean_correlation: float
    design_effect: float
    effective: float
    effective_spectral: float
    majority: float
    majority_if_independent: float
    majority_if_correlated: float

    @property
    def avoid(self) -> bool:
        """Whether errors avoid each other: no smaller number of independent models does as well."""
        return self.mean_correlation < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """The models of one benchmark as a crowd.

    Attributes
    ----------
    benchmark : str
    models : tuple of str
        Those counted, best first.
    left_out : tuple of str
        Models left out because they lack too many items.
    n_items : int
        Items on which all models counted have a score.
    best_single : float
        Highest mean score of one model.
    plurality, low, high : float
        How often the answer that most models give is right. Credit is shared where answers are
        tied; an item without a readable answer counts as wrong.
    tied : int
        Items on which answers are tied.
    by_size : tuple of VoteOfBest
    by_majority : tuple of MajoritySize
        By the share of votes of the winning answer, smallest first.
    unanimous : MajoritySize
        Items on which every model gives the same answer.
    errors : SharedErrors or None
    trios : Trios or None
    level : float
    seed : int
    reasons : mapping of str to str
        Why a figure is undefined: `errors`, `trios`, `if_independent`.
    notes : tuple of str
    """

    benchmark: str
    models: tuple[str, ...]
    left_out: tuple[str, ...]
    n_items: int
    best_single: float
    plurality: float
    low: float
    high: float
    tied: int
    by_size: tuple[VoteOfBest, ...]
    by_majority: tuple[MajoritySize, ...]
    unanimous: MajoritySize
    errors: SharedErrors | None
    trios: Trios | None
    level: float
    seed: int
    reasons: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what it adds to its benchmark in the JSON of `caveat agree`."""
        plain: dict[str, Any] = to_plain(self)
        del plain["benchmark"]
        return {"crowd": plain}

    def to_arrow(self) -> "pa.Table":
        """Return one row for each number of voting models."""
        import pyarrow as pa

        return pa.Table.from_pylist([to_plain(row) for row in self.by_size])
