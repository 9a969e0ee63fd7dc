import zipfile

import pytest

import caveat
from caveat.errors import InputError, SourceError
from caveat.importers.plain_yaml import read_yaml

ENTRIES = """\
# results of one model
- dataset:
    id: cais/hle                  # Hub dataset
    task_id: default
    revision: 0123
  value: 20.90
  verifyToken: abc
  date: "2025-01-15"
  source:
    url: https://example.org/run
    name: Eval traces
    user: somebody
  notes: "no-tools"
- dataset: {id: Idavidrein/gpqa, task_id: gpqa_diamond}
  value: 0.412
  colour: blue
"""
CARD = """\
---
license: mit
model-index:
- name: StarCoder
  results:
  - task: {type: text-generation}
    dataset: {type: openai_humaneval, name: HumanEval, config: default, split: test}
    metrics:
    - {name: pass@1, type: pass@1, value: 0.408, verified: false}
    - {type: pass@10}
  - dataset: {type: ds1000, name: DS-1000}
    metrics: [{type: pass@1, value: "0.26", verifyToken: xyz}]
---
# StarCoder
The score is 0.408.
"""


def published(path, **options):
    return caveat.read(path, options=caveat.Options(**options))["published"]


def test_entries_are_published_scores(write):
    found = published(write("org/small/.eval_results/all.yaml", ENTRIES))
    one, other = found.table.to_pylist()
    assert (one["benchmark"], one["model"], one["task"]) == ("cais/hle", "small", "default")
    assert (one["value"], one["date"], one["notes"]) == (20.9, "2025-01-15", "no-tools")
    assert one["revision"] == "0123"  # a revision is no octal number
    assert (one["source"], one["url"]) == ("Eval traces", "https://example.org/run")
    assert (one["source_user"], one["verify_token"]) == ("somebody", "abc")
    assert (other["benchmark"], other["value"], other["notes"]) == ("Idavidrein/gpqa", 0.412, None)
    told = "\n".join(found.provenance.notices)
    assert "does not say whether they are shares or percentages" in told
    assert "'small' was taken from its folder's" in told
    assert "keys that are not used: colour" in told


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("hub/models--org--small/snapshots/5503434/.eval_results/x.yaml", "org/small"),
        ("clones/small/.eval_results/x.yaml", "small"),
    ],
)
def test_the_model_is_that_of_the_repository(write, path, model):
    assert published(write(path, ENTRIES)).table["model"][0].as_py() == model


def test_a_file_elsewhere_has_to_be_told_its_model(write):
    path = write("x.yaml", ENTRIES)
    with pytest.raises(SourceError, match="does not name its model; give --model-name"):
        published(path)
    assert published(path, model_name="org/small").table["model"][0].as_py() == "org/small"


def test_folders_and_archives_of_repositories_are_looked_into(write, tmp_path):
    write("repos/small/.eval_results/x.yaml", ENTRIES)
    write("repos/large/.eval_results/y.yaml", ENTRIES)
    write("repos/large/.git/config", "- dataset: {id: x}\n  value: 1\n")
    assert len(published(tmp_path / "repos")) == 4
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("small/.eval_results/x.yaml", ENTRIES)
    assert published(tmp_path / "x.zip").table["model"][0].as_py() == "small"


def test_entries_without_a_value_are_dropped_and_counted(write):
    text = ENTRIES + "- dataset: {task_id: x}\n  value: 3\n- dataset: {id: x}\n"
    found = published(write("m/.eval_results/x.yaml", text))
    assert (len(found), found.provenance.account.dropped) == (2, 2)


def test_a_value_that_is_no_number_breaks_a_rule(write):
    path = write("m/.eval_results/x.yaml", ENTRIES.replace("20.90", "20.9 ± 1.2"))
    with pytest.raises(InputError, match=r"row 1, column 'value': must be a finite number"):
        published(path)
    assert len(published(path, bad_rows="drop")) == 1


def test_two_values_for_one_thing_are_a_conflict(write):
    twice = (
        "- dataset: {id: a, task_id: b}\n  value: 1\n- dataset: {id: a, task_id: b}\n  value: 2\n"
    )
    path = write("m/.eval_results/x.yaml", twice)
    with pytest.raises(InputError, match=r"must have one answer, got value 1\.0 and 2\.0"):
        published(path)
    assert len(published(path, bad_rows="drop")) == 1
    agreed = published(write("n/.eval_results/x.yaml", twice.replace("value: 2", "value: 1")))
    assert len(agreed) == 1


def test_model_cards(write):
    found = published(write("README.md", CARD))
    one, other = found.table.to_pylist()
    assert (one["model"], one["benchmark"], one["metric"]) == (
        "StarCoder",
        "openai_humaneval",
        "pass@1",
    )
    assert (one["value"], one["task"], one["verified"]) == (0.408, "default:test", "false")
    assert (other["benchmark"], other["value"], other["verify_token"]) == ("ds1000", 0.26, "xyz")
    assert found.provenance.account.dropped == 1  # pass@10 without a value


def test_a_card_without_results_is_no_evidence(write, tmp_path):
    write("x/README.md", "---\nlicense: mit\n---\n# Model\n")
    write("x/votes.csv", "model_a,model_b,winner\nx,y,a\n")
    assert set(caveat.read(tmp_path / "x")) == {"votes"}


BOMB = "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BOMB, r"aliases \(\*a\) are refused"),
        ("a: !!python/object/apply:os.system ['true']\n", "the tag .*python.* is refused"),
        ("a: !include /etc/passwd\n", "the tag '!include' is refused"),
        ("a: !!binary aGk=\n", "the tag .*binary.* is refused"),
        ("a: 1\na: 2\n", "a key must be text and stand once, got 'a'"),
        ("? [a]\n: 1\n", "a key must be text"),
        ("a: 1\n---\nb: 2\n", "several YAML documents"),
        ("a: [1, 2\n", "not readable as YAML"),
        ("", "not readable as YAML"),
        ("a: \x00\n", "not readable as YAML"),
        ("[" * 40 + "]" * 40, "nested more than 30 deep"),
        ("[" + "1," * 250_000 + "1]", "more than 200,000 values"),
    ],
)
def test_hostile_yaml_is_refused(text, why):
    with pytest.raises(SourceError, match=why):
        read_yaml(text, name="x.yaml")


def test_scalars_stay_text():
    text = "{a: 0123, b: 1e5, c: yes, d: 2025-01-15, e: ~, f: 'null', g: !!str 1, h: 1_000}"
    assert read_yaml(text, name="x") == {
        "a": "0123", "b": "1e5", "c": "yes", "d": "2025-01-15", "e": None, "f": "null", "g": "1",
        "h": "1_000",
    }  # fmt: skip


def test_large_files_are_refused(write):
    text = ENTRIES + "# " + "x" * 1_000_000
    with pytest.raises(SourceError, match="may hold 1,000,000 bytes"):
        published(write("m/.eval_results/x.yaml", text))


def test_other_yaml_is_no_evidence(write, tmp_path):
    write("y/task.yaml", "task: sums\ndataset_path: json\n- x\n")
    write("y/list.yaml", "- name: a\n  value: 1\n")
    write("y/votes.csv", "model_a,model_b,winner\nx,y,a\n")
    assert set(caveat.read(tmp_path / "y")) == {"votes"}
