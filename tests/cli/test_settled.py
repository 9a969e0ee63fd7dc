import pytest

from caveat.cli.options import Answers, Figures, Reading, Rules, SettingsFile
from caveat.cli.settled import codes, columns, settle
from caveat.errors import InputError
from caveat.workflows.options import DEFAULTS

NO_FILE = SettingsFile(no_config=True)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "caveat.toml"
    path.write_text(
        'select = ["RNK"]\nignore = ["RNK205"]\nfail-on = "notice"\nlevel = 0.9\nseed = 7\n'
        'policy = "as-option"\nbad-rows = "drop"\n[map]\nmodel = "system"\nitem = "question"\n'
        "[rules.RNK204]\nmin_votes = 50\n"
    )
    return SettingsFile(config=path)


def test_without_flags_and_file_the_defaults_hold():
    settled = settle(NO_FILE, reading=Reading(), figures=Figures(), rules=Rules())
    assert settled.options == DEFAULTS
    assert settled.fail_on is None


def test_the_file_stands_over_the_defaults(file):
    settled = settle(file, reading=Reading(), figures=Figures(), rules=Rules())
    options = settled.options
    assert (options.level, options.seed, options.policy) == (0.9, 7, "as-option")
    assert (options.select, options.ignore) == (("RNK",), ("RNK205",))
    assert options.thresholds == {"RNK204": {"min_votes": 50}}
    assert options.bad_rows == "drop"
    assert settled.fail_on == "notice"


def test_flags_stand_over_the_file(file):
    settled = settle(
        file,
        reading=Reading(map=("model=name",), bad_rows="error"),
        figures=Figures(level=0.99, seed=0),
        rules=Rules(select=("DAT,AGR",), fail_on="none"),
    )
    options = settled.options
    assert (options.level, options.seed, options.policy) == (0.99, 0, "as-option")
    assert options.select == ("DAT", "AGR")
    assert options.mapping == {"model": "name", "item": "question"}
    assert options.bad_rows == "error"
    assert settled.fail_on == "none"


def test_a_command_without_an_option_still_takes_it_from_the_file(file):
    assert settle(file, reading=Reading(), figures=Answers()).options.seed == 7


def test_codes_are_split_and_repeated_ones_dropped():
    assert codes(["rnk, DAT104", "RNK", ""]) == ("RNK", "DAT104")


@pytest.mark.parametrize("text", ["model", "=system", "model=", "="])
def test_a_mapping_needs_both_names(text):
    with pytest.raises(InputError, match="--map must be NAME=COLUMN"):
        columns([text])


def test_a_column_name_may_hold_an_equals_sign():
    assert columns(["item=a=b"]) == {"item": "a=b"}


def test_one_name_cannot_be_read_from_two_columns():
    with pytest.raises(InputError, match="'model' twice"):
        columns(["model=a", "model=b"])


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, float("nan")])
def test_a_level_outside_0_to_1_is_refused(level):
    with pytest.raises(InputError, match="--level"):
        settle(NO_FILE, reading=Reading(), figures=Figures(level=level))


def test_an_unknown_code_is_refused_before_any_work():
    with pytest.raises(InputError, match="XYZ"):
        settle(NO_FILE, reading=Reading(), rules=Rules(select=("XYZ",)))


def test_config_and_no_config_exclude_each_other(file):
    with pytest.raises(InputError, match="--no-config"):
        settle(SettingsFile(config=file.config, no_config=True), reading=Reading())
