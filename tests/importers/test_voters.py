"""Tables of voters: recognised by their columns, never instead of votes, answers or models."""

import json

import pytest

import caveat
from caveat.cli import main
from caveat.errors import InputError, UnrecognisedError
from caveat.workflows.doctor import doctor
from caveat.workflows.importing import import_sources

VOTERS = "user_id,age,gender,country\nu1,34,f,FR\nu2,,m,DE\n"
VOTES = "model_a,model_b,winner,voter\nx,y,a,u1\ny,x,a,u2\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (VOTERS, "voters"),
        ("voter,team\nu1,red\n", "voters"),
        ("Voter ID,team\nu1,red\n", "voters"),
        ("id,worker_id,education_level\n1,u1,high\n", "voters"),
        ("participant,Sex\nu1,f\n", "voters"),
        (VOTES, "votes"),
        ("model_a,model_b,winner,user_id,age\nx,y,a,u1,34\n", "votes"),
        ("item,model,score,user_id,age\n1,x,0.5,u1,34\n", "responses"),
        ("question_id,user_id,gender,gpt,claude\n1,u1,f,A,A\n2,u2,m,B,B\n", "responses"),
        ("model,licence,provider\nx,MIT,me\n", "models"),
    ],
)
def test_which_tables_are_voters(write, read, text, kind):
    assert read(write("t.csv", text)).kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "user_id,timestamp,event\nu1,1,click\nu1,2,click\n",  # a log of what users did
        "age,gender\n34,f\n",  # nobody is named
        "voter\nu1\n",  # nothing is declared
        "worker_id,question,label,age\nu1,1,A,34\n",  # annotations
        "voter,model_a,model_b,age\nu1,x,y,34\n",  # votes that lack their outcome
    ],
)
def test_what_is_not_taken_for_voters(write, read, text):
    with pytest.raises(UnrecognisedError, match="voters need voter"):
        read(write("t.csv", text))


def test_the_user_may_say_so(write):
    path = write("t.csv", "user_id,timestamp,label\nu1,1,A\n")
    assert len(caveat.read_voters(path)) == 1
    options = caveat.Options(mapping={"voter": "member"})
    path = write("m.csv", "member,age\nm1,30\n")
    assert caveat.read_voters(path, options=options).table.column("voter").to_pylist() == ["m1"]


def test_attributes_are_kept_in_one_form(write, read):
    rows = [
        {"voter": "u1", "age": 34, "job": " nurse ", "place": "e\u0301vian"},
        {"voter": "u2", "age": None, "job": "", "place": "\u00e9vian"},
        {"voter": None, "age": 3, "job": "x", "place": "y"},
    ]
    evidence = read(write("v.jsonl", "\n".join(map(json.dumps, rows))))
    assert evidence.table.to_pydict() == {
        "voter": ["u1", "u2"],
        "age": [34, None],
        "job": ["nurse", None],
        "place": ["\u00e9vian", "\u00e9vian"],
    }
    (drop,) = evidence.provenance.account.drops
    assert (drop.reason, drop.count) == ("no voter", 1)


def test_a_voter_stands_once(write):
    twice = write("v.csv", "voter,age\nu1,34\nu2,50\nu1,34\n")
    evidence = caveat.read_voters(twice)
    assert len(evidence) == 2
    assert evidence.provenance.account.drops[0].reason == "duplicate of an earlier row"
    torn = write("w.csv", "voter,age\nu1,34\nu1,35\n")
    with pytest.raises(InputError, match=r"row 1 and .*row 2: .*voter='u1'.*age 34 and 35; say"):
        caveat.read_voters(torn)
    assert len(caveat.read_voters(torn, options=caveat.Options(bad_rows="drop"))) == 1


def test_doctor_import_and_report_know_voters(write, tmp_path, capsys):
    votes, voters = write("votes.csv", VOTES), write("people.csv", VOTERS)
    (found,) = doctor([voters])
    assert (found.kind, found.supports, found.problems) == ("voters", ("voters",), ())
    assert dict(found.columns) == {"user_id": "voter", "age": "", "gender": "", "country": ""}
    written = dict(import_sources([votes, voters], tmp_path / "out"))
    again = caveat.read(tmp_path / "out")
    assert {kind: len(table) for kind, table in again.items()} == {"votes": 2, "voters": 2}
    assert [path.name for path in written] == ["votes.parquet", "voters.parquet"]
    report = caveat.report([votes, voters])
    assert [s.kind for s in report.provenance.sources] == ["votes", "voters"]
    assert main(["doctor", str(voters)]) == 0
    assert "voters (csv" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["0", "-1", "inf", "-0.0", "much"])
def test_a_weight_is_above_zero(write, read, value):
    text = f"model_a,model_b,winner,weight\nx,y,a,2.5\nx,y,b,{value}\nx,y,b,\n"
    path = write("w.csv", text)
    with pytest.raises(
        InputError, match=r"w\.csv, row 2, column 'weight': must be a finite number above 0, got"
    ):
        read(path)
    evidence = read(path, bad_rows="drop")
    assert evidence.table.column("weight").to_pylist() == [2.5]
    assert {d.reason: d.count for d in evidence.provenance.account.drops} == {
        "weight: must be a finite number above 0": 1,
        "no weight": 1,
    }


def test_weights_that_turn_up_late_are_one_before(write, read):
    rows = [{"model_a": "x", "model_b": "y", "winner": "a"}]
    rows = [*rows * 50_000, rows[0] | {"weight": 3}]
    evidence = read(write("w.jsonl", "\n".join(map(json.dumps, rows))))
    assert evidence.table.column("weight").to_pylist()[-2:] == [1.0, 3.0]
