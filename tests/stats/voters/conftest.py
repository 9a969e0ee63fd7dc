import csv

import pytest

import caveat
from caveat.stats.voters.electorate import electorate


def _rows(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.fixture(scope="session")
def oracle_electorate(oracle):
    """The stored votes and voters that R has weighted."""
    folder = oracle / "raking"
    votes = caveat.read_votes(_columns(_rows(folder / "votes.csv")))
    voters = caveat.read_voters(_columns(_rows(folder / "voters.csv")))
    return electorate(votes, voters)


@pytest.fixture(scope="session")
def oracle_rows(oracle):
    """Rows of a stored file."""
    return lambda name: _rows(oracle / "raking" / name)


@pytest.fixture(scope="session")
def people():
    """An electorate from dicts: votes as (voter, a, b, outcome), voters as {voter: attributes}."""

    def build(votes, voters=None):
        names = ("voter", "model_a", "model_b", "outcome")
        cast = caveat.read_votes({n: [v[k] for v in votes] for k, n in enumerate(names)})
        if voters is None:
            return electorate(cast, None)
        attributes = dict.fromkeys(name for told in voters.values() for name in told)
        table = {"voter": list(voters)}
        table |= {a: [told.get(a) for told in voters.values()] for a in attributes}
        return electorate(cast, caveat.read_voters(table))

    return build
