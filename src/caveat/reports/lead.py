"""The first place of a board in words."""

import math

from caveat.reports.numbers import counted, one, percent, rating_writer, z_value
from caveat.reports.shortening import cut
from caveat.results.ranking import Lead, Ranking


def lead_sentence(ranking: Ranking) -> str:
    """Say how far the leader is ahead, and whether the votes can tell."""
    lead = ranking.lead
    if lead is None:
        return "Fewer than two models have a rating, so there is no lead to judge."
    told = "The votes do not tell the two apart."
    if lead.separable:
        alone = ", if each counts by itself" if ranking.dependence or ranking.judges else ""
        told = f"The votes tell the two apart{alone}."
    needed = ""
    if math.isfinite(lead.z):
        needed = (
            f"; at a joint level of {joint_level(ranking)} a difference counts from "
            f"{one(ranking.critical)}"
        )
    return (
        f"{cut(lead.leader)} leads {cut(lead.runner_up)} by {_apart(lead, ranking.unit)} "
        f"({z_value(lead.z)}{needed}). {told}{_chance(lead)}"
    )


def joint_level(ranking: Ranking) -> str:
    """Write the level at which all rank intervals of a board hold together: `95%`."""
    return percent(ranking.level).replace(".0%", "%")


def _apart(lead: Lead, unit: str) -> str:
    if unit == "points":
        return counted(round(lead.difference), "point")
    return rating_writer(unit)(lead.difference)


def _chance(lead: Lead) -> str:
    if lead.win_probability != lead.win_probability:
        return ""
    chance = percent(lead.win_probability)
    return f" In a decisive battle the leader would win {chance} of the time."
