"""Voters by attribute beside the target population."""

from collections.abc import Sequence
from typing import NamedTuple

from caveat.reports.numbers import percent
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.voters import declared_table, targets_table
from caveat.reports.visible import visible
from caveat.results.stress.voters import Population, VoterReadings

BAR = 9
DRAWN = 60
"""Levels drawn."""
VOTERS, VOTES, POPULATION, WEIGHTED = "voters", "votes", "population", "voters once weighted"


class _Line(NamedTuple):
    attribute: str
    level: str
    shares: dict[str, float]


def beside_population(population: Population, *, name: str) -> Plot:
    """Return shares of voters, of their votes and of the population, level by level."""
    lines = [
        _Line(
            t.attribute,
            t.level,
            {
                VOTERS: t.voters,
                VOTES: t.votes,
                POPULATION: t.population,
                WEIGHTED: t.weighted,
            },
        )
        for t in population.targets
    ]
    series = [VOTERS, VOTES, POPULATION] + ([] if population.reason else [WEIGHTED])
    words = (
        f"Share of the voters who declare an attribute, of their votes, and of {population.name}, "
        "by level."
    )
    spec, note = _spec(lines, series, words)
    return Plot(
        name=name,
        title=f"Voters by attribute beside {population.name}",
        description=words,
        spec=spec,
        table=targets_table(population),
        note=note,
    )


def by_attribute(found: VoterReadings) -> Plot:
    """Return shares of voters and of their votes, level by level."""
    lines = [
        _Line(table.attribute, level.level, {VOTERS: level.share, VOTES: level.votes_share})
        for table in found.declared
        for level in table.levels
    ]
    words = "Share of all voters, and of their votes, by what they declare."
    spec, note = _spec(lines, [VOTERS, VOTES], words)
    return Plot(
        name="voters-by-attribute",
        title="Voters by attribute",
        description=words,
        spec=spec,
        table=declared_table(found),
        note=note,
    )


def _spec(lines: Sequence[_Line], series: Sequence[str], words: str) -> tuple[Spec, str]:
    drawn = lines[:DRAWN]
    bars = [
        {
            "line": f"{visible(line.attribute)}: {visible(line.level)}",
            "of": one,
            "share": line.shares[one],
            "shown": percent(line.shares[one]),
        }
        for line in drawn
        for one in series
    ]
    spec = base(bars, words, marks=len(bars))
    colour = {
        "field": "of",
        "type": "nominal",
        "scale": {"domain": list(series), "range": "category"},
        "legend": {"orient": "top", "title": None},
    }
    spec |= {
        "width": "container",
        "autosize": FLUID,
        "height": max(len(drawn), 1) * (BAR * len(series) + 6),
        "mark": {"type": "bar"},
        "encoding": {
            "y": {"field": "line", "type": "nominal", "sort": None, "title": None},
            "yOffset": {"field": "of", "type": "nominal", "sort": list(series)},
            "x": {
                "field": "share",
                "type": "quantitative",
                "scale": {"zero": True},
                "axis": {"orient": "top", "format": ".0%", "tickCount": 5},
                "title": "Share",
            },
            "color": colour,
            "tooltip": tips(("line", "Level"), ("of", "Of"), ("shown", "Share")),
        },
    }
    cut = len(lines) > len(drawn)
    return spec, f"The first {DRAWN} levels are drawn; the table has all." if cut else ""
