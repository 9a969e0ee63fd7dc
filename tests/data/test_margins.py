"""Margins: what they may be, recoding, TOML, census tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.data.margins import Margins, collapsed, recoded
from caveat.data.margins_file import read_margins
from caveat.errors import InputError, SourceError

AGE = {"18-44": 0.4, "45-64": 0.35, "65+": 0.25}


def _age(shares=None, **changes):
    shares = AGE if shares is None else shares
    made = {"name": "age", "attributes": ("age",), "levels": tuple((k,) for k in shares)}
    return Margins(**made | {"shares": np.array(list(shares.values()), dtype=float)} | changes)


def _joint(shares=(0.1, 0.2, 0.3, 0.4)):
    levels = (("young", "f"), ("young", "m"), ("old", "f"), ("old", "m"))
    return Margins(name="both", attributes=("age", "sex"), levels=levels, shares=np.array(shares))


def test_shares_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        _age().shares[0] = 1


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({}, "at least one level, got none"),
        ({"a": 0.5, "b": 0.4}, r"sum to 1 within 1e-06, got 0.9; add the level .* missing 0.1"),
        ({"a": 50.0, "b": 50.0}, "got 100; these are percentages: divide each by 100"),
        ({"a": 50.0, "b": 49.9}, "rounded percentages: divide each by 99.9"),
        ({"a": 3000.0, "b": 1000.0}, "got 4000; divide each by 4000"),
        ({"a": 0.0}, "got 0; state the share of at least one level"),
        ({"a": 1.1, "b": -0.1}, "level 'b': a share must be a number from 0 to 1, got -0.1"),
        ({"a": float("nan"), "b": 1.0}, "level 'a': a share must be a number"),
        ({"a": float("inf"), "b": 1.0}, "level 'a': a share must be a number"),
        ({"a ": 0.5, "a": 0.5}, "each level must be there once, got 'a' twice"),
        ({"e\u0301": 0.5, "\u00e9": 0.5}, "must be there once"),
        ({" ": 1.0}, "must name one level of each of age"),
    ],
)
def test_what_shares_must_be(shares, message):
    with pytest.raises(InputError, match=f"margins age.*{message}"):
        _age(shares)


def test_the_sum_may_be_off_by_a_millionth():
    # 0.4 + 0.35 + 0.2499995 = 0.9999995, within 1e-6; 0.249998 is 2e-6 short.
    assert _age(AGE | {"65+": 0.2499995}).shares.sum() < 1
    with pytest.raises(InputError, match="sum to 1"):
        _age(AGE | {"65+": 0.249998})


@pytest.mark.parametrize(
    ("attributes", "levels", "message"),
    [
        ((), (("a",),), "must name an attribute"),
        (("age", ""), (("a", "b"),), "must name an attribute"),
        (("age", "age"), (("a", "b"),), "'age' twice"),
        (("age", "sex"), (("a",),), "one level of each of age, sex"),
        (("age",), (("a",), ("b",)), "one share for each of 2 levels"),
    ],
)
def test_what_attributes_and_levels_must_be(attributes, levels, message):
    with pytest.raises(InputError, match=message):
        Margins(name="m", attributes=attributes, levels=levels, shares=np.array([1.0]))


def test_collapsing_adds_up():
    # young 0.1 + 0.2, old 0.3 + 0.4; f 0.1 + 0.3, m 0.2 + 0.4
    both = _joint()
    assert collapsed(both, ("age",)).levels == (("young",), ("old",))
    assert collapsed(both, ("age",)).shares == pytest.approx([0.3, 0.7])
    assert collapsed(both, ("sex",)).shares == pytest.approx([0.4, 0.6])
    turned = collapsed(both, ("sex", "age"))
    assert turned.levels[1] == ("m", "young")
    assert turned.shares.tolist() == both.shares.tolist()
    with pytest.raises(InputError, match="must be one of age, sex, got 'region'"):
        collapsed(both, ("region",))


def test_recoding_merges_levels():
    merged = recoded(_age(), "age", {"45-64": "45+", "65+": "45+"})
    assert merged.levels == (("18-44",), ("45+",))
    assert merged.shares == pytest.approx([0.4, 0.6])
    assert recoded(_joint(), "sex", {"f": "Female"}).of("sex") == ("Female", "m")
    with pytest.raises(InputError, match=r"must be levels of 'age' .*, got '66'"):
        recoded(_age(), "age", {"66": "x"})


@given(st.lists(st.floats(0.01, 1), min_size=4, max_size=4))
def test_collapsing_in_two_steps_is_collapsing_at_once(parts):
    shares = np.array(parts) / sum(parts)
    both = _joint(shares)
    twice = collapsed(collapsed(both, ("sex", "age")), ("age",))
    np.testing.assert_allclose(twice.shares, collapsed(both, ("age",)).shares, rtol=1e-12)
    assert twice.levels == collapsed(both, ("age",)).levels


TOML = """
title = "other keys are left alone"

