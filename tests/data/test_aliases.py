import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import caveat
from caveat.data.alias_proposals import as_csv, as_toml, propose
from caveat.data.aliases import checked, renamed
from caveat.data.aliases_file import read_aliases
from caveat.errors import InputError, SourceError

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
ANSWERS = {
    "benchmark": ["b"] * 4,
    "item": ["1", "2", "1", "2"],
    "model": ["gpt-4o", "gpt-4o", "openai/gpt-4o", "x"],
    "prediction": ["A", "B", "A", "C"],
    "target": ["A"] * 4,
}
ALIASES = {"openai/gpt-4o": "gpt-4o"}


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([("a", "b"), ("a", "c")], "'a' must stand for one model, got 'b' and 'c'"),
        ([("a", "b"), ("b", "c")], r"outright, got 'a' = 'b' = 'c'; write 'a' = 'c'"),
        ([("a", "b"), ("b", "a")], "must not go round in a circle, got 'a' = 'b' = 'a'"),
        ([("a", "a")], "'a' must stand for another name, got itself"),
        ([("", "a")], "names must not be empty"),
        ([("a", " ")], "names must not be empty"),
        (
            [("z", "a"), ("a", "b"), ("b", "c"), ("c", "a")],
            "circle, got 'z' = 'a' = 'b' = 'c' = 'a'",
        ),
    ],
)
def test_tables_that_leave_a_choice_are_refused(pairs, why):
    with pytest.raises(InputError, match=why):
        checked(pairs, where="table")


def test_saying_the_same_twice_is_fine():
    assert checked([("a", "b"), ("a", "b"), ("c", "b")], where="t") == {"a": "b", "c": "b"}


