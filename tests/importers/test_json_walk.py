"""Walking through one large JSON object."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat._files import Limits
from caveat.errors import SourceError
from caveat.importers.json_walk import beginning, walk
from caveat.importers.opening import members

WHOLE = {"a": 1, "b": {"rows": [{"x": 1}, {"x": [2]}], "n": 12}, "c": "end", "d": [1, 2]}


def _walk(path, **options):
    (member,) = members(path, limits=options.pop("limits", Limits()))
    return [
        (".".join(f.keys), f.number, f.value)
        for f in walk(member, arrays=[("b", "rows")], **options)
    ]


@pytest.mark.parametrize("indent", [None, 1])
def test_values_and_elements(write, indent):
    assert _walk(write("a.json", json.dumps(WHOLE, indent=indent))) == [
        ("a", 0, 1),
        ("b.rows", 1, {"x": 1}),
        ("b.rows", 2, {"x": [2]}),
        ("b.n", 0, 12),
        ("c", 0, "end"),
        ("d", 0, [1, 2]),
    ]


def test_more_than_one_block(write):
    rows = [{"x": n, "text": "é" * 400} for n in range(4000)]  # 3 MB, in blocks of 1 MiB
    found = _walk(write("a.json", json.dumps({"b": {"rows": rows}, "n": 1}, ensure_ascii=False)))
    assert [value["x"] for _, number, value in found if number] == list(range(4000))
    assert found[-1] == ("n", 0, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps(WHOLE)[:30], r"b\.rows\[0\]: is cut short"),
        (json.dumps(WHOLE)[:-1], "the outermost object: is cut short"),
        ('{"a": 1 "c": 2}', "not valid JSON"),
        ('{"a": nope}', "a: is not valid JSON"),
        ('{"a": 1} {"b": 2}', "something behind its end"),
        ("[1]", "must be a JSON object"),
        ('{"a": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_damage_is_named(write, text, message):
    with pytest.raises(SourceError, match=message):
        _walk(write("a.json", text))


def test_one_value_is_limited(write):
    path = write("a.json", json.dumps({"a": "x" * 3_000_000}))
    with pytest.raises(SourceError, match="longer than 1,000,000 bytes"):
        _walk(path, limits=Limits(line=1_000_000))


@given(st.integers(1, len(json.dumps(WHOLE))))
def test_a_beginning_says_nothing_that_is_not_there(cut):
    def within(part, whole):
        if isinstance(part, dict):
            return all(key in whole and within(part[key], whole[key]) for key in part)
        if isinstance(part, list):
            return all(within(p, w) for p, w in zip(part, whole, strict=False))
        return part == whole

    assert within(beginning(json.dumps(WHOLE)[:cut].encode()), WHOLE)


def test_beginnings_of_other_things():
    assert beginning(b"[1, 2]") == {}
    assert beginning(b"") == {}
    assert beginning(b'{"a": ' + b"[" * 100_000) == {}
    assert beginning(json.dumps(WHOLE).encode()) == WHOLE
