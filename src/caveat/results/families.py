"""What each family of caveats is about, for headings."""

from collections.abc import Mapping

FAMILIES: Mapping[str, str] = {
    "DAT": "The data",
    "AGR": "Agreement",
    "RNK": "Ranking",
    "VOT": "Voters",
    "CST": "Cost",
    "INF": "Inference",
    "REP": "Repository",
    "GOV": "Governance",
}
