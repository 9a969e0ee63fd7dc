"""Every example in a docstring runs and shows what it says."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import caveat

MODULES = ["caveat", *(m.name for m in pkgutil.walk_packages(caveat.__path__, "caveat."))]
EXAMPLES = {
    example.name: example
    for name in MODULES
    if not name.endswith("__main__")
    for example in doctest.DocTestFinder(exclude_empty=True).find(import_module(name), name)
    if example.examples
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name):
    told = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(EXAMPLES[name], out=told.append)
    assert not failed, "".join(told)


def test_every_verb_of_the_package_with_a_short_answer_has_an_example():
    shown = " ".join(EXAMPLES)
    for verb in ("rank", "read_votes", "read_responses"):
        assert f".{verb}" in shown
