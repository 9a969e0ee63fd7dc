"""RNK209 and VOT402: how little carries the first place."""

import runpy
from pathlib import Path

from caveat.results.stress.drop import Drop, DropAFew, Flip, VotesTaken

STYLE = runpy.run_path(str(Path(__file__).parent / "planted_style.py"))


def flip(unit, number, *, above="A", below="B", of=100_000, votes=None, **changes):
    """So many of a unit; for the votes of clusters, `votes`."""
    votes = number if votes is None else votes
    fields = {
        "unit": unit,
        "above": above,
        "below": below,
        "number": number,
        "of": of,
        "votes": votes,
        "share_of_board": (votes or 0) / 100_000,
        "share_of_top": (votes or 0) / 40_000,
        "own_share": (votes or 0) / 50_000,
        "one_step": number,
        "kinds": (VotesTaken(model=above, over=below, tie=False, number=40.0, of=60.0),),
        "n_kinds": 3,
    }
    return Flip(**(fields | changes))


def row(*flips, boundary=1, above="A", below="B", **changes):
    fields = {
        "n_top": 40_000,
        "difference": 14.0,
        "z": 5.6,
        "z_voters": None,
        "z_prompts": None,
        "apart": None,
        "direct": 55,
    }
    return Drop(above=above, below=below, boundary=boundary, flips=flips, **(fields | changes))


def drop(*rows, **changes):
    """A board of 100,000 votes."""
    fields = {
        "method": "davidson",
        "n_models": 4,
        "n_votes": 100_000,
        "n_voters": None,
        "n_prompts": None,
        "unnamed_voters": 0,
        "unnamed_prompts": 0,
        "prompt_column": None,
        "weighted": False,
        "reasons": {"voters": "the votes have no column voter"},
    }
    return DropAFew(rows=rows, **(fields | changes))


def by_votes(number, **changes):
    return drop(row(flip("votes", number), flip("fabricated", 50), **changes))


def by_voters(number, *, of=120):
    votes = flip("votes", 4_000)
    voters = flip("voters", number, of=of, votes=9_000)
    return drop(row(votes, voters, z_voters=3.3), n_voters=of, reasons={})


def planted(make):
    """Pairs by code."""
    under = STYLE["under"]
    return {
        "RNK209": make.Planted(under(make, by_votes(99)), under(make, by_votes(1_000))),
        "VOT402": make.Planted(under(make, by_voters(7)), under(make, by_voters(13))),
    }