@pytest.mark.parametrize(
    "text",
    [
        '[aliases]\n"openai/gpt-4o" = "gpt-4o"\n',
        '# mine\n[aliases]\n"gpt-4o" = ["openai/gpt-4o"]\n',
        "alias,model\nopenai/gpt-4o,gpt-4o\n",
        "model,alias,accept\ngpt-4o,openai/gpt-4o,yes\ngpt-4o,x,\ngpt-4o,y,no\n",
        '\ufeffAlias,"Model"\n"openai/gpt-4o",gpt-4o\n',
    ],
)
def test_tables_of_every_form(tmp_path, text):
    path = tmp_path / "aliases"
    path.write_text(text, encoding="utf-8")
    assert read_aliases(path) == ALIASES


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[aliases]\na = 1\n", "an alias must be"),
        ("[other]\na = 'b'\n", r"must hold a table \[aliases\] alone, got 'other'"),
        ("a = \n", "must be TOML with a table"),
        ("alias,model,accept\na,b,maybe\n", "row 1: accept must be yes or empty, got 'maybe'"),
        ("alias,model\na\n", "names must not be empty"),
        ('[aliases]\n"a" = "b"\n"b" = "c"\n', "must name its model outright"),
    ],
)
def test_broken_tables_are_refused_with_their_name(tmp_path, text, why):
    path = tmp_path / "aliases"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why) as error:
        read_aliases(path)
    assert str(path) in str(error.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(SourceError, match="cannot be read"):
        read_aliases(tmp_path / "none.toml")
    (tmp_path / "x").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(SourceError, match="not UTF-8"):
        read_aliases(tmp_path / "x")


def test_names_are_replaced_and_counted():
    options = caveat.Options(aliases={**ALIASES, "nobody": "y"})
    found = caveat.read_responses(ANSWERS, options=options)
    assert found.table["model"].to_pylist() == ["gpt-4o", "gpt-4o", "x"]
    account = found.provenance.account
    # both names said A to item 1: one row repeats the other
    assert (account.rows_read, account.kept, account.dropped) == (4, 3, 1)
    told = "\n".join(found.provenance.notices)
    assert "aliases: 1 names of models read: 'openai/gpt-4o' as 'gpt-4o' (1 rows)" in told
    assert "aliases: 1 names that no source has: 'nobody'" in told


def test_two_names_that_disagree_are_a_conflict():
    answers = dict(ANSWERS, prediction=["A", "B", "D", "C"])
    with pytest.raises(InputError, match=r"'A' and 'D'.*by the aliases several names are one mo"):
        caveat.read_responses(answers, options=caveat.Options(aliases=ALIASES))
    options = caveat.Options(aliases=ALIASES, bad_rows="drop")
    found = caveat.read_responses(answers, options=options)
    assert [d.reason for d in found.provenance.account.drops] == [
        "conflicts with an earlier row of the same key"
    ]


def test_votes_between_two_names_of_one_model():
    votes = {
        "model_a": ["gpt-4o", "openai/gpt-4o"],
        "model_b": ["openai/gpt-4o", "x"],
        "winner": ["a", "b"],
        "judge": ["openai/gpt-4o", "j"],
    }
    with pytest.raises(InputError, match=r"row 1: model_b: a model cannot meet itself"):
        caveat.read_votes(votes, options=caveat.Options(aliases=ALIASES))
    found = caveat.read_votes(votes, options=caveat.Options(aliases=ALIASES, bad_rows="drop"))
    assert found.table["model_a"].to_pylist() == ["gpt-4o"]
    account = found.provenance.account
    assert (account.rows_read, account.kept, account.dropped) == (2, 1, 1)
    assert found.places.length == 1


def test_without_a_match_nothing_changes():
    before = caveat.read_responses(ANSWERS)
    after, met = renamed(before, {"a": "b"})
    assert after is before
    assert not met


@given(st.lists(NAMES, min_size=1, max_size=20), st.dictionaries(NAMES, NAMES, max_size=5))
def test_every_name_becomes_its_model_and_no_other(names, table):
    try:
        aliases = checked(table.items(), where="t")
        frame = {"benchmark": ["b"] * len(names), "item": [str(i) for i in range(len(names))]}
        frame |= {"model": names, "score": [1.0] * len(names)}
        before = caveat.read_responses(frame, options=caveat.Options(bad_rows="drop"))
    except InputError:
        return
    after, met = renamed(before, aliases)
    models = before.table["model"].to_pylist()
    assert after.table["model"].to_pylist() == [aliases.get(m, m) for m in models]
    assert met == set(aliases) & set(models)


@pytest.mark.parametrize(
    ("one", "other", "reasons"),
    [
        ("gpt-4o", "GPT-4o", ("upper and lower case",)),
        ("gpt-4o", "openai/gpt-4o", ("prefix 'openai/'",)),
        ("gpt-4o", "openai-api/openai/gpt-4o", ("prefix 'openai-api/openai/'",)),
        ("org__m", "org/m", ("blanks or signs",)),
        ("llama_3", "llama-3", ("_, . or blank for -",)),
        ("gpt-4o", "gpt-4o-2024-08-06", ("date '2024-08-06': may be another snapshot",)),
        ("gpt-4", "gpt-4-0613", ("date '0613': may be another snapshot",)),
        ("m", "m-latest", ("ending 'latest': may be another snapshot",)),
        (
            "a/m",
            "b/m",
            ("prefix 'b/' and 'a/'; another organisation may mean other weights",),
        ),
        ("m-awq", "M-AWQ", ("upper and lower case",)),
    ],
)
def test_names_that_may_be_one(one, other, reasons):
    (proposal,) = propose({one: 2, other: 1})
    assert (proposal.model, proposal.alias, proposal.reasons) == (one, other, reasons)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("llama-3-8b", "llama-3-8b-awq"),  # quantised: other weights
        ("llama-3-8b-awq", "llama-3-8b-gptq"),
        ("qwen2.5-7b", "qwen2.5-7b-q4_k_m"),
        ("m", "m-int4"),
        ("m", "m:8bit"),
        ("m-w4a16", "m-w8a8"),
        ("m-8b", "m-70b"),
        ("m", "m-instruct"),
        ("gpt-4", "gpt-4o"),
        ("gpt-4-1106", "gpt-3.5-1106"),
        ("x", "y"),
    ],
)
def test_names_that_are_kept_apart(one, other):
    assert propose({one: 2, other: 1}) == ()


def test_a_name_with_most_rows_is_the_model_whatever_the_order():
    rows = {"openai/gpt-4o": 5, "gpt-4o": 9, "GPT-4o": 1}
    made = propose(rows)
    assert {p.model for p in made} == {"gpt-4o"}
    assert propose(dict(reversed(rows.items()))) == made


@given(st.dictionaries(NAMES, st.integers(1, 9), max_size=8))
def test_proposals_merge_nothing_until_they_are_accepted(tmp_path_factory, rows):
    made = propose(rows)
    text = as_toml(made)
    assert tomllib.loads(text) == {"aliases": {}}
    accepted = "\n".join(
        line.removeprefix("# ") if line.startswith('# "') else line for line in text.split("\n")
    )
    assert tomllib.loads(accepted)["aliases"] == {p.alias: p.model for p in made}
    path = tmp_path_factory.mktemp("p") / "aliases.csv"
    path.write_text(as_csv(made), encoding="utf-8", newline="")
    assert read_aliases(path) == {}
    path.write_text(as_csv(made).replace(",,", ",yes,"), encoding="utf-8", newline="")
    plain = all(n == n.strip() and n.isprintable() and "," not in n and '"' not in n for n in rows)
    if plain:
        assert read_aliases(path) == {p.alias: p.model for p in made}
    # no proposal needs another one
    assert not {p.alias for p in made} & {p.model for p in made}