[margins.age]
"18-44" = 0.4
"45+" = 0.6

[margins."age,sex"]
"18-44,Female" = 0.2
"18-44,Male" = 0.2
"45+,Female" = 0.35
"45+,Male" = 0.25

[margins."work,sex"."Unemployed, seeking work"]
Female = 0.1
Male = 0
[margins."work,sex".Other]
Female = 0.4
Male = 0.5
"""


def _written(tmp_path, text, name="margins"):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_toml(tmp_path):
    age, both, work = read_margins(_written(tmp_path, TOML))
    assert (age.name, age.attributes, age.of("age")) == ("age", ("age",), ("18-44", "45+"))
    assert both.attributes == ("age", "sex")
    assert both.levels[2] == ("45+", "Female")
    assert both.shares.tolist() == [0.2, 0.2, 0.35, 0.25]
    assert work.levels[0] == ("Unemployed, seeking work", "Female")
    assert work.shares.tolist() == [0.1, 0.0, 0.4, 0.5]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", InputError, "got an empty file"),
        ("# nothing\n", InputError, "got an empty file"),
        ("[other]\nx = 1\n", InputError, "must hold tables of margins"),
        ("margins = 3\n", InputError, "must hold tables of margins"),
        ("[margins]\nage = 0.5\n", InputError, r"margins age: must be a table.*got 0\.5"),
        ("[margins.age]\n", InputError, "at least one level"),
        ("[margins.age]\n18 = 0.5\n18 = 0.5\n", SourceError, "a level written twice"),
        ("[margins.age]\n65+ = 0.5\n", SourceError, "no quotes around it"),
        ('[margins.age]\na = "0.5"\n', InputError, "a share must be a number, got '0.5'"),
        ("[margins.age]\na = true\n", InputError, "a share must be a number, got True"),
        ("[margins.age]\na = 12\nb = 88\n", InputError, "percentages: divide each by 100"),
        ("[margins.age.a]\nb = 1\n", InputError, "got a table at 'a'"),
        ('[margins."age,sex"]\na = 1\n', InputError, "one level each of age, sex"),
        ('[margins."age,sex"]\n"a,b,c" = 1\n', InputError, "nest tables where a level holds a"),
        ('[margins.a]\nx=1\n[margins."a "]\nx=1\n', InputError, "must state the margins of a once"),
        (b"[margins.a]\n\xff = 1\n", SourceError, "must be UTF-8"),
    ],
)
def test_toml_that_is_refused(tmp_path, text, error, message):
    path = _written(tmp_path, text)
    with pytest.raises(error, match=message) as caught:
        read_margins(path)
    assert str(path) in str(caught.value)


SHARES = """age_category,White_Male,White_Female,Black_Male,Black_Female,All,All_Male
18-24 years old,0.1,0.2,0.05,0.05,0.4,0.15
65+ years old,0.2,0.3,0.05,0.05,0.6,0.25
All Ages,0.3,0.5,0.1,0.1,1.0,0.4
"""


def test_census_table_of_shares(tmp_path):
    (found,) = read_margins(_written(tmp_path, SHARES))
    assert found.attributes == ("age", "ethnicity", "sex")
    assert len(found.levels) == 8
    assert found.levels[1] == ("18-24 years old", "White", "Female")
    assert found.shares.tolist() == [0.1, 0.2, 0.05, 0.05, 0.2, 0.3, 0.05, 0.05]
    (named,) = read_margins(
        _written(tmp_path, SHARES), attributes=("age", "ethnicity_simplified", "gender")
    )
    assert collapsed(named, ("gender",)).shares == pytest.approx([0.4, 0.6])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.4,0.15", "0.41,0.15", "total of '18-24 years old' in column 'All' must be the sum"),
        ("0.6,0.25", "0.6,0.26", "in column 'All_Male' must be the sum of its cells, 0.25"),
        ("All Ages,0.3", "All Ages,0.2", "total of 'All Ages' in column 'White_Male'"),
        ("0.2,0.3,0.05", "0.2,0.2,0.05", "sum to 1 within 1e-06, got 0.9"),
        ("0.2,0.3,0.05", "0.2,x,0.05", "row 2, column 'White_Female': must be a number, got 'x'"),
        ("0.2,0.3,0.05", "0.2,-0.3,0.05", "must be a number from 0 on, got '-0.3'"),
        ("0.2,0.3,0.05", "0.2,0.05", "row 2: must have 7 fields as the header has, got 6"),
        ("65+", "18-24", "must be there once"),
        ("White_Male", "White", "must be a census table of one of the forms counts, shares"),
    ],
)
def test_census_tables_that_are_refused(tmp_path, old, new, message):
    path = _written(tmp_path, SHARES.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_margins(path)


COUNTS = """\ufeffAge,"Asian/Asian British: Chinese, Female 2021 (number)",\
"Asian/Asian British: Indian, Female 2021 (number)",\
"Asian/Asian British: Indian, Female 2021 (percentage)","White: Irish, Male 2021 (number)",\
"White: Irish, Male 2011 (number)"
17,1000,1000,9,1000,7
18,10,20,9,30,7
24,5,5,9,10,7
65,10,0,9,0,7
100+,10,0,9,0,7
"""


def test_census_table_of_counts(tmp_path):
    # Under 18 is left out; so are percentages and the older year. 18-24: Asian women
    # 10 + 20 + 5 + 5 = 40, White men 30 + 10 = 40; 65 on: Asian women 10 + 10 = 20. Total 100.
    (found,) = read_margins(_written(tmp_path, COUNTS))
    assert dict(zip(found.levels, found.shares.tolist(), strict=True)) == {
        ("18-24 years old", "Asian", "Female"): 0.4,
        ("18-24 years old", "White", "Male"): 0.4,
        ("65+ years old", "Asian", "Female"): 0.2,
        ("65+ years old", "White", "Male"): 0.0,
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("18,10", "eighteen,10", "row 2: an age must be a whole number, got 'eighteen'"),
        ("(number)", "(percentage)", "must have columns that end in"),
        ("18,10,20", "18,,20", "must be a number, got ''"),
    ],
)
def test_counts_that_are_refused(tmp_path, old, new, message):
    path = _written(tmp_path, COUNTS.replace(old, new))
    with pytest.raises(InputError, match=message):
        read_margins(path)


def test_nobody_of_age(tmp_path):
    with pytest.raises(InputError, match="must count somebody of 18 years or over"):
        read_margins(_written(tmp_path, "\n".join(COUNTS.splitlines()[:2])))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(SourceError, match="no such file"):
        read_margins(tmp_path / "none")
    with pytest.raises(SourceError, match="cannot be read"):
        read_margins(tmp_path)
    with pytest.raises(InputError, match="a header and at least one row"):
        read_margins(_written(tmp_path, "age_category,White_Male\n"))
    with pytest.raises(SourceError, match="must be UTF-8"):
        read_margins(_written(tmp_path, b"age_category,White_Male\n\xff,1\n"))
    with pytest.raises(InputError, match="must name age, group and sex"):
        read_margins(_written(tmp_path, SHARES), attributes=("age", "sex"))


@pytest.mark.shared
def test_real_census_tables(shared):
    (us,) = read_margins(shared / "votes/census_us_census_aggregate.csv")
    assert len(us.levels) == 6 * 6 * 2
    # its own totals: row "All Ages", columns All_Male and All_Female
    assert collapsed(us, ("sex",)).shares == pytest.approx([0.4932455738075761, 0.506754426192424])
    (uk,) = read_margins(shared / "votes/census_uk.csv")
    assert len(uk.levels) == 6 * 5 * 2
    cells = dict(zip(uk.levels, uk.shares, strict=True))
    # as PRISM's authors print them, in per cent (02_census_rebalancing.ipynb at a9ec821)
    published = {
        ("18-24 years old", "Asian", "Female"): 0.608783,
        ("35-44 years old", "Black", "Female"): 0.420846,
        ("65+ years old", "Mixed", "Female"): 0.055174,
        ("55-64 years old", "White", "Female"): 7.124328,
        ("45-54 years old", "Other", "Male"): 0.184896,
    }
    for cell, share in published.items():
        assert 100 * cells[cell] == pytest.approx(share, abs=5e-7)
