"""Voters in caveat stress: files, margins and settings from end to end."""

import pytest

import caveat
from caveat.errors import InputError, SourceError
from caveat.results.stress.voters import VoterReadings
from caveat.stats.voters.synthetic import synthetic_arena
from caveat.workflows.options import Options

QUICK = {"boundaries": 1, "shuffles": 2}


@pytest.fixture(scope="module")
def arena():
    return synthetic_arena(150, n_models=3, votes_per_voter=3, seed=1)


def margins(tmp_path, text, name="country.toml"):
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


AGES = '"18-29" = 0.20\n"30-44" = 0.25\n"45-64" = 0.33\n"65+" = 0.22\n'


def voters(arena, **options):
    found = caveat.stress([arena.votes, arena.voters], options=Options(**QUICK | options))
    return found.part(VoterReadings), found


def test_margins_are_read_and_named_after_their_file(arena, tmp_path):
    file = margins(tmp_path, f"[margins.age]\n{AGES}")
    part, found = voters(arena, margins=(file,), disclosure=5, trim=0.0, level=0.9)
    (population,) = part.populations
    assert (population.name, population.how, population.trim) == (
        "country",
        "post-stratified",
        None,
    )
    assert (part.threshold, part.level, part.seed) == (5, 0.9, 0)
    assert "country: one voice each" in [reading.name for reading in part.readings]
    assert part.readings[0].models[0].model == found.board.models[0].model
    anchored = [m.model for m in part.readings[0].models if m.rating == 1000.0]
    assert found.board.anchor in anchored
    assert found.to_dict()["voters"]["populations"][0]["name"] == "country"


def test_files_of_one_name_are_told_apart(arena, tmp_path):
    (tmp_path / "other").mkdir()
    first = margins(tmp_path, f"[margins.age]\n{AGES}")
    second = margins(tmp_path / "other", "[margins.sex]\nman = 0.5\nwoman = 0.5\n")
    part, _ = voters(arena, margins=(first, second, first))
    assert [population.name for population in part.populations] == [first, second]


def test_bad_margins_stop_the_run(arena, tmp_path):
    with pytest.raises(SourceError, match="no such file"):
        voters(arena, margins=(str(tmp_path / "none.toml"),))
    wrong = margins(tmp_path, "[margins.age]\nyoung = 0.4\nold = 0.7\n")
    with pytest.raises(InputError, match=r"country.toml, margins age: the shares must sum to 1"):
        voters(arena, margins=(wrong,))


def test_votes_alone_have_a_turnout(arena):
    found = caveat.stress(arena.votes, options=Options(**QUICK))
    part = found.part(VoterReadings)
    assert part.turnout.n_voters == 150
    assert not part.has_table
    codes = [c.code for c in caveat.check(arena.votes, options=Options(**QUICK))]
    assert "VOT401" in codes


def test_the_command_line_takes_margins(tmp_path, capsys, arena):
    import pyarrow as pa
    import pyarrow.csv

    from caveat.cli import main

    for kind, evidence in (("votes", arena.votes), ("voters", arena.voters)):
        table = evidence.table
        text = pa.table({n: table[n].cast(pa.string()) for n in table.column_names})
        pa.csv.write_csv(text, tmp_path / f"{kind}.csv")
    files = [str(tmp_path / f"{kind}.csv") for kind in ("votes", "voters")]
    file = margins(tmp_path, f"[margins.age]\n{AGES}")
    base = ["stress", *files, "--no-config", "--boundaries", "1"]
    assert main([*base, "--margins", file, "--disclosure", "5", "--trim", "3"]) == 0
    said = capsys.readouterr().out
    assert "Voters are post-stratified to country by age" in said
    for wrong in (["--disclosure", "0"], ["--trim", "0.5"], ["--margins", "nowhere.toml"]):
        assert main([*base, *wrong]) == 2
        assert wrong[1] in capsys.readouterr().err
