import pytest

from caveat.stats.robustness.kinship import Kin, is_people, kin

BOARD = ("GPT 4", "gpt-3.5-turbo", "GPT-NeoXT (20B)", "claude-v1", "Claude Instant", "vicuna-13b")


@pytest.mark.parametrize(
    ("judge", "models"),
    [
        ("gpt-4", ("GPT 4", "gpt-3.5-turbo")),
        ("openai/gpt-4o", ("GPT 4", "gpt-3.5-turbo")),
        ("claude-3", ("claude-v1", "Claude Instant")),
        ("gpt-neox", ()),
        ("mistral", ()),
        ("7b", ()),
    ],
)
def test_names_that_begin_alike(judge, models):
    assert kin(judge, BOARD, {}) == Kin(models, "name" if models else "")


def test_the_same_letters_and_digits_are_the_same_model():
    assert kin("GPT NeoXT 20B", BOARD, {}).models == ("GPT-NeoXT (20B)",)


def test_a_declared_family_comes_before_names():
    declared = {
        "gpt-4": {"family": "F", "provider": "O"},
        "claude-v1": {"family": "F", "provider": "A"},
        "gpt-3.5-turbo": {"family": "G", "provider": "O"},
    }
    assert kin("GPT-4", BOARD, declared) == Kin(("GPT 4", "claude-v1"), "declared family")


def test_else_a_declared_provider():
    declared = {
        "GPT-4": {"family": None, "provider": "O"},
        "claude-v1": {"provider": "O"},
        "gpt-3.5-turbo": {},
    }
    assert kin("gpt-4", BOARD, declared) == Kin(("GPT 4", "claude-v1"), "declared provider")


def test_a_declaration_without_family_and_provider_leaves_it_to_names():
    assert kin("gpt-4", BOARD, {"gpt-4": {"licence": "x"}}).how == "name"


@pytest.mark.parametrize(
    "name", ["human", "Humans", "people", "crowd workers", "expert", " voter "]
)
def test_people(name):
    assert is_people(name)


@pytest.mark.parametrize("name", ["gpt-4", "humanoid-7b", "personify", "votera"])
def test_models_are_no_people(name):
    assert not is_people(name)
