"""The stress test that asks who voted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from caveat.data.margins import Margins
    from caveat.results.stress.voters import VoterReadings
    from caveat.stats.ranking.fitted import Method
    from caveat.workflows.stress_parts import Bench


def voters(bench: "Bench") -> "VoterReadings":
    """Say who voted, and read the votes with other weights of their voters."""
    from caveat.stats.voters.manner import Manner
    from caveat.stats.voters.voters import voter_readings

    options = bench.options
    return voter_readings(
        bench.votes,
        bench.voters,
        bench.populations,
        manner=Manner(
            threshold=options.disclosure,
            trim=options.trim or None,
            method=cast("Method", options.method),
            anchor=bench.board.anchor,
            level=options.level,
            seed=options.seed,
        ),
    )


def populations(files: Sequence[str]) -> Mapping[str, Sequence["Margins"]]:
    """Read the margins of populations, each named after its file.

    Raises
    ------
    SourceError
        If a file cannot be read.
    InputError
        If it holds no margins, or margins that break a rule.
    """
    from caveat.data.margins_file import read_margins

    stems = [Path(file).stem for file in files]
    return {
        file if stems.count(stem) > 1 else stem: read_margins(file)
        for file, stem in zip(dict.fromkeys(files), stems, strict=False)
    }
