"""PRISM: fields as its codebook (sections 4.1 to 4.3) and `prepare_*.py` at a9ec821 give them."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import caveat
from caveat.data.paired import paired_columns
from caveat.data.voters import match_voters
from caveat.errors import CellError, InputError, SourceError, TooFewError, UnrecognisedError
from caveat.workflows.doctor import doctor


def _utterance(number, conversation, turn, model, score, **changes):
    return {
        "utterance_id": f"ut{number}",
        "interaction_id": f"int{conversation}{turn}",
        "conversation_id": f"c{conversation}",
        "user_id": f"user{conversation}",
        "turn": turn,
        "within_turn_id": number % 4,
        "included_in_balanced_subset": True,
        "conversation_type": "values guided",
        "user_prompt": f"prompt {conversation}.{turn}",
        "model_response": "...",
        "model_name": model,
        "model_provider": "p",
        "score": score,
        "if_chosen": False,
        **changes,
    }


# First turn: four models, six pairs. 80 and 75 are 5 apart, a tie; 80 and 74 would not be.
UTTERANCES = [
    _utterance(0, 0, 0, "m1", 80),
    _utterance(1, 0, 0, "m2", 75),
    _utterance(2, 0, 0, "m3", 20),
    _utterance(3, 0, 0, "m4", 81),
    _utterance(4, 0, 1, "m4", 50),
    _utterance(5, 0, 1, "m4", 90),
    _utterance(6, 1, 0, "m1", 1),
    _utterance(7, 1, 0, "m2", 100),
]
VOTES = [
    ("m1", "m2", "tie"), ("m1", "m3", "a"), ("m1", "m4", "tie"), ("m2", "m3", "a"),
    ("m2", "m4", "b"), ("m3", "m4", "b"), ("m1", "m2", "b"),
]  # fmt: skip


def _lines(rows):
    return "\n".join(map(json.dumps, rows)).encode()


def _parquet(rows):
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def _csv(rows):
    import pandas as pd

    return pd.DataFrame(rows).to_csv(index=False).encode()


def _outcomes(evidence):
    rows = evidence.table.select(["model_a", "model_b", "outcome"]).to_pylist()
    return [tuple(row.values()) for row in rows]


def _drops(evidence):
    return {d.reason.split(" (")[0]: d.count for d in evidence.provenance.account.drops}


@pytest.mark.parametrize("form", [_lines, _parquet, _csv])
def test_pairs_of_one_turn_are_votes(write, read, form):
    evidence = read(write("utterances.jsonl", form(UTTERANCES)))
    assert _outcomes(evidence) == VOTES
    assert not evidence.order_known
    table = evidence.table
    assert table.column("battle").to_pylist() == ["c0"] * 6 + ["c1"]
    assert table.column("voter").to_pylist() == ["user0"] * 6 + ["user1"]
    assert set(table.column("task").to_pylist()) == {"values guided"}
    assert len(set(table.column("item").to_pylist())) == 2
    assert table.column("score_b").to_pylist()[:2] == [75.0, 20.0]
    assert "model_response" not in table.column_names
    # the two drafts of m4 at the second turn are one pair of one model
    assert _drops(evidence) == {"both replies are of one model": 1}
    assert any("every pair of replies" in n for n in evidence.provenance.notices)


def test_scores_are_the_vote_in_other_words(write, read):
    (scores,) = (
        p for p in paired_columns(read(write("u", _lines(UTTERANCES))).table) if p.name == "score"
    )
    assert scores.decides


def test_replies_of_one_prompt_may_stand_anywhere(write, read):
    mixed = [UTTERANCES[i] for i in (6, 0, 4, 1, 7, 2, 5, 3)]
    evidence = read(write("u", _lines(mixed)))
    assert _outcomes(evidence) == [VOTES[-1], *VOTES[:-1]]


@pytest.mark.parametrize(
    ("changes", "drops"),
    [
        ({"score": None}, {"no score": 1}),
        ({"model_name": ""}, {"no model name": 1}),
        ({"model_name": None}, {"no model name": 1}),
        ({"conversation_id": None}, {"no conversation or no turn": 1}),
        ({"turn": None}, {"no conversation or no turn": 1}),
    ],
)
def test_replies_that_lack_something(write, read, changes, drops):
    rows = [*UTTERANCES[:2], UTTERANCES[2] | changes]
    evidence = read(write("u", _lines(rows)))
    assert _outcomes(evidence) == VOTES[:1]
    assert _drops(evidence) == drops


def test_a_reply_alone_and_a_model_twice(write, read):
    alone = [*UTTERANCES[:2], _utterance(2, 5, 0, "m1", 7)]
    assert _drops(read(write("u", _lines(alone)))) == {
        "the only reply to its prompt with a model and a score": 1
    }
    # m1 scored 80, then 10: as in the authors' code the last score counts, in the first place
    twice = [*UTTERANCES[:2], _utterance(2, 0, 0, "m1", 10)]
    evidence = read(write("u", _lines(twice)))
    assert _outcomes(evidence) == [("m1", "m2", "b")]
    assert _drops(evidence) == {"an earlier reply of the same model to the same prompt": 1}


@pytest.mark.parametrize("score", [0, 101, -3, "high", True, [1]])
def test_a_score_outside_the_scale(write, read, score):
    rows = [*UTTERANCES[:2], UTTERANCES[2] | {"score": score}]
    path = write("u.jsonl", _lines(rows))
    with pytest.raises(CellError, match="row 3, column 'score': must be a number from 1 to 100"):
        read(path)
    evidence = read(path, bad_rows="drop")
    assert _outcomes(evidence) == VOTES[:1]
    assert _drops(evidence) == {"score: must be a number from 1 to 100": 1}


def test_a_truncated_line(write, read):
    path = write("u.jsonl", _lines(UTTERANCES)[:-20])
    with pytest.raises(SourceError, match=r"row 8: .*may be cut short"):
        read(path)
    assert _outcomes(read(path, bad_rows="drop")) == VOTES[:-1]


def test_no_votes_at_all(write, read):
    evidence = read(write("u", _lines(UTTERANCES[4:6])))
    assert len(evidence) == 0
    assert evidence.table.column_names == ["model_a", "model_b", "outcome"]
    with pytest.raises(TooFewError, match="votes between models"):
        caveat.rank(evidence)
    assert _drops(evidence) == {"both replies are of one model": 1}


def _conversations():
    history = []
    for row in UTTERANCES[:6]:
        if not any(h["role"] == "user" and h["turn"] == row["turn"] for h in history):
            history.append({"turn": row["turn"], "role": "user", "content": row["user_prompt"]})
        history.append({
            "turn": row["turn"], "role": "model", "content": "...", "model_name": row["model_name"],
            "model_provider": "p", "score": row["score"], "if_chosen": False,
            "within_turn_id": row["within_turn_id"],
        })  # fmt: skip
    return [{
        "conversation_id": "c0", "user_id": "user0", "included_in_balanced_subset": True,
        "conversation_type": "values guided", "opening_prompt": "prompt 0.0",
        "conversation_turns": 2, "conversation_history": history,
        "performance_attributes": {"values": None}, "choice_attributes": {"values": 5},
        "open_feedback": "fine", "generated_datetime": "2023-11-22 15:55:46",
        "timing_duration_s": 401.07, "timing_duration_mins": 6.68,
    }]  # fmt: skip


@pytest.mark.parametrize("form", [_lines, _parquet])
def test_conversations_hold_the_same_votes(write, read, form):
    evidence = read(write("conversations.jsonl", form(_conversations())))
    assert _outcomes(evidence) == VOTES[:6]
    assert set(evidence.table.column("at").to_pylist()) == {"2023-11-22 15:55:46"}
    utterances = read(write("utterances.jsonl", _lines(UTTERANCES[:6])))
    for name in ("battle", "item", "turn", "voter", "task", "score_a"):
        assert evidence.table.column(name).to_pylist() == utterances.table.column(name).to_pylist()
    assert _drops(evidence) == {"both replies are of one model": 1}


def test_both_files_together_count_each_vote_once(write, tmp_path):
    write("conversations.jsonl", _lines(_conversations()))
    write("utterances.jsonl", _lines(UTTERANCES))
    votes = caveat.read(tmp_path)["votes"]
    assert len(votes) == 7
    assert _drops(votes)["duplicate of an earlier row"] == 6


def test_conversations_without_a_history(write, read):
    good = _conversations()[0]
    rows = [good, good | {"conversation_id": None}, good | {"conversation_history": "cut"}]
    evidence = read(write("c.jsonl", _lines(rows)))
    assert _outcomes(evidence) == VOTES[:6]
    assert _drops(evidence)["no conversation or no history of one"] == 2


def _participant(number, **changes):
    return {
        "user_id": f"user{number}", "survey_only": False, "num_completed_conversations": 6,
        "consent": "Yes, I consent to take part", "consent_age": "18 or over",
        "lm_familiarity": "Very familiar", "lm_direct_use": "Yes", "lm_indirect_use": "No",
        "lm_frequency_use": "Every week", "self_description": "a person",
        "system_string": "be kind", "age": "25-34 years old", "gender": "Female",
        "employment_status": "Student", "education": "Vocational",
        "marital_status": "Married", "english_proficiency": "Fluent",
        "religion": {"self_described": "none", "categorised": "Non-religious",
                     "simplified": "No Affiliation"},
        "ethnicity": {"self_described": "white", "categorised": "White", "simplified": "White"},
        "location": {"birth_country": "Canada", "birth_countryISO": "CAN",
                     "birth_region": "Americas",
                     "birth_subregion": "Northern America", "reside_country": "Canada",
                     "reside_countryISO": "CAN", "reside_region": "Americas",
                     "reside_subregion": "Northern America", "same_birth_reside_country": "Yes",
                     "special_region": "Northern America"},
        "study_id": "st1", "study_locale": "canada", "timing_duration_s": 266,
        "timing_duration_mins": 4.43, "generated_datetime": "2023-11-22 15:48:46",
        "lm_usecases": {"research": 1}, "stated_prefs": {"values": 50, "other_text": None},
        "order_lm_usecases": {"research": 3}, "order_stated_prefs": {"values": 1},
        "included_in_US_REP": False, "included_in_UK_REP": False,
        "included_in_balanced_subset": True, **changes,
    }  # fmt: skip


SURVEY = [
    _participant(0),
    _participant(1, gender="Prefer not to say", age="65+ years old"),
    _participant(2, ethnicity=None, survey_only=True),
    _participant(
        3, ethnicity={"self_described": "-", "categorised": "Prefer not to say", "simplified": "x"}
    ),
]


@pytest.mark.parametrize("form", [_lines, _parquet])
def test_survey(write, read, form):
    evidence = read(write("survey.jsonl", form(SURVEY)))
    assert (evidence.kind, len(evidence)) == ("voters", 4)
    table = evidence.table
    assert table.column("voter").to_pylist() == ["user0", "user1", "user2", "user3"]
    assert table.column("gender").to_pylist() == ["Female", None, "Female", "Female"]
    assert table.column("ethnicity").to_pylist() == ["White", "White", None, "x"]
    assert table.column("ethnicity_categorised").to_pylist() == ["White", "White", None, None]
    assert set(table.column("religion").to_pylist()) == {"No Affiliation"}
    assert set(table.column("region").to_pylist()) == {"Northern America"}
    assert set(table.column("reside_country").to_pylist()) == {"Canada"}
    assert table.column("survey_only").to_pylist() == [False, False, True, False]
    private = {"self_description", "system_string", "ethnicity_self_described", "self_described"}
    assert not private & set(table.column_names)
    assert not {"consent", "study_id", "lm_usecases", "location"} & set(table.column_names)
    assert any(
        "'Prefer not to say' is read as not declared" in n for n in evidence.provenance.notices
    )


def test_survey_that_is_not_as_it_should_be(write, read):
    with pytest.raises(InputError, match="column 'ethnicity': must hold an object such as"):
        read(write("s.jsonl", _lines([_participant(0, ethnicity="White")])))
    evidence = read(write("s.jsonl", _lines([_participant(0), _participant(1, user_id=None)])))
    assert _drops(evidence) == {"no voter": 1}
    twice = write("t.jsonl", _lines([_participant(0), _participant(0, age="18-24 years old")]))
    with pytest.raises(InputError, match=r"'user0'.*age '25-34 years old' and '18-24 years old'"):
        caveat.read(twice)


def test_votes_meet_their_voters(write, tmp_path):
    write("survey.jsonl", _lines(SURVEY))
    write("utterances.jsonl", _lines(UTTERANCES))
    write("metadata.jsonl", _lines([{
        "column_id": "user_prompt", "user_id": "user840", "conversation_id": "c4659",
        "interaction_id": "int13826", "utterance_id": None, "pii_flag": False,
        "pii_manual_flag": None, "language_flag": "en", "en_flag": True,
        "moderation_flag": {"flagged": False},
    }]))  # fmt: skip
    found = caveat.read(tmp_path)
    match = match_voters(found["votes"], found["voters"])
    assert (match.n_votes, match.n_matched, match.n_silent) == (7, 7, 2)
    with pytest.raises(UnrecognisedError, match="is PRISM metadata, no evidence"):
        caveat.read(tmp_path / "metadata.jsonl")


def test_doctor(write):
    (found,) = doctor([write("utterances.jsonl", _lines(UTTERANCES))])
    roles = dict(found.columns)
    assert (found.importer, found.kind) == ("jsonl, prism_utterances", "votes")
    assert (roles["score"], roles["model_response"]) == ("outcome, score_a and score_b", "left out")
    (found,) = doctor([write("survey.jsonl", _lines(SURVEY))])
    assert (found.kind, found.refused, found.supports) == ("voters", "", ("voters",))
