"""compar:IA: columns as `utils/export_dataset.py` writes them (betagouv/ComparIA at 30917597)."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import caveat
from caveat.cli import main
from caveat.data.paired import paired_columns
from caveat.errors import CellError, InputError, SourceError, UnrecognisedError
from caveat.workflows.doctor import doctor

_QUALITIES = (
    "useful", "complete", "creative", "clear_formatting", "incorrect", "superficial",
    "instructions_not_followed",
)  # fmt: skip


def _vote(number, chosen, *, both_equal=False, **changes):
    turns = [{"role": "user", "content": "Bonjour"}, {"role": "assistant", "content": "…"}]
    marks = {f"conv_{name}_{side}": False for name in _QUALITIES for side in "ab"}
    return {
        "id": number,
        "timestamp": f"2025-04-0{number} 12:00:00",
        "model_a_name": "mistral-small",
        "model_b_name": "qwen3-32b",
        "model_pair_name": ["mistral-small", "qwen3-32b"],
        "chosen_model_name": chosen,
        "opening_msg": "Écris un haïku",
        "both_equal": both_equal,
        "conversation_a": turns,
        "conversation_b": turns,
        "conv_turns": 1,
        "system_prompt_a": None,
        "system_prompt_b": None,
        "selected_category": "ideas",
        "is_unedited_prompt": False,
        "conversation_pair_id": f"pair{number}",
        "session_hash": f"s{number}",
        "visitor_id": "v1",
        "conv_comments_a": "",
        "conv_comments_b": "",
        **marks,
        **changes,
    }


VOTES = [
    _vote(1, "mistral-small", conv_useful_a=True),
    _vote(2, "qwen3-32b", visitor_id=None, conv_turns=3),
    _vote(3, None, both_equal=True, selected_category=None),
    _vote(4, None),
    _vote(5, None, both_equal=None, opening_msg="Autre question"),
]
WITH_ENERGY = [
    row
    | {
        "total_conv_a_output_tokens": 100,
        "total_conv_b_output_tokens": 300,
        "total_conv_a_kwh": 0.0002,
        "total_conv_b_kwh": None if row["id"] == 2 else 0.0009,
    }
    for row in VOTES
]


def _lines(rows):
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def _parquet(rows):
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def _tsv(rows):
    import pandas as pd

    return pd.DataFrame(rows).to_csv(sep="\t", index=False).encode()


@pytest.mark.parametrize("form", [_lines, _parquet, _tsv])
def test_every_published_form(write, read, form):
    evidence = read(write("votes", form(VOTES)))
    assert evidence.provenance.sources[0].importer.endswith(", comparia")
    assert evidence.order_known
    table = evidence.table
    chosen = table.select(["model_a", "model_b", "outcome", "voter", "battle", "task"])
    assert chosen.to_pydict() == {
        "model_a": ["mistral-small"] * 3,
        "model_b": ["qwen3-32b"] * 3,
        "outcome": ["a", "b", "tie"],
        "voter": ["v1", "session:s2", "v1"],
        "battle": ["pair1", "pair2", "pair3"],
        "task": ["ideas", "ideas", None],
    }
    assert table.column("turn").to_pylist() == [1, 3, 1]
    # neither chosen nor equal: rows 4 and 5 hold no vote
    (drop,) = evidence.provenance.account.drops
    assert (drop.reason, drop.count) == ("no outcome", 2)
    items = table.column("item").to_pylist()
    assert items[0] == items[2]
    assert not {"opening_msg", "conversation_a", "conv_comments_a"} & set(table.column_names)
    assert table.column("conv_useful_a").to_pylist() == [True, False, False]


def test_tokens_and_energy_are_pairs(write, read):
    table = read(write("votes.parquet", _parquet(WITH_ENERGY))).table
    pairs = {pair.name: pair for pair in paired_columns(table)}
    assert pairs["tokens"].b.tolist() == [300, 300, 300]
    assert pairs["kwh"].columns == ("kwh_a", "kwh_b")
    assert pairs["kwh"].n_missing == 1
    assert "conv_useful" in pairs
    newer = [
        {
            k.replace("conv_a_kwh", "conso_a").replace("conv_b_kwh", "conso_b"): v
            for k, v in r.items()
        }
        for r in WITH_ENERGY
    ]
    assert (
        read(write("new.parquet", _parquet(newer))).table.column("kwh_a").to_pylist()
        == [0.0002] * 3
    )


def test_grams_of_carbon_dioxide_somebody_added_are_a_pair(write, read):
    rows = [row | {"co2_g_a": 0.5, "co2_g_b": row["id"]} for row in VOTES]
    names = [p.name for p in paired_columns(read(write("v.jsonl", _lines(rows))).table)]
    assert names[0] == "conv_useful"
    assert names[-1] == "co2_g"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (_vote(2, "gpt-9"), "'chosen_model_name': must be the model_a_name or the .* got 'gpt-9'"),
        (_vote(2, "Qwen3-32B"), "must be the model_a_name"),
        (_vote(2, "qwen3-32b", both_equal=True), "must be empty where both_equal is true"),
        (_vote(2, None, both_equal="maybe"), "'both_equal': must be true or false, got 'maybe'"),
        (_vote(2, "x", model_a_name="x", model_b_name="x"), "a model cannot meet itself"),
    ],
)
def test_bad_rows(write, read, bad, message):
    path = write("v.jsonl", _lines([VOTES[0], bad, VOTES[2]]))
    with pytest.raises(
        CellError, match=f"row 2, column {message}" if "'" in message[:2] else message
    ):
        read(path)
    evidence = read(path, bad_rows="drop")
    assert evidence.table.column("battle").to_pylist() == ["pair1", "pair3"]
    assert evidence.places.of(1) == (str(path), 3)
    assert evidence.provenance.account.dropped == 1


def test_rows_without_a_model_or_archived(write, read):
    rows = [VOTES[0], _vote(2, "x", model_a_name=None), _vote(3, "qwen3-32b", archived=True)]
    evidence = read(write("v.jsonl", _lines(rows)))
    assert {d.reason: d.count for d in evidence.provenance.account.drops} == {
        "no first model": 1,
        "archived by compar:IA": 1,
    }
    assert "archived" not in evidence.table.column_names


def test_one_pair_of_conversations_voted_on_twice(write):
    again = write("v.jsonl", _lines([*VOTES, VOTES[0] | {"id": 9}]))
    assert caveat.read_votes(again).provenance.account.drops[-1].reason.startswith("duplicate")
    torn = write("w.jsonl", _lines([*VOTES, VOTES[0] | {"chosen_model_name": "qwen3-32b"}]))
    with pytest.raises(
        InputError, match=r"row 1 and .*row 6: .*battle='pair1'.*outcome 'a' and 'b'"
    ):
        caveat.read_votes(torn)
    kept = caveat.read_votes(torn, options=caveat.Options(bad_rows="drop"))
    assert kept.table.column("outcome").to_pylist() == ["a", "b", "tie"]


def test_a_truncated_file(write, read):
    path = write("v.jsonl", _lines(VOTES)[:-40])
    with pytest.raises(SourceError, match=r"row 5: .*may be cut short"):
        read(path)
    assert read(path, bad_rows="drop").provenance.account.drops[0].reason == "not a JSON object"


def test_rows_that_lack_columns(write, read):
    rows = [*VOTES, {"model_a_name": "x", "model_b_name": "y", "chosen_model_name": "y"}]
    table = read(write("v.jsonl", _lines(rows))).table
    assert table.column("outcome").to_pylist()[-1] == "b"
    assert table.column("battle").to_pylist()[-1] is None
    short = {"model_a_name": "x", "model_b_name": "y", "chosen_model_name": "x", "both_equal": None}
    late = [short] * 50_000 + [{"model_a_name": "x", "model_b_name": "y", "both_equal": True}]
    assert read(write("late.jsonl", _lines(late))).table.column("outcome").to_pylist()[-1] == "tie"


def test_the_users_mapping_wins(write, read):
    path = write("v.jsonl", _lines(VOTES[:3]))
    assert read(path, mapping={"voter": "session_hash"}).table.column("voter").to_pylist() == [
        "s1", "s2", "s3",
    ]  # fmt: skip
    plain = read(path, mapping={"outcome": "chosen_model_name"})
    assert plain.provenance.sources[0].importer == "jsonl"
    with pytest.raises(InputError, match=r"must hold responses, got votes \(comparia\)"):
        caveat.read_responses(path)


def test_reactions_and_conversations_are_no_votes(write, tmp_path):
    pair = {"model_a_name": "x", "model_b_name": "y", "conversation_pair_id": "p", "conv_turns": 1}
    reaction = {**pair, "id": 1, "refers_to_model": "x", "msg_index": 1, "liked": True,
                "disliked": False, "question_id": "q", "model_pos": "a"}  # fmt: skip
    talk = {**pair, "id": 1, "opening_msg": "Bonjour", "total_conv_a_kwh": 0.1}
    thumbs = write("reactions.jsonl", _lines([reaction, reaction]))
    with pytest.raises(UnrecognisedError, match="compar:IA reactions, no evidence: a thumb on one"):
        caveat.read(thumbs)
    with pytest.raises(UnrecognisedError, match="compar:IA conversations, no evidence: nobody"):
        caveat.read(write("talk.parquet", _parquet([talk])))
    (found,) = doctor([thumbs])
    assert (found.kind, found.supports) == (None, ())
    write("votes.jsonl", _lines(VOTES))
    both = caveat.read(tmp_path)
    assert len(both["votes"]) == 3
    assert any("passed over" in n for n in both["votes"].provenance.notices)


def test_doctor_says_what_is_not_kept(write, capsys):
    path = write("v.jsonl", _lines(VOTES))
    assert main(["doctor", str(path)]) == 0
    assert "left out: model_pair_name, conversation_a," in capsys.readouterr().out
    (found,) = doctor([path])
    roles = dict(found.columns)
    assert (roles["chosen_model_name"], roles["conversation_a"]) == ("outcome", "left out")
    assert (roles["visitor_id"], roles["conv_useful_a"]) == ("voter", "")
    assert found.importer == "jsonl, comparia"
