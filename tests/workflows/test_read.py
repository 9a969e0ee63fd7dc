import pytest

import caveat
from caveat.errors import InputError
from caveat.workflows.options import Options

VOTES = "model_a,model_b,winner\nx,y,a\ny,x,a\n"
ANSWERS = "item,model,pred_b,prediction,target\n1,x,A,B,A\n2,x,A,A,A\n1,y,B,B,A\n2,y,B,A,A\n"


@pytest.fixture
def files(tmp_path):
    votes, answers = tmp_path / "votes.csv", tmp_path / "answers.csv"
    votes.write_text(VOTES)
    answers.write_text(ANSWERS)
    return [str(votes), str(answers)]


def test_a_mapping_binds_the_sources_that_have_its_column(files):
    found = caveat.read(files, options=Options(mapping={"prediction": "pred_b"}))
    table = found["responses"].table
    assert table["prediction"].to_pylist() == ["A", "A", "B", "B"]
    assert table["prediction_source"].to_pylist() == ["B", "A", "B", "A"]
    assert len(found["votes"]) == 2


def test_a_mapping_that_binds_nothing_is_an_error(files):
    with pytest.raises(InputError, match="prediction=nowhere: no source has such a column"):
        caveat.read(files, options=Options(mapping={"prediction": "nowhere"}))
    with pytest.raises(InputError, match=r"answers.csv: mapping prediction=nowhere needs a column"):
        caveat.read(files[1], options=Options(mapping={"prediction": "nowhere"}))


def test_a_copy_of_a_source_is_refused(files, tmp_path):
    copy = tmp_path / "copy.csv"
    copy.write_text(VOTES)
    with pytest.raises(InputError, match=r"copy.csv holds the same bytes as .*votes.csv"):
        caveat.read([*files, str(copy)])


def test_members_of_one_archive_are_no_copies(tmp_path):
    import zipfile

    path = tmp_path / "both.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", VOTES)
        archive.writestr("b.csv", VOTES.replace("x", "z"))
    assert len(caveat.read(str(path))["votes"]) == 4


def test_accounts_of_several_sources_add_up(files):
    account = caveat.read(files)["responses"].provenance.account
    assert account.rows_read == account.kept + account.dropped == 4


def test_nothing_of_the_wanted_kind_is_an_error(files):
    with pytest.raises(InputError):
        caveat.read_votes(files[1])


def test_an_empty_cell_of_an_extra_column_is_missing_in_csv(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,model,prediction,published,target\n1,x,,G,A\n2,x,A,A,A\n3,x, ,G,A\n")
    found = caveat.read_responses(str(path), options=Options(mapping={"prediction": "published"}))
    assert found.table["prediction_source"].to_pylist() == [None, "A", None]


def test_a_list_of_records_may_stand_among_other_sources(files):
    records = [{"item": "9", "model": "x", "prediction": "A", "target": "A", "benchmark": "r"}]
    found = caveat.read([files[0], records])
    assert len(found["votes"]) == 2
    assert found["responses"].table["item"].to_pylist() == ["9"]
