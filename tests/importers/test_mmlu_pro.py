import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.importers._base import ReadOptions
from caveat.importers.mmlu_pro_answers import parse_answer
from caveat.importers.reading import read_path

REASONED = "Four is right because 2 + 2 is 4 and 4 is listed, so the answer is (D)."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Thus 2 + 2 = 4. The answer is (C).", "C"),
        ("The answer is C", "C"),
        ("the answer is: **(B)**", "B"),
        ("**Answer:** J", "J"),
        ("Answer: A", "A"),
        ("The answer is I.", "I"),
        ("The answer is [I].", "I"),
        ("The answer is `D. implied easement`.", "D"),
        (r"so \boxed{H}", "H"),
        (r"so \boxed{\text{H}}", "H"),
        (r"the answer is $\boxed{\textbf{(E)}}$", "E"),
        ("The closest option is (G).", "G"),
        # Nothing is stated, or not one letter.
        ("I cannot answer this.", None),
        ("The answer is I cannot tell.", None),
        ("Answer: I think it is hard", None),
        ("The answer is A matter of taste.", None),
        ("the answer is a", None),
        ("The answer is (Cannot be determined).", None),
        ("The answer is 42.", None),
        ("The answer is DE.", None),
        ("The answer is (D) and (E).", None),
        ("The answer is (A), (B), or (C).", None),
        ("B looks right", None),
        ("", None),
        # Not one of the ten options: refused, not replaced by an earlier one.
        ("Long reasoning that ends so: the answer is (K).", None),
        # The conclusion that reasoning leads up to; what follows answers other questions.
        (REASONED + "\n\nQuestion:\nNext? The answer is (A).", "D"),
        (REASONED + " In sum: the answer is (B).", "D"),
        # A text that opens with a statement has not reasoned yet.
        ("The answer is (I).\n\nAfter a year 20 are left.\nThe answer is (H).", "H"),
    ],
)  # fmt: skip
def test_parse_answer(text, answer):
    assert parse_answer(text, n_options=10) == answer


def test_letters_outside_the_options_are_refused():
    assert parse_answer("The answer is (D).", n_options=4) == "D"
    assert parse_answer("The answer is (D).", n_options=3) is None


@pytest.mark.parametrize(
    "piece",
    [
        "answer is (",
        r"\boxed{",
        r"\boxed{\text{",
        "answer: ((((",
        "option is (",
        "\nQuestion:",
        "(",
    ],
)
def test_long_degenerate_outputs_take_linear_time(piece):
    # 5 MB; anything worse than linear would not come back at all.
    assert parse_answer(piece * (5_000_000 // len(piece)), n_options=10) is None


@given(st.text(alphabet="abc ABI().:\\{}$*answer is boxed\n", max_size=80))
def test_an_answer_is_one_of_the_options_or_none(text):
    assert parse_answer(text, n_options=4) in {None, "A", "B", "C", "D"}


RECORDS = [
    {"question_id": 70, "question": "q", "options": list("wxyz"), "answer": "B", "answer_index": 1,
     "category": "math", "pred": "G", "generated_text": "I cannot tell."},
    {"question_id": 71, "question": "q", "options": list("wxyz"), "answer": "B", "answer_index": 1,
     "category": "law", "pred": "B", "model_outputs": "The answer is (B)."},
    "total",
]  # fmt: skip


def _zipped(name, records):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, json.dumps(records))
    return sink.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "model"),
    [
        ("model_outputs_Yi-34B_5shots.json", json.dumps(RECORDS), "Yi-34B"),
        ("any.zip", _zipped("model_outputs_Yi-6b-Chat_5shots.json", RECORDS), "Yi-6b-Chat"),
        ("model_outputs_x_0shots_12_01_18.json", json.dumps(RECORDS), "x"),
        ("my model/math_result.json", json.dumps(RECORDS), "my model"),
        ("own.json", json.dumps(RECORDS), "own"),
    ],
)
def test_outputs(write, read, name, content, model):
    evidence = read(write(name, content))
    rows = evidence.table.to_pylist()
    assert {r["model"] for r in rows} == {model}
    assert [r["prediction"] for r in rows] == [None, "B"]
    # The letter in the file may be a fill: kept beside our reading, never mixed with it.
    assert [r["prediction_published"] for r in rows] == ["G", "B"]
    assert [(r["score"], r["status"]) for r in rows] == [(0.0, "unparsed"), (1.0, "scored")]
    assert [r["n_options"] for r in rows] == [4, 4]
    assert rows[0]["benchmark"] == "mmlu_pro"
    assert evidence.provenance.account.drops[0].count == 1


def test_model_name_can_be_given(write):
    path = write("x.json", json.dumps(RECORDS))
    (evidence,) = read_path(path, options=ReadOptions(model_name="m"))
    assert evidence.table.column("model").unique().to_pylist() == ["m"]
