import pytest

from caveat.cli.tokens import completed, wants_json


@pytest.mark.parametrize(
    ("tokens", "done"),
    [
        (["rank", "v.csv", "--json"], ["rank", "v.csv", "--json=-"]),
        (["rank", "v.csv", "--json", "-"], ["rank", "v.csv", "--json=-"]),
        (["rank", "v.csv", "--json", "-q"], ["rank", "v.csv", "--json=-", "-q"]),
        (["rank", "--json", "b.json", "v.csv"], ["rank", "--json=b.json", "v.csv"]),
        (["rank", "--json=b.json"], ["rank", "--json=b.json"]),
        (["rank", "--", "--json"], ["rank", "--", "--json"]),
        ([], []),
        (["--debug", "-q", "rank", "v.csv"], ["rank", "v.csv", "--debug", "-q"]),
        (["--debug", "rank", "--", "v.csv"], ["rank", "--debug", "--", "v.csv"]),
        (["--debug", "--help"], ["--debug", "--help"]),
    ],
)
def test_json_without_a_file_is_the_standard_output(tokens, done):
    assert completed(tokens) == done


@pytest.mark.parametrize(
    ("tokens", "wanted"),
    [
        (["rank", "v.csv", "--json=-"], True),
        (["check", "v.csv", "--output", "json"], True),
        (["check", "v.csv", "--output=json"], True),
        (["check", "v.csv", "--output", "text"], False),
        (["rank", "v.csv", "--json=b.json"], False),
        (["rank", "--", "--json=-"], False),
    ],
)
def test_errors_are_json_where_the_answer_would_be(tokens, wanted):
    assert wants_json(tokens) is wanted
