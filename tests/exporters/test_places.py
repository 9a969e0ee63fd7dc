from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.exporters.places import LONGEST, component, model_folders

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300)


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Llama-3.1-8B", "Llama-3.1-8B"),
        ("llama3:8b", "llama3_8b"),  # as the official publisher has it
        ("..", "%2E%2E"),
        (".", "%2E"),
        (" ", "%20"),
        ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
        ("a\\b", "a%5Cb"),
        ("C:\\x", "C_%5Cx"),
        ("nul", "%6Eul"),
        ("COM1.txt", "%43OM1.txt"),
        ("data", "%64ata"),  # the datastore reserves it
        ("a.", "a%2E"),
        ("a ", "a%20"),
        (".hidden", "%2Ehidden"),
        ("100%", "100%25"),
        ("a\nb", "a%0Ab"),
        ("\u202egpt", "%E2%80%AEgpt"),  # turns the direction of text round
        ("模型", "模型"),
    ],
)
def test_components(name, folder):
    assert component(name) == folder


@pytest.mark.parametrize(
    ("name", "folders"),
    [
        ("openai/gpt-4o", ("openai", "gpt-4o")),
        ("gpt-4o", ("unknown", "gpt-4o")),
        ("openai-api/mock/mock-strong", ("openai-api", "mock_mock-strong")),
        ("/gpt", ("unknown", "_gpt")),
        ("org/", ("unknown", "org_")),
        ("../x", ("%2E%2E", "x")),
    ],
)
def test_folders_of_models(name, folders):
    assert model_folders(name) == folders
    assert model_folders("gpt-4o", "OpenAI") == ("OpenAI", "gpt-4o")


@given(NAMES)
def test_no_name_leaves_its_folder(name):
    made = component(name)
    assert PurePosixPath(made).parts == (made,)
    assert made not in (".", "..")
    assert not set(made) & set('<>:"\\|?*/\0\n')
    assert made[-1] not in ". "
    assert len(made.encode()) <= LONGEST


@given(st.lists(NAMES.filter(lambda n: ":" not in n and "_" not in n), min_size=2, max_size=2))
def test_different_names_have_different_folders(names):
    one, other = names
    assert (component(one) == component(other)) == (one == other)


def test_long_names_are_cut_and_told_apart():
    one, other = "x" * 300, "x" * 299 + "y"
    assert component(one) != component(other)
    assert component("<" * 300).startswith("%3C%3C")
