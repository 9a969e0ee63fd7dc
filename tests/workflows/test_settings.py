import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from caveat.cli.options import BadRows, FailOn, Policy
from caveat.data import builder
from caveat.data.margins_file import read_margins
from caveat.errors import InputError, SourceError
from caveat.results.caveat import Severity
from caveat.stats.agreement.policy import POLICIES
from caveat.workflows.settings import FAIL_ON, SETTINGS, Settings, find, load


def write(folder: Path, text: str, name: str = "caveat.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def test_every_setting_is_a_field_and_every_field_a_setting():
    names = [name.replace("-", "_") for name in SETTINGS.names()]
    assert names == [f.name for f in fields(Settings)][1:]


def test_choices_are_those_of_the_code_they_belong_to():
    assert get_args(Policy) == POLICIES
    assert get_args(BadRows) == get_args(builder.BadRows)
    assert get_args(FailOn) == FAIL_ON == ("none", *(s.value for s in Severity))


def test_an_empty_file_says_nothing(tmp_path):
    path = write(tmp_path, "")
    assert load(path) == Settings(file=str(path))


def test_the_nearest_file_counts(tmp_path):
    write(tmp_path, "")
    near = write(tmp_path / "a", "")
    (tmp_path / "a" / "b").mkdir()
    assert find(tmp_path / "a" / "b") == near.resolve()


def test_the_search_ends_at_the_root_of_a_repository(tmp_path):
    write(tmp_path, "")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "sub").mkdir()
    assert find(tmp_path / "repo" / "sub") is None


def test_a_file_at_the_root_of_a_repository_is_found(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    path = write(tmp_path, "[tool.caveat]\nseed = 1\n", "pyproject.toml")
    assert find(tmp_path / "sub") == path.resolve()
    assert load(path).seed == 1


def test_a_pyproject_without_our_table_is_passed_over(tmp_path):
    (tmp_path / ".git").mkdir()
    outer = write(tmp_path, "seed = 1\n")
    write(tmp_path / "sub", "[project]\nname = 'x'\n", "pyproject.toml")
    assert find(tmp_path / "sub") == outer.resolve()


def test_caveat_toml_goes_before_pyproject(tmp_path):
    write(tmp_path, "[tool.caveat]\n", "pyproject.toml")
    own = write(tmp_path, "")
    assert find(tmp_path) == own.resolve()


def test_an_unknown_key_names_file_key_and_what_is_allowed(tmp_path):
    path = write(tmp_path, 'fail_on = "notice"\n')
    with pytest.raises(InputError) as caught:
        load(path)
    message = str(caught.value)
    assert str(path) in message
    assert "'fail_on'" in message
    assert all(name in message for name in SETTINGS.names())


def test_an_unknown_key_of_pyproject_names_the_table(tmp_path):
    path = write(tmp_path, "[tool.caveat]\nsede = 1\n", "pyproject.toml")
    with pytest.raises(InputError, match=re.escape("[tool.caveat]: unknown setting 'sede'")):
        load(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('select = "RNK"', "select must be a list"),
        ('select = ["XYZ"]', "XYZ"),
        ("ignore = [1]", "ignore must be a list"),
        ('fail-on = "error"', "fail-on must be one of"),
        ('policy = "ignore"', "policy must be one of"),
        ("policy = 1", "policy must be a text"),
        ("level = 95", "level must be strictly between 0 and 1"),
        ('level = "0.9"', "level must be a number"),
        ("level = true", "level must be a number"),
        ("seed = -1", "seed must be at least 0"),
        ("seed = 1.5", "seed must be a whole number"),
        ("bootstrap = true", "bootstrap must be a whole number"),
        ("bootstrap = 50", "bootstrap must be at least 100"),
        ("bootstrap = 10001", "bootstrap must be at most 10,000"),
        ('bad-rows = "keep"', "bad-rows must be one of"),
        ('map = "model=system"', "map must be a table"),
        ("map.model = 1", "map.model must be a text"),
        ('map.modle = "system"', "a key of map must be one of"),
        ("title = 1", "title must be a text"),
        ("rules = 1", "rules must hold one table per code"),
        ("[rules.XXX999]", "XXX999"),
        ("[rules.RNK204]\nvotes = 1", "no threshold 'votes'"),
        ('[rules.RNK204]\nmin_votes = "many"', "min_votes must be a number"),
    ],
)
def test_a_wrong_value_names_file_and_key(tmp_path, text, said):
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", [b"seed = ", b"\xff\xfe", b"x = " + b"[" * 100_000])
def test_what_is_no_toml_is_an_error_that_names_the_file(tmp_path, content):
    path = tmp_path / "caveat.toml"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="not readable as TOML"):
        load(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="cannot be read"):
        load(tmp_path / "none.toml")


def test_an_endless_file_is_not_read(tmp_path):
    path = tmp_path / "caveat.toml"
    path.write_bytes(b"#" * 1_000_001)
    with pytest.raises(SourceError, match="bytes at most"):
        load(path)


def test_pyproject_named_on_purpose_needs_our_table(tmp_path):
    path = write(tmp_path, "[project]\n", "pyproject.toml")
    with pytest.raises(InputError, match="no table"):
        load(path)


def test_a_folder_is_found_and_refused(tmp_path):
    (tmp_path / "caveat.toml").mkdir()
    path = find(tmp_path)
    assert path is not None
    with pytest.raises(SourceError, match="is a folder"):
        load(path)


def test_margins_are_files_beside_the_settings_or_tables_in_them(tmp_path):
    path = write(tmp_path, 'margins = ["country.toml", "../world.csv"]\n')
    assert load(path).margins == (str(tmp_path / "country.toml"), str(tmp_path / "../world.csv"))
    path = write(tmp_path, "[margins.age]\nyoung = 0.4\nold = 0.6\n")
    assert load(path).margins == (str(path),)
    assert read_margins(path)[0].levels == (("young",), ("old",))
    path = write(tmp_path, "[tool.caveat.margins.age]\nyoung = 1.0\n", "pyproject.toml")
    with pytest.raises(InputError, match=r"must be a list of files in pyproject\.toml"):
        load(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("margins = 3", "margins must be a list of files"),
        ('margins = [""]', "margins must be a list of files"),
        ("disclosure = 0", "disclosure must be at least 1, got 0"),
        ("disclosure = 2.5", "disclosure must be a whole number"),
        ("trim = 1.0", "trim must be above 1, or 0 for no limit, got 1.0"),
        ("trim = -1", "trim must be above 1"),
        ("trim = inf", "trim must be above 1"),
        ('trim = "5"', "trim must be a number"),
    ],
)
def test_settings_about_voters_are_checked(tmp_path, text, message):
    with pytest.raises(InputError, match=re.escape(message)):
        load(write(tmp_path, text))


def test_no_limit_on_weights_is_zero(tmp_path):
    assert load(write(tmp_path, "trim = 0\ndisclosure = 1")).trim == 0
