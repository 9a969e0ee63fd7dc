"""The comparison of models that judge pairs of answers, and of labels by people and models."""

from typing import TYPE_CHECKING

from caveat.errors import InputError

if TYPE_CHECKING:
    from caveat.results.comparison.judges import JudgesOfPairs
    from caveat.workflows.agree_parts import Desk


def judges(desk: "Desk") -> "JudgesOfPairs | None":
    """Judge the judges; None where neither both orders nor people are among the responses."""
    from caveat.data.judged_pairs import has_both_orders, judged_pairs
    from caveat.stats.judges.alternative_annotator import Margin
    from caveat.stats.judges.pair_judges import pair_judges, people_among

    people = people_among(desk.matrix.models, desk.models)
    both = has_both_orders(desk.rows)
    if not both and not people:
        return None
    if not desk.matrix.has_answers:
        raise InputError("the source has no answers, only scores")
    pairs = None
    if both:
        pairs = judged_pairs(desk.rows, desk.matrix)
    elif len(people) < 2:
        raise InputError(f"one model only is declared to be a person ({people[0]})")
    return pair_judges(
        desk.matrix,
        pairs,
        declared=desk.models,
        margin=Margin(level=desk.options.level),
        level=desk.options.level,
    )
