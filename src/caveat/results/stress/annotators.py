"""Whether model judges may stand for the people who voted on the same answers."""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.annotator_test import AnnotatorTest


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotators:
    """The alternative-annotator test of each model judge, on comparisons that people made too.

    Attributes
    ----------
    tests : tuple of AnnotatorTest
        The judge with most votes first.
    people_agree : float
        Share of the pairs of people with the same verdict on one comparison; nan without any.
    n_comparisons : int
        Comparisons that any of these people made.
    matched_on : tuple of str
        What makes two votes one comparison: `item`, `models`, and `order` where that is known and
        people and judges saw the same.
    n_left_out : int
        Judges with fewer votes, not tested.
    """

    tests: tuple[AnnotatorTest, ...]
    people_agree: float
    n_comparisons: int
    matched_on: tuple[str, ...]
    n_left_out: int

    @property
    def failed(self) -> tuple[AnnotatorTest, ...]:
        """Judges that do not pass."""
        return tuple(test for test in self.tests if test.passes is False)

    def to_dict(self) -> dict[str, Any]:
        """Return it under the names it has in `caveat stress --json`."""
        return {"annotators": to_plain(self)}
