"""Which providers' models were shown when."""

from caveat.reports.numbers import counted
from caveat.reports.plots.month_map import MonthMap, month_map, unit_of
from caveat.reports.plots.plot import Plot
from caveat.reports.tables.sampling import provider_table
from caveat.results.stress.sampling import Sampling

MAX_PROVIDERS = 30


def provider_sampling(found: Sampling) -> Plot:
    """Return the sampling of providers over time; there are times and providers."""
    drawn = found.providers[:MAX_PROVIDERS]
    words = (
        f"Share of each {unit_of(found.months)}'s places in votes, two a vote, that the models of "
        "a provider had; most places first. Blank: none. From a quarter on the colour stays the "
        "same."
    )
    total = found.monthly.sum(axis=0).tolist()  # layout: every vote stands in two rows
    spec = month_map(
        MonthMap(
            rows="Provider",
            names=[one.provider for one in drawn],
            months=found.months,
            counts=[one.monthly for one in drawn],
            shares=[
                [places / of for places, of in zip(one.monthly, total, strict=True)]
                for one in drawn
            ],
            counted="Places",
            words=words,
        )
    )
    left = len(found.providers) - len(drawn)
    return Plot(
        name="provider-sampling",
        title="How often each provider's models were shown",
        description=words,
        spec=spec,
        table=provider_table(found),
        note=f"{counted(left, 'provider')} with fewer places not drawn." if left else "",
    )
